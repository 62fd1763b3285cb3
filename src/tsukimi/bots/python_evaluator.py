# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""Evaluators in plain Python, for engines of games outside this package: override the first part.

The search's other evaluators are compiled, and their methods cannot be overridden from Python.
"""

from __future__ import annotations

from collections.abc import Sequence

import cython

if not cython.compiled:
    from tsukimi.bots.evaluator import Evaluator
    from tsukimi.core.game import Game
    from tsukimi.core.rng import Rng


class PythonEvaluator(Evaluator):
    """An evaluator whose methods are Python. The position passed to them is the search's own: copy it to play on it."""

    def __init__(self) -> None:
        Evaluator.__init__(self)
        self.failure = None

    # ---- what an evaluator overrides ---------------------------------------------------------

    def value(self, game: Game) -> Sequence[float]:
        """Each seat's estimated share of the win, adding up to 1."""
        raise NotImplementedError("an evaluator needs `value`")

    def known(self, game: Game) -> bool:
        """Whether a rollout may stop here, because `value` is as good as further play."""
        return False

    def move_prior(self, game: Game, seat: int, move: int) -> float:
        """The logit of a legal move in the search's prior."""
        return 0.0

    def policy(self, game: Game, seat: int, rng: Rng) -> int:
        """The rollout policy: a legal move."""
        return game.random_action(seat, rng)

    # ---- called by the search ----------------------------------------------------------------

    def evaluate(self, game, shares):
        with cython.gil:
            self.write_shares(game, shares)

    def write_shares(self, game, shares):
        try:
            values = self.value(game)
            if len(values) != game.players:
                raise ValueError(f"value must return {game.players} shares, not {len(values)}")
            for seat in range(game.players):
                shares[seat] = values[seat]
        except BaseException as problem:
            self.fail(problem)
            for seat in range(game.players):
                shares[seat] = 1.0 / game.players

    def stop_rollout(self, game):
        stop: cython.bint = False
        with cython.gil:
            try:
                stop = self.failure is not None or self.known(game)
            except BaseException as problem:
                self.fail(problem)
        return stop

    def prior(self, game, seat, move):
        logit: cython.double = 0.0
        with cython.gil:
            try:
                logit = self.move_prior(game, seat, move)
            except BaseException as problem:
                self.fail(problem)
        return logit

    def rollout_move(self, game, seat, rng):
        move: cython.int = -1
        with cython.gil:
            try:
                move = self.policy(game, seat, rng)
                if move not in game.actions(seat):
                    raise ValueError(f"policy must return a legal move, not {move}")
            except BaseException as problem:
                self.fail(problem)
                move = game.random_move(seat, rng)
        return move

    def fail(self, problem):
        """Keep the first exception; the search raises it when it is back in Python."""
        if self.failure is None:
            self.failure = problem

    def raise_failure(self) -> None:
        problem, self.failure = self.failure, None
        if problem is not None:
            raise problem
