"""A search with a budget: as many threads as asked for, each with a tree of its own, their roots added up.

For a seed, a number of playouts and a number of threads the result is always the same.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from tsukimi.bots.budget import Budget, Stopwatch, spend
from tsukimi.bots.judge import Judge
from tsukimi.bots.search import Search
from tsukimi.core.game import Game
from tsukimi.core.rng import Rng


@dataclass(frozen=True)
class Thought:
    """What is thought of one move: the estimated share of the win, and how much that estimate rests on."""

    move: int
    share: float
    weight: float
    score: float | None = None


class Tree:
    """The search trees of one seat in one game; they are kept from move to move."""

    def __init__(self, root: Game, judge: Judge, seed: int, threads: int = 1, curiosity: float = 1.0) -> None:
        rng = Rng(seed)
        self._searches = [Search(root, judge, rng.number()) for _ in range(threads)]
        for search in self._searches:
            search.curiosity = curiosity
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def think(self, root: Game, seat: int, budget: Budget) -> list[Thought]:
        """Every move of the seat, the most tried first. The position's hidden part is never used: each
        simulation draws its own."""
        watch = budget.start()
        share = None if budget.playouts is None else -(-budget.playouts // len(self._searches))
        for search in self._searches:
            search.look_at(root, seat)
        if self._pool is None:
            _run(self._searches[0], share, watch)
        else:
            tasks = [self._pool.submit(_run, search, share, watch.passed_on()) for search in self._searches]
            for task in tasks:
                task.result()
        return self._sum()

    def simulated(self) -> int:
        """How many moves have been made inside the search."""
        return sum(search.moves_made for search in self._searches)

    def _sum(self) -> list[Thought]:
        tries: dict[int, int] = {}
        gains: dict[int, float] = {}
        for search in self._searches:
            for move, count, mean in search.result():
                tries[move] = tries.get(move, 0) + count
                gains[move] = gains.get(move, 0.0) + count * mean
        thoughts = [Thought(move, gains[move] / max(1, count), float(count)) for move, count in tries.items()]
        return sorted(thoughts, key=lambda thought: (-thought.weight, -thought.share, thought.move))


def _run(search: Search, playouts: int | None, watch: Stopwatch) -> None:
    spend(watch, playouts, search.run)
