"""How late the event loop is: the delay for everyone served by this worker."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque

from tsukimi.server.monitoring.metrics import Metrics

EVERY_S = 0.25
REMEMBERED = 40  # measurements, ten seconds


class LoopMonitor:
    def __init__(self, metrics: Metrics) -> None:
        self._observe = metrics.loop_lag.observe
        self._lags: deque[float] = deque(maxlen=REMEMBERED)
        self._task: asyncio.Task[None] | None = None

    @property
    def lag(self) -> float:
        """The worst of the last ten seconds."""
        return max(self._lags, default=0.0)

    async def start(self) -> None:
        self._task = asyncio.create_task(self._measure())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _measure(self) -> None:
        while True:
            due = time.monotonic() + EVERY_S
            await asyncio.sleep(EVERY_S)
            lag = max(0.0, time.monotonic() - due)
            self._lags.append(lag)
            self._observe(lag)
