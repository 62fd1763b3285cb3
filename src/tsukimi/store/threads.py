"""A thread beside the event loop that takes what has piled up, all at once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from tsukimi.store import Unavailable

Job = TypeVar("Job")


class Desk(Generic[Job]):
    """Jobs are served in the order they came, up to `most` in one go.

    `serve` gives one outcome per job, an exception where the job failed. Loop and thread wake each other once per go
    and not once per job, which is most of the cost when many wait.
    """

    def __init__(self, name: str, serve: Callable[[list[Job]], list[Any]], most: int) -> None:
        self._serve = serve
        self._most = most
        self._loop = asyncio.get_running_loop()
        self._waiting: list[tuple[Job, asyncio.Future[Any]]] = []
        self._busy = False
        """Whether the thread has work, or will be given some before the loop waits again."""
        self._gos: SimpleQueue[list[tuple[Job, asyncio.Future[Any]]] | None] = SimpleQueue()
        self._open = True
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def ask(self, job: Job) -> asyncio.Future[Any]:
        """Whoever stops waiting does not stop the job."""
        if not self._open:
            raise Unavailable("the store is closed")
        future: asyncio.Future[Any] = self._loop.create_future()
        self._waiting.append((job, future))
        if not self._busy:
            self._busy = True
            self._loop.call_soon(self._hand_over)
        return future

    async def shut(self) -> None:
        """Take no more; return when all that was taken is done."""
        self._open = False
        if not self._busy:
            self._gos.put(None)
        await asyncio.to_thread(self._thread.join)

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
            answers = [(future, outcome) for (_, future), outcome in zip(batch, outcomes, strict=True)]
            try:
                self._loop.call_soon_threadsafe(self._served, answers)
            except RuntimeError:  # the event loop has gone: nobody is left to be told
                return

    def _served(self, answers: list[tuple[asyncio.Future[Any], Any]]) -> None:
        self._hand_over()  # first: the thread works while those who waited go on
        for future, outcome in answers:
            if future.done():  # cancelled
                continue
            if isinstance(outcome, Exception):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)
