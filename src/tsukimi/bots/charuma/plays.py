# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""The legal plays of a hand of Charuma, from sets of cards: the solver needs no whole position."""

from __future__ import annotations

import cython

if not cython.compiled:
    from tsukimi.games.charuma.deck import (
        BLUE_PAIR,
        BLUES,
        CARD,
        FACE_UP,
        MIXED_MATCHES,
        RED,
        ROW,
        TEN,
        TWO,
        TWO_COLOURED,
        UP_MATCHES,
        VALUES,
        bit,
        lowest,
    )
    from tsukimi.games.charuma.rules import matches


if not cython.compiled:

    def without(hand, twins, card):
        """A hand after one of its cards has left: of two equal ones, one stays."""
        return hand & (~bit(card) | twins)


def beats(rank, best, ace):
    """Whether a rank of the led kind, played now, takes a trick with this best rank (and an ace in it)."""
    if rank == 0:
        return best == 0 or best == TEN
    if rank == TEN:
        return not ace
    return rank >= best


class Plays:
    """Lists plays, ordered for early cutoffs."""

    def __init__(self, deck) -> None:
        self.deck = deck

    def pairs(self, twins, matched, moves):
        count = 0
        while twins:
            card = lowest(twins)
            moves[count] = TWO + card * (card + 3) // 2
            count += 1
            twins &= twins - 1
        while matched:
            moves[count] = self.deck.match_move[lowest(matched)]
            count += 1
            matched &= matched - 1
        return count

    def leads(self, hand, twins, moves):
        count = self.pairs(twins, matches(hand), moves)
        while hand:
            moves[count] = CARD + lowest(hand)
            count += 1
            hand &= hand - 1
        return count

    def any_two(self, hand, twins, moves):
        count = 0
        highs = hand
        while highs:
            high = lowest(highs)
            lows = hand & (bit(high) - 1)
            if twins & bit(high):
                lows |= bit(high)
            while lows:
                moves[count] = TWO + high * (high + 1) // 2 + lowest(lows)
                count += 1
                lows &= lows - 1
            highs &= highs - 1
        return count

    def follows(self, led, hand, twins, moves):
        if led == TWO_COLOURED:
            matched = matches(hand)
            if matched & UP_MATCHES:
                return self.pairs(0, matched & MIXED_MATCHES, moves)
            return self.any_two(hand, twins, moves)
        if led > RED:
            colour = VALUES * (led - BLUE_PAIR)
            if twins & (ROW << colour):
                return self.pairs(twins & (BLUES << colour), matches(hand) & (ROW << colour), moves)
            return self.any_two(hand, twins, moves)
        if hand & FACE_UP & (ROW << VALUES * led):
            hand &= BLUES << VALUES * led
        count = 0
        while hand:
            moves[count] = CARD + lowest(hand)
            count += 1
            hand &= hand - 1
        return count

    def sort_leads(self, moves, count):
        """High pairs first, then high cards."""
        for place in range(1, count):
            move = moves[place]
            key = self.deck.rank[move] + (16 if move >= TWO else 0)
            before = place - 1
            while before >= 0 and self.deck.rank[moves[before]] + (16 if moves[before] >= TWO else 0) < key:
                moves[before + 1] = moves[before]
                before -= 1
            moves[before + 1] = move

    def sort_answers(self, lead, moves, count):
        """The cheapest winning play first, then the lowest."""
        keys: cython.int[64]
        if not cython.compiled:
            keys = [0] * 64
        led = self.deck.suit[lead]
        best = self.deck.rank[lead]
        for place in range(count):
            move = moves[place]
            if self.deck.suit[move] == led and beats(self.deck.rank[move], best, best == 0):
                key = self.deck.rank[move] - 64
            elif move >= TWO:
                key = self.deck.first_card[move] % VALUES + self.deck.second_card[move] % VALUES
            else:
                key = self.deck.rank[move]
            key += 8 * self.deck.aces[move]
            before = place - 1
            while before >= 0 and keys[before] > key:
                keys[before + 1] = keys[before]
                moves[before + 1] = moves[before]
                before -= 1
            keys[before + 1] = key
            moves[before + 1] = move
