"""What a table will be once new events are committed: its successor, which nobody sees until then."""

from __future__ import annotations

from collections.abc import Sequence

from tsukimi.core.events import choices
from tsukimi.core.spec import Position, Spec
from tsukimi.core.stakes import played
from tsukimi.table.events import Event, Moved
from tsukimi.table.table import Table
from tsukimi.table.transitions import apply


def successor(table: Table, events: Sequence[Event], now: int) -> tuple[Table, list[Event]]:
    """The table after these events and the automatic moves that follow; and all of these events, with their chance."""
    pending = table.copy()
    complete = [apply(pending, event, now) for event in events]
    while (move := automatic_move(pending)) is not None:
        complete.append(apply(pending, move, now))
    return pending, complete


def automatic_move(table: Table) -> Moved | None:
    """A planned move that is now due, or one that everyone can see is forced: no player is asked for these."""
    if table.status != "playing":
        return None
    spec, core = table.playing.spec, table.playing.core
    for seat in table.asked:
        planned = table.plans.get(seat)
        if planned is not None and planned in table.choices(seat):
            return Moved(seat=seat, move=planned, maker="plan")
        if table.settings.forced:
            choices = table.choices(seat)
            if len(choices) == 1 and spec.open_choice(core, seat):
                return Moved(seat=seat, move=next(iter(choices)), maker="forced")
    return None


def retractable_moves(table: Table, seat: int) -> list[str]:
    """The moves of a seat after which only that seat decides again, so that it can take them back immediately: nobody else
    decides in between, nothing is revealed, no chance follows. None if taking back needs everyone's consent."""
    if table.counts:
        return []
    spec, core = table.playing.spec, table.playing.core
    return [
        text for text, move in table.choices(seat).items() if _returns(spec, core, seat, move, table.settings.forced)
    ]


def _returns(spec: Spec, before: Position, seat: int, move: int, forced: bool) -> bool:
    mover = seat
    while not spec.reveals(before, mover, move):
        after = played(before, mover, move)
        automatic = _forced(spec, after) if forced and not after.chance else None
        if automatic is None:
            return bool(after.actors == (seat,))
        before, (mover, move) = after, automatic
    return False


def _forced(spec: Spec, position: Position) -> tuple[int, int] | None:
    """Who moves next automatically, and how."""
    for seat in position.actors:
        moves = choices(spec, position, seat)
        if len(moves) == 1 and spec.open_choice(position, seat):
            return seat, next(iter(moves.values()))
    return None
