"""How Dojo is thought about: patterns for dojos, drawn worlds for the round, and a little unpredictability."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import cast

from tsukimi.bots.budget import Budget, spend
from tsukimi.bots.dojo.facts import why
from tsukimi.bots.dojo.greedy import Beginner
from tsukimi.bots.dojo.judge import DojoJudge
from tsukimi.bots.dojo.rounds import Rounds
from tsukimi.bots.judge import Judge
from tsukimi.bots.mind import Mind, best_first
from tsukimi.bots.tree import Thought
from tsukimi.core.game import Game
from tsukimi.core.state import State
from tsukimi.games.dojo.rules import Dojo

MIXED = 0.002  # shares of the win that make one choice e times as likely as another
BLUFFS = ("give", "challenge")


class DojoMind(Mind):
    noise: Mapping[str, float] = {"novice": 0.07, "regular": 0.045}

    def __init__(self, start: Game, seed: int) -> None:
        super().__init__(start, seed)
        self.beginner = Beginner(start)
        self.rounds = Rounds(start, cast(DojoJudge, self.judge), self.rng.number())

    def make_judge(self, start: Game) -> Judge:
        return DojoJudge()

    # ---- greedy: frozen --------------------------------------------------------------------------

    def greedy(self, state: State, seat: int) -> list[Thought]:
        judged = self.beginner.judged(self.world(state, seat), seat, self.rng)
        return best_first([Thought(move, value, 1.0) for move, value in judged.items()])

    # ---- master ----------------------------------------------------------------------------------

    def think(self, state: State, seat: int, budget: Budget) -> list[Thought]:
        """Every move in as many drawn worlds as the budget allows; gifts and challenges that are close are mixed.
        A playout of the budget is one move tried in one world."""
        watch = budget.start()
        world = cast(Dojo, self.world(state, seat))
        moves = world.actions(seat)
        phase = state.view(seat)["phase"]
        if phase == "throw":
            return self._shuffled(moves)
        self.rounds.look_at(world, seat, _gifts(state, seat))
        worlds = None if budget.playouts is None else max(1, budget.playouts // len(moves))
        samples = spend(watch, worlds, self.rounds.run, at_once=3.0)
        thoughts = best_first([Thought(move, share, samples, points) for move, share, points in self.rounds.result()])
        return self._mixed(thoughts) if phase in BLUFFS else thoughts

    def _shuffled(self, moves: list[int]) -> list[Thought]:
        """Rock, paper, scissors: nothing is better than chance."""
        share = 1 / len(moves)
        order = sorted(moves, key=lambda move: self.rng.number())
        return [Thought(move, share, 1.0) for move in order]

    def _mixed(self, thoughts: list[Thought]) -> list[Thought]:
        """The best move first, or one that is nearly as good: nobody shall know what a pass or a gift means."""
        best = thoughts[0].share
        odds = [math.exp((thought.share - best) / MIXED) for thought in thoughts]
        point = self.rng.randrange(2**30) / 2**30 * sum(odds)
        for i, odd in enumerate(odds):
            point -= odd
            if point < 0:
                return [thoughts[i], *thoughts[:i], *thoughts[i + 1 :]]
        return thoughts

    def facts(self, state: State, seat: int, thoughts: list[Thought]) -> tuple[str, Mapping[str, object]]:
        world = cast(Dojo, self.world(state, seat))
        return why(cast(DojoJudge, self.judge).patterns, world, state.view(seat), seat, thoughts)


def _gifts(state: State, seat: int) -> list[int]:
    """Whom the dealer of this round has given cards to, in turn."""
    view = state.view(seat)
    if view["phase"] not in ("challenge", "swap"):
        return []
    order: list[int] = []
    for event in reversed(state.events(seat)):
        if event["type"] == "give":
            order.append(event["to"])
        elif order and event["type"] in ("place", "trophy"):
            break
        if len(order) == state.players:
            break
    return order[::-1]
