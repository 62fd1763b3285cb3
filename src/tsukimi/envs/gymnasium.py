"""Gymnasium: one seat of a game against bots. Importing this module registers `tsukimi/GAME-v1` for every game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

import tsukimi
from tsukimi import bots as bot_makers
from tsukimi.core.checks import integer, seat_of
from tsukimi.core.errors import BadOptions
from tsukimi.core.setup import Components
from tsukimi.core.state import State
from tsukimi.envs.drawing import render
from tsukimi.envs.match import ILLEGAL, RENDER_MODES, Match, check_choice


class SeatEnv(gymnasium.Env[Any, Any]):
    """One seat of a game; bots play the others. A step is a decision by this seat and everything until its next.

    - `seat`: the seat to play, or "random" for a random one in each game.
    - `bots`: the name of a bot (see docs/bots.md) for all other seats, or one per other seat, starting with the next.
    - `ms` or `playouts`: the budget per decision for bots that search.
    - `illegal`: what an illegal action does: "end" the episode with `illegal_reward`, play a "random" legal
      move instead, or "raise" `IllegalMove`. The legal ones are in `info["action_mask"]` and `action_masks()`.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}

    def __init__(
        self,
        game: str,
        players: int | None = None,
        *,
        seat: int | str = 0,
        bots: str | Sequence[str] = "random",
        ms: int | None = None,
        playouts: int | None = None,
        encoding: str = "numbers",
        reward: str = "win",
        illegal: str = "end",
        illegal_reward: float = -1.0,
        render_mode: str | None = None,
        components: Components = None,
        **options: str,
    ) -> None:
        check_choice("illegal", illegal, ILLEGAL)
        self.match = Match(game, players, encoding, reward, render_mode, components, options)
        self.encoding = self.match.encoding
        self.render_mode = render_mode
        self.seat = 0
        self._seat = None if seat == "random" else seat_of(seat, self.match.players)
        others = self.match.players - 1
        self._names = [bots] * others if isinstance(bots, str) else list(bots)
        if len(self._names) != others:
            raise BadOptions("out-of-range", name="bots", low=others, high=others, value=len(self._names))
        limited = ms is not None or playouts is not None
        self._budget = bot_makers.Budget(ms=ms, playouts=playouts) if limited else None
        self._illegal, self._illegal_reward = illegal, illegal_reward
        layout = self.encoding
        self.observation_space = spaces.Box(layout.low, layout.high, dtype=layout.dtype)
        self.action_space = spaces.Discrete(self.match.move_ids)
        self.game: State = self.match.new(chance="manual")
        self._bots: dict[int, bot_makers.Bot] = {}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.game = self.match.begin(seed)
        players = self.match.players
        self.seat = self.match.random(players) if self._seat is None else self._seat
        self._bots = {
            (self.seat + i) % players: bot_makers.make(name, self.game, self.match.next_seed(), self._budget)
            for i, name in enumerate(self._names, 1)
        }
        self._play_others()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        legal, move = self.game.actions(self.seat), integer(action)
        if move is None and isinstance(action, np.ndarray):
            move = int(action.item())
        if move in legal or self._illegal == "raise":
            self.game.apply(action if move is None else move, self.seat)
        elif self._illegal == "random" and legal:
            self.game.apply(legal[self.match.random(len(legal))], self.seat)
        else:
            return self._observation(), self._illegal_reward, True, False, self._info()
        self._play_others()
        reward = self.match.rewards(self.game)[self.seat]
        return self._observation(), reward, self.game.over, False, self._info()

    def action_masks(self) -> Any:
        """The legal moves as booleans (as expected by sb3-contrib's `MaskablePPO`)."""
        return self.match.mask(self.game, self.seat).astype(bool)

    def render(self) -> Any:
        """The table as this seat sees it."""
        return render(self.game, self.render_mode, self.seat)

    def _play_others(self) -> None:
        """The bots' moves until this seat has to decide, or until the end."""
        while not self.game.over and self.seat not in self.game.actors:
            other = self.game.actors[0]
            self.game.apply(self._bots[other].choose(self.game, other), other)

    def _observation(self) -> Any:
        return self.match.observe(self.game, self.seat)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.match.mask(self.game, self.seat), "seat": self.seat}


def register() -> None:
    """Register `tsukimi/GAME-v1` for every installed game."""
    for game in tsukimi.games():
        name = f"tsukimi/{game}-v1"
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point=f"{__name__}:SeatEnv",
                vector_entry_point="tsukimi.envs.vector:VectorSeatEnv",
                kwargs={"game": game},
            )


register()
