"""OpenSpiel: importing this module registers `tsukimi_GAME` for every game (hyphens become underscores).

`pyspiel.load_game("tsukimi_dojo(players=4,reward=score)")`; the game's options are parameters too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyspiel

import tsukimi
from tsukimi.core.encoding import Encoding
from tsukimi.core.events import step
from tsukimi.core.setup import choices
from tsukimi.core.spec import CHANCE, SPECTATOR, Spec
from tsukimi.core.state import State
from tsukimi.envs.match import Match
from tsukimi.games import spec

MAX_OUTCOMES = 2**14  # of one chance event
SHORT = 16  # decisions: information states have tensors in games of about this length
MAX_CACHED = 2**14  # keys of information states
OWN = {"encoding": "onehot", "reward": "win"}


class Game(pyspiel.Game):  # type: ignore[misc]
    """One of our games with OpenSpiel's interface: simultaneous choices are made one after the other, unseen.

    `register` creates a subclass for each.
    """

    rules: Spec

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        rules, params = self.rules, params or {}
        settings = {**_defaults(rules), **params}
        players, encoding, reward = (settings.pop(name) for name in ("players", "encoding", "reward"))
        self.match = Match(rules.name, players, encoding, reward, None, None, settings)
        self.rows = 4 * rules.length if rules.length <= SHORT else 0
        low, high, total = {"win": (0, 1, 1), "rank": (0, 1, players / 2), "score": (-1e4, 1e4, None)}[reward]
        info = pyspiel.GameInfo(
            num_distinct_actions=self.match.move_ids,
            max_chance_outcomes=MAX_OUTCOMES,
            num_players=players,
            min_utility=low,
            max_utility=high,
            utility_sum=total,
            max_game_length=100 * rules.length,
        )
        super().__init__(_type(rules, reward), info, dict(params))
        self.start = self.match.new(chance="manual")
        self.infosets: dict[Any, str] = {}

    def new_initial_state(self) -> GameState:
        return GameState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        if params:
            raise ValueError(f"observers take no parameters: {params}")
        return Observer(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class GameState(pyspiel.State):  # type: ignore[misc]
    """An OpenSpiel state around one of ours, `game_state`. Chance is explicit, with outcomes numbered from 0."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.game_state: State = game.start.copy()

    def current_player(self) -> int:
        if self.game_state.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.game_state.chance else self.game_state.actors[0]

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.game_state.actions(player))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return list(enumerate(chance for _, chance in self._outcomes()))

    def _apply_action(self, action: int) -> None:
        if self.game_state.chance:
            self.game_state.make(CHANCE, self._outcomes()[action][0])
        else:
            self.game_state.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self.game_state.text(self._outcomes()[action][0])
        return self.game_state.spec.text(self.game_state.core, player, action)

    def is_terminal(self) -> bool:
        return self.game_state.over

    def returns(self) -> list[float]:
        match: Match = self.get_game().match
        return match.rewards(self.game_state)

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> GameState:
        """Another state that this player cannot tell from this one; `probability_sampler` gives numbers from 0 to 1."""
        seed = int(probability_sampler() * 2**53)
        drawn = GameState(self.get_game())
        for mover, move in self.game_state.resample(player_id, seed).history:
            outcomes = drawn._outcomes() if mover == CHANCE else []
            drawn.apply_action([outcome for outcome, _ in outcomes].index(move) if mover == CHANCE else move)
        return drawn

    def __str__(self) -> str:
        return "\n".join(self.game_state.lines())

    def _outcomes(self) -> list[tuple[int, float]]:
        return self.game_state.spec.outcomes(self.game_state.core)


class Observer:
    """What a player sees (OpenSpiel's observer interface).

    Without private information it is what a spectator sees. With perfect recall the text is a key for everything
    seen (`State.infoset`), and the tensor holds the observations after every event, one row each.
    """

    def __init__(self, game: Game, kind: Any) -> None:
        self._encoding: Encoding = game.match.encoding
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._recall = kind.perfect_recall
        self._infosets = game.infosets
        rows = game.rows if self._recall else 1
        self.tensor = np.zeros(rows * self._encoding.size, np.float32)
        self._rows = self.tensor.reshape(rows, self._encoding.size)
        self.dict = {"observation": self._rows if self._recall else self.tensor}

    def set_from(self, state: GameState, player: int) -> None:
        self.tensor.fill(0)
        seen = self._observations(state.game_state, self._observer(player))
        self._rows[: len(seen)] = self._encoding.encode(seen)[: len(self._rows)]

    def string_from(self, state: GameState, player: int) -> str:
        seat = player if self._private else None
        if self._recall:
            return self._infoset(state.game_state, seat)
        return json.dumps(state.game_state.view(seat), separators=(",", ":"))

    def _infoset(self, state: State, seat: int | None) -> str:
        """The key; cached, because algorithms that walk a tree visit the same states again and again."""
        where = seat, tuple(state.history)
        if where not in self._infosets:
            if len(self._infosets) >= MAX_CACHED:
                self._infosets.clear()
            self._infosets[where] = state.infoset(seat).hex()
        return self._infosets[where]

    def _observer(self, player: int) -> int:
        return player if self._private else SPECTATOR

    def _observations(self, state: State, observer: int) -> list[list[int]]:
        if not self._recall:
            return [state.core.observation(observer)]
        core, seen = state.fresh(), []
        for mover, move in state.history:
            step(core, mover, move)
            seen.append(core.observation(observer))
        return seen or [core.observation(observer)]


def register() -> None:
    """Register `tsukimi_GAME` for every installed game."""
    for name in tsukimi.games():
        kind = _type(spec(name), OWN["reward"])
        if kind.short_name not in pyspiel.registered_names():
            pyspiel.register_game(kind, type(kind.short_name, (Game,), {"rules": spec(name)}))


def _defaults(rules: Spec) -> dict[str, Any]:
    options = {name: values[0] for name, values in choices(rules, rules.seats[0]).items()}
    return {"players": rules.seats[0], **OWN, **options}


def _type(rules: Spec, reward: str) -> Any:
    score = reward == "score"
    return pyspiel.GameType(
        short_name="tsukimi_" + rules.name.replace("-", "_"),
        long_name=f"Tsukimi {rules.name}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM if score else pyspiel.GameType.Utility.CONSTANT_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(rules.seats),
        min_num_players=min(rules.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=rules.length <= SHORT,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_defaults(rules),
    )


register()
