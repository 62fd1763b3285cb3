"""How many messages a session may send."""

from __future__ import annotations

import time


class TokenBucket:
    """So many at once, and so many a second."""

    __slots__ = ("_at", "_left", "_rate", "_size")

    def __init__(self, size: float, rate: float) -> None:
        self._size, self._rate, self._left, self._at = size, rate, size, time.monotonic()

    def take(self) -> bool:
        now = time.monotonic()
        self._left = min(self._size, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
