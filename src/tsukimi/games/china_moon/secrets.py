"""Nothing is hidden in China Moon and chance is over before the first move: there is nothing to resample."""

from __future__ import annotations

from tsukimi.core.game import Game
from tsukimi.core.rng import Rng
from tsukimi.core.spec import History


def resample(start: Game, history: History, seat: int, rng: Rng) -> History:
    return list(history)
