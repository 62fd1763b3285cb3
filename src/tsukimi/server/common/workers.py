"""How many workers share the load: each announces itself over the bus, and each allows its share of the limits."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable

from tsukimi.bus import MISSED, Bus

TOPIC = "workers"
EVERY, SILENT_AFTER = 4.0, 14.0  # seconds

_log = logging.getLogger("tsukimi.workers")


class Workers:
    def __init__(self, bus: Bus, changed: Callable[[int], None]) -> None:
        self._bus, self._changed = bus, changed
        self._own = secrets.token_bytes(8)
        self._heard: dict[bytes, float] = {}
        self._unsubscribe = bus.subscribe(TOPIC, self._receive)
        self._task = asyncio.create_task(self._announce())

    async def close(self) -> None:
        self._unsubscribe()
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    def _receive(self, worker: bytes) -> None:
        if worker not in (MISSED, self._own):
            known = worker in self._heard
            self._heard[worker] = time.monotonic()
            if not known:
                self._publish()  # a new worker learns about us immediately
                self._changed(1 + len(self._heard))

    async def _announce(self) -> None:
        while True:
            self._publish()
            await asyncio.sleep(EVERY)
            now = time.monotonic()
            if not self._bus.healthy:  # it is this worker that receives nothing
                self._heard = dict.fromkeys(self._heard, now)
            left = {worker: at for worker, at in self._heard.items() if now - at < SILENT_AFTER}
            if len(left) < len(self._heard):
                self._heard = left
                self._changed(1 + len(left))

    def _publish(self) -> None:
        try:
            self._bus.publish(TOPIC, self._own)
        except Exception:  # the next announcement comes soon
            _log.exception("the bus failed")
