"""The commands at a quick-match table: the server assigns seats, and those present agree to start."""

from __future__ import annotations

from collections.abc import Collection

from tsukimi.table import events as e
from tsukimi.table.permissions import free_seat, require_status
from tsukimi.table.table import Table

ANSWER_WITHIN = 20_000  # ms of the ready check


def join(table: Table, person: str, handle: str, name: str) -> list[e.Event]:
    """A seat for someone looking for opponents."""
    require_status(table, "open")
    if table.seats_of(person):
        return []
    return [e.Sat(by=person, seat=free_seat(table, None), name=name, person=person, handle=handle)]


def check(table: Table, present: Collection[str], gone: Collection[str], now: int) -> list[e.Event]:
    """What is due at a quick match that has not started: anyone who is gone or did not answer loses their seat, and when
    everyone is there, the ready check starts."""
    if table.status != "open" or not table.opened.match:
        return []
    late = table.ready_by is not None and now >= table.ready_by
    leaving = [
        seat for seat, one in enumerate(table.seats) if one.person and (one.person in gone or (late and not one.ready))
    ]
    if leaving:
        left: list[e.Event] = [e.Left(seat=seat) for seat in leaving]
        return [*left, e.Aborted()] if len(leaving) == sum(seat.taken for seat in table.seats) else left
    if table.ready_by is None and all(seat.person in present for seat in table.seats):
        return [e.Called(until=now + ANSWER_WITHIN)]
    return []
