# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""What Charuma tells the search: how a round's end is worth, what a hand is worth, and how to play on quickly.

A search looks to the end of the round and no further. Once the cards left are few the rest is solved exactly;
until then plays are rated by the points of the trick, the chance to hold it and what the cards would still be worth.
"""

from __future__ import annotations

import cython

from tsukimi.bots.charuma.weights import PACE, PAIR, SINGLE, STRENGTH, SWING, TOKEN

if not cython.compiled:
    from math import exp, sqrt

    from tsukimi.bots.charuma.plays import beats
    from tsukimi.bots.charuma.solver import Solver
    from tsukimi.bots.judge import Judge
    from tsukimi.games.charuma.deck import (
        AMOUNTS,
        BLUE_PAIR,
        HIDDEN,
        NONE,
        RED,
        ROW,
        TEN,
        TWO,
        TWO_COLOURED,
        VALUES,
        after,
        ones,
    )
    from tsukimi.games.charuma.position import AUCTION, OVER, TRICKS
    from tsukimi.games.charuma.rules import Charuma

OF_VALUE = 0x40100401  # the four cards of the lowest value


def reach(hand, twins, led):
    """The values of that kind (a colour, or pairs of a kind) that a hand holds."""
    either = hand | hand >> HIDDEN
    if led <= RED:
        return either >> VALUES * led & ROW
    if led == TWO_COLOURED:
        return either & either >> VALUES & ROW
    same = (hand & hand >> HIDDEN) | twins | twins >> HIDDEN
    return same >> VALUES * (led - BLUE_PAIR) & ROW


def threats(best, ace):
    """The values that take the trick from whoever is ahead with this best value (with an ace, if `ace`). Another's
    ace is no shield: a ten raises it above all."""
    if best == TEN:
        return 1 if ace else 1 | 1 << TEN
    mask = ROW >> best << best
    return mask & ~(1 << TEN) if ace else mask


class CharumaJudge(Judge):
    """Estimates for one number of players. `round` is the round that is looked at, `depth` the number of cards
    in a hand from which on the rest of the round is solved."""

    def __init__(self, deck, players: int, slots: int = 1 << 17) -> None:
        super().__init__()
        self.solver = Solver(deck, players, slots)
        self.deck = deck
        self.players = players
        self.round, self.depth = 0, 3
        self.noise, self.keep, self.broken = 0.6, 0.6, 0.3
        self.falls, self.holds = 0.15, 0.85
        self.pace, self.swing, self.calm = PACE[players], SWING[players][0], SWING[players][1]
        self.lead = TOKEN[players]
        if not cython.compiled:
            self.single, self.pair, self.strength = [0.0] * 10, [0.0] * 10, [0.0] * 10
        for value in range(10):
            self.single[value] = SINGLE[players][value]
            self.pair[value] = PAIR[players][value]
            self.strength[value] = STRENGTH[value]

    # ---- for Python callers -----------------------------------------------------------------

    def look(self, game: Charuma, depth: cython.int) -> None:
        """Look at this position's round from now on."""
        self.round, self.depth = game.round, depth

    def ratings(self, game: Charuma, seat: cython.int) -> list[float]:
        """How good each legal move looks to its own player."""
        return [self.rate(game, seat, move, False) for move in game.actions(seat)]

    def group_worth(self, game: Charuma, seat: cython.int, group: cython.int) -> float:
        """What a seat's hand with that group is worth, more or less than an average hand, in points."""
        return self.worth(game.hand[seat], game.twins[seat], game.group[group], game.group_twins[group])

    def advice(self, game: Charuma, seat: cython.int, rng) -> int:
        """`advise`."""
        return self.advise(game, seat, rng)

    def exact(self, game: Charuma) -> list[float]:
        """The shares of the win after a perfect rest of the round."""
        shares: cython.float[5]
        if not cython.compiled:
            shares = [0.0] * 5
        depth = self.depth
        self.depth = 9
        self.settle(game, shares)
        self.depth = depth
        return [shares[seat] for seat in range(game.players)]

    # ---- how a position looks ---------------------------------------------------------------

    def left(self, game):
        """How many cards the seat to move holds."""
        return ones(game.hand[game.turn]) + ones(game.twins[game.turn])

    def done(self, game):
        return self.done_here(cython.cast(Charuma, game))

    def done_here(self, game):
        if game.round != self.round or game.phase == OVER:
            return True
        return game.phase == TRICKS and self.left(game) <= self.depth

    def weigh(self, game, shares):
        self.weigh_here(cython.cast(Charuma, game), shares)

    def weigh_here(self, game, shares):
        totals: cython.double[5]
        if not cython.compiled:
            totals = [0.0] * 5
        for seat in range(self.players):
            totals[seat] = game.owned[seat]
        token = game.token
        if game.phase == TRICKS:
            solved: cython.bint = self.left(game) <= self.depth
            value: cython.ulonglong = self.solver.to_come(game) if solved else 0
            even: cython.double = 0.0
            if not solved:
                even = cython.cast(cython.double, self.solver.in_play(game)) / self.players
            for seat in range(self.players):
                come = cython.cast(cython.int, value >> 8 * seat & 255)
                totals[seat] += even + come + game.trick_points[seat] + game.aces[seat]
            if solved and self.decided(game, totals, shares):
                return
            token = self.next_holder(game, totals)
        if token != NONE:
            totals[token] += self.lead
        self.share_out(game, totals, shares)

    def decided(self, game, totals, shares):
        """Whether the game ends with these totals after a round; if so, whose it is."""
        most: cython.double = totals[0]
        leader = 0
        for seat in range(1, self.players):
            if totals[seat] > most:
                most = totals[seat]
                leader = seat
        if not game.last_round and most < self.deck.goal:
            return False
        for seat in range(self.players):
            if seat != leader and totals[seat] == most:
                return False
        for seat in range(self.players):
            shares[seat] = 0.0
        shares[leader] = 1.0
        return True

    def next_holder(self, game, totals):
        """Who gets the token after the round: the poorest; among equals the first after the present holder."""
        seat: cython.int = after(game.token, self.players)
        poorest: cython.int = seat
        while seat != game.token:
            seat = after(seat, self.players)
            if totals[seat] < totals[poorest]:
                poorest = seat
        return poorest

    def share_out(self, game, totals, shares):
        """Shares by the distance in points, which counts less the more rounds are to come."""
        most: cython.double = totals[0]
        for seat in range(1, self.players):
            if totals[seat] > most:
                most = totals[seat]
        rounds: cython.double = (self.deck.goal - most) / self.pace
        if game.last_round or rounds < 0.0:
            rounds = 0.0
        spread = self.swing * sqrt(rounds + self.calm)
        total: cython.double = 0.0
        for seat in range(self.players):
            shares[seat] = exp((totals[seat] - most) / spread)
            total += shares[seat]
        for seat in range(self.players):
            shares[seat] /= total

    # ---- how a move looks -------------------------------------------------------------------

    def prior(self, game, seat, move):
        return self.rate(cython.cast(Charuma, game), seat, move, False)

    def rate(self, game, seat, move, sees):
        """How good a move looks; `sees`: with all hands open, as in a playout."""
        if game.phase == AUCTION:
            return self.rate_bid(game, seat, move)
        return self.rate_play(game, seat, move, sees)

    def rate_bid(self, game, seat, move):
        """What the group would be worth, less the price."""
        group = move // AMOUNTS
        value = self.worth(game.hand[seat], game.twins[seat], game.group[group], game.group_twins[group])
        if self.players == 2:
            value -= self.worth(0, 0, game.group[1 - group], game.group_twins[1 - group])
        return value - (move - group * AMOUNTS)

    def rate_play(self, game, seat, move, sees):
        suit = self.deck.suit[move]
        best = self.deck.rank[move]
        ace: cython.bint = best == 0
        points: cython.double = (2 if move >= TWO else 1) + self.deck.aces[move]
        cost = self.spent(game.hand[seat], game.twins[seat], move)
        leader = seat
        if game.led != NONE:
            leader = game.leader
            points += game.trick_aces
            if suit != game.led or not beats(best, game.best, game.ace_seat != NONE):
                return -cost - self.deck.aces[move]
            if game.best > best:
                best = game.best
        if self.left(game) == (2 if move >= TWO else 1):
            points += 2
        chance = self.hold(game, seat, leader, suit, best, ace, sees)
        return points * (chance - (1.0 - chance) / (self.players - 1)) - cost

    def hold(self, game, seat, leader, suit, best, ace, sees):
        """The chance that those who play after a seat leave it the trick."""
        chance: cython.double = 1.0
        danger = threats(best, ace)
        other = after(seat, self.players)
        while other != leader:
            hand = game.hand[other]
            twins = game.twins[other]
            if not sees:
                if hand >> HIDDEN:
                    chance *= self.holds
                hand &= (1 << HIDDEN) - 1
                twins &= (1 << HIDDEN) - 1
            if reach(hand, twins, suit) & danger:
                chance *= self.falls
            other = after(other, self.players)
        return chance

    def spent(self, hand, twins, move):
        """What a play takes out of a hand: its cards' strength, and the pairs that it breaks."""
        first = self.deck.first_card[move] % VALUES
        held = ones(hand & (OF_VALUE << first)) + ones(twins & (OF_VALUE << first))
        cost: cython.double = self.keep * self.strength[first]
        if move < TWO:
            return cost + self.broken if held == 2 or held == 4 else cost
        second = self.deck.second_card[move] % VALUES
        cost += self.keep * self.strength[second]
        if second == first:
            return cost
        if held == 2 or held == 4:
            cost += self.broken
        held = ones(hand & (OF_VALUE << second)) + ones(twins & (OF_VALUE << second))
        return cost + self.broken if held == 2 or held == 4 else cost

    def worth(self, hand, twins, more, more_twins):
        """What a hand (in two parts) is worth, more or less than an average one, in points."""
        value: cython.double = 0.0
        for place in range(VALUES):
            mask: cython.ulonglong = OF_VALUE << place
            held = ones(hand & mask) + ones(twins & mask) + ones(more & mask) + ones(more_twins & mask)
            if held:
                value += held * self.single[place] + held // 2 * self.pair[place]
        return value

    # ---- playing on -------------------------------------------------------------------------

    def advise(self, game, seat, rng):
        return self.advise_here(cython.cast(Charuma, game), seat, rng)

    def advise_here(self, game, seat, rng):
        """The move that looks best with all hands open, blurred a little."""
        if game.phase == AUCTION:
            return self.advise_bid(game, seat, rng)
        moves: cython.int[64]
        if not cython.compiled:
            moves = [0] * 64
        count = game.list_moves(seat, moves)
        best = moves[0]
        most: cython.double = -1e9
        for place in range(count):
            value = self.rate_play(game, seat, moves[place], True)
            value += self.noise * (rng.bits() >> 40) / 16777216.0
            if value > most:
                most = value
                best = moves[place]
        return best

    def advise_bid(self, game, seat, rng):
        """The group that looks best at the least price, now and then for a point more."""
        best = 0
        most: cython.double = -1e9
        cap = game.owned[seat]
        if cap > AMOUNTS - 1:
            cap = AMOUNTS - 1
        for group in range(self.players):
            amount = game.bid[group] + 1
            if amount > cap:
                continue
            if amount < cap and rng.below(3) == 0:
                amount += 1
            value = self.rate_bid(game, seat, group * AMOUNTS + amount)
            value += 2.0 * self.noise * (rng.bits() >> 40) / 16777216.0
            if value > most:
                most = value
                best = group * AMOUNTS + amount
        return best
