"""Which open sockets rest on which credential: they end with it, at whichever worker they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tsukimi.bus import Bus

TOPIC = "revoked"


class Credentials:
    """A credential is known by its digest: of a bearer token, or of the session of a cookie."""

    def __init__(self) -> None:
        self._closers: dict[bytes, set[Callable[[], None]]] = {}
        self._bus: Bus | None = None

    def connect(self, bus: Bus) -> None:
        self._bus = bus
        bus.subscribe(TOPIC, self._close)

    def revoke(self, digest: bytes) -> None:
        if self._bus is not None:
            self._bus.publish(TOPIC, digest)

    @contextmanager
    def in_use(self, digest: bytes, close: Callable[[], None]) -> Iterator[None]:
        """Have `close` called when the credential is revoked meanwhile."""
        closers = self._closers.setdefault(digest, set())
        closers.add(close)
        try:
            yield
        finally:
            closers.discard(close)
            if not closers and self._closers.get(digest) is closers:
                del self._closers[digest]

    def _close(self, digest: bytes) -> None:
        for close in list(self._closers.get(digest, ())):
            close()
