# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""Charuma's deck, the numbers that stand for cards and moves, and tables of what each move is.

A **kind** is one of the 20 different cards: 0..9 are the blue A, 2, .. 10 and 10..19 the red ones. A **card** of a
hand is its kind, plus 20 if it is one of the two hidden cards. A set of cards is a bit mask (bit c = card c); as a
hand may hold two equal cards, it has a second mask, its *twins*: the cards of which it holds two.

Two cards of one value are a pair. Equal ones are the twins; all others are *matches*, six rows of ten values:
blue face-up with blue hidden, red with red, blue face-up with red hidden, red face-up with blue hidden, both
face-up, both hidden. The last four rows are the two-coloured pairs.

Moves: `group * 6 + amount` is a bid, `CARD + card` one card, `TWO + high * (high + 1) / 2 + low` two cards.
"""

from __future__ import annotations

import cython

from tsukimi.core.checks import between

if not cython.compiled:
    from tsukimi.core.game import Table

if not cython.compiled:
    # The same as in deck.pxd, which gives them to the compiled modules.
    VALUES = 10
    KINDS = 20
    HIDDEN = 20
    AMOUNTS = 6
    CARD = 30
    TWO = 70
    MOVES = 890

    # What can be led; LOOSE is two cards that are no pair.
    BLUE = 0
    RED = 1
    BLUE_PAIR = 2
    RED_PAIR = 3
    TWO_COLOURED = 4
    LOOSE = 5

    TEN = 9
    NONE = -1

    ROW = 0x3FF
    BLUES = 0x3FF003FF
    FACE_UP = 0xFFFFF
    UP_MATCHES = 0x3FF0000000000
    MIXED_MATCHES = 0xFFFFFFFFFF00000

    def after(seat: int, players: int) -> int:
        """The next seat clockwise."""
        return seat + 1 if seat + 1 < players else 0

    def bit(place: int) -> int:
        """The set with one member."""
        return 1 << place

    def ones(mask: int) -> int:
        """How many members a set has."""
        return mask.bit_count()

    def lowest(mask: int) -> int:
        """The first member of a set."""
        return (mask & -mask).bit_length() - 1

    def nth(mask: int, place: int) -> int:
        """The member at this place, counted from 0."""
        for _ in range(place):
            mask &= mask - 1
        return lowest(mask)


class Deck(Table):
    """The cards for a number of players. `kind` lists them one by one, `every` is the set of kinds."""

    def __init__(self, players: object) -> None:
        self.make_once()
        players = between("players", players, 2, 5)
        if not cython.compiled:
            self.kind = [0] * 40
            self.first_card, self.second_card = [NONE] * MOVES, [NONE] * MOVES
            self.suit, self.rank, self.aces = [LOOSE] * MOVES, [0] * MOVES, [0] * MOVES
            self.match_move = [0] * 60
            self.lower, self.higher = [0] * 28, [0] * 28
        self.group_size = 5 if players == 5 else 6
        self.goal = 25 if players <= 3 else 20
        self.every = 0
        self.size = 0
        left_out = range(2, 6) if players == 2 else range(4, 6) if players == 3 else range(0)
        for kind in range(KINDS):
            if kind % VALUES + 1 not in left_out:
                self.every |= bit(kind)
                for _ in range(2):
                    self.kind[self.size] = kind
                    self.size += 1
        self._describe_moves()
        self._number_pairs()

    def _describe_moves(self) -> None:
        for move in range(CARD):
            self._describe(move, NONE, NONE, LOOSE)
        for card in range(2 * KINDS):
            self._describe(CARD + card, card, NONE, card // VALUES % 2)
        for high in range(2 * KINDS):
            for low in range(high + 1):
                suit = LOOSE
                if high % VALUES == low % VALUES:
                    colours = low // VALUES % 2, high // VALUES % 2
                    suit = TWO_COLOURED if colours[0] != colours[1] else BLUE_PAIR + colours[0]
                self._describe(TWO + high * (high + 1) // 2 + low, low, high, suit)

    def _describe(self, move: int, first: int, second: int, suit: int) -> None:
        self.first_card[move], self.second_card[move] = first, second
        self.suit[move] = suit
        self.rank[move] = first % VALUES if first >= 0 else 0
        self.aces[move] = sum([card >= 0 and card % VALUES == 0 for card in (first, second)])

    def _number_pairs(self) -> None:
        for value in range(VALUES):
            blue, red = value, value + VALUES
            rows = (
                (blue, blue + HIDDEN),
                (red, red + HIDDEN),
                (blue, red + HIDDEN),
                (red, blue + HIDDEN),
                (blue, red),
                (blue + HIDDEN, red + HIDDEN),
            )
            for row, (low, high) in enumerate(rows):
                self.match_move[row * VALUES + value] = TWO + high * (high + 1) // 2 + low
        place = 0
        for higher in range(8):
            for lower in range(higher):
                self.lower[place], self.higher[place] = lower, higher
                place += 1
