# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""What master sees in a position of China Moon: a few signs per seat, weighed by how far the race has come.

Each seat's worth is a sum of signs times weights, and its share of the win is that worth's part in a softmax over
the seats. The weights (`weights.py`) were fitted to the outcomes of games that this judge played against itself.
"""

from __future__ import annotations

from typing import Any

import cython

from tsukimi.bots.china_moon.weights import WEIGHTS

if not cython.compiled:
    from math import exp

    from tsukimi.bots.china_moon.signs import PHASES, SIGNS, Signs
    from tsukimi.core.rng import Rng
    from tsukimi.games.china_moon.rules import (
        DROPS,
        DROPS_AT,
        FROG,
        GOAL,
        TRADES,
        ChinaMoon,
        lowest,
    )

WINS = 20.0  # the rate of a move that wins the game
TIES = 4.0


class PondJudge(Signs):
    """Signs and weights; priors and quick moves are the same judgement, one move further."""

    def __init__(self, pond: Any) -> None:
        Signs.__init__(self, pond)
        self.horizon = 6
        self.look = 4
        self.bias = 1.0
        self.own, self.hold, self.deny, self.spite = 0.5, 0.3, 0.4, 0.5
        if not cython.compiled:
            self.weight = [0.0] * (SIGNS * PHASES)
        self.set_weights(WEIGHTS)

    def set_weights(self, weights: Any) -> None:
        for i in range(SIGNS * PHASES):
            self.weight[i] = weights[i]

    # ---- the share of the win ------------------------------------------------------------------

    def weigh(self, game, shares):
        if self.wins_now(cython.cast(ChinaMoon, game)):
            for seat in range(game.players):
                shares[seat] = 0.0
            shares[cython.cast(ChinaMoon, game).turn] = 1.0
        else:
            self.weigh_here(cython.cast(ChinaMoon, game), shares)

    def done(self, game):
        return self.wins_now(cython.cast(ChinaMoon, game))

    def wins_now(self, game):
        """Whether the player whose turn it is can end the game and win it alone with this move."""
        if game.arrived != 3 or game.asked != FROG:
            return False
        frogs: cython.ulonglong = game.movable()
        while frogs:
            frog = lowest(frogs)
            frogs &= frogs - 1
            if game.landings(game.at[frog]) >> GOAL and self.rate_end(game, game.turn, frog // 3) > WINS - 1:
                return True
        return False

    def weigh_here(self, game, shares):
        signs: cython.double[80]
        phase: cython.double[3]
        if not cython.compiled:
            signs, phase = [0.0] * 80, [0.0] * 3
        self.read_signs(game, signs, phase)
        weight: cython.double[16]
        if not cython.compiled:
            weight = [0.0] * 16
        for sign in range(SIGNS):
            first = sign * PHASES
            weight[sign] = self.weight[first] + self.weight[first + 1] * phase[1] + self.weight[first + 2] * phase[2]
        best: cython.double = -1e9
        for seat in range(game.players):
            value: cython.double = 0.0
            for sign in range(SIGNS):
                value += weight[sign] * signs[seat * SIGNS + sign]
            shares[seat] = value
            if value > best:
                best = value
        total: cython.double = 0.0
        for seat in range(game.players):
            shares[seat] = exp(shares[seat] - best)
            total += shares[seat]
        for seat in range(game.players):
            shares[seat] /= total

    # ---- moves ---------------------------------------------------------------------------------

    def rate(self, game, seat, move):
        """How good a move looks at first sight, in points."""
        if move >= DROPS:
            colour = (move - DROPS if move < DROPS_AT else (move - DROPS_AT) // 64) + 1
            return -self.kept(game, seat, colour)
        if move >= TRADES:
            move -= TRADES
            give = move // 25 + 1
            other = move // 5 % 5
            take = move % 5 + 1
            mine = self.worth(game, seat, take) - self.kept(game, seat, give)
            return mine + 0.5 * (self.kept(game, other, take) - self.worth(game, other, give))
        frog = move >> 6
        place = move & 63
        owner = frog // 3
        if place == GOAL and game.arrived == 3:
            return self.rate_end(game, seat, owner)
        gain = self.landing_gain(game, owner, place, 1.5, True)
        threat: cython.double = 0.0
        landings = game.landings(game.at[frog])
        while landings:
            other_gain = self.landing_gain(game, owner, lowest(landings), 1.5, True)
            landings &= landings - 1
            if other_gain > threat:
                threat = other_gain
        if owner == seat:
            return gain + self.own - self.hold * threat
        return self.deny * threat - self.spite * gain

    def rate_end(self, game, seat, owner):
        """The fourth arrival ends the game: for better or worse."""
        mine = game.score(seat)
        if owner == seat:
            mine += 4
        best = -1000
        for other in range(game.players):
            if other != seat:
                points = game.score(other)
                if other == owner:
                    points += 4
                if points > best:
                    best = points
        if mine > best:
            return WINS
        return TIES if mine == best else -WINS

    def after(self, game, seat, move):
        """The seat's share after that move; the position is left as it was."""
        shares: cython.float[5]
        kept: cython.char[1024]
        if not cython.compiled:
            shares, kept = [0.0] * 5, [game.copy()]
        game.store(kept, 0)
        game.make_move(move, seat)
        self.settle(game, shares)
        game.load(kept, 0)
        return shares[seat]

    def prior(self, game, seat, move):
        return self.bias * self.rate(cython.cast(ChinaMoon, game), seat, move)

    def advise(self, game, seat, rng):
        return self.advise_here(cython.cast(ChinaMoon, game), seat, rng)

    def advise_here(self, game, seat, rng):
        """The best at first sight of a few moves picked at random."""
        best = game.random_move(seat, rng)
        if self.look < 2:
            return best
        best_rate = self.rate(game, seat, best)
        for _ in range(self.look - 1):
            move = game.random_move(seat, rng)
            if move != best:
                rate = self.rate(game, seat, move)
                if rate > best_rate:
                    best_rate = rate
                    best = move
        return best

    def quick(self, game: ChinaMoon, seat: cython.int, rng: Rng) -> int:
        """The move after which the seat's share looks best, for Python callers."""
        best, best_share = -1, -1.0
        for move in game.actions(seat):
            share = self.after(game, seat, move)
            if share > best_share:
                best, best_share = move, share
        return best
