"""The score sheet of Charuma: what each round cost and brought. A position forgets earlier rounds, so they are counted
from the events."""

from __future__ import annotations

from collections.abc import Sequence

from tsukimi.core.sheet import row
from tsukimi.core.spec import Json, Position

FIRST_POINTS = 5


def score_sheet(game: Position, events: Sequence[Json]) -> list[Json]:
    players = game.players
    rows = [row("start", [FIRST_POINTS] * players)]
    tricks = [0] * players
    spent: list[int] | None = None
    for event in events:
        if event["type"] == "bid":
            spent = event.get("spent")
        elif event["type"] == "play" and "winner" in event:
            tricks[event["winner"]] += 1
            if "round" in event:
                rows += _round(event, spent, tricks)
                tricks, spent = [0] * players, None
    return rows


def _round(event: Json, spent: list[int] | None, tricks: list[int]) -> list[Json]:
    part = event["round"]
    return [
        *([] if spent is None else [row("bid", [-price for price in spent], part=part)]),
        row("tricks", event["trick_points"], part=part, pieces=tricks),
        row("aces", event["ace_points"], part=part),
        row("last-trick", event["last_trick_points"], part=part),
    ]
