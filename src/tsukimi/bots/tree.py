"""A search with a budget: one tree per thread, and the statistics of their roots added up (root parallelisation).

For a given seed, number of playouts and number of threads the result is always the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from tsukimi.bots.budget import Budget, run_within
from tsukimi.bots.evaluator import Evaluator
from tsukimi.bots.search import MAX_EDGES, MAX_NODES, Search
from tsukimi.core.game import Game
from tsukimi.core.rng import Rng

TRIED_PART = 0.3  # of the budget, for a move that must be tried


@dataclass(frozen=True)
class Candidate:
    """A move with its estimated share of the win, the weight of that estimate (visits, samples) and, where an engine
    estimates it, the final score."""

    move: int
    share: float
    weight: float
    score: float | None = None


class Tree:
    """The search trees of one seat in one game, reused from move to move."""

    def __init__(
        self,
        root: Game,
        evaluator: Evaluator,
        seed: int,
        threads: int = 1,
        exploration: float = 1.0,
        nodes: int = MAX_NODES,
        edges: int = MAX_EDGES,
    ) -> None:
        rng = Rng(seed)
        self._searches = [Search(root, evaluator, rng.number(), nodes, edges) for _ in range(threads)]
        for search in self._searches:
            search.exploration = exploration
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def search(
        self, root: Game, seat: int, budget: Budget, tried: int | None = None, worlds: Sequence[Game] = ()
    ) -> list[Candidate]:
        """Every move of the seat, the most visited first, the others by share. The hidden part of the root is never used: each simulation
        samples its own, or starts from one of `worlds`. A move that must be tried gets a part of the budget for itself, so that more is
        known about it than a search for the best move needs."""
        for search in self._searches:
            search.set_root(root, seat)
            if worlds:
                search.set_worlds(list(worlds))
        if tried is None:
            self._run(budget)
            return self._sum()
        self._run(budget.scaled(1 - TRIED_PART))
        found = self._sum()
        if found[0].move == tried:
            return found
        for search in self._searches:
            search.tried = tried
        try:
            self._run(budget.scaled(TRIED_PART))
        finally:
            for search in self._searches:
                search.tried = -1
        known = {candidate.move: candidate for candidate in self._sum()}
        return ranked([found[0], *(known[tried] if candidate.move == tried else candidate for candidate in found[1:])])

    def _run(self, budget: Budget) -> None:
        watch = budget.start()
        playouts = None if budget.playouts is None else -(-budget.playouts // len(self._searches))
        if self._pool is None:
            run_within(watch, playouts, self._searches[0].run)
        else:
            tasks = [
                self._pool.submit(run_within, watch.for_thread(), playouts, search.run) for search in self._searches
            ]
            for task in tasks:
                task.result()

    def simulated(self) -> int:
        """How many moves the search has simulated so far."""
        return sum(search.moves_made for search in self._searches)

    def _sum(self) -> list[Candidate]:
        visits: dict[int, int] = {}
        value_sums: dict[int, float] = {}
        for search in self._searches:
            for move, count, mean in search.result():
                visits[move] = visits.get(move, 0) + count
                value_sums[move] = value_sums.get(move, 0.0) + count * mean
        lowest = min((value_sums[move] / count for move, count in visits.items() if count), default=0.0)
        candidates = [
            Candidate(move, value_sums[move] / count if count else lowest, float(count))
            for move, count in visits.items()
        ]  # nodes shuffle their moves, so equal ones are in random order
        return ranked(sorted(candidates, key=lambda candidate: (-candidate.weight, -candidate.share)))


def ranked(candidates: list[Candidate]) -> list[Candidate]:
    """The first, which is the one to play, and the others by share. None has more than the first: a higher value from a few visits, or a
    difference within the estimation error, is not trusted."""
    best = candidates[0]
    others = [replace(candidate, share=min(candidate.share, best.share)) for candidate in candidates[1:]]
    return [best, *sorted(others, key=lambda candidate: -candidate.share)]
