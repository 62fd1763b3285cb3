"""Closes abandoned tables, and records which tables have people for the lobby of every worker."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from tsukimi.server.config import Config
from tsukimi.server.monitoring.metrics import Metrics
from tsukimi.server.tables.clock import clock
from tsukimi.store import Store
from tsukimi.table import commands
from tsukimi.table.errors import TableError

if TYPE_CHECKING:
    from tsukimi.server.tables.registry import Registry

NOTED_EVERY, CLOSED_EVERY = 10.0, 30.0  # seconds
EMPTY_FOR = 10 * 60_000  # ms for which a waiting public table lasts with nobody seated
AT_ONCE = 50


class Expiry:
    def __init__(self, store: Store, config: Config, metrics: Metrics) -> None:
        self._store, self._expired = store, metrics.tables_expired
        self._waiting = int(config.expire_waiting * 3_600_000)
        self._abandoned = int(config.expire_abandoned * 86_400_000)
        self._note, self._close = _every(NOTED_EVERY), _every(CLOSED_EVERY)

    async def run(self, registry: Registry) -> None:
        """As often as it is time."""
        if self._note():
            attended = [
                live.id
                for live in registry.loaded()
                if live.table.settings.public and not live.table.ended and live.presence.greeted()
            ]
            if attended:
                await self._store.attend(attended, clock())
        if self._close():
            now = clock()
            times = (now - min(EMPTY_FOR, self._waiting), now - self._waiting, now - self._abandoned)
            for table in await self._store.expired_tables(*times, limit=AT_ONCE):
                await self._expire(registry, table)

    async def _expire(self, registry: Registry, table: str) -> None:
        try:
            live = await registry.get(table)
            if not live.presence.people() and not live.presence.viewers:
                await live.submit(commands.expire)
                self._expired.inc()
            await registry.unload_if_idle(live)
        except TableError:  # quarantined, or ended meanwhile
            pass


def _every(seconds: float) -> Callable[[], bool]:
    last = 0.0

    def is_time() -> bool:
        nonlocal last
        now = time.monotonic()
        if last and now - last < seconds:
            return False
        last = now
        return True

    return is_time
