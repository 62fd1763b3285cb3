"""The intermediate positions of one step: several moves may be committed at once, and a round may end with a new deal.

A client that has only the last position cannot show the moves before it one by one.
"""

from __future__ import annotations

from collections.abc import Sequence

from tsukimi.core import events as observed
from tsukimi.core.game import Game
from tsukimi.core.spec import CHANCE
from tsukimi.server import messages
from tsukimi.server.tables.encoder import ViewEncoder
from tsukimi.table import events as e
from tsukimi.table.table import Table

AUTOMATIC = ("forced", "plan", "clock")


class Moments:
    """What lies between two committed tables, for each viewpoint; nothing if a single move led from one to the other."""

    def __init__(self, before: Table, after: Table, events: Sequence[e.Event]) -> None:
        since = 0 if before.state is None else len(before.events)
        self._automatic = _automatic(events, since)
        positions = [] if before.state is None else _positions(before, after, events)
        self._positions = [(number, core, ViewEncoder(after.playing, core)) for number, core in positions]

    def between(self, viewpoint: int | None) -> list[messages.Moment]:
        return [
            messages.Moment(number, view.view(viewpoint), list(core.actors)) for number, core, view in self._positions
        ]

    def automatic(self, viewpoint: int | None) -> list[messages.Automatic]:
        """A plan is known only to its maker."""
        return [
            messages.Automatic(number, why)  # type: ignore[arg-type]
            for number, seat, why in self._automatic
            if why != "plan" or seat == viewpoint
        ]


def _automatic(events: Sequence[e.Event], number: int) -> list[tuple[int, int, str]]:
    found = list[tuple[int, int, str]]()
    for event in events:
        if isinstance(event, e.Moved):
            if event.maker in AUTOMATIC:
                found.append((number, event.seat, event.maker))
            number += 1 + len(event.chance)
        elif isinstance(event, e.Undone):
            number += 1
    return found


def _positions(before: Table, after: Table, events: Sequence[e.Event]) -> list[tuple[int, Game]]:
    """The position at the end of each move except the last, and at the end of a round before the next is dealt;
    each with the number of events so far."""
    spec, moves = after.playing.spec, sum(type(event) is e.Moved for event in events)
    same_round = spec.rounds(before.playing.core) == spec.rounds(after.playing.core)
    if (moves < 2 and same_round) or any(type(event) is e.Undone for event in events):
        return []
    line = after.playing.history[len(before.events) :]
    core, found = before.playing.core.copy(), list[tuple[int, Game]]()
    rounds = spec.rounds(core)
    for number, (mover, move) in enumerate(line, 1):
        observed.step(core, mover, move)
        if number == len(line):
            break
        ends = spec.rounds(core) > rounds > 0
        rounds = spec.rounds(core)
        if (ends and mover != CHANCE) or line[number][0] != CHANCE:
            found.append((len(before.events) + number, core.copy()))
    return found
