# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""What may be played in a position of Daruma: every move as a number (see `codes.py`), or one of them at random."""

from __future__ import annotations

import cython

if not cython.compiled:
    from tsukimi.games.daruma.codes import (
        ALL_PLACES,
        ASK_REROLL,
        ASK_SAKE,
        ASK_SHIFT,
        ASK_SINGLES,
        ASK_SWAP,
        MOVE_GIVE,
        MOVE_PAINT,
        MOVE_REROLL,
        MOVE_ROLL,
        MOVE_SAKE,
        MOVE_SHIFT,
        MOVE_SINGLES,
        MOVE_STOP,
        MOVE_SWEEP,
        OVER,
        PLACES,
        START,
        USE,
    )
    from tsukimi.games.daruma.position import Position, number_of, rank_of, singles_of

    BITS = [0] * 64  # how many bits are set
    NTH_BIT = [0] * 512  # the set bit number n of i at 8 i + n
    SHARE = [0] * 9  # chosen * SHARE[n] >> 16 is chosen // n for all numbers of choices that occur (at most 72)


def _fill_tables() -> None:
    for i in range(64):
        places = [bit for bit in range(6) if i >> bit & 1]
        BITS[i] = len(places)
        for n, bit in enumerate(places):
            NTH_BIT[8 * i + n] = bit
    for n in range(1, 9):
        SHARE[n] = 65536 // n + 1


_fill_tables()


def faces_of(dice):
    """Which faces are there, as six bits: the counts are folded into one bit each, then moved together."""
    some = (dice | dice >> 1 | dice >> 2 | dice >> 3) & 0x111111
    pairs = (some | some >> 3) & 0x030303
    return (pairs | pairs >> 6 | pairs >> 12) & 63


