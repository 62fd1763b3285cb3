"""What a table must know about Dojo beyond its rules: what a move shows, and what can be decided in advance."""

from __future__ import annotations

from tsukimi.core.spec import Position
from tsukimi.games.dojo import notation


def reveals(before: Position, seat: int, move: int) -> bool:
    """A card is seen by its new owner, by everyone in a challenge or when it is placed; the second throw shows both."""
    word = notation.WORDS[move]
    return word in ("give", "challenge", "place") or (word == "throw" and before.actors == (seat,))


def advance(game: Position, seat: int) -> list[str]:
    """A seat may decline to challenge this dealer before it is asked."""
    phase, dealer = notation.phase(game), game.dealer
    if phase == "give":
        return ["pass"] if seat != dealer else []
    if phase == "challenge":
        asked = game.actors[0]
        return ["pass"] if (seat - dealer) % game.players > (asked - dealer) % game.players else []
    return []
