"""The bots that every game has: `random`, `greedy`, `novice`, `regular`, `master`, and the baseline `flat`."""

from __future__ import annotations

import math

from tsukimi.bots.budget import Budget, run_within
from tsukimi.bots.engine import Engine, acting_seat
from tsukimi.bots.flat import Flat
from tsukimi.bots.tree import Candidate
from tsukimi.core.rng import Rng
from tsukimi.core.state import State

LEVELS = {"novice": 0.02, "regular": 0.15, "master": 1.0}  # the part of the budget that each uses
NAMES = ("random", "greedy", *LEVELS, "adaptive")  # what menus offer
BASELINES = ("flat",)  # for matches


class RandomBot:
    """Any legal move, each with the same probability."""

    def __init__(self, seed: int) -> None:
        self._rng = Rng(seed)

    def choose(self, state: State, seat: int) -> int:
        return state.core.random_action(acting_seat(state, seat), self._rng)


class GreedyBot:
    """The move with the best position after it, one ply deep."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def choose(self, state: State, seat: int) -> int:
        return self._engine.greedy(state, acting_seat(state, seat))[0].move


class FlatBot:
    """Flat Monte Carlo: the move that wins most often when the rest of the game is played at random."""

    def __init__(self, budget: Budget, seed: int) -> None:
        self._budget, self._rng = budget, Rng(seed)

    def choose(self, state: State, seat: int) -> int:
        watch = self._budget.start()
        seat = acting_seat(state, seat)
        root = state.core.resample(seat, self._rng)
        trials, moves = Flat(root, seat, self._rng), root.actions(seat)
        if len(moves) == 1:
            return moves[0]
        playouts = self._budget.playouts
        run_within(watch, None if playouts is None else max(1, playouts // len(moves)), trials.run)
        return max(trials.result(), key=lambda tried: (tried[1], self._rng.number()))[0]


class SearchBot:
    """Novice, regular or master: the game's engine, with less time and noisy estimates for the weaker levels."""

    def __init__(self, engine: Engine, level: str, budget: Budget, seed: int) -> None:
        self._engine, self._noise, self._rng = engine, engine.noise.get(level, 0.0), Rng(seed)
        self._level = level
        self.set_budget(budget)

    def set_budget(self, budget: Budget) -> None:
        """How long `master` may think from now on; weaker levels take less."""
        self._budget = budget.scaled(LEVELS[self._level], least=8)

    @property
    def share(self) -> float:
        """The part of such a budget that this bot may need; it does not depend on the position."""
        return LEVELS[self._level] * self._engine.time_share

    def choose(self, state: State, seat: int) -> int:
        seat = acting_seat(state, seat)
        moves = state.core.actions(seat)
        if len(moves) == 1:
            return moves[0]
        candidates = self._engine.analyse(state, seat, self._budget)
        if not self._noise:
            return candidates[0].move
        best = candidates[0].move
        sensible = [
            one for one in candidates if one.move == best or not self._engine.is_blunder(state, seat, best, one.move)
        ]
        return max(sensible, key=self._noisy).move

    def _noisy(self, candidate: Candidate) -> float:
        """An estimate that errs as people do: a little everywhere rather than a lot now and then. It errs about the odds,
        so that a player who is far behind, or nearly has won, still tells moves apart."""
        error = sum(self._rng.randrange(2**20) for _ in range(4)) / 2**20 - 2.0
        share = min(0.999, max(0.001, candidate.share))
        return math.log(share / (1 - share)) + 4 * self._noise * error
