"""Which open sockets depend on which credential: they are closed with it, on whichever worker they are."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import msgspec

from tsukimi.bus import MISSED, Bus

TOPIC = "revoked"

_log = logging.getLogger("tsukimi.accounts")


class Credential(NamedTuple):
    """A bearer token or the session of a cookie, by its digest; `person` is empty for a token."""

    digest: bytes
    person: str = ""


class Revoked(msgspec.Struct, array_like=True):
    """One credential; with a person, all of that person's sessions except this one."""

    digest: bytes
    person: str = ""


_decode = msgspec.msgpack.Decoder(Revoked).decode


class Credentials:
    def __init__(self) -> None:
        self._in_use: dict[bytes | str, dict[Callable[[], None], bytes]] = {}
        """Closes the sockets of a credential, and of a person's sessions, with the credential's digest."""
        self._bus: Bus | None = None

    def connect(self, bus: Bus) -> None:
        self._bus = bus
        bus.subscribe(TOPIC, lambda message: None if message == MISSED else self._close(_decode(message)))

    def revoke(self, digest: bytes) -> None:
        self._publish(Revoked(digest))

    def revoke_sessions(self, person: str, keep: bytes = b"") -> None:
        self._publish(Revoked(keep, person))

    def _publish(self, revoked: Revoked) -> None:
        if self._bus is not None:
            try:
                self._bus.publish(TOPIC, msgspec.msgpack.encode(revoked))
            except Exception:  # the credential is gone from the store in any case
                _log.exception("the bus failed")
                self._close(revoked)

    @contextmanager
    def in_use(self, credential: Credential, close: Callable[[], None]) -> Iterator[None]:
        """Call `close` if the credential is revoked meanwhile."""
        keys = [key for key in credential if key]
        for key in keys:
            self._in_use.setdefault(key, {})[close] = credential.digest
        try:
            yield
        finally:
            for key in keys:
                closers = self._in_use[key]
                del closers[close]
                if not closers:
                    del self._in_use[key]

    def _close(self, revoked: Revoked) -> None:
        closers = self._in_use.get(revoked.person or revoked.digest, {})
        for close, digest in list(closers.items()):
            if not revoked.person or digest != revoked.digest:
                close()
