"""The messages between workers that share tables: that a log has grown, who is connected."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

import msgspec

from tsukimi.bus import MISSED, Bus
from tsukimi.server.tables.live_table import LiveTable
from tsukimi.store import Unavailable

_log = logging.getLogger("tsukimi.tables")


class News(msgspec.Struct, omit_defaults=True):
    """About one table. With neither rows nor people, it asks who is connected elsewhere."""

    worker: str
    rows: int = 0
    people: list[str] | None = None
    spectators: int = 0


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(News).decode


class Peers:
    def __init__(self, bus: Bus, worker: str, shared: bool) -> None:
        self._bus, self._worker, self._shared = bus, worker, shared
        self._heard: dict[str, float] = {}
        """When each other worker was last heard from."""

    @property
    def reachable(self) -> bool:
        """Whether messages get through, as far as is known."""
        return not self._shared or self._bus.healthy

    def subscribe(self, table: str, receive: Callable[[News | None], None]) -> Callable[[], None]:
        """Call `receive` with all news from other workers about a table; None: something may have been missed."""

        def on_message(message: bytes) -> None:
            if message == MISSED:
                receive(None)
                return
            news = _decode(message)
            if news.worker != self._worker:
                self._heard[news.worker] = time.monotonic()
                receive(news)

        try:
            end = self._bus.subscribe(_topic(table), on_message)
        except Exception as problem:
            raise Unavailable(f"the bus: {problem}") from problem

        def unsubscribe() -> None:
            try:
                end()
            except Exception:
                _log.exception("the bus failed")

        return unsubscribe

    def ask_presence(self, table: str) -> None:
        self._publish(table, News(self._worker))

    def publish_rows(self, live: LiveTable) -> None:
        if self._shared:
            self._publish(live.id, News(self._worker, live.table.rows))

    def publish_presence(self, live: LiveTable) -> None:
        """With the length of the log, so that rows whose messages were lost are found."""
        people, spectators = live.presence.here()
        self._publish(live.id, News(self._worker, live.table.rows, sorted(people), spectators))

    def silent_workers(self, seconds: float) -> set[str]:
        """Workers that have been silent for this long; they are then forgotten."""
        now = time.monotonic()
        if not self._bus.healthy:  # it is this worker that receives nothing
            self._heard = dict.fromkeys(self._heard, now)
        silent = {worker for worker, at in self._heard.items() if now - at > seconds}
        for worker in silent:
            del self._heard[worker]
        return silent

    def _publish(self, table: str, news: News) -> None:
        if not self._shared:
            return
        try:
            self._bus.publish(_topic(table), _encode(news))
        except Exception:  # local viewers are updated in any case, other workers with the next message
            _log.exception("the bus failed")


def _topic(table: str) -> str:
    return f"t:{table}"
