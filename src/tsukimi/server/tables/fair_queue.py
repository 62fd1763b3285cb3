"""A queue that is fair to people: whoever has had the least time recently is served first, however many jobs others have."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

HALF_LIFE = 30.0  # seconds after which half of the time used is forgotten
UNATTENDED_EVERY = 8  # while people wait, one job in this many is one that nobody waits for
FORGOTTEN_BELOW = 0.001
MOST_ACCOUNTS = 10_000


class Owner(NamedTuple):
    """Who is charged for a job."""

    person: str
    address: str = ""
    """Empty: not known here. Then the person stands for it."""
    attended: bool = True
    """Whether someone is present and waiting for it."""


class FairQueue(Generic[T]):
    """First by address, then by the people at that address: many guests at one address share what one of them would
    have. `clock` is in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._jobs: dict[Owner, deque[T]] = {}
        self._used: dict[tuple[str, str], tuple[float, float]] = {}
        """By address and by person: how much time, and as of when."""
        self._passed_over = 0

    def __len__(self) -> int:
        return sum(map(len, self._jobs.values()))

    def owners(self) -> Iterator[Owner]:
        """Of every waiting job."""
        return (owner for owner, jobs in self._jobs.items() for _ in jobs)

    def add(self, owners: Sequence[Owner], job: T) -> Owner:
        """Queue a job on behalf of the owner who has used the least."""
        owner = min(owners, key=self._rank)
        self._jobs.setdefault(owner, deque()).append(job)
        return owner

    def remove(self, owner: Owner, job: T) -> bool:
        """Whether it was still waiting."""
        jobs = self._jobs.get(owner, ())
        if job not in jobs:
            return False
        self._pop(owner, job)
        return True

    def take(self) -> tuple[Owner, T]:
        """The next job. Those that someone waits for go first, without keeping the others waiting for ever."""
        attended = [owner for owner in self._jobs if owner.attended]
        others = [owner for owner in self._jobs if not owner.attended]
        if attended and others:
            self._passed_over = (self._passed_over + 1) % UNATTENDED_EVERY
        owner = min(attended if attended and (self._passed_over or not others) else others, key=self._rank)
        job = self._jobs[owner][0]
        self._pop(owner, job)
        return owner, job

    def charge(self, owner: Owner, seconds: float) -> None:
        """That much time was spent for this owner."""
        if len(self._used) >= MOST_ACCOUNTS:
            self._used = {key: used for key, used in self._used.items() if self._recent(key) > FORGOTTEN_BELOW}
        for key in _accounts(owner):
            self._used[key] = self._recent(key) + seconds, self._clock()

    def _pop(self, owner: Owner, job: T) -> None:
        jobs = self._jobs[owner]
        jobs.remove(job)
        if not jobs:
            del self._jobs[owner]

    def _rank(self, owner: Owner) -> tuple[float, ...]:
        return tuple(self._recent(key) for key in _accounts(owner))

    def _recent(self, key: tuple[str, str]) -> float:
        used, at = self._used.get(key, (0.0, 0.0))
        return used * 0.5 ** ((self._clock() - at) / HALF_LIFE) if used else 0.0


def _accounts(owner: Owner) -> tuple[tuple[str, str], tuple[str, str]]:
    return ("address", owner.address or f"person {owner.person}"), ("person", owner.person)
