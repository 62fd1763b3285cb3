"""The score sheet of Daruma: everyone's objective, and what it makes of their darumas."""

from __future__ import annotations

from collections.abc import Sequence

from tsukimi.core.sheet import note, row
from tsukimi.core.spec import SPECTATOR, Json, Position
from tsukimi.games.daruma.view import own, public

KINDS = ("good", "gold", "other", "bad")


def score_sheet(game: Position, events: Sequence[Json]) -> list[Json]:
    view = {**public(game), **own(game, SPECTATOR)}
    goals = [view["objectives"][number - 1] for number in view["held"]]
    piles = [_sorted(cards, goal) for cards, goal in zip(view["collections"], goals, strict=True)]
    rows = [
        note("good-colours", [goal["good"] for goal in goals]),
        note("bad-colour", [[goal["bad"]] for goal in goals]),
    ]
    for kind in KINDS:
        values = [sum(goal["worth"][colour] for colour in pile[kind]) for goal, pile in zip(goals, piles, strict=True)]
        rows.append(row(kind, values, pieces=[len(pile[kind]) for pile in piles]))
    return [*rows, note("darumas", [len(cards) for cards in view["collections"]], breaks_ties="fewest")]


def _sorted(cards: Sequence[str], goal: Json) -> dict[str, list[str]]:
    """The colours of the darumas by what they are to their owner."""
    found: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for card in cards:
        colour = card.partition(".")[0]
        kind = "good" if colour in goal["good"] else "bad" if colour == goal["bad"] else "other"
        found["gold" if kind == "other" and colour == "gold" else kind].append(colour)
    return found
