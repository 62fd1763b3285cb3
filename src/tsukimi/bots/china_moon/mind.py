"""How China Moon is thought about: the end exactly, if it is near enough; all else by search with the pond's judge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from tsukimi.bots.budget import Budget
from tsukimi.bots.china_moon.facts import why
from tsukimi.bots.china_moon.greedy import Beginner
from tsukimi.bots.china_moon.judge import PondJudge
from tsukimi.bots.china_moon.solver import Solver
from tsukimi.bots.judge import Judge
from tsukimi.bots.mind import Mind, best_first
from tsukimi.bots.tree import Thought, Tree
from tsukimi.core.game import Game
from tsukimi.core.state import State
from tsukimi.games.china_moon.rules import ChinaMoon

DEEPEST = 12  # decisions that the solver looks ahead, at most
PART = 0.25  # of the time, at most, goes into solving
PACE = 1000  # positions that the solver looks at in a millisecond, to begin with
PER_PLAYOUT = 4  # positions that the solver may look at for each playout of the budget
SURE = 1e6  # the weight of what is known


class ChinaMoonMind(Mind):
    noise: Mapping[str, float] = {"novice": 0.1, "regular": 0.055}

    def __init__(self, start: Game, seed: int) -> None:
        super().__init__(start, seed)
        self.beginner = Beginner(start.table)
        self.solver = Solver()

    def make_judge(self, start: Game) -> Judge:
        return PondJudge(start.table)

    def greedy(self, state: State, seat: int) -> list[Thought]:
        """One ply by the beginner's eye; there is no luck and nothing hidden, so one look is enough."""
        world = self.world(state, seat)
        thoughts = []
        for move in state.actions(seat):
            after = world.copy()
            after.apply(move, seat)
            thoughts.append(Thought(move, self.beginner.shares(after)[seat], 1.0))
        return best_first(thoughts)

    def think(self, state: State, seat: int, budget: Budget) -> list[Thought]:
        """Every move of the seat, the best first: what is known, else what the search finds in the time that is left."""
        watch = budget.start()
        self._make_tree(budget)
        moves = state.actions(seat)
        known = self.solve(cast(ChinaMoon, self.world(state, seat)), seat, moves, budget)
        best = max(known.values(), default=0.0)
        if best > 1 - 1e-6 or len(known) == len(moves):
            return best_first([Thought(move, known.get(move, 0.0), SURE) for move in moves])
        return _corrected(super().think(state, seat, watch.rest()), known)

    def _make_tree(self, budget: Budget) -> None:
        """At the first thought: it takes a moment, which counts."""
        if self._tree is None:
            self._tree = Tree(self._start, self.judge, self.rng.number(), budget.threads, self.curiosity)

    def solve(self, world: ChinaMoon, seat: int, moves: list[int], budget: Budget) -> dict[int, float]:
        """What is known for sure of the moves: their shares of the win under perfect play."""
        known: dict[int, float] = {}
        if world.arrived < 2:
            return known
        watch = budget.part(PART).start()
        room = PER_PLAYOUT * (budget.playouts or 0) if budget.ms is None else int(PART * PACE * budget.ms)
        for depth in range(4 - world.arrived, DEEPEST):
            for move in moves:
                if move in known:
                    continue
                before = self.solver.nodes
                after = cast(ChinaMoon, world.copy())
                after.apply(move, seat)
                shares = self.solver.shares(after, depth - 1, room)
                room -= self.solver.nodes - before
                if shares is not None:
                    known[move] = shares[seat]
                    if shares[seat] > 1 - 1e-6:
                        return known
                if room <= 0 or watch.left() < 0:
                    return known
            if len(known) == len(moves):
                break
        return known

    def facts(self, state: State, seat: int, thoughts: list[Thought]) -> tuple[str, Mapping[str, object]]:
        return why(cast(ChinaMoon, self.world(state, seat)), seat, thoughts)


def _corrected(thoughts: list[Thought], known: Mapping[int, float]) -> list[Thought]:
    """The search's thoughts, with what is known in the place of what was estimated."""
    told = [
        Thought(thought.move, known.get(thought.move, thought.share), thought.weight, thought.score)
        for thought in thoughts
    ]
    hope = max((thought.share for thought in told if thought.move not in known), default=0.0)
    fine = [thought for thought in told if known.get(thought.move, hope) >= hope]
    return fine + [thought for thought in told if known.get(thought.move, hope) < hope]
