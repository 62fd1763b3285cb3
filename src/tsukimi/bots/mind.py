"""How a game is thought about. `Mind` serves any game; a game's own mind overrides what it knows better."""

from __future__ import annotations

from collections.abc import Mapping

from tsukimi.bots.budget import Budget
from tsukimi.bots.judge import Judge
from tsukimi.bots.tree import Thought, Tree
from tsukimi.core.game import Game
from tsukimi.core.rng import Rng
from tsukimi.core.state import State


class Mind:
    """The thoughts of one seat in one game. It lives as long as the game does, so that it can remember."""

    noise: Mapping[str, float] = {"novice": 0.055, "regular": 0.03}
    """How far from the truth the judgement of the weaker levels strays, in shares of the win."""
    curiosity = 1.0
    samples = 12

    def __init__(self, start: Game, seed: int) -> None:
        self.rng = Rng(seed)
        self.judge = self.make_judge(start)
        self._start = start
        self._tree: Tree | None = None

    def make_judge(self, start: Game) -> Judge:
        return Judge()

    def world(self, state: State, seat: int) -> Game:
        """The position as this seat may imagine it: from here on nothing hidden is known."""
        core = state.core.copy()
        core = core.resample(seat, self.rng)
        return core

    def greedy(self, state: State, seat: int) -> list[Thought]:
        """One ply: how the position looks right after each move, on average over what is hidden or left to chance."""
        moves = state.core.actions(seat)
        sums = dict.fromkeys(moves, 0.0)
        samples = max(1, min(self.samples, 400 // len(moves)))
        for _ in range(samples):
            world, number = self.world(state, seat), self.rng.number()
            for move in moves:
                after = world.copy()
                after.apply(move, seat)
                after.sample_chance(Rng(number))
                sums[move] += self.judge.shares(after)[seat]
        return best_first([Thought(move, total / samples, samples) for move, total in sums.items()])

    def think(self, state: State, seat: int, budget: Budget) -> list[Thought]:
        """Every move of the seat, the best first, within the budget."""
        if self._tree is None:
            self._tree = Tree(self._start, self.judge, self.rng.number(), budget.threads, self.curiosity)
        return self._tree.think(self.world(state, seat), seat, budget)

    def simulated(self) -> int:
        """How many moves have been made inside the search so far."""
        return 0 if self._tree is None else self._tree.simulated()

    def facts(self, state: State, seat: int, thoughts: list[Thought]) -> tuple[str, Mapping[str, object]]:
        """Why the first of these moves is the best: a code of the catalogue and its parameters."""
        return "why-search", {"share": round(100 * thoughts[0].share)}


def best_first(thoughts: list[Thought]) -> list[Thought]:
    return sorted(thoughts, key=lambda thought: (-thought.share, thought.move))
