"""Whether this worker can do its work, and what is said when the database fails."""

from __future__ import annotations

import asyncio
import logging
import time

from tsukimi.server.monitoring import logs
from tsukimi.server.monitoring.metrics import Metrics
from tsukimi.store import Store, Unavailable

PROBE_TIMEOUT_S = 2.0
PROBE_EVERY_S = 1.0  # however often somebody asks
FAILED_FOR_S = 10.0  # after a failure, so that one that only some requests meet is noticed, too
LOG_EVERY_S = 60.0

_log = logging.getLogger("tsukimi.store")


class StoreMonitor:
    """Counts the failures of the store and logs the first, then one a minute; `ready` tries a write."""

    def __init__(self, store: Store, metrics: Metrics) -> None:
        self._store, self._errors = store, metrics.store_errors
        self._failed_at = self._logged_at = -1e9
        self._probed_at, self._works = -1e9, True
        self._probing = asyncio.Lock()
        store.on_failure = self._failed

    async def ready(self) -> bool:
        async with self._probing:
            if time.monotonic() - self._probed_at > PROBE_EVERY_S:
                self._works = await self._probe()
                self._probed_at = time.monotonic()
        return self._works and time.monotonic() - self._failed_at > FAILED_FOR_S

    async def _probe(self) -> bool:
        try:
            async with asyncio.timeout(PROBE_TIMEOUT_S):
                await self._store.probe()
        except Unavailable:
            return False
        except TimeoutError:
            self._failed(Unavailable(f"no answer within {PROBE_TIMEOUT_S:.0f} s"))
            return False
        return True

    def _failed(self, error: Unavailable) -> None:
        """Called in any thread."""
        self._errors.inc()
        now = self._failed_at = time.monotonic()
        if now - self._logged_at > LOG_EVERY_S:
            self._logged_at = now
            _log.error("the database fails", extra=logs.fields(problem=str(error)))
