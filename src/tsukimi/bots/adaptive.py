"""`adaptive`: an opponent whose strength depends on how its games ended.

Its strength is a number from 0 to 100 and stays the same during a game. Afterwards it rises if the person won
and falls otherwise, so that the person wins every second game, whatever the number of seats. Whoever keeps the results
(a server, the terminal) keeps a `Fit` for each person, game and number of seats.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tsukimi.bots.budget import Budget
from tsukimi.core.rng import Rng
from tsukimi.core.state import State

if TYPE_CHECKING:
    from tsukimi.bots import Bot

LEVEL = "adaptive"
LADDER = {"random": 0, "novice": 30, "regular": 65, "master": 100}
START = LADDER["novice"]
FIRST_STEP, LEAST_STEP = 20.0, 5.0
_NAME = re.compile(rf"{LEVEL}(?:-(\d{{1,3}}))?")


@dataclass(frozen=True)
class Fit:
    """The strength that suits a person, and the games it was learned from."""

    strength: float = START
    games: int = 0

    def after(self, share: float) -> Fit:
        """After a game of which the person won this share: 1, 0, or less than 1 in a tie. The steps become smaller, but
        never too small to follow someone who improves."""
        step = max(LEAST_STEP, FIRST_STEP / (1 + self.games / 3))
        strength = self.strength + step * (2 * share - 1)
        return Fit(round(min(100.0, max(0.0, strength)), 2), self.games + 1)

    @property
    def bot(self) -> str:
        """The name of the bot for the next game."""
        return f"{LEVEL}-{round(self.strength)}"


def strength_of(name: str) -> int | None:
    """The strength in a bot's name; None if it is a different bot."""
    found = _NAME.fullmatch(name)
    if found is None or int(found[1] or START) > 100:
        return None
    return int(found[1] or START)


def mixture(strength: int) -> tuple[str, str, float]:
    """The two levels that a strength lies between, and the fraction of moves made by the stronger one."""
    levels = list(LADDER.items())
    for (weak, low), (strong, high) in itertools.pairwise(levels):
        if strength <= high:
            return weak, strong, (strength - low) / (high - low)
    raise ValueError(strength)


class AdaptiveBot:
    """Two levels, one of which makes each move: chosen at random, the stronger one with probability `part`."""

    def __init__(self, weak: Bot, strong: Bot, part: float, seed: int) -> None:
        self._weak, self._strong, self._part, self._rng = weak, strong, part, Rng(seed)

    def set_budget(self, budget: Budget) -> None:
        for bot in (self._weak, self._strong):
            if (change := getattr(bot, "set_budget", None)) is not None:
                change(budget)

    @property
    def share(self) -> float:
        """That of the stronger level, whichever makes the move, so that answer times reveal nothing."""
        return float(getattr(self._strong, "share", 0.0))

    def choose(self, state: State, seat: int) -> int:
        bot = self._strong if self._rng.randrange(2**20) < self._part * 2**20 else self._weak
        return bot.choose(state, seat)
