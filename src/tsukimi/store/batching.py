"""A thread alongside the event loop that works in batches: what is submitted while it is busy goes into the next batch."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from tsukimi.store import Unavailable

Job = TypeVar("Job")
Batch = list[tuple[Job, "asyncio.Future[Any]"]]


class BatchWorker(Generic[Job]):
    """Runs jobs in order, at most `size` in a batch: this gives us group commit.

    `run` returns one outcome per job, an exception if the job failed. A job whose future is cancelled is run anyway.
    """

    def __init__(self, name: str, run: Callable[[list[Job]], Sequence[Any]], size: int) -> None:
        self._run, self._size = run, size
        self._loop = asyncio.get_running_loop()
        self._queue: Batch[Job] = []
        self._busy = False
        self._open = True
        self._batches: SimpleQueue[Batch[Job] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def submit(self, job: Job) -> asyncio.Future[Any]:
        if not self._open:
            raise Unavailable("the store is closed")
        future = self._loop.create_future()
        self._queue.append((job, future))
        if not self._busy:
            self._busy = True
            self._loop.call_soon(self._next_batch)  # with everything else submitted in this iteration of the loop
        return future

    @property
    def waiting(self) -> int:
        """How many jobs are in no batch yet."""
        return len(self._queue)

    async def close(self) -> None:
        """Accept no more; return when everything accepted is done."""
        self._open = False
        if not self._busy:
            self._batches.put(None)
        await asyncio.to_thread(self._thread.join)

    def _next_batch(self) -> None:
        batch, self._queue = self._queue[: self._size], self._queue[self._size :]
        if batch:
            self._batches.put(batch)
        else:
            self._busy = False
            if not self._open:
                self._batches.put(None)

    def _work(self) -> None:
        while (batch := self._batches.get()) is not None:
            outcomes = self._run([job for job, _ in batch])
            try:
                self._loop.call_soon_threadsafe(self._done, batch, outcomes)
            except RuntimeError:  # the event loop is closed
                return

    def _done(self, batch: Batch[Job], outcomes: Sequence[Any]) -> None:
        self._next_batch()  # first: the thread works while those who waited continue
        for (_, future), outcome in zip(batch, outcomes, strict=True):
            if future.done():  # cancelled
                continue
            if isinstance(outcome, Exception):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)
