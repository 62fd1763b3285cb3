# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""Leduc's rules on the same cells, compiled to C without the GIL."""

import cython
from tsukimi_leduc import Leduc

if not cython.compiled:
    from tsukimi.core.python_game import ACTORS, CHANCE, FIRST, OVER, SEATS, STATUS, PythonGame

    NONE = -1
    CHECK, BET, FOLD, CALL, RAISE = range(5)

CARD = Leduc.card.offset
PUBLIC_CARD = Leduc.public_card.offset
CHIPS = Leduc.chips.offset
RAISES = Leduc.raises.offset
FIRST_SEAT = Leduc.first_seat.offset


class Rules(PythonGame):
    def turn_to(self, seat):
        self.cells[STATUS] = SEATS
        self.cells[ACTORS] = 1 << seat

    def no_turn(self, status):
        self.cells[STATUS] = status
        self.cells[ACTORS] = 0

    # ---- the cards ----

    def left(self, rank):
        cards = 2
        if self.cells[CARD] == rank:
            cards -= 1
        if self.cells[CARD + 1] == rank:
            cards -= 1
        if self.cells[PUBLIC_CARD] == rank:
            cards -= 1
        return cards

    def draw_outcome(self, rng):
        if self.cells[STATUS] == FIRST:
            return rng.below(2)
        place = rng.below(self.left(0) + self.left(1) + self.left(2))
        rank = 0
        while place >= self.left(rank):
            place -= self.left(rank)
            rank += 1
        return rank

    def make_outcome(self, outcome):
        if self.cells[STATUS] == FIRST:
            self.cells[FIRST_SEAT] = outcome
            self.no_turn(CHANCE)
        elif self.cells[CARD] == NONE:
            self.cells[CARD] = outcome
        elif self.cells[CARD + 1] == NONE:
            self.cells[CARD + 1] = outcome
            self.turn_to(self.cells[FIRST_SEAT])
        else:
            self.cells[PUBLIC_CARD] = outcome
            self.turn_to(self.cells[FIRST_SEAT])

    # ---- the betting ----

    def list_moves(self, seat, moves):
        if not self.actor_mask() >> seat & 1:
            return 0
        if self.cells[CHIPS + seat] == self.cells[CHIPS + 1 - seat]:
            moves[0] = CHECK
            moves[1] = BET
            return 2
        moves[0] = FOLD
        moves[1] = CALL
        moves[2] = RAISE
        return 3 if self.cells[RAISES] < 2 else 2

    def make_move(self, move, seat):
        if move in (CALL, RAISE):
            self.cells[CHIPS + seat] = self.cells[CHIPS + 1 - seat]
        if move in (BET, RAISE):
            self.cells[CHIPS + seat] += 2 if self.cells[PUBLIC_CARD] == NONE else 4
            self.cells[RAISES] += 1
        if move in (BET, RAISE) or (move == CHECK and seat == self.cells[FIRST_SEAT]):
            self.turn_to(1 - seat)
        elif move == FOLD or self.cells[PUBLIC_CARD] != NONE:
            self.no_turn(OVER)
        else:
            self.cells[RAISES] = 0
            self.no_turn(CHANCE)

    def hand_strength(self, seat):
        pair = 10 if self.cells[CARD + seat] == self.cells[PUBLIC_CARD] else 0
        return 100 * self.cells[CHIPS + seat] + pair + self.cells[CARD + seat]

    def score(self, seat):
        mine = self.hand_strength(seat)
        theirs = self.hand_strength(1 - seat)
        if mine == theirs:
            return 0
        return self.cells[CHIPS + 1 - seat] if mine > theirs else -self.cells[CHIPS + seat]

    def winner_mask(self):
        first = self.score(0)
        second = self.score(1)
        return 3 if first == second else 1 if first > second else 2

    # ---- what a seat sees ----

    def observe(self, seat, numbers):
        showdown: cython.bint = self.cells[STATUS] == OVER and self.cells[CHIPS] == self.cells[CHIPS + 1]
        numbers[0] = seat
        numbers[1] = self.cells[ACTORS]
        for owner in range(2):
            card = self.cells[CARD + owner]
            numbers[2 + owner] = card if seat == owner or showdown or card == NONE else NONE - 1
            numbers[5 + owner] = self.cells[CHIPS + owner]
        numbers[4] = self.cells[PUBLIC_CARD]
        numbers[7] = self.cells[RAISES]
        numbers[8] = self.cells[FIRST_SEAT]
