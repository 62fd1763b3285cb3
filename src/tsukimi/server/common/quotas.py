"""What one address or person currently uses of this worker: connections, the time and bytes for reading what
they send, and bytes queued until they read. Several workers share the allowance."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tsukimi.server.common.errors import too_many
from tsukimi.server.common.limits import TokenBucket

READ_SHARE = 0.1  # of the event loop's time
CONNECTION_SHARE = 0.25  # of what its address may read
READ_BURST_BYTES = 4  # times the bytes of a second
MAX_QUOTAS = 20_000
RETRY_S = 30
QUEUED_SHARE = 8  # one address or person may have this fraction of all queued bytes


class Quota:
    """For one address or person. Reading is slowed down rather than refused: see `blocked_until`."""

    __slots__ = ("_bytes", "_share", "blocked_until", "connections", "queued", "sockets", "waiting")

    def __init__(self, share: float, size: TokenBucket | None) -> None:
        """`share`: of the event loop's time; `size`: of bytes. None: no limit."""
        self._share, self._bytes = share, size
        self.connections = self.sockets = self.queued = 0
        self.waiting = 0
        """Connections that may not read at the moment."""
        self.blocked_until = 0.0
        """By `time.monotonic`: nothing more is read before this time."""

    def spend(self, seconds: float, size: int = 0) -> None:
        """Reading took that long, for that many bytes: the next read waits until others have had their turn."""
        if self._bytes is not None:
            now = time.monotonic()
            turn = max(now, self.blocked_until) + seconds / self._share
            self.blocked_until = max(turn, now + self._bytes.spend(size))

    @property
    def idle(self) -> bool:
        unused = not (self.connections or self.sockets or self.queued)
        return unused and self.blocked_until < time.monotonic()


class Quotas:
    """`rate` 0: only memory use is limited."""

    def __init__(
        self, rate: float, connections: int, sockets: int, bytes_per_second: int, max_queued: int, write_timeout: float
    ) -> None:
        self.workers = 1
        self.on_dropped: Callable[[str], None] = lambda reason: None
        """Called with the reason why a connection is closed or not accepted."""
        self.write_timeout = write_timeout
        self.queued = 0
        self._rate, self._connections, self._sockets = rate, connections, sockets
        self._bytes_per_second, self._max_queued = bytes_per_second, max_queued
        self._quotas: dict[str, Quota] = {}

    def of(self, key: str) -> Quota:
        """By address or person id."""
        found = self._quotas.get(key)
        if found is None:
            if len(self._quotas) >= MAX_QUOTAS:
                self._quotas = {key: quota for key, quota in self._quotas.items() if not quota.idle}
            found = self._quotas[key] = self._new()
        return found

    def of_connection(self) -> Quota:
        """A part of its address's allowance: one that floods does not hold up others behind the same address."""
        return self._new(CONNECTION_SHARE)

    def _new(self, share: float = 1.0) -> Quota:
        if not self._rate:
            return Quota(1.0, None)
        factor = share * self._rate / self.workers
        size = factor * self._bytes_per_second
        return Quota(READ_SHARE * factor, TokenBucket(READ_BURST_BYTES * size, size))

    def share(self, workers: int) -> None:
        """That many workers share the load from now on; existing connections keep what they had."""
        self.workers = workers
        self._quotas = {key: quota for key, quota in self._quotas.items() if not quota.idle}

    # ---- connections -----------------------------------------------------------------------------

    def admits_connection(self, quota: Quota) -> bool:
        """Whether an address may open another connection."""
        return quota.connections < self._share(self._connections)

    @contextmanager
    def socket(self, key: str, person: bool = False) -> Iterator[Quota]:
        """A WebSocket of an address or a person; refused if they have too many."""
        quota = self.of(key)
        if quota.sockets >= self._share(self._sockets if person else self._connections):
            self.on_dropped("sockets")
            raise too_many(RETRY_S)
        quota.sockets += 1
        try:
            yield quota
        finally:
            quota.sockets -= 1

    def _share(self, most: int) -> float:
        return max(1.0, most * self._rate / self.workers) if self._rate else math.inf

    # ---- bytes that wait -------------------------------------------------------------------------

    def reserve(self, quota: Quota, size: int) -> bool:
        """Reserve room for bytes queued for a reader; False: there is none. Someone with nothing queued always gets some."""
        if quota.queued and self.is_full(quota, size):
            return False
        quota.queued += size
        self.queued += size
        return True

    def is_full(self, quota: Quota, size: int = 1) -> bool:
        """Whether that many more bytes would be too much, for one or in total."""
        return self.queued + size > self._max_queued or quota.queued + size > self._max_queued / QUEUED_SHARE

    def release(self, quota: Quota, size: int) -> None:
        quota.queued -= size
        self.queued -= size
