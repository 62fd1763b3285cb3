"""How the events before the start change a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from tsukimi.games import spec
from tsukimi.table import events as e
from tsukimi.table.errors import OldRules
from tsukimi.table.seats import Seat
from tsukimi.table.table import Table


def change_seat(table: Table, seat: int, **changes: Any) -> None:
    table.seats[seat] = replace(table.seats[seat], **changes)


def _open(table: Table, event: e.Opened, at: int) -> None:
    begun, played = event.rules or 1, spec(event.game).version
    if begun != played:
        raise OldRules(event.game, begun, played)
    table.opened, table.created = event, at
    table.game, table.players, table.options = event.game, event.players, dict(event.options)
    table.settings, table.local = event.settings, event.local
    table.host = "" if event.match else event.by
    table.seats = [Seat()] * event.players
    table.practice = event.lesson or event.record


def _change(table: Table, event: e.Changed, at: int) -> None:
    table.settings, table.options, table.players = event.settings, dict(event.options), event.players
    table.seats = (table.seats + [Seat()] * event.players)[: event.players]


def _sit(table: Table, event: e.Sat, at: int) -> None:
    table.seats[event.seat] = Seat(event.name, event.person, event.handle, event.nonce, event.level)


def _rename(table: Table, event: e.Renamed, at: int) -> None:
    change_seat(table, event.seat, name=event.name)


def _leave(table: Table, event: e.Left, at: int) -> None:
    if event.kicked:
        table.kicked = table.kicked | {table.seats[event.seat].person} - {""}
    table.seats[event.seat] = Seat()
    if table.ready_by is not None:  # the others keep waiting for opponents
        table.ready_by = None
        for seat in range(table.players):
            change_seat(table, seat, ready=True)


def _nonce(table: Table, event: e.Nonce, at: int) -> None:
    change_seat(table, event.seat, nonce=event.nonce)


def _call(table: Table, event: e.Called, at: int) -> None:
    table.ready_by = event.until
    for seat in range(table.players):
        change_seat(table, seat, ready=False)


def _hosted(table: Table, event: e.Hosted, at: int) -> None:
    table.host = event.person


CHANGES: dict[type[e.Event], Callable[[Table, Any, int], None]] = {
    e.Opened: _open,
    e.Changed: _change,
    e.Sat: _sit,
    e.Renamed: _rename,
    e.Nonce: _nonce,
    e.Called: _call,
    e.Left: _leave,
    e.Hosted: _hosted,
}
