"""Whether this worker can do its work, and reporting of database failures."""

from __future__ import annotations

import asyncio
import logging
import shutil
import time
from pathlib import Path

from tsukimi.server.monitoring import logs
from tsukimi.server.monitoring.metrics import Metrics
from tsukimi.store import Store, Unavailable

PROBE_TIMEOUT_S = 2.0
PROBE_EVERY_S = 1.0  # however often it is requested
FAILED_FOR_S = 10.0  # after a failure, so that failures affecting only some requests are noticed too
LOG_EVERY_S = 60.0
LEAST_FREE_BYTES = 100 * 2**20  # less is soon used up: SQLite's log alone may take 64 MB
MOST_LAG_S = 3.0

_log = logging.getLogger("tsukimi.store")


class Disk:
    """The free space on an SQLite database's disk; None otherwise."""

    def __init__(self, database: str, metrics: Metrics) -> None:
        scheme, _, path = database.partition(":///")
        self._folder = Path(path).parent if scheme == "sqlite" and path else None
        metrics.disk_free.set_function(lambda: float("nan") if (free := self.free()) is None else free)

    def free(self) -> int | None:
        if self._folder is None:
            return None
        try:
            return shutil.disk_usage(self._folder).free
        except OSError:  # the folder is gone
            return 0


class StoreMonitor:
    """Counts the store's failures and logs the first, then one a minute; `ready` tries a write."""

    def __init__(self, store: Store, metrics: Metrics) -> None:
        self._store, self._errors = store, metrics.store_errors
        self._failed_at = self._logged_at = -1e9
        self._probed_at, self._works = -1e9, True
        self._probing = asyncio.Lock()
        metrics.store_queue.set_function(lambda: store.waiting)
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
            _log.error("the database failed", extra=logs.fields(problem=str(error)))
