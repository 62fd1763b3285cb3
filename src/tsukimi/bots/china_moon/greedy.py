# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""Greedy for China Moon: the evaluation of a thoughtful beginner. It never changes, as a baseline must not."""

from __future__ import annotations

from typing import Any

import cython

from tsukimi.bots.china_moon.track import steps_to_goal

if not cython.compiled:
    from tsukimi.bots.evaluator import Evaluator, softmax
    from tsukimi.games.china_moon.rules import BLACK, BLUE, COLOURS, GOAL, START, ChinaMoon, lowest

SCALE = 2.0  # the temperature of the softmax, in points
NEXT = 0.4  # the value of a lily that a frog can take with its next move, as part of one that is taken
STEP = 0.03  # a step towards the goal, in points


class Beginner(Evaluator):
    """The score, the best lily that a frog could take next, and a little for every step forward."""

    def __init__(self, pond: Any) -> None:
        Evaluator.__init__(self)
        if not cython.compiled:
            self.to_goal = [0] * 65
        for place, steps in enumerate(steps_to_goal(pond.board)):
            self.to_goal[place] = steps

    def evaluate(self, game, shares):
        self.estimate(cython.cast(ChinaMoon, game), shares)

    def estimate(self, game, shares):
        for seat in range(game.players):
            shares[seat] = self.seat_value(game, seat)
        softmax(shares, 0, game.players, 1.0 / SCALE)

    def seat_value(self, game, seat):
        value: cython.double = game.score(seat)
        best = 0
        for frog in range(3 * seat, 3 * seat + 3):
            value += STEP * (self.to_goal[START] - self.to_goal[game.at[frog]])
            if game.at[frog] != GOAL:
                gain = self.best_gain(game, frog)
                if gain > best:
                    best = gain
        return value + NEXT * best

    def best_gain(self, game, frog):
        """The most points that this frog can land on now: a lily, or the goal's next one."""
        first = frog // 3 * COLOURS
        landings = game.landings(game.at[frog])
        best = 0
        while landings:
            place = lowest(landings)
            landings &= landings - 1
            colour = game.prize[game.arrived + 1] if place == GOAL else game.lily[place]
            if colour == BLUE:
                gain = 4
            elif colour == 0 or colour == BLACK:
                gain = 0
            else:
                gain = game.held[first + colour] + 1
            if gain > best:
                best = gain
        return best
