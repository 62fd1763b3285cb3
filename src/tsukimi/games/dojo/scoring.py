# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""What a dojo counts: the best of all rearrangements, raccoons and jokers, exactly. See docs/games/dojo.md.

A grid has three rows of four places, row by row; a card is written `disciple | belt << 3`, a free place `EMPTY`.
Lines are the three rows (0..2) and the four columns (3..6); a line's trophy is 0 (none) or a trophy's number + 1.

A row scores by its disciples alone and a column by its belts alone, so every line is one look into a table. The
tables hold the best choice of jokers and raccoon trophies; what is left to search are brooms and assistants.
"""

from __future__ import annotations

import cython

EMPTY = 6  # no disciple (the six are 0..5), no belt

DISCIPLE_POINTS = (0, 1, 3, 6, 10)
RACCOON = 5
# what a trophy does to its line's points; brooms and assistants leave the line plain
PLAIN_LINE = 0
RACCOON_ROW = 1
INCENSE_ROW = 2
MULTICOLOUR_COLUMN = 1
KIMONO_COLUMN = 2
# the numbers of a count: the points and the grid, how many cards lie elsewhere in it; then the dojo as it lies
MOVED = 13
ANSWER = 14
MEMORY = 26
UNTIDY = -1  # the exact number is not needed

if not cython.compiled:
    ROW_POINTS = [0] * 12288
    COLUMN_POINTS = [0] * 1536


def _row_table_entry(disciples: list[int], effect: int) -> int:
    """The points of a row, its jokers used as well as they can be.

    Points grow by 1, 2, 3, 4: adding to the most frequent disciple gains most, so all jokers join it.
    """
    present = [disciples.count(disciple) for disciple in range(RACCOON)]
    present.sort(reverse=True)
    jokers = disciples.count(RACCOON)
    cards = sum(present) + jokers
    if effect == RACCOON_ROW and present[0] + jokers < cards:
        jokers += 1
    present[0] += jokers
    if effect == INCENSE_ROW:
        return sum([DISCIPLE_POINTS[number] for number in present])
    return DISCIPLE_POINTS[present[0]]


def _column_table_entry(belts: list[int], effect: int) -> int:
    """The points of a column of three belts (0: no card)."""
    for belt in range(5, 0, -1):
        equal = belts.count(belt)
        if equal == 3:
            return 2 * belt if effect == KIMONO_COLUMN else belt
        if equal == 2 and effect == MULTICOLOUR_COLUMN:
            return belt
    return 0


def _fill_tables() -> None:
    known: dict[tuple[int, ...], int] = {}
    for code in range(4096):
        disciples = [code >> 3 * i & 7 for i in range(4)]
        if 7 in disciples:
            continue
        for effect in range(3):
            key = (effect, *sorted(disciples))
            if key not in known:
                known[key] = _row_table_entry(disciples, effect)
            ROW_POINTS[effect << 12 | code] = known[key]
    for code in range(512):
        belts = [code >> 3 * i & 7 for i in range(3)]
        for effect in range(3):
            COLUMN_POINTS[effect << 9 | code] = _column_table_entry(belts, effect)


_fill_tables()


def row_points(grid, effects, row):
    at = 4 * row
    code = (grid[at] & 7) | (grid[at + 1] & 7) << 3 | (grid[at + 2] & 7) << 6 | (grid[at + 3] & 7) << 9
    return ROW_POINTS[effects[row] << 12 | code]


def column_points(grid, effects, column):
    code = grid[column] >> 3 | grid[4 + column] >> 3 << 3 | grid[8 + column] >> 3 << 6
    return COLUMN_POINTS[effects[3 + column] << 9 | code]


def grid_points(grid, effects):
    total = 0
    for row in range(3):
        total += row_points(grid, effects, row)
    for column in range(4):
        total += column_points(grid, effects, column)
    return total


def count_dojo(grid, trophies, tidy, best):
    """The best points of a dojo; `best` receives them, and after them the grid that gives them.

    Tidy: of several such grids the one with the fewest cards elsewhere. Then `best` has room for MEMORY numbers and keeps
    that number, and the dojo as it lies, behind the grid; otherwise for ANSWER.
    """
    effects: cython.schar[7]
    if not cython.compiled:
        effects = [0] * 7
    pending = 0
    for line in range(7):
        trophy = trophies[line]
        effects[line] = PLAIN_LINE
        if line < 3:
            if trophy == 4:
                effects[line] = RACCOON_ROW
            elif trophy == 5:
                effects[line] = INCENSE_ROW
            elif trophy == 6:
                pending |= 1 << line
        elif trophy == 1:
            effects[line] = MULTICOLOUR_COLUMN
        elif trophy == 2:
            effects[line] = KIMONO_COLUMN
        elif trophy == 3:
            pending |= 1 << line
    best[0] = grid_points(grid, effects)
    for i in range(12):
        best[1 + i] = grid[i]
    best[MOVED] = 0 if tidy else UNTIDY
    if tidy:
        for i in range(12):
            best[ANSWER + i] = grid[i]
    if pending:
        explore(grid, effects, pending, -1, best)
    return best[0]


def explore(grid, effects, pending, last, best):
    """Try every rearrangement that is still to be used, one after the other, in every order that matters.

    Two rows (or two columns) have no place in common, so of two that follow each other one order is enough.
    """
    most = ceiling(grid, effects, pending)
    if most < best[0] or (most == best[0] and best[MOVED] <= 0):
        return
    for line in range(7):
        if not pending >> line & 1 or (line < last and (line < 3) == (last < 3)):
            continue
        rearrange(grid, effects, line, pending & ~(1 << line), best)


def ceiling(grid, effects, pending):
    """A bound on what the rearrangements still to be used can lead to; cheap where it is asked most.

    One line to rearrange: it keeps its cards, and every crossing line takes the one that it likes best. An assistant
    and a broom: together they bring one card of their two lines to any place of these lines, and every row and
    column takes its best one. More of them: no bound.
    """
    pool: cython.schar[7]
    if not cython.compiled:
        pool = [0] * 7
    rows = pending & 7
    columns = pending >> 3
    if rows & (rows - 1) or columns & (columns - 1):
        return 127
    row = lowest_line(rows)
    column = lowest_line(columns)
    count = 0
    if rows:
        for i in range(4):
            if grid[4 * row + i] != EMPTY:
                pool[count] = grid[4 * row + i]
                count += 1
    if columns:
        for i in range(3):
            if grid[4 * i + column] != EMPTY:
                pool[count] = grid[4 * i + column]
                count += 1
    total = 0
    for i in range(3):
        most = row_points(grid, effects, i)
        if columns:
            for k in range(4):
                if (rows and i == row) or k == column:
                    points = most_with(grid, effects, i, 4 * i + k, pool, count)
                    if points > most:
                        most = points
        total += most
    for k in range(4):
        most = column_points(grid, effects, k)
        if rows:
            for i in range(3):
                if (columns and k == column) or i == row:
                    points = most_with(grid, effects, 3 + k, 4 * i + k, pool, count)
                    if points > most:
                        most = points
        total += most
    return total


def lowest_line(lines):
    line = 0
    while lines > 1:
        lines >>= 1
        line += 1
    return line


def most_with(grid, effects, line, place, pool, count):
    """The most points of a line when the card at a place of it becomes any one of a pool; 0 if there is no card."""
    most = 0
    held = grid[place]
    if held != EMPTY:
        for i in range(count):
            grid[place] = pool[i]
            points = row_points(grid, effects, line) if line < 3 else column_points(grid, effects, line - 3)
            if points > most:
                most = points
        grid[place] = held
    return most


def rearrange(grid, effects, line, rest, best):
    """Try every order of this line's cards; an order that changes nothing is the same as not rearranging."""
    trial: cython.schar[12]
    places: cython.schar[4]
    cards: cython.schar[4]
    if not cython.compiled:
        trial, places, cards = [0] * 12, [0] * 4, [0] * 4
    for i in range(12):
        trial[i] = grid[i]
    length, at, step = 4, 4 * line, 1
    if line >= 3:
        length, at, step = 3, line - 3, 4
    count = 0
    for i in range(length):
        card = grid[at + i * step]
        if card != EMPTY:
            places[count] = at + i * step
            slot = count
            while slot > 0 and cards[slot - 1] > card:
                cards[slot] = cards[slot - 1]
                slot -= 1
            cards[slot] = card
            count += 1
    while True:
        changed = False
        for i in range(count):
            trial[places[i]] = cards[i]
            if cards[i] != grid[places[i]]:
                changed = True
        if changed:
            points = grid_points(trial, effects)
            if points > best[0] or (points == best[0] and best[MOVED] > 0 and moved(trial, best) < best[MOVED]):
                best[0] = points
                for i in range(12):
                    best[1 + i] = trial[i]
                if best[MOVED] != UNTIDY:
                    best[MOVED] = moved(trial, best)
            if rest:
                explore(trial, effects, rest, line, best)
        if not next_order(cards, count):
            return


