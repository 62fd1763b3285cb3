# mypy: ignore-errors
# cython: infer_types=True, cdivision=True
"""A small, fast random number generator (splitmix64), the same compiled and plain.

It is used for playouts, search and resampling. The dice of a real game come from
`tsukimi.core.source`, which derives one generator per chance event.
"""

from __future__ import annotations

import operator

MASK = 0xFFFFFFFFFFFFFFFF
STEP = 0x9E3779B97F4A7C15
MIX1 = 0xBF58476D1CE4E5B9
MIX2 = 0x94D049BB133111EB
LOW = 0xFFFFFFFF


class Rng:
    def __init__(self, seed: object = 0) -> None:
        self.state = operator.index(seed) & MASK

    def bits(self):
        """64 random bits."""
        self.state = (self.state + STEP) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * MIX1) & MASK
        z = ((z ^ (z >> 27)) * MIX2) & MASK
        return z ^ (z >> 31)

    def below(self, n):
        """An integer from 0 to n - 1, exactly uniform (n below 2**32)."""
        product = (self.bits() >> 32) * n
        if (product & LOW) < n:
            floor = (LOW + 1) % n
            while (product & LOW) < floor:
                product = (self.bits() >> 32) * n
        return product >> 32

    def randrange(self, n: object) -> int:
        """`below`, for Python callers."""
        count = operator.index(n)
        if not 0 < count <= LOW:
            raise ValueError("randrange needs 1 <= n < 2**32")
        return self.below(count)

    def number(self) -> int:
        """`bits`, for Python callers."""
        return self.bits()

    def __reduce__(self) -> tuple[object, ...]:
        return Rng, (self.state,)

    def fork(self) -> Rng:
        """An independent generator, for a thread or a branch."""
        return Rng(self.bits())
