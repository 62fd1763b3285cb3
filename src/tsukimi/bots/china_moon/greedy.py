# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
# mypy: ignore-errors
"""Greedy for China Moon: how a position looks to a thoughtful beginner. Frozen: stronger bots are measured by it."""

from __future__ import annotations

from typing import Any

import cython

from tsukimi.bots.china_moon.track import steps_to_goal

if not cython.compiled:
    from math import exp

    from tsukimi.bots.judge import Judge
    from tsukimi.games.china_moon.rules import BLACK, BLUE, COLOURS, GOAL, START, ChinaMoon, lowest

SCALE = 2.0  # so many points make a lead of e to 1
NEXT = 0.4  # a lily that one of my frogs can take with its next move, as part of one that I have
STEP = 0.03  # a step towards the goal, in points


class Beginner(Judge):
    """Points as they stand, the best lily that a frog of mine could take next, and a little for every step forward."""

    def __init__(self, pond: Any) -> None:
        Judge.__init__(self)
        if not cython.compiled:
            self.to_goal = [0] * 65
        for place, steps in enumerate(steps_to_goal(pond.board)):
            self.to_goal[place] = steps

    def weigh(self, game, shares):
        self.weigh_here(cython.cast(ChinaMoon, game), shares)

    def weigh_here(self, game, shares):
        total: cython.double = 0
        for seat in range(game.players):
            shares[seat] = exp((self.looks(game, seat) - 20) / SCALE)
            total += shares[seat]
        for seat in range(game.players):
            shares[seat] /= total

    def looks(self, game, seat):
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
        """The most points that a lily brings which this frog can land on now, or the goal's next one."""
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
