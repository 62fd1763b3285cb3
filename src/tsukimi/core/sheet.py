"""The score sheet of a finished game: helpers for the games' own `score_sheet`, and the resulting ranks.

A row is `{"row": code, "values": [a value per seat], ..}`, with its text in `[sheet]` of the game's messages. The values
of all rows add up to the scores, except those of rows with `"counts": False`, which are for information (there a value
may also be a list of things). A row may also have: `part`, the number of the round it belongs to; `number`, for its
text; `group`, the code of what it is compared as part of, where the rows of two seats have nothing to do with each
other; `pieces`, how many things earned the points; `marks`, a thing that changes what is counted, here or in
other rows, and `gains`, the points of all rows owed to it; and `breaks_ties`, "most" or "fewest".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from tsukimi.core.spec import Json


def row(code: str, values: Sequence[int], **more: object) -> Json:
    """A scoring row."""
    return {"row": code, "values": list(values), **more}


def note(code: str, values: Sequence[object], **more: object) -> Json:
    """A row for information only."""
    return {"row": code, "values": list(values), "counts": False, **more}


def totals(sheet: Sequence[Json], players: int) -> list[int]:
    """The sum of the rows."""
    counting = [row["values"] for row in sheet if row.get("counts", True)]
    return [sum(values[seat] for values in counting) for seat in range(players)]


def places(
    scores: Sequence[int], winners: Collection[int], sheet: Sequence[Json], resigned: Collection[int] = ()
) -> list[int]:
    """Each seat's rank, from 1: the winners, then by points and tie-breakers; those who resigned come last."""
    breaks = _tie_break(sheet)
    ranks = [(seat in winners, seat not in resigned, score, breaks(seat)) for seat, score in enumerate(scores)]
    return [1 + sum(other > rank for other in ranks) for rank in ranks]


def _tie_break(sheet: Sequence[Json]) -> Callable[[int], int]:
    for row in sheet:
        if how := row.get("breaks_ties"):
            sign = 1 if how == "most" else -1
            return lambda seat: sign * int(row["values"][seat])
    return lambda seat: 0
