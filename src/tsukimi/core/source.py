"""Where the dice of a game come from: chance event number n is a function of only a secret key and n.

So anyone who knows the key can check a game afterwards, and an undo never rolls the same dice
again: n does not decrease. The key is hidden information; a copy of a game gets its own key.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable

from tsukimi.core.checks import integer
from tsukimi.core.errors import BadOptions
from tsukimi.core.rng import Rng

Seed = int | str | bytes | Rng | None
Digest = Callable[[bytes], bytes]
INNER, OUTER = bytes([x ^ 0x36 for x in range(256)]), bytes([x ^ 0x5C for x in range(256)])  # HMAC's two pads


class Source:
    __slots__ = ("_fork_of", "_forks", "_hmac", "_own_key", "count")

    def __init__(self, key: bytes, count: int = 0, forks: int = 0, fork_of: tuple[bytes, int] | None = None) -> None:
        self._own_key = key
        self._hmac: Digest | None = None
        self._fork_of = fork_of
        self.count = count
        self._forks = forks

    @property
    def _key(self) -> bytes:
        """The secret; a fork's own is computed when first needed, so that a copy costs next to nothing."""
        if self._fork_of is not None:
            parent, number = self._fork_of
            self._own_key, self._fork_of = _hmac(parent)(b"fork %d" % number), None
        return self._own_key

    def _digest(self, text: bytes) -> bytes:
        if self._hmac is None:
            self._hmac = _hmac(self._key)
        return self._hmac(text)

    @classmethod
    def of(cls, seed: Seed) -> Source:
        """From a user's seed; None: from system entropy."""
        if seed is None:
            return cls(secrets.token_bytes(32))
        kind, text = _seed(seed)
        return cls(hashlib.sha256(kind + text).digest())

    def __getstate__(self) -> tuple[bytes, int, int]:
        return self._key, self.count, self._forks

    def __setstate__(self, state: tuple[bytes, int, int]) -> None:
        self._own_key, self.count, self._forks = state
        self._hmac = self._fork_of = None

    def next(self) -> Rng:
        """The generator of the next chance event."""
        self.count += 1
        return self.at(self.count - 1)

    def at(self, number: int) -> Rng:
        """The generator of chance event `number`, counted from 0."""
        return Rng(int.from_bytes(self._digest(b"event %d" % number)[:8], "big"))

    def fork(self) -> Source:
        """An independent source, derived from this one: it reveals nothing about it, and is equal for equal sources."""
        self._forks += 1
        return Source(b"", fork_of=(self._key, self._forks))


def _hmac(key: bytes) -> Digest:
    """HMAC-SHA256 with the key processed once (`hmac.digest` does it every time, and lets other threads in)."""
    block = (hashlib.sha256(key).digest() if len(key) > 64 else key).ljust(64, b"\0")
    inner, outer = hashlib.sha256(block.translate(INNER)), hashlib.sha256(block.translate(OUTER))

    def digest(text: bytes) -> bytes:
        within, around = inner.copy(), outer.copy()
        within.update(text)
        around.update(within.digest())
        return around.digest()

    return digest


def rng_of(seed: Seed) -> Rng:
    """A plain generator from a seed, for resampling and playouts; a generator is used as it is."""
    return seed if isinstance(seed, Rng) else Source.of(seed).next()


def _seed(seed: object) -> tuple[bytes, bytes]:
    if isinstance(seed, Rng):
        return b"int:", str(seed.number()).encode()
    if isinstance(seed, bytes):
        return b"bytes:", seed
    if isinstance(seed, str):
        return b"str:", seed.encode("utf-8", "surrogatepass")
    number = integer(seed)
    if number is None:
        raise BadOptions("bad-seed", kind=type(seed).__name__)
    return b"int:", str(number).encode()
