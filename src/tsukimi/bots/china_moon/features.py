# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""The features of a position of China Moon: numbers per seat, and how far the race has progressed."""

from __future__ import annotations

from typing import Any

import cython

from tsukimi.bots.china_moon.track import steps_between

if not cython.compiled:
    from tsukimi.bots.evaluator import Evaluator
    from tsukimi.games.china_moon.rules import (
        BLACK,
        BLUE,
        BUTTERFLY,
        COLOURS,
        GOAL,
        PRANKSTER,
        SPRING,
        START,
        TRADE,
        ChinaMoon,
        lowest,
    )

FAR = 255

# the features of a seat
FEATURES = 16
PHASES = 3  # weights per feature: at the end, close to it, and far from it
POINTS = 0  # the score
GRAB = 1  # the most points that one of its frogs can land on now
SECOND = 2  # the same for its second best frog
SOON = 3  # GRAB x TEMPO
NEAR = 4  # its part of the lilies within a few steps
LATER = 5  # its part of the lilies further away
LEADER = 6  # how near the goal its first frog is
FOLLOWERS = 7  # and its two others
PRIZES = 8  # the lilies of the goal that its frogs are the next to reach
TEMPO = 9  # how soon its turn comes
HARM = 10  # what others could make its frogs land on
PENDING = 11  # the trade or drop that it is about to make
FINISH = 12  # frogs that can reach the goal now
BEST = 13  # ahead of all others in points
SWAP = 14  # its best trade, while no prankster is in reach
RICH = 15  # the points of the next lily of its best colour


