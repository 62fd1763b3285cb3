"""What a table must know about Charuma beyond its rules: what a move shows, and when people want to pause."""

from __future__ import annotations

from tsukimi.core.spec import Position
from tsukimi.games.charuma import notation


def reveals(before: Position, seat: int, move: int) -> bool:
    """A card from the hidden two was unknown to the others."""
    return "*" in notation.text(before, seat, move)


def open_choice(game: Position, seat: int) -> bool:
    """Only the hidden cards keep the others from seeing what a seat may play; when all of a hand must be played, they do not."""
    return notation.phase(game) != "tricks" or game.hand[seat] >> notation.HIDDEN == 0 or _must_play_all(game, seat)


def _must_play_all(game: Position, seat: int) -> bool:
    """As many cards as are asked for are left. How many those are everyone sees."""
    left = game.hand[seat].bit_count() + game.twins[seat].bit_count()
    return bool(left == (1 if game.led <= 1 else 2))


def rounds(game: Position) -> int:
    return int(game.round)
