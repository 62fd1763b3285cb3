"""The bus within one process."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable

from tsukimi.bus import Subscriber

log = logging.getLogger(__name__)


class LocalBus:
    """Calls subscribers in the order they subscribed; `RedisBus` builds on it."""

    def __init__(self) -> None:
        self._subscribers: dict[str, dict[object, Subscriber]] = {}
        self._undelivered: deque[tuple[str, bytes]] = deque()
        self._delivering = False

    async def open(self) -> None:
        """Nothing to do."""

    async def close(self) -> None:
        """Nothing to do."""

    @property
    def healthy(self) -> bool:
        return True

    def subscribe(self, topic: str, subscriber: Subscriber) -> Callable[[], None]:
        key = object()  # the same function may subscribe twice
        self._subscribers.setdefault(topic, {})[key] = subscriber
        if len(self._subscribers[topic]) == 1:
            self._topics_changed()

        def unsubscribe() -> None:
            subscribers = self._subscribers.get(topic)
            if subscribers is not None and subscribers.pop(key, None) is not None and not subscribers:
                del self._subscribers[topic]
                self._topics_changed()

        return unsubscribe

    def publish(self, topic: str, message: bytes) -> None:
        self._deliver(topic, message)

    def _deliver(self, topic: str, message: bytes) -> None:
        """A message published by a subscriber is delivered after the current one has reached everyone."""
        self._undelivered.append((topic, message))
        if self._delivering:
            return
        self._delivering = True
        try:
            while self._undelivered:
                self._call_subscribers(*self._undelivered.popleft())
        finally:
            self._delivering = False

    def _call_subscribers(self, topic: str, message: bytes) -> None:
        subscribers = self._subscribers.get(topic, {})
        for key in list(subscribers):
            subscriber = subscribers.get(key)  # may have unsubscribed in the meantime
            if subscriber is None:
                continue
            try:
                subscriber(message)
            except Exception:
                log.exception("a subscriber of %r failed", topic)

    def _topics_changed(self) -> None:
        """Called when a topic gets its first subscriber or loses its last."""
