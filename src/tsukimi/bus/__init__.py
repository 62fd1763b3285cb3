"""Publish/subscribe: within a process, or between several over Redis.

A message says that something is new; the content is in the log. So the bus may lose messages as long as it says
so: an empty message means "you may have missed something, read the log".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Subscriber = Callable[[bytes], None]
MISSED = b""


class Bus(Protocol):
    """Everything except `open` and `close` must be called on the event loop's thread."""

    async def open(self) -> None:
        """Connect. A server that cannot be reached yet is retried in the background."""

    async def close(self) -> None:
        """Send what is queued, if that is possible soon, and disconnect."""

    def subscribe(self, topic: str, subscriber: Subscriber) -> Callable[[], None]:
        """Call `subscriber` on the event loop with every message of a topic; returns a function to end it."""

    def publish(self, topic: str, message: bytes) -> None:
        """Deliver to all subscribers, immediately and exactly once to those in this process; never waits, never fails."""

    @property
    def healthy(self) -> bool:
        """Whether messages to and from other processes get through, as far as is known."""


def connect(url: str | None) -> Bus:
    """None: within this process. `redis://host:port/0`: between all processes that use this Redis."""
    if url is None:
        from tsukimi.bus.local import LocalBus

        return LocalBus()
    if url.startswith(("redis://", "rediss://", "unix://")):
        try:
            from tsukimi.bus.redis import RedisBus
        except ModuleNotFoundError as error:
            raise ValueError(f"Redis needs a package that is not installed: pip install {error.name}") from error
        return RedisBus(url)
    raise ValueError(f"no bus for {url!r}: redis://host:port/0")
