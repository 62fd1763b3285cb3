# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""Flat Monte Carlo: every move is tried equally often, once in each determinization, followed by a random rollout.

It has no game knowledge and no tree: a baseline for the searching bots.
"""

from __future__ import annotations

import cython

if not cython.compiled:
    from tsukimi.core.game import MAX_MOVES, Game
    from tsukimi.core.rng import Rng


class Flat:
    """The trials of one decision."""

    def __init__(self, root: Game, seat: cython.int, rng: Rng) -> None:
        self.root = root.copy()
        self.sampled = root.copy()
        self.trial = root.copy()
        self.rng = rng
        self.seat = seat
        self.samples = 0
        if not cython.compiled:
            self.moves, self.value_sum = [0] * MAX_MOVES, [0.0] * MAX_MOVES
        self.count = self.root.list_moves(seat, self.moves)
        for i in range(self.count):
            self.value_sum[i] = 0.0

    def run(self, samples: cython.int) -> None:
        """Try every move in that many determinizations, without the GIL."""
        with cython.nogil:
            for _ in range(samples):
                self.try_all()
        self.sampled.raise_failure()
        self.trial.raise_failure()

    def result(self) -> list[tuple[int, float]]:
        """Every move with its mean share of the win."""
        return [(self.moves[i], self.value_sum[i] / max(1, self.samples)) for i in range(self.count)]

    # ---- without the GIL ---------------------------------------------------------

    def try_all(self):
        self.sampled.copy_from(self.root)
        self.sampled.resample_hidden(self.seat, self.rng)
        for i in range(self.count):
            self.trial.copy_from(self.sampled)
            self.trial.make_move(self.moves[i], self.seat)
            self.trial.rollout(self.rng)
            self.value_sum[i] += self.win_share()
        self.samples += 1

    def win_share(self):
        winners = self.trial.winner_mask()
        if not winners >> self.seat & 1:
            return 0.0
        count = 0
        for seat in range(self.trial.players):
            if winners >> seat & 1:
                count += 1
        return 1.0 / count
