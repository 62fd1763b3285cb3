"""PettingZoo: `env` takes one agent at a time (AEC), `parallel_env` all who decide simultaneously."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

from tsukimi.core.setup import Components
from tsukimi.core.state import State
from tsukimi.envs.drawing import render
from tsukimi.envs.match import RENDER_MODES, Match

Observation = dict[str, Any]


def env(
    game: str,
    players: int | None = None,
    *,
    encoding: str = "numbers",
    reward: str = "win",
    render_mode: str | None = None,
    components: Components = None,
    **options: str,
) -> TurnEnv:
    """A game whose agents `player_0`, `player_1`, .. act one at a time; see docs/environments.md."""
    return TurnEnv(Match(game, players, encoding, reward, render_mode, components, options))


def parallel_env(
    game: str,
    players: int | None = None,
    *,
    encoding: str = "numbers",
    reward: str = "win",
    render_mode: str | None = None,
    components: Components = None,
    **options: str,
) -> ParallelGame:
    """The same game, where all agents who decide simultaneously do so in one step; see docs/environments.md."""
    return ParallelGame(Match(game, players, encoding, reward, render_mode, components, options))


class _Shared:
    """What both kinds have in common."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.encoding = match.encoding
        self.render_mode = match.render_mode
        self.metadata = {
            "name": f"tsukimi/{match.spec.name}-v1",
            "render_modes": list(RENDER_MODES),
            "render_fps": 2,
            "is_parallelizable": True,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(match.players)]
        self.agents: list[str] = []
        layout = match.encoding
        self._observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(layout.low, layout.high, dtype=layout.dtype),
                    "action_mask": spaces.Box(0, 1, (match.move_ids,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._action_spaces = {agent: spaces.Discrete(match.move_ids) for agent in self.possible_agents}
        self.game: State = match.new(chance="manual")

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        """What an agent knows, and its legal moves (all 0 when it may not act)."""
        seat = self.possible_agents.index(agent)
        return {"observation": self.match.observe(self.game, seat), "action_mask": self.match.mask(self.game, seat)}

    def render(self) -> Any:
        """The table as a spectator sees it."""
        return render(self.game, self.render_mode)

    def state(self) -> Any:
        """The observations of all seats in one array: everything anyone knows, for critics."""
        return np.concatenate([self.match.observe(self.game, seat) for seat in range(self.match.players)])

    def close(self) -> None:
        pass

    def __str__(self) -> str:
        return str(self.metadata["name"])


class TurnEnv(_Shared, AECEnv):  # type: ignore[misc]
    """One agent at a time; in a simultaneous phase in seat order, without seeing what the others chose."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.game = self.match.begin(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._next_agent()

    def step(self, action: Any) -> None:
        """Play a move for `agent_selection`; an illegal one raises `IllegalMove` and changes nothing."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.game.apply(action, self.possible_agents.index(agent))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.agents, self.match.rewards(self.game), strict=True))
        self.terminations = dict.fromkeys(self.agents, self.game.over)
        self.agent_selection = self._next_agent()
        self._accumulate_rewards()

    def _next_agent(self) -> str:
        return self.agents[self.game.actors[0] if self.game.actors else 0]


class ParallelGame(_Shared, ParallelEnv):  # type: ignore[misc]
    """All agents pass an action to every step; those of agents who may not act now are ignored."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        self.game = self.match.begin(seed)
        self.agents = self.possible_agents[:]
        return {agent: self.observe(agent) for agent in self.agents}, {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        """Play the moves of all who decide now; if one is illegal, `IllegalMove` is raised and nothing changes."""
        moves = [(seat, actions[self.possible_agents[seat]]) for seat in self.game.actors]
        for seat, move in moves:
            self.game.text(move, seat)  # refuses illegal moves
        for seat, move in moves:
            self.game.apply(move, seat)
        agents = self.agents
        rewards = dict(zip(agents, self.match.rewards(self.game), strict=True))
        observed = {agent: self.observe(agent) for agent in agents}
        over = self.game.over
        if over:
            self.agents = []
        ended, truncated = dict.fromkeys(agents, over), dict.fromkeys(agents, False)
        return observed, rewards, ended, truncated, {agent: {} for agent in agents}
