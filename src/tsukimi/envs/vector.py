"""Gymnasium's vector environment: one seat of many games against random bots, all stepped by compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

import tsukimi
from tsukimi.core.errors import BadOptions, IllegalMove
from tsukimi.core.setup import Components
from tsukimi.core.source import rng_of
from tsukimi.envs.match import ILLEGAL, Match, check_choice


class VectorSeatEnv(VectorEnv[Any, Any, Any]):
    """Many copies of `SeatEnv`; the others play randomly.

    A finished game is reset in the same step: `info["final_obs"]` has the seat's final observation. With
    `copy=False` observations and masks are the batch's own memory, overwritten by the next step.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        players: int | None = None,
        *,
        seat: int | str = 0,
        bots: str = "random",
        encoding: str = "numbers",
        reward: str = "win",
        illegal: str = "end",
        illegal_reward: float = -1.0,
        threads: int = 1,
        copy: bool = True,
        render_mode: str | None = None,
        components: Components = None,
        **options: str,
    ) -> None:
        check_choice("illegal", illegal, ILLEGAL)
        check_choice("bots", bots, ("random",))
        check_choice("render_mode", render_mode, (None,))
        match = Match(game, players, encoding, reward, None, components, options)
        self.encoding, self.num_envs, self.render_mode = match.encoding, num_envs, render_mode
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        layout = match.encoding
        self.single_observation_space = spaces.Box(layout.low, layout.high, dtype=layout.dtype)
        self.single_action_space = spaces.Discrete(match.move_ids)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._illegal, self._illegal_reward, self._copy = illegal, illegal_reward, copy
        self.batch: Any = tsukimi.batch(  # its arrays have no static types
            match.spec.name,
            match.players,
            num_envs,
            threads=threads,
            components=components,
            reward=reward,
            terminal=True,
            masks=True,
            seat=seat,
            encoding=encoding,
            **options,
        )
        self._all = np.arange(num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Restart; `options={"reset_mask": array}` restarts only some games. A single seed is for the first game, and
        the other games get the following numbers; or pass one per game."""
        which = self._all
        if options and "reset_mask" in options:
            which = np.flatnonzero(np.asarray(options["reset_mask"], np.bool_))
        seeds: Any = None
        if isinstance(seed, Sequence | np.ndarray):
            if len(seed) != self.num_envs:
                raise BadOptions("out-of-range", name="seed", value=len(seed), low=self.num_envs, high=self.num_envs)
            fresh = rng_of(None)
            seeds = [fresh.number() if given is None else int(given) for given in seed]
        elif seed is not None:
            seeds = [int(seed) + i for i in range(self.num_envs)]
        self.batch.reset(which, None if seeds is None else np.array(seeds, np.uint64)[which])
        return self._observations(), self._info()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        batch = self.batch
        chosen = np.asarray(actions)
        inside = (chosen >= 0) & (chosen < batch.move_ids)
        wrong = ~(batch.masks[self._all, np.where(inside, chosen, 0)] & inside)
        any_wrong = bool(wrong.any())
        seats = batch.actors.copy()
        before: Any = None
        final: Any = None
        if any_wrong:
            if self._illegal == "raise":
                game = int(np.flatnonzero(wrong)[0])
                raise IllegalMove("illegal-in-batch", game=game, move=int(chosen[game]))
            before = batch.observations[wrong].copy()
            chosen = np.where(wrong, batch.pick(), chosen)
        batch.step(chosen)
        over = batch.over.astype(np.bool_)
        rewards = np.where(over, batch.rewards[self._all, seats], 0).astype(np.float64)
        if over.any() or any_wrong:
            final = batch.terminal_observations[self._all, seats]
        if any_wrong and self._illegal == "end":
            batch.reset(np.flatnonzero(wrong))
            over, rewards = over | wrong, np.where(wrong, self._illegal_reward, rewards)
            final[wrong] = before
        info = self._info()
        if over.any():
            ended = np.full(self.num_envs, None, dtype=object)
            for i in np.flatnonzero(over):
                ended[i] = final[i]
            info |= {"final_obs": ended, "_final_obs": over.copy()}
        return self._observations(), rewards, over, np.zeros(self.num_envs, np.bool_), info

    def action_masks(self) -> Any:
        """The legal moves as booleans, games x moves; the batch's own memory."""
        return self.batch.masks

    def _observations(self) -> Any:
        return self.batch.observations.copy() if self._copy else self.batch.observations

    def _info(self) -> dict[str, Any]:
        masks = self.batch.masks.view(np.int8)
        present = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": masks.copy() if self._copy else masks,
            "_action_mask": present,
            "seat": self.batch.actors.copy(),
            "_seat": present,
        }
