"""The value of the hidden cards: master against a CHEATER that sees all hands (two players).

The cheater is a baseline and no bot: it reads what its seat may not know, and exists in this file alone.
`make strength` measures its gain in points per hand.
"""

from __future__ import annotations

import statistics

import tsukimi
from tsukimi import bots
from tsukimi.bots.charuma.evaluator import CharumaEvaluator
from tsukimi.bots.charuma.solver import COMPILED


class Cheater:
    """Perfect play with open hands, in the auction too. It looks at `state.core`, which no honest bot does."""

    def __init__(self, state):
        self.evaluator = CharumaEvaluator(state.core.table, 2)

    def choose(self, state, seat):
        self.evaluator.set_round(state.core, 9)
        return max(state.actions(seat), key=lambda move: self.value(state.core, seat, move)[seat])

    def value(self, core, seat, move):
        after = core.copy()
        after.apply(move, seat)
        if core.round != after.round or not after.actors or after.phase == 4:
            return self.evaluator.solved_shares(after)
        mover = after.turn
        return max(
            (self.value(after, mover, reply) for reply in after.actions(mover)), key=lambda shares: shares[mover]
        )


def gap(deal, budget):
    """How many more points than master the cheater wins in a first round, averaged over both seats."""
    gaps = []
    for cheating in range(2):
        state = tsukimi.new("charuma", players=2, seed=f"cheater {deal}")
        table = [bots.make("master", state, deal, budget), bots.make("master", state, deal, budget)]
        table[cheating] = Cheater(state)
        while state.core.round == 1 and not state.over:
            seat = state.actors[0]
            state.apply(table[seat].choose(state, seat), seat)
        gaps.append(state.scores()[cheating] - state.scores()[1 - cheating])
    return statistics.mean(gaps)


def test_hidden_cards_are_worth_something_but_not_much():
    if COMPILED:
        assert -1.0 < statistics.mean(gap(deal, bots.Budget(None, 300)) for deal in range(12)) < 4.0
    else:  # a hand is solved too slowly here: the cheater gets through its last cards
        state = tsukimi.new("charuma", players=2, seed=3, auction="off")
        while state.core.hand[state.actors[0]].bit_count() > 3:
            state.apply(state.actions()[0])
        seat = state.actors[0]
        assert Cheater(state).choose(state, seat) in state.actions(seat)
