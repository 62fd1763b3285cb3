"""A thread beside the event loop that takes what has piled up, all at once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Generator
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from tsukimi.store import Unavailable

Job = TypeVar("Job")


class Asked:
    """A job that will be done. It is awaited, or somebody is called when it is: that costs less."""

    def __init__(self) -> None:
        self._done = False
        self._outcome: Any = None
        self._then: Callable[[Any], None] | None = None
        self._future: asyncio.Future[Any] | None = None

    def then(self, call: Callable[[Any], None]) -> None:
        """Call with the outcome, an exception where the job failed; at most one is called."""
        if self._done:
            call(self._outcome)
        else:
            self._then = call

    def settle(self, outcome: Any) -> None:
        self._done, self._outcome = True, outcome
        if self._then is not None:
            self._then(outcome)
        elif self._future is not None and not self._future.done():  # else nobody waits any more
            self._future.set_result(None)

    def __await__(self) -> Generator[Any, None, Any]:
        if not self._done:
            self._future = asyncio.get_running_loop().create_future()
            yield from self._future.__await__()
        if isinstance(self._outcome, Exception):
            raise self._outcome
        return self._outcome


class Desk(Generic[Job]):
    """Jobs are served in the order they came, up to `most` in one go.

    `serve` gives one outcome per job, an exception where the job failed. Loop and thread wake each other once per go
    and not once per job, which is most of the cost when many wait.
    """

    def __init__(self, name: str, serve: Callable[[list[Job]], list[Any]], most: int) -> None:
        self._serve = serve
        self._most = most
        self._loop = asyncio.get_running_loop()
        self._waiting: list[tuple[Job, Asked]] = []
        self._busy = False
        """Whether the thread has work, or will be given some before the loop waits again."""
        self._gos: SimpleQueue[list[tuple[Job, Asked]] | None] = SimpleQueue()
        self._open = True
        self._worker = threading.Thread(target=self._work, name=name, daemon=True)
        self._worker.start()

    def ask(self, job: Job) -> Asked:
        """Whoever stops waiting does not stop the job."""
        if not self._open:
            raise Unavailable("the store is closed")
        asked = Asked()
        self._waiting.append((job, asked))
        if not self._busy:
            self._busy = True
            self._loop.call_soon(self._hand_over)
        return asked

    async def shut(self) -> None:
        """Take no more; return when all that was taken is done."""
        self._open = False
        if not self._busy:
            self._gos.put(None)
        await asyncio.to_thread(self._worker.join)

    def _hand_over(self) -> None:
        if self._waiting:
            self._gos.put(self._waiting[: self._most])
            del self._waiting[: self._most]
            return
        self._busy = False
        if not self._open:
            self._gos.put(None)

    def _work(self) -> None:
        while (batch := self._gos.get()) is not None:
            outcomes = self._serve([job for job, _ in batch])
            answers = [(asked, outcome) for (_, asked), outcome in zip(batch, outcomes, strict=True)]
            try:
                self._loop.call_soon_threadsafe(self._served, answers)
            except RuntimeError:  # the event loop has gone: nobody is left to be told
                return

    def _served(self, answers: list[tuple[Asked, Any]]) -> None:
        self._hand_over()  # first: the thread works while those who waited go on
        for asked, outcome in answers:
            try:
                asked.settle(outcome)
            except Exception as problem:  # of whoever was called: no reason to forget the others
                self._loop.call_exception_handler({"message": "an answer failed", "exception": problem})
