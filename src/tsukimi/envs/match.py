"""What all environments share: how a game is created, observed, masked and rewarded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import tsukimi
from tsukimi.core.encoding import Encoding
from tsukimi.core.errors import BadOptions
from tsukimi.core.game import Game
from tsukimi.core.rng import Rng
from tsukimi.core.setup import Components
from tsukimi.core.state import State
from tsukimi.games import spec

REWARDS = ("win", "score", "rank")
RENDER_MODES = ("ansi", "rgb_array", "human")
ILLEGAL = ("end", "random", "raise")  # what an illegal action does


class Match:
    """The settings of an environment, and what follows from them."""

    def __init__(
        self,
        game: str,
        players: int | None,
        encoding: str,
        reward: str,
        render_mode: str | None,
        components: Components,
        options: Mapping[str, str],
    ) -> None:
        check_choice("reward", reward, REWARDS)
        check_choice("render_mode", render_mode, (None, *RENDER_MODES))
        self.spec = spec(game)
        self.players = self.spec.seats[0] if players is None else players
        self.reward, self.render_mode = reward, render_mode
        self.components, self.options = components, options
        start = self.new(chance="manual").core
        self.move_ids = start.move_ids
        self.encoding = Encoding(self.spec, start, encoding)
        self._rng = Rng(int(np.random.SeedSequence().generate_state(1, np.uint64)[0]))

    def new(self, **chance: Any) -> State:
        return tsukimi.new(self.spec.name, self.players, components=self.components, **chance, **self.options)

    def begin(self, seed: int | None) -> State:
        """The next game. With a seed, this game and those that follow are reproducible."""
        if seed is not None:
            self._rng = Rng(seed)
        return self.new(seed=self._rng.number())

    def next_seed(self) -> int:
        """A seed for something other than the game, such as a bot."""
        return self._rng.number()

    def random(self, n: int) -> int:
        """A number from 0 to n - 1."""
        return self._rng.randrange(n)

    def observe(self, state: State, seat: int) -> Any:
        return self.encoding.encode(state.core.observation(seat))

    def mask(self, state: State, seat: int) -> Any:
        """Which moves are legal: 0 or 1 for each move number; all 0 for a seat that may not act."""
        mask = np.zeros(self.move_ids, np.int8)
        mask[state.actions(seat)] = 1
        return mask

    def rewards(self, state: State) -> list[float]:
        """Each seat's reward at the end of the game; zeros before."""
        return rewards(state.core, self.reward) if state.over else [0.0] * self.players


def rewards(game: Game, kind: str) -> list[float]:
    """A finished game's rewards.

    `win`: each winner's share of the win. `score`: the score. `rank`: from 1 for first to 0 for last, ties
    averaged; winners come before the others, who are ordered by score.
    """
    winners, scores = game.winners(), game.scores()
    if kind == "win":
        return [1 / len(winners) if seat in winners else 0.0 for seat in range(game.players)]
    if kind == "score":
        return [float(score) for score in scores]
    keys = [(seat in winners, 0 if seat in winners else score) for seat, score in enumerate(scores)]
    others = game.players - 1
    return [(sum(key > k for k in keys) + (sum(key == k for k in keys) - 1) / 2) / others for key in keys]


def check_choice(name: str, value: object, known: tuple[object, ...]) -> None:
    """Refuse anything that is not a valid value of a setting."""
    if value not in known:
        raise BadOptions("bad-option", option=name, value=str(value)[:60], known=", ".join(map(str, known)))
