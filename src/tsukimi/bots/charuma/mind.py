"""The mind of Charuma's bots: a search for the auction and the long part of a round, an exact end after it."""

from __future__ import annotations

from collections.abc import Mapping

from tsukimi.bots.budget import Budget
from tsukimi.bots.charuma import facts, greedy
from tsukimi.bots.charuma.deals import Deals
from tsukimi.bots.charuma.endgame import Endgame
from tsukimi.bots.charuma.judge import CharumaJudge
from tsukimi.bots.charuma.solver import COMPILED
from tsukimi.bots.judge import Judge
from tsukimi.bots.mind import Mind, best_first
from tsukimi.bots.tree import Thought, Tree
from tsukimi.core.game import Game
from tsukimi.core.state import State
from tsukimi.games.charuma.notation import deck, phase, position
from tsukimi.games.charuma.rules import Charuma

# By the number of players: from how many cards in a hand on the end is played exactly over the hidden deals, and
# from how many on a search's simulation solves the rest instead of playing it.
EXACT = {2: 8, 3: 4, 4: 3, 5: 3} if COMPILED else {2: 4, 3: 3, 4: 2, 5: 2}
SOLVED = {2: 5, 3: 3, 4: 2, 5: 2} if COMPILED else {2: 2, 3: 1, 4: 1, 5: 1}


class CharumaMind(Mind):
    """Thinks about Charuma for one seat."""

    def make_judge(self, start: Game) -> Judge:
        judge = CharumaJudge(deck(start), start.players)
        self._charuma = judge
        self._endgame = Endgame(judge, Deals(judge, start))
        return judge

    def greedy(self, state: State, seat: int) -> list[Thought]:
        world = self.world(state, seat)
        return best_first([Thought(move, greedy.value_of(world, seat, move), 1) for move in world.actions(seat)])

    def think(self, state: State, seat: int, budget: Budget) -> list[Thought]:
        watch = budget.start()
        world = position(self.world(state, seat))
        if phase(world) == "tricks" and cards_left(world, seat) <= EXACT[state.players]:
            return self._endgame.think(state, world, seat, budget, self.rng, watch)
        if self._tree is None:
            self._tree = Tree(self._start, self.judge, self.rng.number(), budget.threads, self.curiosity)
        self._charuma.look(world, SOLVED[state.players])
        return self._tree.think(world, seat, watch.rest())

    def facts(self, state: State, seat: int, thoughts: list[Thought]) -> tuple[str, Mapping[str, object]]:
        return facts.why(self._charuma, self._endgame, state, position(self.world(state, seat)), seat, thoughts)


def cards_left(world: Charuma, seat: int) -> int:
    return world.hand[seat].bit_count() + world.twins[seat].bit_count()