def moved(trial, best):
    """How many places have another card than in the dojo as it lies."""
    count = 0
    for i in range(12):
        if trial[i] != best[ANSWER + i]:
            count += 1
    return count


def next_order(cards, count):
    """The next order of these cards in the order of a dictionary, equal cards not distinguished; False at the end."""
    low = count - 2
    while low >= 0 and cards[low] >= cards[low + 1]:
        low -= 1
    if low < 0:
        return False
    high = count - 1
    while cards[high] <= cards[low]:
        high -= 1
    card = cards[low]
    cards[low] = cards[high]
    cards[high] = card
    low += 1
    high = count - 1
    while low < high:
        card = cards[low]
        cards[low] = cards[high]
        cards[high] = card
        low += 1
        high -= 1
    return True


def best_dojo(cards: list[int], trophies: list[int]) -> list[int]:
    """For Python callers: the best points of a grid of twelve with its seven trophies, then the tidiest grid for them."""
    grid: cython.schar[12]
    signs: cython.schar[7]
    best: cython.short[26]
    if len(cards) != 12 or len(trophies) != 7 or min(cards) < 0 or max(cards) > 63:
        raise ValueError("a dojo has twelve places, and seven lines for trophies")
    if not cython.compiled:
        grid, signs, best = [0] * 12, [0] * 7, [0] * MEMORY
    for i in range(12):
        grid[i] = cards[i]
    for i in range(7):
        signs[i] = trophies[i]
    count_dojo(grid, signs, True, best)
    return [best[i] for i in range(13)]
