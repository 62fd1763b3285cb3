"""What the clock decides at a table: like commands, each returns the resulting events."""

from __future__ import annotations

from tsukimi.table import events as e
from tsukimi.table.table import Table

Events = list[e.Event]


def lose_on_time(table: Table, now: int) -> Events:
    """If ratings are at stake, a player whose time is up has lost; if nobody else has moved yet, there is no result."""
    late = sorted(table.timed_out(now), key=lambda seat: table.clocks.deadline(seat) or 0)
    if not late or not table.counts:
        return []
    if not table.movers - {late[0]}:
        return [e.Aborted()]
    playing = sum(not seat.resigned for seat in table.seats)
    return [e.Resigned(seat=seat, lost_by="time") for seat in late[: playing - 1]]


def end_intermission(table: Table, now: int) -> Events:
    """When its time is up, everyone counts as ready."""
    until = table.intermission_until()
    if until is None or now < until:
        return []
    return [e.Ready(seat=seat) for seat, one in enumerate(table.seats) if not one.ready]


def end_pause(table: Table, now: int) -> Events:
    """The pauses of a rated game have a total limit; then it continues."""
    until = table.paused_until()
    return [e.Paused(on=False)] if until is not None and now >= until else []
