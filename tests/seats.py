"""How many play, in tests that go through every installed game."""

from __future__ import annotations

from tsukimi.games import spec


def some_players(game: str) -> int:
    """Three, or as near to it as the game allows."""
    return min(spec(game).seats, key=lambda players: abs(players - 3))
