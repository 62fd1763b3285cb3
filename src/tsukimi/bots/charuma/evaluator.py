# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""Charuma's evaluator: the value of the end of a round, ratings of bids and plays, and a rollout policy.

A search looks no further than the end of the round. Once few cards are left the rest is solved exactly; until then
plays are rated by the points of the trick, the chance of winning it and the value that the cards would keep in hand.
"""

from __future__ import annotations

import cython

from tsukimi.bots.charuma.weights import PACE, PAIR, SINGLE, STRENGTH, SWING, TOKEN

if not cython.compiled:
    from math import sqrt

    from tsukimi.bots.charuma.plays import beats
    from tsukimi.bots.charuma.solver import Solver
    from tsukimi.bots.evaluator import Evaluator, softmax
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
    """The values that take the trick from a player who leads it with this best value (with an ace, if `ace`). Another
    player's ace does not protect: a ten raises it above everything."""
    if best == TEN:
        return 1 if ace else 1 | 1 << TEN
    mask = ROW >> best << best
    return mask & ~(1 << TEN) if ace else mask


class CharumaEvaluator(Evaluator):
    """Estimates for one number of players. `round` is the round of the search; with `depth` cards in hand, or fewer,
    the rest of it is solved."""

    def __init__(self, deck, players: int, slots: int = 1 << 17) -> None:
        super().__init__()
        self.solver = Solver(deck, players, slots)
        self.deck = deck
        self.players = players
        self.round, self.depth = 0, 3
        self.noise, self.keep, self.broken = 0.6, 0.6, 0.3
        self.falls, self.holds = 0.15, 0.85
        self.open_hands = False
        self.pace, self.swing, self.calm = PACE[players], SWING[players][0], SWING[players][1]
        self.lead = TOKEN[players]
        if not cython.compiled:
            self.single, self.pair, self.strength = [0.0] * 10, [0.0] * 10, [0.0] * 10
        for value in range(10):
            self.single[value] = SINGLE[players][value]
            self.pair[value] = PAIR[players][value]
            self.strength[value] = STRENGTH[value]

    # ---- for Python callers -----------------------------------------------------------------

    def set_round(self, game: Charuma, depth: cython.int, open_hands: cython.bint = False) -> None:
        """Search within this position's round from now on. With `open_hands` the rollout policy sees all hands, otherwise
        only its own and face-up cards."""
        self.round, self.depth, self.open_hands = game.round, depth, open_hands

    def ratings(self, game: Charuma, seat: cython.int) -> list[float]:
        """The rating of every legal move, given what its own player knows."""
        return [self.rate(game, seat, move, False) for move in game.actions(seat)]

    def group_value(self, game: Charuma, seat: cython.int, group: cython.int) -> float:
        """The value of a seat's hand with that group, in points above an average hand."""
        return self.hand_value(game.hand[seat], game.twins[seat], game.group[group], game.group_twins[group])

    def policy_move(self, game: Charuma, seat: cython.int, rng) -> int:
        """`rollout_move`, for Python callers."""
        return self.rollout_move(game, seat, rng)

    def solved_shares(self, game: Charuma) -> list[float]:
        """The shares of the win if the rest of the round is played perfectly."""
        shares: cython.float[5]
        if not cython.compiled:
            shares = [0.0] * 5
        depth = self.depth
        self.depth = 9
        self.leaf_value(game, shares)
        self.depth = depth
        return [shares[seat] for seat in range(game.players)]

    # ---- the value of a position ------------------------------------------------------------

    def cards_left(self, game):
        """How many cards the seat to move holds."""
        return ones(game.hand[game.turn]) + ones(game.twins[game.turn])

    def stop_rollout(self, game):
        return self.at_cutoff(cython.cast(Charuma, game))

    def at_cutoff(self, game):
        if game.round != self.round or game.phase == OVER:
            return True
        return game.phase == TRICKS and self.cards_left(game) <= self.depth

    def evaluate(self, game, shares):
        self.estimate(cython.cast(Charuma, game), shares)

    def estimate(self, game, shares):
        totals: cython.double[5]
        if not cython.compiled:
            totals = [0.0] * 5
        for seat in range(self.players):
            totals[seat] = game.owned[seat]
        token = game.token
        if game.phase == TRICKS:
            solved: cython.bint = self.cards_left(game) <= self.depth
            value: cython.ulonglong = self.solver.points_to_come(game) if solved else 0
            even: cython.double = 0.0
            if not solved:
                even = cython.cast(cython.double, self.solver.points_left(game)) / self.players
            for seat in range(self.players):
                come = cython.cast(cython.int, value >> 8 * seat & 255)
                totals[seat] += even + come + game.trick_points[seat] + game.aces[seat]
            if solved and self.decided(game, totals, shares):
                return
            token = self.next_holder(game, totals)
        if token != NONE:
            totals[token] += self.lead
        self.shares_from_totals(game, totals, shares)

    def decided(self, game, totals, shares):
        """Whether the game ends after the round with these totals; if so, the winner's share is set."""
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
        """Who gets the token after the round: the poorest; among equals the first after the current holder."""
        seat: cython.int = after(game.token, self.players)
        poorest: cython.int = seat
        while seat != game.token:
            seat = after(seat, self.players)
            if totals[seat] < totals[poorest]:
                poorest = seat
        return poorest

    def shares_from_totals(self, game, totals, shares):
        """A softmax of the totals, with a temperature that grows with the remaining rounds."""
        most: cython.double = totals[0]
        for seat in range(1, self.players):
            if totals[seat] > most:
                most = totals[seat]
        rounds: cython.double = (self.deck.goal - most) / self.pace
        if game.last_round or rounds < 0.0:
            rounds = 0.0
        for seat in range(self.players):
            shares[seat] = totals[seat]
        softmax(shares, 0, self.players, 1.0 / (self.swing * sqrt(rounds + self.calm)))

    # ---- ratings of moves ------------------------------------------------------------------

    def prior(self, game, seat, move):
        return self.rate(cython.cast(Charuma, game), seat, move, False)

    def rate(self, game, seat, move, open_hands):
        """The rating of a move in points; with `open_hands` all hands are used."""
        if game.phase == AUCTION:
            return self.rate_bid(game, seat, move)
        return self.rate_play(game, seat, move, open_hands)

    def rate_bid(self, game, seat, move):
        """The value of the hand with that group, less the price."""
        group = move // AMOUNTS
        value = self.hand_value(game.hand[seat], game.twins[seat], game.group[group], game.group_twins[group])
        if self.players == 2:
            value -= self.hand_value(0, 0, game.group[1 - group], game.group_twins[1 - group])
        return value - (move - group * AMOUNTS)

    def rate_play(self, game, seat, move, open_hands):
        suit = self.deck.suit[move]
        best = self.deck.rank[move]
        ace: cython.bint = best == 0
        points: cython.double = (2 if move >= TWO else 1) + self.deck.aces[move]
        cost = self.play_cost(game.hand[seat], game.twins[seat], move)
        leader = seat
        if game.led != NONE:
            leader = game.leader
            points += game.trick_aces
            if suit != game.led or not beats(best, game.best, game.ace_seat != NONE):
                return -cost - self.deck.aces[move]
            if game.best > best:
                best = game.best
        if self.cards_left(game) == (2 if move >= TWO else 1):
            points += 2
        chance = self.hold_chance(game, seat, leader, suit, best, ace, open_hands)
        return points * (chance - (1.0 - chance) / (self.players - 1)) - cost

    def hold_chance(self, game, seat, leader, suit, best, ace, open_hands):
        """The probability that nobody who plays after a seat takes the trick from it."""
        chance: cython.double = 1.0
        danger = threats(best, ace)
        other = after(seat, self.players)
        while other != leader:
            hand = game.hand[other]
            twins = game.twins[other]
            if not open_hands:
                if hand >> HIDDEN:
                    chance *= self.holds
                hand &= (1 << HIDDEN) - 1
                twins &= (1 << HIDDEN) - 1
            if reach(hand, twins, suit) & danger:
                chance *= self.falls
            other = after(other, self.players)
        return chance

    def play_cost(self, hand, twins, move):
        """What a play costs the hand: the strength of its cards, and the pairs that it breaks."""
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

    def hand_value(self, hand, twins, more, more_twins):
        """The value of a hand (given in two parts), in points above an average one."""
        value: cython.double = 0.0
        for place in range(VALUES):
            mask: cython.ulonglong = OF_VALUE << place
            held = ones(hand & mask) + ones(twins & mask) + ones(more & mask) + ones(more_twins & mask)
            if held:
                value += held * self.single[place] + held // 2 * self.pair[place]
        return value

    # ---- the rollout policy ------------------------------------------------------------------

    def rollout_move(self, game, seat, rng):
        return self.quick_move(cython.cast(Charuma, game), seat, rng)

    def quick_move(self, game, seat, rng):
        """The play with the best rating, with some noise."""
        if game.phase == AUCTION:
            return self.quick_bid(game, seat, rng)
        moves: cython.int[64]
        if not cython.compiled:
            moves = [0] * 64
        count = game.list_moves(seat, moves)
        best = moves[0]
        most: cython.double = -1e9
        for place in range(count):
            value = self.rate_play(game, seat, moves[place], self.open_hands)
            value += self.noise * (rng.bits() >> 40) / 16777216.0
            if value > most:
                most = value
                best = moves[place]
        return best

    def quick_bid(self, game, seat, rng):
        """The best group at the lowest price, sometimes for a point more."""
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