class Features(Evaluator):
    """Computes the features; the evaluator adds the weights."""

    def __init__(self, pond: Any) -> None:
        Evaluator.__init__(self)
        if not cython.compiled:
            self.steps, self.reach = [0] * (65 * 64), [0.0] * 256
        for place, ways in enumerate(steps_between(pond.board)):
            for there in range(64):
                self.steps[place * 64 + there] = ways[there]
        for steps in range(256):
            self.reach[steps] = 0.0 if steps == FAR or steps == 0 else 1.0 / (1.0 + 0.25 * steps)

    def features(self, game: ChinaMoon) -> tuple[list[list[float]], list[float]]:
        """The features of every seat and the factors of the phases, for Python callers."""
        features: cython.double[80]
        phase: cython.double[3]
        if not cython.compiled:
            features, phase = [0.0] * 80, [0.0] * 3
        self.compute_features(game, features, phase)
        rows = [[features[seat * FEATURES + feature] for feature in range(FEATURES)] for seat in range(game.players)]
        return rows, [phase[0], phase[1], phase[2]]

    def compute_features(self, game, features, phase):
        for i in range(game.players * FEATURES):
            features[i] = 0.0
        best = -1000
        second = -1000
        for seat in range(game.players):
            points = game.score(seat)
            features[seat * FEATURES + POINTS] = points
            if points > best:
                second = best
                best = points
            elif points > second:
                second = points
        for seat in range(game.players):
            points = game.score(seat)
            lead = points - (second if points == best else best)
            if lead > -6:
                features[seat * FEATURES + BEST] = (lead if lead < 6 else 6) + 6
            self.seat_features(game, seat, features)
        self.lily_features(game, features)
        self.race_features(game, features, phase)
        if game.asked >= TRADE:
            self.pending_features(game, features)

    def seat_features(self, game, seat, features):
        """What its frogs can land on next, and when its turn comes."""
        base = seat * FEATURES
        wait = (seat - game.turn + game.players) % game.players
        tempo: cython.double = 1.0 - (wait - (3 - game.left) / 3.0) / game.players
        if wait == 0:
            tempo = game.left / 3.0
        features[base + TEMPO] = tempo
        swap = self.best_trade(game, seat)
        harm: cython.double = 0.0
        top: cython.double = 0.0
        next_top: cython.double = 0.0
        pranksters = 0
        for frog in range(3 * seat, 3 * seat + 3):
            if game.at[frog] == GOAL:
                continue
            landings = game.landings(game.at[frog])
            most: cython.double = -100.0
            least: cython.double = 100.0
            while landings:
                place = lowest(landings)
                landings &= landings - 1
                gain = self.landing_gain(game, seat, place, swap, True)
                if place == GOAL:
                    features[base + FINISH] += 1.0
                elif game.pond.kind[place] == PRANKSTER:
                    pranksters += 1
                if gain > most:
                    most = gain
                if gain < least:
                    least = gain
            if least < 0:
                harm -= least
            if most > top:
                next_top = top
                top = most
            elif most > next_top:
                next_top = most
        features[base + GRAB] = top
        features[base + SECOND] = next_top
        features[base + SOON] = top * tempo
        features[base + HARM] = harm
        features[base + SWAP] = swap if not pranksters else 0.0

    def landing_gain(self, game, seat, place, swap, further):
        """The points that landing there brings a seat at once, including a trade or a drop."""
        if place == GOAL:
            return self.lily_value(game, seat, game.prize[game.arrived + 1])
        gain: cython.double = 0.0
        if game.lily[place]:
            gain = self.lily_value(game, seat, game.lily[place])
        kind = game.pond.kind[place]
        if kind == PRANKSTER:
            gain += swap
        elif kind == BUTTERFLY:
            gain -= self.least_loss(game, seat)
        elif kind == SPRING and further:
            landings = game.landings(place)
            most: cython.double = -100.0
            while landings:
                onward = self.landing_gain(game, seat, lowest(landings), swap, False)
                landings &= landings - 1
                if onward > most:
                    most = onward
            gain += most
        return gain

    def lily_value(self, game, seat, colour):
        """The points that one more lily of that colour brings."""
        if colour == BLUE:
            return 4
        if colour == BLACK:
            return -2
        return game.held[seat * COLOURS + colour] + 1 if colour else 0

    def least_loss(self, game, seat):
        """What dropping the cheapest lily costs: black is a gain."""
        if not game.colours[seat]:
            return 0.0
        if game.colours[seat] >> BLACK & 1:
            return -2.0
        least = 100
        for colour in range(1, BLUE):
            count = game.held[seat * COLOURS + colour]
            if count and count < least:
                least = count
        return least if least < 100 else 4.0

    def best_trade(self, game, seat):
        """The value of the best trade: one's own gain, and half of the other's loss."""
        best: cython.double = -100.0
        for give in range(1, COLOURS):
            if not game.colours[seat] >> give & 1:
                continue
            loss = -2 if give == BLACK else 4 if give == BLUE else game.held[seat * COLOURS + give]
            for other in range(game.players):
                if other == seat:
                    continue
                for take in range(1, COLOURS):
                    if take == give or not game.colours[other] >> take & 1:
                        continue
                    theirs = -2 if take == BLACK else 4 if take == BLUE else game.held[other * COLOURS + take]
                    value: cython.double = (
                        self.lily_value(game, seat, take) - loss + 0.5 * (theirs - self.lily_value(game, other, give))
                    )
                    if value > best:
                        best = value
        return best if best > -100.0 else 0.0

    def lily_features(self, game, features):
        """Each lily is divided among the seats with frogs behind it, by the distance of the nearest."""
        claims: cython.double[5]
        nearest: cython.int[5]
        if not cython.compiled:
            claims, nearest = [0.0] * 5, [0] * 5
        lilies = game.lilies
        while lilies:
            pad = lowest(lilies)
            lilies &= lilies - 1
            total: cython.double = 0.15
            for seat in range(game.players):
                near = FAR
                for frog in range(3 * seat, 3 * seat + 3):
                    steps = self.steps[game.at[frog] * 64 + pad]
                    if steps and steps < near:
                        near = steps
                nearest[seat] = near
                claims[seat] = self.reach[near] * self.reach[near]
                total += claims[seat]
            for seat in range(game.players):
                if claims[seat] > 0:
                    part = claims[seat] / total * self.lily_value(game, seat, game.lily[pad])
                    features[seat * FEATURES + (NEAR if nearest[seat] <= 5 else LATER)] += part

    def race_features(self, game, features, phase):
        """Who reaches the goal next, and how far the fourth arrival is."""
        left = 4 - game.arrived
        first: cython.int[4]
        owner: cython.int[4]
        if not cython.compiled:
            first, owner = [0] * 4, [0] * 4
        for i in range(4):
            first[i] = 1000
            owner[i] = -1
        whole: cython.double = self.steps[START * 64 + GOAL]
        for i in range(game.players):
            seat = (game.turn + i) % game.players  # of frogs that are equally near, one of the seat that moves first
            least = 1000
            total = 0
            for frog in range(3 * seat, 3 * seat + 3):
                if game.at[frog] == GOAL:
                    continue
                steps = self.steps[game.at[frog] * 64 + GOAL]
                total += steps
                if steps < least:
                    least = steps
                place = left - 1
                if steps < first[place]:
                    while place > 0 and steps < first[place - 1]:
                        first[place] = first[place - 1]
                        owner[place] = owner[place - 1]
                        place -= 1
                    first[place] = steps
                    owner[place] = seat
            if least < 1000:
                features[seat * FEATURES + LEADER] = 4.0 * (1.0 - least / whole)
                features[seat * FEATURES + FOLLOWERS] = -(total - least) / whole
            rich = 0
            for colour in range(1, BLUE):
                if game.held[seat * COLOURS + colour] > rich:
                    rich = game.held[seat * COLOURS + colour]
            features[seat * FEATURES + RICH] = rich
        clock: cython.double = 0.0
        for i in range(left):
            clock += first[i]
            if owner[i] >= 0:
                near: cython.double = 1.0 / (1.0 + 0.15 * first[i])
                prize = self.lily_value(game, owner[i], game.prize[game.arrived + 1 + i])
                features[owner[i] * FEATURES + PRIZES] += near * prize
        phase[0] = 1.0
        phase[1] = clock / 24.0 if clock < 24.0 else 1.0
        phase[2] = clock / (4.0 * whole)

    def pending_features(self, game, features):
        owner = game.frog // 3
        if game.asked == TRADE:
            features[owner * FEATURES + PENDING] = self.best_trade(game, owner)
        else:
            features[owner * FEATURES + PENDING] = -self.least_loss(game, owner)

    def kept_value(self, game, seat, colour):
        """The points that its owner loses with one lily of that colour."""
        if colour == BLUE:
            return 4
        if colour == BLACK:
            return -2
        return game.held[seat * COLOURS + colour]
