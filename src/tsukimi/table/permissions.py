"""Who may do what: each function returns what was requested, or refuses with a `TableError`."""

from __future__ import annotations

from tsukimi.table.errors import TableError
from tsukimi.table.seats import Seat
from tsukimi.table.settings import Settings
from tsukimi.table.table import Table


def own_seat(table: Table, person: str, seat: int | None) -> int:
    """The seat that the person means: the named one if it is theirs, else their seat that has to decide."""
    if seat is None:
        for asked in table.asked:
            one = table.seats[asked]
            if one.person == person and one.here:
                return asked
        return own_seats(table, person)[0]
    mine = own_seats(table, person)
    if seat not in mine:
        raise TableError("table-not-your-seat", status=403)
    return seat


def own_seats(table: Table, person: str) -> list[int]:
    seats = [seat for seat in table.seats_of(person) if not table.seats[seat].resigned]
    if not seats:
        raise TableError("table-not-seated", status=403)
    return seats


def require_host(table: Table, person: str) -> None:
    if person != table.host:
        raise TableError("table-host-only", status=403)


def require_ratable(settings: Settings, local: bool, bots: bool, own_components: bool) -> None:
    """A rated game is one between people, each on their own device, with a clock and without hints, and with the
    game's own components."""
    if settings.rated and own_components:
        raise TableError("table-rated-components")
    if settings.rated and (local or bots):
        raise TableError("table-rated-people")
    if settings.rated and not settings.ratable:
        raise TableError("table-rated-settings")


def require_changeable(table: Table, settings: Settings) -> None:
    """Nobody sits down at one rated game and finds themselves in a different one."""
    if (table.settings.rated or settings.rated) and len(table.people()) > 1:
        raise TableError("table-rated-frozen")


def seat_at(table: Table, seat: int) -> Seat:
    if not 0 <= seat < table.players:
        raise TableError("table-no-seat", status=404, seat=seat)
    return table.seats[seat]


def free_seat(table: Table, seat: int | None) -> int:
    free = [number for number, one in enumerate(table.seats) if not one.taken]
    if not free:
        raise TableError("table-full")
    if seat is None:
        return free[0]
    seat_at(table, seat)
    if seat not in free:
        raise TableError("table-seat-taken", seat=seat)
    return seat


def require_status(table: Table, status: str) -> None:
    if table.status != status:
        raise TableError(f"table-is-{table.status}")


def require_running(table: Table) -> None:
    if not table.running:
        raise TableError(f"table-is-{table.status}")
