"""The score sheet of China Moon: the bouquet by colour, and the places that the frogs reached in the goal."""

from __future__ import annotations

from collections.abc import Sequence

from tsukimi.core.sheet import note, row
from tsukimi.core.spec import Json, Position
from tsukimi.games.china_moon.notation import COLOUR_NAMES
from tsukimi.games.china_moon.rules import BLACK, BLUE, COLOURS, PINK, YELLOW, ChinaMoon

GOAL_PLACES = range(1, 5)


def score_sheet(game: Position, events: Sequence[Json]) -> list[Json]:
    end: ChinaMoon = game
    seats = range(end.players)
    rows = []
    for colour in range(PINK, BLACK + 1):
        lilies = [end.held[seat * COLOURS + colour] for seat in seats]
        if any(lilies):
            # Players gather different colours: only all three together show who did better.
            more = {"group": "lilies"} if colour <= YELLOW else {}
            rows.append(row(COLOUR_NAMES[colour], [_points(colour, count) for count in lilies], pieces=lilies, **more))
    reached = [[place for place in GOAL_PLACES if end.arrival[place] // 3 == seat] for seat in seats]
    return [*rows, note("goal", reached)]


def _points(colour: int, lilies: int) -> int:
    if colour == BLUE:
        return 4 * lilies
    return -2 * lilies if colour == BLACK else lilies * (lilies + 1) // 2
