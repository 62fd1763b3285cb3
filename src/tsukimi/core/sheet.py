"""The score sheet of a finished game: helpers for the games' own `score_sheet`, and the places that follow from it.

A row is `{"row": code, "values": [a value per seat], ..}`, worded by `[sheet]` in the game's messages. The values of
all rows together are the scores, except those of rows with `"counts": False`, which only inform (there a value may
also be a list of things). More that a row may have: `part`, the number of the round it belongs to; `number`, for its
words; `pieces`, how many things earned the points; `marks`, a thing that changed the value; and `breaks_ties`, "most"
or "fewest".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from tsukimi.core.spec import Json


def row(code: str, values: Sequence[int], **more: object) -> Json:
    """A row that counts."""
    return {"row": code, "values": list(values), **more}


def note(code: str, values: Sequence[object], **more: object) -> Json:
    """A row that only informs."""
    return {"row": code, "values": list(values), "counts": False, **more}


def totals(sheet: Sequence[Json], players: int) -> list[int]:
    """What the rows add up to."""
    counting = [one["values"] for one in sheet if one.get("counts", True)]
    return [sum(values[seat] for values in counting) for seat in range(players)]


def places(
    scores: Sequence[int], winners: Collection[int], sheet: Sequence[Json], resigned: Collection[int] = ()
) -> list[int]:
    """Each seat's place, from 1: the winners', then by points and by what breaks ties; who resigned comes last."""
    breaks = _tie_break(sheet)
    ranks = [(seat in winners, seat not in resigned, score, breaks(seat)) for seat, score in enumerate(scores)]
    return [1 + sum(other > rank for other in ranks) for rank in ranks]


def _tie_break(sheet: Sequence[Json]) -> Callable[[int], int]:
    for one in sheet:
        if how := one.get("breaks_ties"):
            sign = 1 if how == "most" else -1
            return lambda seat: sign * int(one["values"][seat])
    return lambda seat: 0