class Moves(Position):
    def first_actor(self):
        return self.turn if START <= self.stage < OVER else -1

    def stop_possible(self):
        """A 1 must be placed as long as there is a free eye."""
        return self.dice & 15 == 0 or self.complete == ALL_PLACES

    def gift_possible(self):
        return self.ledger > 0 and not self.gift_used and self.variety[self.turn] > 0

    def list_moves(self, seat, moves):
        stage = self.stage
        if seat != self.turn or stage < START or stage == OVER:
            return 0
        if stage == USE:
            return self.list_use(moves)
        if stage == ASK_SAKE:
            return self.list_sake(moves)
        if stage == ASK_REROLL:
            return self.list_reroll(moves)
        if stage == ASK_SHIFT:
            return self.list_shift(moves)
        if stage == ASK_SINGLES:
            return self.list_singles(moves)
        if stage == ASK_SWAP:
            return self.list_swap(moves)
        moves[0] = MOVE_SWEEP
        moves[1] = MOVE_ROLL
        return 2

    def list_dice(self, moves):
        """What dice can be used for, and the choice to stop."""
        count = 0
        if self.dice & 15:
            for place in range(PLACES):
                if not self.complete >> place & 1:
                    moves[count] = MOVE_PAINT + place
                    count += 1
        if number_of(self.dice) > 1:
            for face in range(2, 7):
                if self.dice >> 4 * (face - 1) & 15:
                    moves[count] = MOVE_SAKE + face - 1
                    count += 1
        if self.stop_possible():
            moves[count] = MOVE_STOP
            count += 1
        return count

    def list_use(self, moves):
        count = self.list_dice(moves)
        if self.gift_possible():
            for kind in range(self.cards.kinds):
                if self.owned[self.turn * 64 + kind]:
                    for to in range(self.players):
                        if to != self.turn:
                            moves[count] = MOVE_GIVE + kind * self.players + to
                            count += 1
        return count

    def list_sake(self, moves):
        """Every choice of one or more of the available dice."""
        moves[0] = 0
        count = 1
        for face in range(1, 7):
            choices = count
            for chosen in range(1, (self.dice >> 4 * (face - 1) & 15) + 1):
                for i in range(choices):
                    moves[count] = moves[i] + (chosen << 4 * (face - 1))
                    count += 1
        for i in range(1, count):
            moves[i - 1] = MOVE_REROLL + rank_of(moves[i])
        return count - 1

    def list_reroll(self, moves):
        """All the dice of one value that is there at least twice."""
        count = 0
        for face in range(1, 7):
            number = self.dice >> 4 * (face - 1) & 15
            if number > 1:
                moves[count] = MOVE_REROLL + rank_of(number << 4 * (face - 1))
                count += 1
        return count

    def list_shift(self, moves):
        """The same, each die one up or one down; never onto a 4."""
        count = 0
        for face in range(1, 7):
            number = self.dice >> 4 * (face - 1) & 15
            if number > 1:
                for down in range(number + 1):
                    if (face != 3 or down == number) and (face != 5 or down == 0):
                        moves[count] = MOVE_SHIFT + 64 * (face - 1) + 8 * (number - down) + down
                        count += 1
        return count

    def list_singles(self, moves):
        singles = singles_of(self.dice)
        moves[0] = MOVE_SINGLES
        count = 1
        weight = 1
        for face in range(1, 7):
            if face == 4:
                continue
            if singles >> 4 * (face - 1) & 1:
                choices = count
                for i in range(choices):
                    if face != 3 and face != 5:
                        moves[count] = moves[i] + 2 * weight
                        count += 1
                    moves[i] += 2 * weight if face == 3 else weight
            weight *= 3
        return count

    def list_swap(self, moves):
        count = 0
        base = self.cards.kinds + 1
        move = self.swap_base()
        for one in range(self.players):
            for other in range(one + 1, self.players):
                if self.swaps(one, other):
                    for a in range(base):
                        if self.hands_over(one, a):
                            for b in range(base):
                                if self.hands_over(other, b):
                                    moves[count] = move + a * base + b
                                    count += 1
                move += base * base
        return count

    def hands_over(self, seat, code):
        """Whether a seat can be made to hand over this: a kind that it has (+ 1), or nothing (0) if it has none."""
        if code == 0:
            return self.variety[seat] == 0
        return self.owned[seat * 64 + code - 1] > 0

    def swaps(self, one, other):
        """How many exchanges two players can be made to carry out."""
        a = self.variety[one]
        b = self.variety[other]
        return a * b if a and b else a + b

    def swap_base(self):
        return MOVE_GIVE + self.cards.kinds * self.players

    # ---- a random move, without listing all ------------------------------------------------

    def random_move(self, seat, rng):
        if self.stage == USE:
            return self.random_use(rng)
        if self.stage == ASK_SAKE:
            return self.random_sake(rng)
        if self.stage == ASK_SWAP:
            return self.random_swap(rng)
        moves: cython.int[64]
        if not cython.compiled:
            moves = [0] * 64
        count = self.list_moves(seat, moves)
        return moves[rng.below(count)]

    def random_use(self, rng):
        places = ALL_PLACES & ~self.complete if self.dice & 15 else 0
        faces = faces_of(self.dice) & ~1 if number_of(self.dice) > 1 else 0
        stops = 1 if self.stop_possible() else 0
        others = self.players - 1
        gifts = self.variety[self.turn] * others if self.gift_possible() else 0
        chosen = cython.cast(cython.int, rng.below(BITS[places] + BITS[faces] + stops + gifts))
        if chosen < BITS[places]:
            return MOVE_PAINT + NTH_BIT[8 * places + chosen]
        chosen -= BITS[places]
        if chosen < BITS[faces]:
            return MOVE_SAKE + NTH_BIT[8 * faces + chosen]
        chosen -= BITS[faces]
        if chosen < stops:
            return MOVE_STOP
        chosen -= stops
        to = chosen % others
        if to >= self.turn:
            to += 1
        return MOVE_GIVE + self.nth_kind(self.turn, chosen // others) * self.players + to

    def random_sake(self, rng):
        """A number from 1 to all choices, read digit by digit: how many dice of each face."""
        choices = 1
        for face in range(6):
            choices *= (self.dice >> 4 * face & 15) + 1
        chosen = rng.below(choices - 1) + 1
        dice = 0
        for face in range(6):
            ways = (self.dice >> 4 * face & 15) + 1
            rest = chosen * SHARE[ways] >> 16
            dice += (chosen - rest * ways) << 4 * face
            chosen = rest
        return MOVE_REROLL + rank_of(dice)

    def random_swap(self, rng):
        choices = 0
        for one in range(self.players):
            for other in range(one + 1, self.players):
                choices += self.swaps(one, other)
        chosen = cython.cast(cython.int, rng.below(choices))
        kinds = self.cards.kinds
        move = self.swap_base()
        for one in range(self.players):
            for other in range(one + 1, self.players):
                choices = self.swaps(one, other)
                if 0 <= chosen < choices:
                    theirs = max(1, self.variety[other])
                    if self.variety[one]:
                        move += (self.nth_kind(one, chosen // theirs) + 1) * (kinds + 1)
                    if self.variety[other]:
                        move += self.nth_kind(other, chosen % theirs) + 1
                    return move
                chosen -= choices
                move += (kinds + 1) * (kinds + 1)
        return move

    def nth_kind(self, seat, n):
        """The kind number n (from 0) among those a seat has."""
        kind = -1
        while n >= 0:
            kind += 1
            if self.owned[seat * 64 + kind]:
                n -= 1
        return kind
