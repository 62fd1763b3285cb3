"""Where the dice of a game come from: chance event number n is a function of a secret key and n alone.

So a game can be checked afterwards by anyone who is told the key, and an undo never rolls the same dice
again: n does not go back. The key is hidden information; a copy of a game gets a key of its own.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable

from tsukimi.core.rng import Rng

Seed = int | str | bytes | None
INNER, OUTER = bytes([x ^ 0x36 for x in range(256)]), bytes([x ^ 0x5C for x in range(256)])  # HMAC's two pads


class Source:
    __slots__ = ("_digest", "_forks", "_key", "count")

    def __init__(self, key: bytes, count: int = 0, forks: int = 0) -> None:
        self._key = key
        self._digest = _hmac(key)
        self.count = count
        self._forks = forks

    @classmethod
    def of(cls, seed: Seed) -> Source:
        """From a seed of the user's; None: from the system's entropy."""
        if seed is None:
            return cls(secrets.token_bytes(32))
        return cls(hashlib.sha256(f"{type(seed).__name__}:".encode() + _bytes(seed)).digest())

    def __getstate__(self) -> tuple[bytes, int, int]:
        return self._key, self.count, self._forks

    def __setstate__(self, state: tuple[bytes, int, int]) -> None:
        self._key, self.count, self._forks = state
        self._digest = _hmac(self._key)

    def next(self) -> Rng:
        """The generator of the next chance event."""
        self.count += 1
        return self.at(self.count - 1)

    def at(self, number: int) -> Rng:
        """The generator of chance event `number`, counted from 0."""
        return Rng(int.from_bytes(self._digest(b"event %d" % number)[:8], "big"))

    def fork(self) -> Source:
        """A source that goes on otherwise: it tells nothing about this one, but is the same whenever this one is."""
        self._forks += 1
        return Source(self._digest(b"fork %d" % self._forks))


def _hmac(key: bytes) -> Callable[[bytes], bytes]:
    """HMAC-SHA256 with the work on the key done once (`hmac.digest` does it every time, and lets other threads in)."""
    block = (hashlib.sha256(key).digest() if len(key) > 64 else key).ljust(64, b"\0")
    inner, outer = hashlib.sha256(block.translate(INNER)), hashlib.sha256(block.translate(OUTER))

    def digest(text: bytes) -> bytes:
        within, around = inner.copy(), outer.copy()
        within.update(text)
        around.update(within.digest())
        return around.digest()

    return digest


def rng_of(seed: Seed) -> Rng:
    """A plain generator from a seed, for resampling and playouts."""
    return Source.of(seed).next()


def _bytes(seed: int | str | bytes) -> bytes:
    if isinstance(seed, bytes):
        return seed
    return str(seed).encode("utf-8", "surrogatepass")
