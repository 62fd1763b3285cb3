"""Who hears of what: within a process, or between several over Redis.

A message says that something is new; what it is stands in the log. So the bus may lose messages, as long as it says
so: an empty message means "something may have been missed, look into the log".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Hear = Callable[[bytes], None]
MISSED = b""


class Bus(Protocol):
    """Topics to publish on and to listen to. Everything but `open` and `close` is for the event loop's thread."""

    async def open(self) -> None:
        """Begin to carry. A server that cannot be reached yet is waited for in the background."""

    async def close(self) -> None:
        """Send what is waiting, if that can be done soon, and let go."""

    def listen(self, topic: str, hear: Hear) -> Callable[[], None]:
        """Have `hear` called, on the event loop, with every message on the topic; returns what ends that."""

    def publish(self, topic: str, message: bytes) -> None:
        """Tell all who listen, in this process at once and exactly once; never waits, never fails."""

    @property
    def healthy(self) -> bool:
        """Whether other processes hear us and we them, as far as is known."""


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
