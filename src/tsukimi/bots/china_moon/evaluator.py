# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""China Moon's evaluator: a linear function of features per seat, and a softmax over the seats.

The weights (`weights.py`) depend on how far the race has progressed. They were fitted to the results of self-play games.
"""

from __future__ import annotations

from typing import Any

import cython

from tsukimi.bots.china_moon.weights import WEIGHTS

if not cython.compiled:
    from tsukimi.bots.china_moon.features import FEATURES, PHASES, Features
    from tsukimi.bots.evaluator import softmax
    from tsukimi.games.china_moon.rules import (
        DROPS,
        DROPS_AT,
        FROG,
        GOAL,
        START,
        TRADES,
        ChinaMoon,
        lowest,
    )

WINS = 20.0  # the rating of a move that wins the game
TIES = 4.0


class ChinaMoonEvaluator(Features):
    def __init__(self, pond: Any) -> None:
        Features.__init__(self, pond)
        self.horizon = 6
        self.open_game = True
        self.policy_samples = 4  # random moves of which a rollout takes the best
        self.prior_scale = 1.0
        # Ratings: a bonus for own frogs, and the parts of what they could take instead, of what others' frogs could
        # have taken, and of what those take.
        self.own, self.hold, self.deny, self.spite = 0.5, 0.3, 0.4, 0.5
        if not cython.compiled:
            self.weight = [0.0] * (FEATURES * PHASES)
        self.set_weights(WEIGHTS)

    def set_weights(self, weights: Any) -> None:
        for i in range(FEATURES * PHASES):
            self.weight[i] = weights[i]

    # ---- the share of the win ------------------------------------------------------------------

    def evaluate(self, game, shares):
        if self.wins_now(cython.cast(ChinaMoon, game)):
            for seat in range(game.players):
                shares[seat] = 0.0
            shares[cython.cast(ChinaMoon, game).turn] = 1.0
        else:
            self.estimate(cython.cast(ChinaMoon, game), shares)

    def stop_rollout(self, game):
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

    def estimate(self, game, shares):
        features: cython.double[80]
        phase: cython.double[3]
        values: cython.double[5]
        if not cython.compiled:
            features, phase, values = [0.0] * 80, [0.0] * 3, [0.0] * 5
        self.compute_features(game, features, phase)
        self.linear_values(game, features, phase, values)
        for seat in range(game.players):
            shares[seat] = values[seat]
        softmax(shares, 0, game.players, 1.0)

    def linear_values(self, game, features, phase, values):
        """The logit of each seat's share: the sum of its features by the weights of the phase."""
        weight: cython.double[16]
        if not cython.compiled:
            weight = [0.0] * 16
        for feature in range(FEATURES):
            first = feature * PHASES
            weight[feature] = self.weight[first] + self.weight[first + 1] * phase[1] + self.weight[first + 2] * phase[2]
        for seat in range(game.players):
            value: cython.double = 0.0
            for feature in range(FEATURES):
                value += weight[feature] * features[seat * FEATURES + feature]
            values[seat] = value

    # ---- equivalent moves --------------------------------------------------------------------------

    def list_candidates(self, game, seat, moves):
        """A seat's frogs on the start are interchangeable: the first of them is enough."""
        count = game.list_moves(seat, moves)
        if cython.cast(ChinaMoon, game).asked != FROG:
            return count
        kept = 0
        for i in range(count):
            if not self.like_one_before(cython.cast(ChinaMoon, game), moves[i] >> 6):
                moves[kept] = moves[i]
                kept += 1
        return kept

    def like_one_before(self, game, frog):
        """Whether a frog with a lower number of the same seat is on the start as well."""
        if game.at[frog] != START:
            return False
        for other in range(frog - frog % 3, frog):
            if game.at[other] == START:
                return True
        return False

    # ---- ratings of moves ---------------------------------------------------------------------------

    def rate(self, game, seat, move):
        """A quick rating of a move, in points."""
        if move >= DROPS:
            colour = (move - DROPS if move < DROPS_AT else (move - DROPS_AT) // 64) + 1
            return -self.kept_value(game, seat, colour)
        if move >= TRADES:
            move -= TRADES
            give = move // 25 + 1
            other = move // 5 % 5
            take = move % 5 + 1
            mine = self.lily_value(game, seat, take) - self.kept_value(game, seat, give)
            return mine + 0.5 * (self.kept_value(game, other, take) - self.lily_value(game, other, give))
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
        """The rating of the fourth arrival, which ends the game."""
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

    def share_after(self, game, seat, move):
        """The seat's share after that move; the position is left as it was."""
        shares: cython.float[5]
        saved: cython.char[1024]
        if not cython.compiled:
            shares, saved = [0.0] * 5, [game.copy()]
        game.store(saved, 0)
        game.make_move(move, seat)
        self.leaf_value(game, shares)
        game.load(saved, 0)
        return shares[seat]

    def prior(self, game, seat, move):
        return self.prior_scale * self.rate(cython.cast(ChinaMoon, game), seat, move)

    def rollout_move(self, game, seat, rng):
        return self.quick_move(cython.cast(ChinaMoon, game), seat, rng)

    def quick_move(self, game, seat, rng):
        """The best-rated of a few random moves."""
        best = game.random_move(seat, rng)
        if self.policy_samples < 2:
            return best
        best_rate = self.rate(game, seat, best)
        for _ in range(self.policy_samples - 1):
            move = game.random_move(seat, rng)
            if move != best:
                rate = self.rate(game, seat, move)
                if rate > best_rate:
                    best_rate = rate
                    best = move
        return best

    def greedy_move(self, game: ChinaMoon, seat: cython.int) -> int:
        """The move with the best share after it, for Python callers."""
        best, best_share = -1, -1.0
        for move in game.actions(seat):
            share = self.share_after(game, seat, move)
            if share > best_share:
                best, best_share = move, share
        return best
