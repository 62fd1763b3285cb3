"""Who is connected to a table, on this worker and on others, and since when people who belong here are absent."""

from __future__ import annotations

from typing import Protocol

from tsukimi.store import Person
from tsukimi.table.table import Table


class Viewer(Protocol):
    """One connection to a table."""

    person: Person
    address: str
    viewpoint: int | None
    """The seat whose knowledge is sent; None: a spectator's."""
    greeted: bool
    """Whether it has been welcomed: nothing is sent to it before."""
    log_from: int
    """The number of the first event in its welcome: it may request earlier ones."""

    def send(self, message: bytes) -> None: ...
    def send_later(self, message: bytes, seconds: float) -> None: ...
    def cancel_later(self) -> None: ...
    def close(self, code: int) -> None: ...
    def close_if_silent(self, now: float) -> None: ...


class Presence:
    def __init__(self) -> None:
        self.viewers: set[Viewer] = set()
        self._elsewhere: dict[str, tuple[frozenset[str], int]] = {}
        """By other workers: the people connected there, and the number of spectators."""
        self._absent: dict[str, int] = {}

    def greeted(self) -> list[Viewer]:
        return [viewer for viewer in self.viewers if viewer.greeted]

    def here(self) -> tuple[frozenset[str], int]:
        """The people connected to this worker, and the number of spectators among these connections."""
        greeted = self.greeted()
        return frozenset(viewer.person.id for viewer in greeted), sum(viewer.viewpoint is None for viewer in greeted)

    def people(self) -> frozenset[str]:
        """The people connected to any worker."""
        return self.here()[0].union(*(people for people, _ in self._elsewhere.values()))

    def address_of(self, person: str) -> str:
        """Where a person is connected from; empty if that is not known here."""
        return next((viewer.address for viewer in self.greeted() if viewer.person.id == person), "")

    def spectators(self) -> int:
        return self.here()[1] + sum(number for _, number in self._elsewhere.values())

    def close_silent(self, now: float) -> None:
        for viewer in list(self.viewers):
            viewer.close_if_silent(now)

    # ---- other workers --------------------------------------------------------------------------

    def set_elsewhere(self, worker: str, people: frozenset[str], spectators: int) -> bool:
        """What another worker reports; returns whether that is new."""
        if self._elsewhere.get(worker, (frozenset(), 0)) == (people, spectators):
            return False
        self._elsewhere[worker] = people, spectators
        return True

    def forget_workers(self, workers: set[str]) -> bool:
        """Workers that are silent; returns whether anyone was connected there."""
        known = self._elsewhere.keys() & workers
        for worker in known:
            del self._elsewhere[worker]
        return bool(known)

    # ---- absence --------------------------------------------------------------------------------

    def update_absences(self, table: Table, now: int) -> None:
        missing = {*table.people(), table.host} - self.people() - {""}
        self._absent = {person: self._absent.get(person, now) for person in missing}

    def absent_since(self, person: str) -> int | None:
        return self._absent.get(person)

    @property
    def anybody_absent(self) -> bool:
        return bool(self._absent)
