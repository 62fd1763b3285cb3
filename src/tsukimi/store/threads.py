"""A thread beside the event loop that takes what has piled up, all at once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

from tsukimi.store import Unavailable

Job = TypeVar("Job")


class Desk(Generic[Job]):
    """Jobs are served in the order they came, up to `most` in one go.

    `serve` gives one outcome per job, an exception where the job failed. The event loop is woken once per go and
    not once per job, which is most of the cost when many wait.
    """

    def __init__(self, name: str, serve: Callable[[list[Job]], list[Any]], most: int) -> None:
        self._serve = serve
        self._most = most
        self._loop = asyncio.get_running_loop()
        self._queue: SimpleQueue[tuple[Job, asyncio.Future[Any]] | None] = SimpleQueue()
        self._open = True
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def ask(self, job: Job) -> asyncio.Future[Any]:
        """Whoever stops waiting does not stop the job."""
        if not self._open:
            raise Unavailable("the store is closed")
        future: asyncio.Future[Any] = self._loop.create_future()
        self._queue.put((job, future))
        return future

    async def shut(self) -> None:
        """Take no more; return when all that was taken is done."""
        if self._open:
            self._open = False
            self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _work(self) -> None:
        more = True
        while more:
            batch, more = self._take()
            if batch:
                outcomes = self._serve([job for job, _ in batch])
                answers = [(future, outcome) for (_, future), outcome in zip(batch, outcomes, strict=True)]
                try:
                    self._loop.call_soon_threadsafe(_tell, answers)
                except RuntimeError:  # the event loop has gone: nobody is left to be told
                    pass

    def _take(self) -> tuple[list[tuple[Job, asyncio.Future[Any]]], bool]:
        """Wait for a job, then take those behind it; False if the desk shuts."""
        batch = []
        entry = self._queue.get()
        while entry is not None:
            batch.append(entry)
            if len(batch) == self._most:
                return batch, True
            try:
                entry = self._queue.get_nowait()
            except Empty:
                return batch, True
        return batch, False


def _tell(answers: list[tuple[asyncio.Future[Any], Any]]) -> None:
    for future, outcome in answers:
        if future.done():  # cancelled
            continue
        if isinstance(outcome, Exception):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)
