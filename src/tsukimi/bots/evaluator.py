# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""What the search needs to know about a position: its value, the prior of a move, and a rollout policy.

`Evaluator` works for any game: it knows only the scores, and plays random rollouts to the end.
"""

from __future__ import annotations

import cython

if not cython.compiled:
    from math import exp

    from tsukimi.core.game import Game


def softmax(values, place, count, scale):
    """Turns that many values from an index on, multiplied by a scale, into shares that add up to 1."""
    best: cython.double = -1e30
    for i in range(place, place + count):
        if values[i] > best:
            best = values[i]
    total: cython.double = 0.0
    for i in range(place, place + count):
        values[i] = exp((values[i] - best) * scale)
        total += values[i]
    for i in range(place, place + count):
        values[i] /= total


class Evaluator:
    """Estimates for a search. A game's own evaluator overrides what it can estimate better."""

    def __init__(self) -> None:
        self.horizon = 10_000  # the maximum number of decisions in a rollout
        self.temperature = 4.0  # of the softmax over scores, in points
        self.random_rollouts = type(self) is Evaluator  # the game itself plays those fastest
        self.open_game = False  # without chance and secrets: a move always leads to the same node

    def evaluate(self, game, shares):
        """Each seat's estimated share of the win, adding up to 1: a softmax of the current scores."""
        for seat in range(game.players):
            shares[seat] = game.score(seat)
        softmax(shares, 0, game.players, 1.0 / self.temperature)

    def stop_rollout(self, game):
        """Whether `evaluate` is already as good here as playing on would be, for example at the end of a round."""
        return False

    def list_candidates(self, game, seat, moves):
        """The legal moves that the search distinguishes; of equivalent moves, one is enough."""
        return game.list_moves(seat, moves)

    def prior(self, game, seat, move):
        """The logit of a move in the search's prior."""
        return 0.0

    def list_priors(self, game, seat, moves, count, priors, place):
        """Writes the logits of that many moves of one position, from an index on."""
        for i in range(count):
            priors[place + i] = self.prior(game, seat, moves[i])

    def rollout_move(self, game, seat, rng):
        """The rollout policy."""
        return game.random_move(seat, rng)

    def leaf_value(self, game, shares):
        """Each seat's share of the win: the result of a finished game, else the estimate."""
        if not game.is_over():
            self.evaluate(game, shares)
            return
        winners = game.winner_mask()
        count = 0
        for seat in range(game.players):
            if winners >> seat & 1:
                count += 1
        for seat in range(game.players):
            shares[seat] = 1.0 / count if winners >> seat & 1 else 0.0

    # ---- for Python callers -----------------------------------------------------------------

    def shares(self, game: Game) -> list[float]:
        """`leaf_value` as a list."""
        shares: cython.float[5]
        if not cython.compiled:
            shares = [0.0] * 5
        self.leaf_value(game, shares)
        return [shares[seat] for seat in range(game.players)]

    def priors(self, game: Game, seat: cython.int) -> list[float]:
        """`prior` of every legal move."""
        buffer: cython.int[8192]
        priors: cython.float[8192]
        if not cython.compiled:
            buffer, priors = [0] * 8192, [0.0] * 8192
        count = game.list_moves(seat, buffer)
        self.list_priors(game, seat, buffer, count, priors, 0)
        return [priors[i] for i in range(count)]

    def raise_failure(self) -> None:
        """Raise the exception of a `PythonEvaluator` that compiled code could not propagate."""


class ScoreEvaluator(Evaluator):
    """For games in which the size of the score matters, as in poker: a lead is worth its size, not the win."""

    def __init__(self, widest_lead: float) -> None:
        Evaluator.__init__(self)
        self.widest_lead = widest_lead  # over the mean of the others; values are 0 to 1 for leads up to this
        self.random_rollouts = True

    def leaf_value(self, game, shares):
        total: cython.double = 0.0
        for seat in range(game.players):
            total += game.score(seat)
        for seat in range(game.players):
            lead: cython.double = game.score(seat) - (total - game.score(seat)) / (game.players - 1)
            lead = max(-self.widest_lead, min(self.widest_lead, lead))
            shares[seat] = 0.5 + 0.5 * lead / self.widest_lead
