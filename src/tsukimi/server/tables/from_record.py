"""Tables whose game started elsewhere: an imported record, or a position from a finished game or a puzzle to play
on from.

Moves that were taken back are left out. Earlier chance is taken as given, so such a table guarantees nothing about
its dice, and its game is practice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from tsukimi.core.errors import BadRecord
from tsukimi.core.events import taken_back
from tsukimi.core.spec import CHANCE, UNDO, History
from tsukimi.core.state import State
from tsukimi.server.tables.replay import finished
from tsukimi.store import Person
from tsukimi.table import commands
from tsukimi.table import events as e
from tsukimi.table.errors import TableError
from tsukimi.table.settings import Settings
from tsukimi.table.table import Table
from tsukimi.table.transitions import apply

MOST_EVENTS = 4_000

Rows = list[e.Event]


def brought(id: str, state: State, person: Person, name: Callable[[str], str], now: int) -> tuple[Table, Rows]:
    """A finished table with the game of a record. `name` checks a name."""
    line = standing(state.history)
    if state.chance:  # it ends in the middle of a draw: drop the move before it
        line = taken_back(line, 1) if any(mover >= 0 for mover, _ in line) else []
    if not any(mover >= 0 for mover, _ in line):
        raise BadRecord("record-no-moves")
    sat: Rows = [e.Sat(seat=seat, name=name(state.names.get(seat, f"p{seat + 1}"))) for seat in range(state.players)]
    table, rows = _started_table(id, state, Settings(), person, sat, line, now)
    if not table.ended:
        rows.append(apply(table, e.Aborted(by=person.id), now))
    return table, rows


def played_on(id: str, ended: Table, step: int, seat: int, level: str, person: Person, now: int) -> tuple[Table, Rows]:
    """A table that continues from a step of a finished game, with this person in that seat and bots in the others."""
    state = finished(ended).playing
    if not 0 <= seat < ended.players:
        raise TableError("table-no-seat", status=404, seat=seat)
    if step >= len(ended.step_ends):
        raise TableError("table-no-step", status=404)
    line = standing(state.history[: ended.step_ends[step]])
    return against_bots(id, state, line, seat, level, person, now)


def against_bots(
    id: str, state: State, line: History, seat: int, level: str, person: Person, now: int
) -> tuple[Table, Rows]:
    """A table where this has been played, with this person in that seat and bots in the others."""
    sat: Rows = [e.Sat(by=person.id, seat=seat, name=person.name, person=person.id, handle=person.handle)]
    names = iter([name for name in commands.BOT_NAMES if name != person.name])
    for other in range(state.players):
        if other != seat:
            sat.append(e.Sat(by=person.id, seat=other, name=next(names), level=level))
    table, rows = _started_table(id, state, Settings(hints=True), person, sat, line, now)
    if table.ended:
        raise TableError("table-is-over")
    if table.status == "round":
        rows.append(apply(table, e.Ready(by=person.id, seat=seat), now))
    return table, rows


def standing(history: History) -> History:
    """The events that were not taken back."""
    line: History = []
    for mover, move in history:
        if mover == UNDO:
            line = taken_back(line, move)
        else:
            line.append((mover, move))
    return line


def _started_table(
    id: str, state: State, settings: Settings, person: Person, sat: Sequence[e.Event], line: History, now: int
) -> tuple[Table, Rows]:
    """A table where this has been played, by nobody in particular."""
    components = None if state.components is None else dict(state.components)
    [opened] = commands.open_table(
        id, person.id, state.game, state.players, state.options, settings, components, record=True
    )
    table, rows = Table(), Rows()
    core, spec = state.fresh(), state.spec
    moves: list[tuple[e.Started | e.Moved, list[str]]] = [(e.Started(by=person.id), [])]
    for mover, move in line:
        text = spec.text(core, mover, move)
        if mover == CHANCE:
            moves[-1][1].append(text)
            core.apply(move)
        else:
            moves.append((e.Moved(seat=mover, move=text, maker="bot"), []))
            core.apply(move, mover)
    for event in (opened, *sat):
        rows.append(apply(table, event, now))
    for event, chance in moves:
        rows.append(apply(table, replace(event, chance=chance), now))
    return table, rows
