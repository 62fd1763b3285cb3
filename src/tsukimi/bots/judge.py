# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""What a game tells the search: how a position looks, which moves look good, how to play on quickly.

`Judge` is the plainest of all: it knows nothing but scores. Each game has a better one.
"""

from __future__ import annotations

import cython

if not cython.compiled:
    from math import exp

    from tsukimi.core.game import Game

SEATS = 5


class Judge:
    """Estimates for a search; a game's own judge overrides what it knows better."""

    def __init__(self) -> None:
        self.horizon = 10_000
        self.spread = 4.0
        self.blind = type(self) is Judge  # plays on at random to the very end, which a game does quickest itself

    def weigh(self, game, shares):
        """Each seat's estimated share of the win, in sum 1, from the scores as they stand."""
        best: cython.double = -1e9
        for seat in range(game.players):
            if game.score(seat) > best:
                best = game.score(seat)
        total: cython.double = 0
        for seat in range(game.players):
            shares[seat] = exp((game.score(seat) - best) / self.spread)
            total += shares[seat]
        for seat in range(game.players):
            shares[seat] /= total

    def done(self, game):
        """Whether looking further would tell no more than `weigh` does (the end of a round, say)."""
        return False

    def prior(self, game, seat, move):
        """How promising a move looks at first sight; only comparisons among a position's moves matter."""
        return 0.0

    def advise(self, game, seat, rng):
        """A quick move for playing on to the end."""
        return game.random_move(seat, rng)

    def shares(self, game: Game) -> list[float]:
        """`weigh`, for Python callers."""
        shares: cython.float[5]
        if not cython.compiled:
            shares = [0.0] * 5
        self.settle(game, shares)
        return [shares[seat] for seat in range(game.players)]

    def settle(self, game, shares):
        """The win as it was decided, or as it is estimated."""
        if not game.is_over():
            self.weigh(game, shares)
            return
        winners = game.winner_mask()
        count = 0
        for seat in range(game.players):
            if winners >> seat & 1:
                count += 1
        for seat in range(game.players):
            shares[seat] = 1.0 / count if winners >> seat & 1 else 0.0

    def priors(self, game: Game, seat: cython.int) -> list[float]:
        """`prior` of every legal move, for Python callers."""
        return [self.prior(game, seat, move) for move in game.actions(seat)]
