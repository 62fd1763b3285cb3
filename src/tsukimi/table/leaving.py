"""How people leave a table for good: what they leave behind, and who becomes the host."""

from __future__ import annotations

from collections.abc import Sequence

from tsukimi.table import events as e
from tsukimi.table.table import Table

Events = list[e.Event]


def forget(table: Table, person: str) -> Events:
    """A person is deleted: they leave for good, and their name and chat are removed."""
    seats = [seat for seat in table.seats_of(person) if not table.seats[seat].resigned]
    events = [] if table.ended or not seats else _leave_for_good(table, person, seats)
    named = any(seat.person == person and seat.name for seat in table.seats)
    if named or any(said.by == person for _, _, said in table.chat):
        events.append(e.Forgotten(person=person))
    return events


def _leave_for_good(table: Table, person: str, seats: Sequence[int]) -> Events:
    """A bot takes over if the table's settings allow it and nothing is at stake; else they resign."""
    events: Events
    if table.status == "open":
        events = [e.Left(seat=seat) for seat in seats]
    elif table.settings.takeover and not table.settings.rated:
        events = [e.Away(seat=seat, gone=True) for seat in seats]
    else:
        events = [e.Resigned(seat=seat, lost_by="left") for seat in seats]
    if table.people() == [person]:
        return [e.Aborted()]
    return events + host_after(table, person)


def host_after(table: Table, person: str) -> Events:
    others = [one for one in table.people() if one != person]
    return [e.Hosted(person=others[0])] if table.host == person and others else []
