# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""Flat Monte-Carlo: every move is tried equally often in redrawn worlds, each followed by random play to the end.

It knows nothing of any game and grows no tree; the searching bots are measured by it.
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
        self.drawn = root.copy()
        self.world = root.copy()
        self.rng = rng
        self.seat = seat
        self.worlds = 0
        if not cython.compiled:
            self.moves, self.gain = [0] * MAX_MOVES, [0.0] * MAX_MOVES
        self.count = self.root.list_moves(seat, self.moves)
        for i in range(self.count):
            self.gain[i] = 0.0

    def run(self, worlds: cython.int) -> None:
        """Every move once in each of so many worlds, without the interpreter lock."""
        with cython.nogil:
            for _ in range(worlds):
                self.try_all()
        self.drawn.raise_failure()
        self.world.raise_failure()

    def result(self) -> list[tuple[int, float]]:
        """Every move with its mean share of the win."""
        return [(self.moves[i], self.gain[i] / max(1, self.worlds)) for i in range(self.count)]

    # ---- without the interpreter lock ---------------------------------------------------------

    def try_all(self):
        self.drawn.copy_from(self.root)
        self.drawn.resample_hidden(self.seat, self.rng)
        for i in range(self.count):
            self.world.copy_from(self.drawn)
            self.world.make_move(self.moves[i], self.seat)
            self.world.rollout(self.rng)
            self.gain[i] += self.win_share()
        self.worlds += 1

    def win_share(self):
        winners = self.world.winner_mask()
        if not winners >> self.seat & 1:
            return 0.0
        count = 0
        for seat in range(self.world.players):
            if winners >> seat & 1:
                count += 1
        return 1.0 / count
