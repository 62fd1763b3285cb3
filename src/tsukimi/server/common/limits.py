"""Rate limits per address or person: token buckets in the memory of this process. Several workers share them: each
counts by itself and allows its share."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple


class Rate(NamedTuple):
    burst: float
    per_second: float


RATES = {
    # by address
    "http": Rate(400, 40),  # a page is about thirty files; a school shares one address
    "change": Rate(120, 4),  # requests that change something
    "guest": Rate(60, 1),  # new identities
    "login": Rate(20, 1 / 6),  # except for devices known to the account
    "reset": Rate(10, 1 / 60),  # forgotten passwords
    "register": Rate(10, 1 / 60),
    "socket": Rate(120, 10),  # new WebSocket connections
    "link": Rate(30, 1 / 5),  # personal links opened
    "replay": Rate(60, 5),  # replays and records
    "table-address": Rate(60, 1),
    "message-address": Rate(600, 200),  # messages over WebSockets, all tables together
    "chat-address": Rate(40, 4),
    "hint-address": Rate(15, 2),
    # by address and account name
    "login-name": Rate(10, 1 / 30),
    # by account name, from any address; devices known to the account have their own
    "login-account": Rate(60, 1 / 60),
    "login-device": Rate(10, 1 / 30),
    "reset-account": Rate(3, 1 / 600),  # links by e-mail
    "mail-to": Rate(3, 1 / 3600),  # e-mails to an unconfirmed address
    # by person
    "person": Rate(120, 10),  # requests to the API
    "components": Rate(60, 4),  # sets checked while being edited, also by address
    "balance": Rate(10, 1 / 10),  # reports on them, also by address
    "table": Rate(20, 1 / 5),  # new tables and quick matches
    "token": Rate(10, 1 / 60),  # new tokens, personal links and recovery codes
    "report": Rate(5, 1 / 300),  # also by address
    "password": Rate(10, 1 / 30),  # asked for again before sensitive actions
    "second-factor": Rate(10, 1 / 300),  # six digits can be guessed
    "mail": Rate(3, 1 / 600),
    "export": Rate(3, 1 / 600),
    "message": Rate(60, 20),
    "chat": Rate(5, 0.5),
    "hint": Rate(3, 0.5),
    "review": Rate(10, 1 / 20),  # reviews requested and records imported, also by address
}
MAX_BUCKETS = 100_000


class TokenBucket:
    """Holds up to `burst` tokens and gains `per_second`; each limited action takes one."""

    __slots__ = ("_burst", "_clock", "_per_second", "_tokens", "used_at")

    def __init__(self, burst: float, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst, self._per_second, self._tokens, self._clock = burst, per_second, burst, clock
        self.used_at = clock()

    def acquire(self) -> float:
        """Take a token: 0, or the seconds until there is one."""
        self._tokens, self.used_at = self._refilled(), self._clock()
        if self._tokens < 1:
            return (1 - self._tokens) / self._per_second
        self._tokens -= 1
        return 0

    def spend(self, amount: float) -> float:
        """Take that many tokens, available or not: the seconds until none is owed."""
        self._tokens, self.used_at = self._refilled() - amount, self._clock()
        return max(0.0, -self._tokens / self._per_second)

    def is_full(self) -> bool:
        return self._refilled() >= self._burst

    def _refilled(self) -> float:
        return min(self._burst, self._tokens + (self._clock() - self.used_at) * self._per_second)


class RateLimiter:
    """A bucket for every kind of request and every key (an address, a person)."""

    def __init__(
        self, factor: float = 1.0, clock: Callable[[], float] = time.monotonic, max_buckets: int = MAX_BUCKETS
    ) -> None:
        self.workers = 1
        """How many share the load: each allows its share."""
        self.on_refused: Callable[[str], None] = lambda kind: None
        self._factor = factor
        self._clock = clock
        self._max_buckets = max_buckets
        self._buckets: dict[tuple[str, str], TokenBucket] = {}

    def acquire(self, kind: str, key: str) -> float:
        """Take a token: 0, or the seconds until there is one."""
        rate = RATES[kind]
        if not self._factor:
            return 0
        bucket = self._buckets.get((kind, key))
        if bucket is None:
            if len(self._buckets) >= self._max_buckets:
                self._evict()
            factor = self._factor / self.workers
            bucket = TokenBucket(max(1.0, rate.burst * factor), rate.per_second * factor, self._clock)
            self._buckets[kind, key] = bucket
        wait = bucket.acquire()
        if wait:
            self.on_refused(kind)
        return wait

    def acquire_for(self, kind: str, person: str, address: str) -> float:
        """Take a token from the person and one from the address."""
        return self.acquire(kind, person) or self.acquire(f"{kind}-address", address)

    def share(self, workers: int) -> None:
        """That many workers share the load from now on."""
        if workers != self.workers:
            self.workers = workers
            self._buckets.clear()  # they are recreated in their new size

    def _evict(self) -> None:
        """Drop full buckets; if an attack keeps too many of them in use, also the least recently used half."""
        by_age = sorted(self._buckets.items(), key=lambda item: item[1].used_at)
        left = [(key, bucket) for key, bucket in by_age if not bucket.is_full()]
        if len(left) > self._max_buckets // 2:
            left = left[len(left) // 2 :]
        self._buckets = dict(left)
