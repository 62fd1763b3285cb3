"""What a seat of Daruma cannot know: who has which objective. Everything else is open, and at the end the objectives are too."""

from __future__ import annotations

from typing import cast

from tsukimi.core.events import walk
from tsukimi.core.game import Game
from tsukimi.core.rng import Rng
from tsukimi.core.spec import CHANCE, History
from tsukimi.games.daruma.codes import FIRST
from tsukimi.games.daruma.rules import Daruma


def resample(start: Game, history: History, seat: int, rng: Rng) -> History:
    """The same history with the others' objectives resampled, unless the end of the game has revealed them."""
    daruma = cast(Daruma, start)
    if any(after.over for _, _, _, after in walk(start, history)):
        return history
    before = 2 if daruma.stage == FIRST else 1  # the first player, the track
    dealt = history[before : before + daruma.players]
    objective = dealt[seat][1] if 0 <= seat < len(dealt) else None
    free = [number for number in range(daruma.cards.objectives) if number != objective]
    drawn = [
        step if owner == seat else (CHANCE, free.pop(rng.randrange(len(free)))) for owner, step in enumerate(dealt)
    ]
    return [*history[:before], *drawn, *history[before + daruma.players :]]
