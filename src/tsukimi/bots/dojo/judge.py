# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""What master sees in a position of Dojo, and how it thinks that people play a round.

A dojo will count about what its patterns are worth; how likely that wins depends on how many cards are to come.
Moves for playing on are mixed: a dealer keeps what is probably the best of the round, challenges are a matter of nerve.
"""

from __future__ import annotations

import cython

from tsukimi.bots.dojo.patterns import stored

if not cython.compiled:
    from math import exp

    from tsukimi.bots.dojo.patterns import Patterns
    from tsukimi.bots.judge import Judge
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

GUARD = 0.25  # what a dealer sees in one step of belt, in points
SPITE = 0.25  # what a point less for one opponent is worth in a duel
NERVE = 0.8  # points that make a challenge twice as likely, and more
TIEBREAK = 0.1  # a challenge won, in points
LEAST_DOUBT = 0.6
BLUR, OWN_BLUR = 0.8, 0.6  # the doubt about points as the unit of a share: of a round, of the own dojo alone

if not cython.compiled:
    CHANCES = [0.0] * 5
# an attacker's chance to win by belt, before looking closer
CHANCES[0], CHANCES[1], CHANCES[2], CHANCES[3], CHANCES[4] = 0.15, 0.33, 0.53, 0.76, 1.0


class DojoJudge(Judge):
    def __init__(self) -> None:
        Judge.__init__(self)
        self.patterns = Patterns(stored())
        self.guard, self.spite, self.daring = GUARD, SPITE, NERVE
        self.blur, self.own_blur = BLUR, OWN_BLUR

    # ---- the share of the win ------------------------------------------------------------------

    def weigh(self, game, shares):
        self.weigh_here(cython.cast(Dojo, game), shares)

    def weigh_here(self, game, shares):
        scale = self.patterns.doubt[ROUNDS - game.round] * self.blur
        if scale < LEAST_DOUBT:
            scale = LEAST_DOUBT
        best: cython.double = -1e9
        for seat in range(game.players):
            shares[seat] = self.with_card(game, seat) / scale
            if shares[seat] > best:
                best = shares[seat]
        total: cython.double = 0.0
        for seat in range(game.players):
            shares[seat] = exp(shares[seat] - best)
            total += shares[seat]
        for seat in range(game.players):
            shares[seat] /= total

    def outlook(self, game, seat):
        """What a seat will count in the end, about, without the card that it holds."""
        value = self.patterns.value(game, seat, 1 if game.held[seat] >= 0 else 0) + TIEBREAK * game.won[seat]
        if game.belt == WHITE:
            value += WHITE_TROPHY * game.won[seat]
        return value

    def with_card(self, game, seat):
        """The same with the card and the trophy that are still to be placed."""
        gain: cython.double[1]
        if not cython.compiled:
            gain = [0.0]
        value = self.outlook(game, seat)
        if game.held[seat] >= 0:
            self.patterns.best_place(game, seat, game.held[seat], gain)
            value += gain[0]
        if game.winner == seat and game.trophy >= 0 and game.belt != WHITE:
            value += self.trophy_worth(game, seat)
        return value

    def trophy_worth(self, game, seat):
        """What the trophy of this round would bring to a seat."""
        gain: cython.double[1]
        if not cython.compiled:
            gain = [0.0]
        if game.belt == WHITE:
            return WHITE_TROPHY
        self.patterns.best_line(game, seat, game.trophy, gain)
        return gain[0]

    def share_with(self, game, seat, points, others):
        """The share of the win with so many points in the end, while the others are expected to get theirs."""
        scale = self.patterns.doubt[ROUNDS - game.placed[seat]] * self.own_blur
        if scale < 0.3:
            scale = 0.3
        share: cython.double = 1.0
        for other in range(game.players):
            if other != seat:
                share /= 1.0 + exp((others[other] - points) / scale)
        return share

    # ---- quick moves ---------------------------------------------------------------------------

    def advise(self, game, seat, rng):
        return self.advise_here(cython.cast(Dojo, game), seat, rng)

    def advise_here(self, game, seat, rng):
        gain: cython.double[1]
        if not cython.compiled:
            gain = [0.0]
        if game.phase == PLACE:
            return PLACE_AT + self.patterns.best_place(game, seat, game.held[seat], gain)
        if game.phase == GIVE:
            return self.gift(game, seat, rng)
        if game.phase == CHALLENGE:
            brave = 1.0 / (1.0 + exp(-self.nerve(game, seat, rng) / self.daring))
            return DO_CHALLENGE if rng.below(10000) < 10000 * brave else DO_PASS
        if game.phase == SWAP:
            return DO_SWAP if self.swap_gain(game, seat) > 0 else DO_KEEP
        if game.phase == TROPHY:
            return TROPHY_AT + self.patterns.best_line(game, seat, game.trophy, gain)
        return game.random_move(seat, rng)

    def gift(self, game, seat, rng):
        """Keep a card that beats as many random ones as are still to be given; else give it where it helps least."""
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
            own = gain[0] + self.guard * (kind % BELTS)
            keep = True
            for _ in range(open_seats - 1):
                if game.pile:
                    other_kind = game.draw_card(rng)
                    self.patterns.best_place(game, seat, other_kind, gain)
                    if gain[0] + self.guard * (other_kind % BELTS) > own:
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

    def nerve(self, game, seat, rng):
        """The points that a challenge promises, with any other card as the dealer's."""
        gain: cython.double[1]
        if not cython.compiled:
            gain = [0.0]
        own = game.held[seat]
        wins = CHANCES[own % BELTS]
        if game.belt == BLACK:
            wins = 0.5 + (wins - 0.5) * 0.6
        self.patterns.best_place(game, seat, own, gain)
        mine = gain[0]
        stand_in = game.draw_card(rng) if game.pile else own
        self.patterns.best_place(game, seat, stand_in, gain)
        trophy = self.trophy_worth(game, seat) + TIEBREAK
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
        return self.prior_here(cython.cast(Dojo, game), seat, move)

    def prior_here(self, game, seat, move):
        """The best place by patterns; everything else is left to the search."""
        gain: cython.double[1]
        if not cython.compiled:
            gain = [0.0]
        if game.phase == PLACE and PLACE_AT + self.patterns.best_place(game, seat, game.held[seat], gain) == move:
            return 2.0
        if game.phase == TROPHY and TROPHY_AT + self.patterns.best_line(game, seat, game.trophy, gain) == move:
            return 2.0
        return 0.0
