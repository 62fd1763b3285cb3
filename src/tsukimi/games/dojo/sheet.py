"""The score sheet of Dojo: its rows and columns, with the trophies that lie there."""

from __future__ import annotations

from collections.abc import Sequence

from tsukimi.core.sheet import note, row
from tsukimi.core.spec import Json, Position
from tsukimi.games.dojo.view import public

LINES = (("rows", "row", 3), ("columns", "column", 4))
MOVERS = {"rows": "broom", "columns": "assistant"}
"""What moves cards to other rows and to other columns: its points are earned there."""


def score_sheet(game: Position, events: Sequence[Json]) -> list[Json]:
    dojos = public(game)["dojos"]
    counts = [dojo["count"] for dojo in dojos]
    rows = []
    for kind, code, most in LINES:
        for at in range(most):
            lines = [count[kind][at] if at < len(count[kind]) else None for count in counts]
            marks = [_mark(line, MOVERS[kind]) if line else None for line in lines]
            more = {"marks": marks} if any(marks) else {}
            rows.append(row(code, [line["points"] if line else 0 for line in lines], number=at + 1, group=kind, **more))
    if any(count["trophies"] for count in counts):
        won = [dojo["won"] for dojo in dojos]
        rows.append(row("trophies", [count["trophies"] for count in counts], pieces=won))
    return [*rows, note("challenges", [dojo["won"] for dojo in dojos], breaks_ties="most")]


def _mark(line: Json, mover: str) -> str | None:
    """What changed the points of a line: its own trophy, or one that has moved cards here from another line."""
    own: str | None = None if line["trophy"] in MOVERS.values() else line["trophy"]
    return mover if line["by_moving"] and not (own and line["gain"]) else own
