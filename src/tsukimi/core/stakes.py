"""What is at stake in a move: helpers for the games' own `stakes`."""

from __future__ import annotations

from tsukimi.core.spec import Json, Position


def played(game: Position, seat: int, move: int) -> Position:
    """The position after a move, before the chance that may follow."""
    after = game.copy()
    after.apply(move, seat)
    return after


def points(change: int) -> Json:
    """A certain change in the seat's own score."""
    return {"kind": "points", "points": change}


def score_change(game: Position, seat: int, move: int) -> list[Json]:
    """What a move changes in the seat's score, for games in which the seat knows that score."""
    change = played(game, seat, move).scores()[seat] - game.scores()[seat]
    return [points(change)] if change else []
