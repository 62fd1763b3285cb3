"""How much one address or one person may ask for: token buckets, in the memory of this process.

    if not limits.allow("chat", person.id): ..

A bucket holds `burst` tokens and gains `per_second`; what is asked takes one. With several workers each counts alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from ipaddress import ip_address
from typing import NamedTuple


class Rate(NamedTuple):
    burst: float
    per_second: float


RATES = {
    # by address
    "http": Rate(400, 40),  # a page is some thirty files; a school shares one address
    "change": Rate(120, 4),  # requests that change something
    "guest": Rate(60, 1),  # new identities
    "login": Rate(20, 1 / 6),
    "register": Rate(10, 1 / 60),
    "socket": Rate(120, 10),  # new WebSocket connections
    "link": Rate(30, 1 / 5),  # personal links opened
    # by account name
    "login-name": Rate(10, 1 / 30),
    # by person
    "person": Rate(120, 10),  # requests to the API
    "table": Rate(20, 1 / 5),  # new tables and quick matches
    "token": Rate(10, 1 / 60),  # new tokens and personal links
    "message": Rate(80, 20),  # messages on a WebSocket
    "chat": Rate(6, 0.5),
    "hint": Rate(6, 0.2),
}
MOST = 100_000


class Limits:
    def __init__(self, factor: float = 1.0, clock: Callable[[], float] = time.monotonic, most: int = MOST) -> None:
        self._factor = factor
        self._clock = clock
        self._most = most
        self._buckets: dict[tuple[str, str], tuple[float, float]] = {}  # tokens, when they were counted

    def allow(self, kind: str, key: str) -> bool:
        """Take a token; False: there was none."""
        return self.wait(kind, key) == 0

    def wait(self, kind: str, key: str) -> float:
        """Take a token and give 0, or give the seconds until there is one."""
        rate = RATES[kind]
        if not self._factor:
            return 0
        now = self._clock()
        tokens = self._tokens(kind, key, now)
        if tokens < 1:
            return (1 - tokens) / (rate.per_second * self._factor)
        if len(self._buckets) >= self._most:
            self._forget(now)
        self._buckets[kind, key] = (tokens - 1, now)
        return 0

    def _tokens(self, kind: str, key: str, now: float) -> float:
        rate = RATES[kind]
        full = max(1.0, rate.burst * self._factor)
        tokens, at = self._buckets.get((kind, key), (full, now))
        return min(full, tokens + (now - at) * rate.per_second * self._factor)

    def _forget(self, now: float) -> None:
        """Drop buckets that are full again; if an attack keeps too many of them in use, the older half."""
        for kind, key in list(self._buckets):
            if self._tokens(kind, key, now) >= RATES[kind].burst * self._factor:
                del self._buckets[kind, key]
        if len(self._buckets) > self._most // 2:
            oldest = sorted(self._buckets, key=lambda name: self._buckets[name][1])
            for name in oldest[: len(oldest) // 2]:
                del self._buckets[name]


def address_key(address: str) -> str:
    """Whom an address stands for: an IPv6 household has a whole /64."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if found.version == 6 and found.ipv4_mapped is None:
        return str(int(found) >> 64)
    return str(found.ipv4_mapped or found) if found.version == 6 else address
