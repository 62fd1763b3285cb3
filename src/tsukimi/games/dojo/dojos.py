# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""What lies on the table in Dojo: the pile, and the dojos, where cards and trophies go. Part of the rules.

A dojo lies on a board of five rows and seven columns around its first card, which is all that three rows by four
columns can reach; a place is a number on that board, a set of places a mask of bits. A dojo's lines are the
board's five rows (0..4) and seven columns (5..11). A tatami's kind is `disciple * 5 + belt - 1`.
"""

from __future__ import annotations

import cython

from tsukimi.core.errors import BadComponents

if not cython.compiled:
    from tsukimi.core.game import Game, Table
    from tsukimi.games.dojo.bits import lowest
    from tsukimi.games.dojo.scoring import ANSWER, EMPTY, MEMORY, count_dojo

ROUNDS = 12
KINDS = 30
DISCIPLES = 6
BELTS = 5
WIDTH = 7
PLACES = 35
ORIGIN = 17
ROW_LINES = 5
LINES = 12
ORANGE = 3  # trophies 0..2 are orange and stand on columns, 3..5 are black and stand on rows
ALL_PLACES = 0x7FFFFFFFF
NOT_FIRST_COLUMN = 0x7EFDFBF7E
NOT_LAST_COLUMN = 0x3F7EFDFBF

if not cython.compiled:
    REACH = [0] * 35


def _fill_reach() -> None:
    """The places that can share a dojo with a place: at most two rows and three columns away."""
    for place in range(35):
        mask: cython.ulonglong = 0
        for other in range(35):
            if abs(place // 7 - other // 7) <= 2 and abs(place % 7 - other % 7) <= 3:
                mask |= cython.cast(cython.ulonglong, 1) << other
        REACH[place] = mask


_fill_reach()


class Tatamis(Table):
    """How many cards of each kind the box holds."""

    def __init__(self, counts: list[int]) -> None:
        self.make_once()
        if len(counts) != KINDS:
            raise BadComponents("wrong-table", game="dojo", players=0)
        if not cython.compiled:
            self.counts = [0] * KINDS
        for kind in range(KINDS):
            self.counts[kind] = counts[kind]


class Tabletop(Game):
    """The pile of tatamis and the players' dojos."""

    def __init__(self, table: Tatamis, players: object) -> None:
        Game.__init__(self, table, players)
        if type(table) is not Tatamis or sum(table.counts) < ROUNDS * self.players:
            raise BadComponents("wrong-table", game="dojo", players=self.players)
        if not cython.compiled:
            self.placed, self.crowned, self.taken, self.room = [0] * 5, [0] * 5, [0] * 5, [0] * 5
            self.kinds, self.cells, self.line_trophies = [0] * 60, [0] * 60, [0] * 60
            self.pile_of, self.left = [0] * 6, [0] * 30
        self.box = table
        self.pile = 0
        for kind in range(DISCIPLES):
            self.pile_of[kind] = 0
        for kind in range(KINDS):
            self.left[kind] = 0
            for _ in range(self.box.counts[kind]):
                self.return_card(kind)
        for seat in range(5):
            self.placed[seat] = 0
            self.crowned[seat] = 0
            self.taken[seat] = 0
            self.room[seat] = ALL_PLACES
        for i in range(60):
            self.kinds[i] = self.cells[i] = self.line_trophies[i] = 0

    # ---- the pile --------------------------------------------------------------------------

    def draw_card(self, rng):
        n: cython.int = rng.below(self.pile)
        disciple = 0
        while n >= self.pile_of[disciple]:
            n -= self.pile_of[disciple]
            disciple += 1
        kind = disciple * BELTS
        while n >= self.left[kind]:
            n -= self.left[kind]
            kind += 1
        return kind

    def take_card(self, kind):
        self.pile -= 1
        self.pile_of[kind // BELTS] -= 1
        self.left[kind] -= 1

    def return_card(self, kind):
        self.pile += 1
        self.pile_of[kind // BELTS] += 1
        self.left[kind] += 1

    # ---- dojos -----------------------------------------------------------------------------

    def put_card(self, seat, kind, place):
        at = seat * ROUNDS + self.placed[seat]
        self.kinds[at] = kind
        self.cells[at] = place
        self.placed[seat] += 1
        self.taken[seat] |= cython.cast(cython.ulonglong, 1) << place
        self.room[seat] &= REACH[place]

    def put_trophy(self, seat, trophy, line):
        self.line_trophies[seat * LINES + line] = trophy + 1
        self.crowned[seat] |= 1 << line

    def free_places(self, seat):
        """Where a seat's next card may go: beside a card, and in reach of every card."""
        taken = self.taken[seat]
        if taken == 0:
            return cython.cast(cython.ulonglong, 1) << ORIGIN
        beside = (taken << 1 & NOT_FIRST_COLUMN) | (taken >> 1 & NOT_LAST_COLUMN) | taken << WIDTH | taken >> WIDTH
        return beside & self.room[seat] & ~taken

    def lines_with_cards(self, seat):
        taken = self.taken[seat]
        lines: cython.uint = 0
        for row in range(5):
            across: cython.uint = taken >> WIDTH * row & 127
            if across:
                lines |= 1 << row
            lines |= across << ROW_LINES
        return lines

    def free_lines(self, seat, trophy):
        """Where a trophy may go: lines of its colour that have a card and no trophy."""
        lines = self.lines_with_cards(seat) & ~self.crowned[seat]
        return lines >> ROW_LINES << ROW_LINES if trophy < ORANGE else lines & 31

    def best(self, seat, tidy, best):
        """The best count of a seat's dojo; see `count_dojo`."""
        grid: cython.schar[12]
        trophies: cython.schar[7]
        if not cython.compiled:
            grid, trophies = [0] * 12, [0] * 7
        for i in range(12):
            grid[i] = EMPTY
        for i in range(7):
            trophies[i] = 0
        if self.placed[seat]:
            lines = self.lines_with_cards(seat)
            top = lowest(lines & 31)
            side = lowest(lines >> ROW_LINES)
            for i in range(seat * ROUNDS, seat * ROUNDS + self.placed[seat]):
                cell = self.cells[i]
                kind = self.kinds[i]
                grid[4 * (cell // WIDTH - top) + cell % WIDTH - side] = kind // BELTS | (kind % BELTS + 1) << 3
            for row in range(top, min(top + 3, 5)):
                trophies[row - top] = self.line_trophies[seat * LINES + row]
            for column in range(side, min(side + 4, 7)):
                trophies[3 + column - side] = self.line_trophies[seat * LINES + ROW_LINES + column]
        return count_dojo(grid, trophies, tidy, best)

    def observe_dojo(self, seat, numbers, at):
        """Twelve trophies by line, then 35 disciples and 35 belts by place; 0 where there is none."""
        for line in range(LINES):
            numbers[at + line] = self.line_trophies[seat * LINES + line]
        for i in range(seat * ROUNDS, seat * ROUNDS + self.placed[seat]):
            numbers[at + LINES + self.cells[i]] = self.kinds[i] // BELTS + 1
            numbers[at + LINES + PLACES + self.cells[i]] = self.kinds[i] % BELTS + 1

    # ---- for Python callers ----------------------------------------------------------------

    def dojo(self, seat: cython.int) -> list[tuple[int, int, int]]:
        """A seat's cards in the order of placing: (row, column, kind), relative to its first card."""
        self.check_seat(seat)
        first = seat * ROUNDS
        return [
            (self.cells[i] // WIDTH - 2, self.cells[i] % WIDTH - 3, self.kinds[i])
            for i in range(first, first + self.placed[seat])
        ]

    def counted(self, seat: cython.int) -> list[int]:
        """A dojo's best points, then the twelve places of the tidiest arrangement that gives them (see `scoring`)."""
        self.check_seat(seat)
        best: cython.short[26]
        if not cython.compiled:
            best = [0] * MEMORY
        self.best(seat, True, best)
        return [best[i] for i in range(13)]

    def with_trophy(self, seat: cython.int, trophy: cython.int) -> int | None:
        """A dojo's best points with one more trophy, where that does most; None if no line is free for it."""
        self.check_seat(seat)
        best: cython.short[14]
        if not cython.compiled:
            best = [0] * ANSWER
        free = self.free_lines(seat, trophy)
        most: cython.int = -1
        for line in range(LINES):
            if free >> line & 1:
                self.line_trophies[seat * LINES + line] = trophy + 1
                most = max(most, self.best(seat, False, best))
                self.line_trophies[seat * LINES + line] = 0
        return most if free else None

    def without_trophy(self, seat: cython.int, line: cython.int) -> int:
        """A dojo's best points if this line had no trophy."""
        self.check_seat(seat)
        best: cython.short[14]
        if not cython.compiled:
            best = [0] * ANSWER
        at = seat * LINES + line
        trophy = self.line_trophies[at]
        self.line_trophies[at] = 0
        points = self.best(seat, False, best)
        self.line_trophies[at] = trophy
        return points

    def places(self, seat: cython.int) -> list[int]:
        """Where a seat's next card may go."""
        self.check_seat(seat)
        free = self.free_places(seat)
        return [place for place in range(PLACES) if free >> place & 1]

    def lines(self, seat: cython.int) -> list[int]:
        """The lines of a seat's dojo that have a card."""
        self.check_seat(seat)
        found = self.lines_with_cards(seat)
        return [line for line in range(LINES) if found >> line & 1]
