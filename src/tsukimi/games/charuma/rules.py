# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""Charuma: bid points for a hand, then win tricks with single cards and pairs. Rules: docs/games/charuma.md.

Here are the tricks, the round's score and the end; the deal and the auction are in `position`.
"""

from __future__ import annotations

import cython

if not cython.compiled:
    from tsukimi.games.charuma.deck import (
        AMOUNTS,
        BLUE_PAIR,
        BLUES,
        CARD,
        FACE_UP,
        HIDDEN,
        MIXED_MATCHES,
        NONE,
        RED,
        RED_PAIR,
        ROW,
        TEN,
        TWO,
        TWO_COLOURED,
        UP_MATCHES,
        VALUES,
        after,
        bit,
        lowest,
        nth,
        ones,
    )
    from tsukimi.games.charuma.position import AUCTION, OVER, Position


def matches(hand):
    """The pairs of different cards in a hand, in the six rows that `deck` describes."""
    up = hand & FACE_UP
    hidden = hand >> HIDDEN
    other_colour = (hidden >> VALUES) | ((hidden & ROW) << VALUES)
    both_up = up & (up >> VALUES) & ROW
    both_hidden = hidden & (hidden >> VALUES) & ROW
    return (up & hidden) | ((up & other_colour) << 20) | (both_up << 40) | (both_hidden << 50)


class Charuma(Position):
    """A game of Charuma."""

    def obliging(self, seat):
        """The face-up cards, or pairs, that oblige this seat to follow; empty when it is free."""
        if self.led <= RED:
            return self.hand[seat] & FACE_UP & (ROW << VALUES * self.led)
        if self.led == TWO_COLOURED:
            return matches(self.hand[seat]) & UP_MATCHES
        return self.twins[seat] & (ROW << VALUES * (self.led - BLUE_PAIR))

    def single_cards(self, seat):
        """The cards that may be played alone."""
        if self.led == NONE:
            return self.hand[seat]
        if self.led > RED:
            return 0
        follow = self.hand[seat] & (BLUES << VALUES * self.led)
        return follow if follow & FACE_UP else self.hand[seat]

    def twin_pairs(self, seat):
        """The pairs of equal cards to lead with, or to follow with when obliged."""
        if self.led == NONE:
            return self.twins[seat]
        if self.led == BLUE_PAIR or self.led == RED_PAIR:
            return self.twins[seat] & (BLUES << VALUES * (self.led - BLUE_PAIR))
        return 0

    def match_pairs(self, seat):
        """The other pairs to lead with, or to follow with when obliged."""
        if self.led == NONE:
            return matches(self.hand[seat])
        if self.led == BLUE_PAIR or self.led == RED_PAIR:
            return matches(self.hand[seat]) & (ROW << VALUES * (self.led - BLUE_PAIR))
        if self.led == TWO_COLOURED:
            return matches(self.hand[seat]) & MIXED_MATCHES
        return 0

    def any_two(self, seat):
        """Whether this seat follows a pair with any two cards."""
        return self.led > RED and not self.obliging(seat)

    def pair_move(self, twins, matched, place):
        """The pair at this place: first the twins, then the matches."""
        count = ones(twins)
        if place < count:
            card = nth(twins, place)
            return TWO + card * (card + 3) // 2
        return self.deck.match_move[nth(matched, place - count)]

    def list_moves(self, seat, moves):
        if seat != self.turn or self.phase < AUCTION or self.phase == OVER:
            return 0
        if self.phase == AUCTION:
            return self.list_bids(seat, moves)
        count = 0
        if self.any_two(seat):
            highs = self.hand[seat]
            while highs:
                high = lowest(highs)
                lows = self.hand[seat] & (bit(high) - 1)
                if self.twins[seat] & bit(high):
                    lows |= bit(high)
                while lows:
                    moves[count] = TWO + high * (high + 1) // 2 + lowest(lows)
                    count += 1
                    lows &= lows - 1
                highs &= highs - 1
            return count
        cards = self.single_cards(seat)
        while cards:
            moves[count] = CARD + lowest(cards)
            count += 1
            cards &= cards - 1
        twins = self.twin_pairs(seat)
        matched = self.match_pairs(seat)
        for place in range(ones(twins) + ones(matched)):
            moves[count] = self.pair_move(twins, matched, place)
            count += 1
        return count

    def random_move(self, seat, rng):
        if self.phase == AUCTION:
            return self.random_bid(seat, rng)
        if self.led > RED and not self.obliging(seat):
            return self.random_two(seat, rng)
        cards = self.single_cards(seat)
        singles = ones(cards)
        if self.led == NONE or self.led > RED:
            twins = self.twin_pairs(seat)
            matched = self.match_pairs(seat)
            place = rng.below(singles + ones(twins) + ones(matched))
            if place >= singles:
                return self.pair_move(twins, matched, place - singles)
        else:
            place = rng.below(singles)
        return CARD + nth(cards, place)

    def random_two(self, seat, rng):
        hand = self.hand[seat]
        different = ones(hand)
        pairs = different * (different - 1) // 2
        place = rng.below(pairs + ones(self.twins[seat]))
        if place >= pairs:
            return self.pair_move(self.twins[seat], 0, place - pairs)
        low = nth(hand, self.deck.lower[place])
        high = nth(hand, self.deck.higher[place])
        return TWO + high * (high + 1) // 2 + low

    def rollout(self, rng):
        """As for all games, with one check less per decision."""
        decisions = 0
        while self.phase != OVER:
            if self.phase < AUCTION:
                self.resolve_chance(rng)
            else:
                self.make_move(self.random_move(self.turn, rng), self.turn)
                decisions += 1
        return decisions

    def make_move(self, move, seat):
        if self.phase == AUCTION:
            self.place_bid(seat, move // AMOUNTS, move % AMOUNTS)
        else:
            self.play_cards(seat, move)

    def discard(self, seat, card):
        if card >= HIDDEN:
            self.shown[seat] = card - HIDDEN
        self.hand[seat] &= ~bit(card) | self.twins[seat]
        self.twins[seat] &= ~bit(card)

    def play_cards(self, seat, move):
        self.discard(seat, self.deck.first_card[move])
        if move >= TWO:
            self.discard(seat, self.deck.second_card[move])
        if self.led == NONE:
            self.leader, self.led, self.winner = seat, self.deck.suit[move], NONE
            self.played = self.best = self.trick_aces = 0
            self.ace_seat = NONE
            for other in range(self.players):
                self.trick[other] = NONE
        self.trick[seat] = move
        self.trick_aces += self.deck.aces[move]
        if self.deck.suit[move] == self.led:
            rank = self.deck.rank[move]
            if rank == 0:
                self.ace_seat = seat
            if rank >= self.best:
                self.best, self.best_seat = rank, seat
        self.played += 1
        self.turn = after(seat, self.players)
        if self.played == self.players:
            self.finish_trick()

    def best_so_far(self):
        """Who would take the trick now: a ten among the cards that count raises the aces above it."""
        if self.best == TEN and self.ace_seat != NONE:
            return self.ace_seat
        return self.best_seat

    def finish_trick(self):
        winner = self.best_so_far()
        self.winner = self.turn = winner
        self.tricks[winner] += 1
        self.trick_points[winner] += 2 if self.led > RED else 1
        self.aces[winner] += self.trick_aces
        self.led = NONE
        if self.hand[winner] == 0:
            self.finish_round()

    def finish_round(self):
        for seat in range(self.players):
            self.owned[seat] += self.trick_points[seat] + self.aces[seat]
        self.owned[self.winner] += 2
        self.token = self.next_holder()
        for seat in range(self.players):
            if self.owned[seat] >= self.deck.goal:
                self.last_round = True
        leaders = self.winner_mask()
        if self.last_round and leaders & (leaders - 1) == 0:
            self.phase = OVER
            self.turn = NONE
        else:
            self.start_round()

    def next_holder(self):
        """Who has fewest points; among equals the first clockwise after the present holder, who comes last."""
        poorest = seat = after(self.token, self.players)
        while seat != self.token:
            seat = after(seat, self.players)
            if self.owned[seat] < self.owned[poorest]:
                poorest = seat
        return poorest

    def duty(self) -> int:
        """`obliging`, of the seat that follows now, for Python callers; 0 when nobody does."""
        self.ready()
        return 0 if self.led == NONE else self.obliging(self.turn)

    def ahead(self) -> int:
        """`best_so_far`, for Python callers."""
        self.ready()
        return self.best_so_far()
