"""The score sheet of Dojo: its rows and columns, with the trophies that lie there."""

from __future__ import annotations

from collections.abc import Sequence

from tsukimi.core.sheet import note, row
from tsukimi.core.spec import Json, Position
from tsukimi.games.dojo.view import public

LINES = (("rows", "row", 3), ("columns", "column", 4))


def score_sheet(game: Position, events: Sequence[Json]) -> list[Json]:
    dojos = public(game)["dojos"]
    counts = [dojo["count"] for dojo in dojos]
    rows = []
    for kind, code, most in LINES:
        for at in range(most):
            lines = [count[kind][at] if at < len(count[kind]) else None for count in counts]
            marks = [line["trophy"] if line else None for line in lines]
            gains = [line["gain"] if line else 0 for line in lines]
            more = {"marks": marks, "gains": gains} if any(marks) else {}
            rows.append(row(code, [line["points"] if line else 0 for line in lines], number=at + 1, group=kind, **more))
    if any(count["trophies"] for count in counts):
        won = [dojo["won"] for dojo in dojos]
        rows.append(row("trophies", [count["trophies"] for count in counts], pieces=won))
    return [*rows, note("challenges", [dojo["won"] for dojo in dojos], breaks_ties="most")]
