# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""Dojo's evaluator: expected final scores by patterns, and a model of how people play a round.

A seat's expected score is the sum of its patterns' values; what a lead is worth depends on how many cards are left. The
rollout policy is random: a dealer keeps what is probably the best card of the round, and the more a challenge promises, the
likelier it is.
"""

from __future__ import annotations

import cython

from tsukimi.bots.dojo.patterns import stored_values

if not cython.compiled:
    from math import exp

    from tsukimi.bots.dojo.patterns import Patterns
    from tsukimi.bots.evaluator import Evaluator, softmax
    from tsukimi.games.dojo.rules import (
        BELTS,
        BLACK,
        CHALLENGE,
        DO_CHALLENGE,
        DO_KEEP,
        DO_PASS,
        DO_SWAP,
        GIVE,
        PLACE,
        PLACE_AT,
        ROUNDS,
        SWAP,
        TROPHY,
        TROPHY_AT,
        WHITE,
        WHITE_TROPHY,
        Dojo,
    )

GUARD = 0.25  # the value of one step of belt to a dealer, in points
SPITE = 0.25  # the value of an opponent's lost point in a challenge
CHALLENGE_TEMPERATURE = 0.8  # in points
TIEBREAK = 0.1  # the value of a won challenge, in points
MIN_SCALE = 0.6
ROUND_SCALE = 0.8  # the temperature at the end of a round, in units of the patterns' error
OWN_SCALE = 0.6  # the same when only the seat's own dojo is simulated

if not cython.compiled:
    WIN_CHANCES = [0.0] * 5
# an attacker's probability of winning, by belt
WIN_CHANCES[0], WIN_CHANCES[1], WIN_CHANCES[2], WIN_CHANCES[3], WIN_CHANCES[4] = 0.15, 0.33, 0.53, 0.76, 1.0


class DojoEvaluator(Evaluator):
    def __init__(self) -> None:
        Evaluator.__init__(self)
        self.patterns = Patterns(stored_values())
        self.guard, self.spite, self.challenge_temperature = GUARD, SPITE, CHALLENGE_TEMPERATURE
        self.round_scale, self.own_scale = ROUND_SCALE, OWN_SCALE

    # ---- the share of the win ------------------------------------------------------------------

    def evaluate(self, game, shares):
        self.estimate(cython.cast(Dojo, game), shares)

    def estimate(self, game, shares):
        scale = self.patterns.error[ROUNDS - game.round] * self.round_scale
        if scale < MIN_SCALE:
            scale = MIN_SCALE
        for seat in range(game.players):
            shares[seat] = self.score_with_card(game, seat)
        softmax(shares, 0, game.players, 1.0 / scale)

    def expected_score(self, game, seat):
        """A seat's expected final score, without the card that it holds."""
        value = self.patterns.value(game, seat, 1 if game.held[seat] >= 0 else 0) + TIEBREAK * game.won[seat]
        if game.belt == WHITE:
            value += WHITE_TROPHY * game.won[seat]
        return value

    def score_with_card(self, game, seat):
        """The same with the card and the trophy that it still has to place."""
        gain: cython.double[1]
        if not cython.compiled:
            gain = [0.0]
        value = self.expected_score(game, seat)
        if game.held[seat] >= 0:
            self.patterns.best_place(game, seat, game.held[seat], gain)
            value += gain[0]
        if game.winner == seat and game.trophy >= 0 and game.belt != WHITE:
            value += self.trophy_value(game, seat)
        return value

    def trophy_value(self, game, seat):
        """The value of this round's trophy for a seat."""
        gain: cython.double[1]
        if not cython.compiled:
            gain = [0.0]
        if game.belt == WHITE:
            return WHITE_TROPHY
        self.patterns.best_line(game, seat, game.trophy, gain)
        return gain[0]

    def share_with(self, game, seat, points, others):
        """The share of the win with this final score, given the expected scores of the others."""
        scale = self.patterns.error[ROUNDS - game.placed[seat]] * self.own_scale
        if scale < 0.3:
            scale = 0.3
        share: cython.double = 1.0
        for other in range(game.players):
            if other != seat:
                share /= 1.0 + exp((others[other] - points) / scale)
        return share

    # ---- the rollout policy --------------------------------------------------------------------

    def rollout_move(self, game, seat, rng):
        return self.quick_move(cython.cast(Dojo, game), seat, rng)

    def quick_move(self, game, seat, rng):
        gain: cython.double[1]
        if not cython.compiled:
            gain = [0.0]
        if game.phase == PLACE:
            return PLACE_AT + self.patterns.best_place(game, seat, game.held[seat], gain)
        if game.phase == GIVE:
            return self.quick_gift(game, seat, rng)
        if game.phase == CHALLENGE:
            probability = 1.0 / (1.0 + exp(-self.challenge_gain(game, seat, rng) / self.challenge_temperature))
            return DO_CHALLENGE if rng.below(10000) < 10000 * probability else DO_PASS
        if game.phase == SWAP:
            return DO_SWAP if self.swap_gain(game, seat) > 0 else DO_KEEP
        if game.phase == TROPHY:
            return TROPHY_AT + self.patterns.best_line(game, seat, game.trophy, gain)
        return game.random_move(seat, rng)

    def quick_gift(self, game, seat, rng):
        """Keep a card that is better than as many random ones as are still to be given; else give it where it helps least."""
        gain: cython.double[1]
        if not cython.compiled:
            gain = [0.0]
        kind = game.looking
        open_seats = 0
        for other in range(game.players):
            if game.without_card >> other & 1:
                open_seats += 1
        if game.without_card >> seat & 1:
            self.patterns.best_place(game, seat, kind, gain)
            gained = gain[0] + self.guard * (kind % BELTS)
            keep = True
            for _ in range(open_seats - 1):
                if game.pile:
                    other_kind = game.draw_card(rng)
                    self.patterns.best_place(game, seat, other_kind, gain)
                    if gain[0] + self.guard * (other_kind % BELTS) > gained:
                        keep = False
                        break
            if keep:
                return seat
        best = -1
        least: cython.double = 1e9
        for other in range(game.players):
            if other != seat and game.without_card >> other & 1:
                self.patterns.best_place(game, other, kind, gain)
                cost = gain[0] + 0.001 * rng.below(300)
                if cost < least:
                    least = cost
                    best = other
        return best if best >= 0 else seat

    def challenge_gain(self, game, seat, rng):
        """The expected gain of a challenge in points, with a random card as the dealer's."""
        gain: cython.double[1]
        if not cython.compiled:
            gain = [0.0]
        held = game.held[seat]
        wins = WIN_CHANCES[held % BELTS]
        if game.belt == BLACK:
            wins = 0.5 + (wins - 0.5) * 0.6
        self.patterns.best_place(game, seat, held, gain)
        mine = gain[0]
        stand_in = game.draw_card(rng) if game.pile else held
        self.patterns.best_place(game, seat, stand_in, gain)
        trophy = self.trophy_value(game, seat) + TIEBREAK
        if gain[0] > mine:
            return wins * (trophy + gain[0] - mine) - (1.0 - wins) * self.spite * trophy
        return wins * trophy - (1.0 - wins) * (self.spite * trophy + 0.5 * (mine - gain[0]))

    def swap_gain(self, game, seat):
        gain: cython.double[1]
        if not cython.compiled:
            gain = [0.0]
        loser = game.dealer if seat == game.attacker else game.attacker
        own, other = game.held[seat], game.held[loser]
        self.patterns.best_place(game, seat, other, gain)
        value = gain[0]
        self.patterns.best_place(game, seat, own, gain)
        value -= gain[0]
        self.patterns.best_place(game, loser, other, gain)
        value += self.spite * gain[0]
        self.patterns.best_place(game, loser, own, gain)
        return value - self.spite * gain[0]

    # ---- for the search -------------------------------------------------------------------------

    def prior(self, game, seat, move):
        return self.place_prior(cython.cast(Dojo, game), seat, move)

    def place_prior(self, game, seat, move):
        """Prefers the best place by patterns; all other moves are equal."""
        gain: cython.double[1]
        if not cython.compiled:
            gain = [0.0]
        if game.phase == PLACE and PLACE_AT + self.patterns.best_place(game, seat, game.held[seat], gain) == move:
            return 2.0
        if game.phase == TROPHY and TROPHY_AT + self.patterns.best_line(game, seat, game.trophy, gain) == move:
            return 2.0
        return 0.0
