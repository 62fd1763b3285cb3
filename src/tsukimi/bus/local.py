"""The bus within one process."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable

from tsukimi.bus import Hear

log = logging.getLogger(__name__)


class LocalBus:
    """Calls those who listen, in the order they began to; the other buses build on it."""

    def __init__(self) -> None:
        self._listeners: dict[str, dict[object, Hear]] = {}
        self._waiting: deque[tuple[str, bytes]] = deque()
        self._telling = False

    async def open(self) -> None:
        """Nothing to do."""

    async def close(self) -> None:
        """Nothing to do."""

    @property
    def healthy(self) -> bool:
        return True

    def listen(self, topic: str, hear: Hear) -> Callable[[], None]:
        key = object()  # the same function may listen twice
        self._listeners.setdefault(topic, {})[key] = hear
        if len(self._listeners[topic]) == 1:
            self._first(topic)

        def stop() -> None:
            listeners = self._listeners.get(topic)
            if listeners is not None and listeners.pop(key, None) is not None and not listeners:
                del self._listeners[topic]
                self._last(topic)

        return stop

    def publish(self, topic: str, message: bytes) -> None:
        self._tell(topic, message)

    def _tell(self, topic: str, message: bytes) -> None:
        """A message published by somebody who is just being told waits until all have heard the one before it."""
        self._waiting.append((topic, message))
        if self._telling:
            return
        self._telling = True
        try:
            while self._waiting:
                self._tell_each(*self._waiting.popleft())
        finally:
            self._telling = False

    def _tell_each(self, topic: str, message: bytes) -> None:
        listeners = self._listeners.get(topic, {})
        for key in list(listeners):
            hear = listeners.get(key)  # may have stopped meanwhile
            if hear is None:
                continue
            try:
                hear(message)
            except Exception:
                log.exception("a listener to %r failed", topic)

    def _first(self, topic: str) -> None:
        """Somebody listens to a topic that nobody listened to."""

    def _last(self, topic: str) -> None:
        """Nobody listens to a topic any more."""
