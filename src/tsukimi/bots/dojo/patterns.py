# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""The expected final score of a dojo: the sum of the values of its lines, each by its pattern.

A row's pattern is how many cards it has of each disciple (whichever they are), how many jokers and which trophy; a
column's is its belts and its trophy. Rows of fewer than four cards and columns of fewer than three have free places.
The values (`patterns.json`) were learned from the final scores of simulated dojos; see `train.py`.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import cython

if not cython.compiled:
    from tsukimi.core.rng import Rng
    from tsukimi.games.dojo.bits import lowest
    from tsukimi.games.dojo.dojos import LINES, ROW_LINES, WIDTH
    from tsukimi.games.dojo.rules import BELTS, ROUNDS, Dojo
    from tsukimi.games.dojo.scoring import COLUMN_POINTS, ROW_POINTS

ROW_SHAPES = 26
COLUMN_SHAPES = 56
TROPHY_KINDS = 4  # no trophy, or one of three
EMPTY_ROW = 0xDB6  # four times 6, which is not a disciple
SIZE = 328  # TROPHY_KINDS * (ROW_SHAPES + COLUMN_SHAPES)
STAGES = 13  # a table of values for every number of cards in the dojo
ROW_TROPHIES = ("none", "raccoon", "incense", "assistant")
COLUMN_TROPHIES = ("none", "multicolour-belt", "kimono", "broom")

if not cython.compiled:
    ROW_SHAPE, COLUMN_SHAPE = [0] * 4096, [0] * 512


def row_name(code: int) -> str:
    """The pattern of a row: `2+1` two of one disciple and one of another, `1j` one and a joker, `-` none."""
    disciples = [code >> 3 * i & 7 for i in range(4)]
    numbers = sorted([n for n in [disciples.count(d) for d in range(5)] if n], reverse=True)
    return "+".join(map(str, numbers)) + "j" * disciples.count(5) or "-"


def column_name(code: int) -> str:
    """The pattern of a column: its belts in order, `-` for none."""
    return "".join(map(str, sorted([belt for belt in [code >> 3 * i & 7 for i in range(3)] if belt]))) or "-"


def _fill_shapes() -> tuple[list[str], list[str]]:
    rows: dict[str, int] = {}
    columns: dict[str, int] = {}
    for code in range(4096):
        if all(code >> 3 * i & 7 != 7 for i in range(4)):
            ROW_SHAPE[code] = rows.setdefault(row_name(code), len(rows))
    for code in range(512):
        if all(code >> 3 * i & 7 <= 5 for i in range(3)):
            COLUMN_SHAPE[code] = columns.setdefault(column_name(code), len(columns))
    return list(rows), list(columns)


ROW_NAMES, COLUMN_NAMES = _fill_shapes()


def stored_values() -> dict[str, Any]:
    """The learned values by line, trophy and pattern, and their standard error by cards still to come."""
    text = files("tsukimi.bots.dojo").joinpath("patterns.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


class Patterns:
    """The value of every pattern."""

    def __init__(self, data: dict[str, Any] | None = None) -> None:
        if not cython.compiled:
            self.values, self.error = [0.0] * (SIZE * STAGES), [0.0] * 13
        if data is not None:
            self.load(data)

    def load(self, data: dict[str, Any]) -> None:
        for stage in range(STAGES):
            for trophy_kind in range(TROPHY_KINDS):
                at = stage * SIZE + trophy_kind * ROW_SHAPES
                for shape in range(ROW_SHAPES):
                    self.values[at + shape] = data["row"][ROW_TROPHIES[trophy_kind]][ROW_NAMES[shape]][stage]
                at = stage * SIZE + TROPHY_KINDS * ROW_SHAPES + trophy_kind * COLUMN_SHAPES
                for shape in range(COLUMN_SHAPES):
                    self.values[at + shape] = data["column"][COLUMN_TROPHIES[trophy_kind]][COLUMN_NAMES[shape]][stage]
        for left in range(13):
            self.error[left] = data["error"][left]

    def dump(self) -> dict[str, Any]:
        rows: dict[str, Any] = {}
        columns: dict[str, Any] = {}
        for trophy_kind in range(TROPHY_KINDS):
            at = TROPHY_KINDS * ROW_SHAPES + trophy_kind * COLUMN_SHAPES
            first = trophy_kind * ROW_SHAPES
            rows[ROW_TROPHIES[trophy_kind]] = {name: self._rounded(first + i) for i, name in enumerate(ROW_NAMES)}
            columns[COLUMN_TROPHIES[trophy_kind]] = {name: self._rounded(at + i) for i, name in enumerate(COLUMN_NAMES)}
        return {"row": rows, "column": columns, "error": [round(self.error[i], 2) for i in range(13)]}

    def _rounded(self, at: int) -> list[float]:
        """The values of a pattern, by number of cards in the dojo."""
        return [round(self.values[stage * SIZE + at], 2) for stage in range(STAGES)]

    # ---- reading a dojo ---------------------------------------------------------------------------

    def read_lines(self, game, seat, codes, inside):
        """Every line's cards as a code, and their number."""
        for line in range(LINES):
            codes[line] = EMPTY_ROW if line < ROW_LINES else 0
            inside[line] = 0
        for i in range(seat * ROUNDS, seat * ROUNDS + game.placed[seat]):
            row = game.cells[i] // WIDTH
            column = ROW_LINES + game.cells[i] % WIDTH
            codes[row] ^= (6 ^ game.kinds[i] // BELTS) << 3 * inside[row]
            codes[column] |= (game.kinds[i] % BELTS + 1) << 3 * inside[column]
            inside[row] += 1
            inside[column] += 1

    def entry(self, line, code, trophy_kind):
        """The index of a line's value; `trophy_kind` is 0 or its trophy's number + 1."""
        if line < ROW_LINES:
            return ROW_SHAPE[code] if trophy_kind == 0 else (trophy_kind - 3) * ROW_SHAPES + ROW_SHAPE[code]
        return TROPHY_KINDS * ROW_SHAPES + trophy_kind * COLUMN_SHAPES + COLUMN_SHAPE[code]

    def entries(self, game, seat, found):
        """The indices of the seven lines; lines without cards count as empty ones."""
        codes: cython.int[12]
        inside: cython.int[12]
        if not cython.compiled:
            codes, inside = [0] * 12, [0] * 12
        self.read_lines(game, seat, codes, inside)
        count = 0
        for line in range(ROW_LINES):
            if inside[line]:
                found[count] = self.entry(line, codes[line], game.line_trophies[seat * LINES + line])
                count += 1
        while count < 3:
            found[count] = self.entry(0, EMPTY_ROW, 0)
            count += 1
        for line in range(ROW_LINES, LINES):
            if inside[line]:
                found[count] = self.entry(line, codes[line], game.line_trophies[seat * LINES + line])
                count += 1
        while count < 7:
            found[count] = self.entry(ROW_LINES, 0, 0)
            count += 1

    def stage(self, game, seat, more):
        """Where the values of a dojo with that many more cards begin."""
        return SIZE * (game.placed[seat] + more)

    def value(self, game, seat, more):
        """The expected final score of a dojo, using the values for that many more cards."""
        found: cython.int[7]
        if not cython.compiled:
            found = [0] * 7
        self.entries(game, seat, found)
        stage = self.stage(game, seat, more)
        total: cython.double = 0
        for i in range(7):
            total += self.values[stage + found[i]]
        return total

    def best_place(self, game, seat, kind, gain):
        """The place where a card adds most, and how much that is (`gain[0]`)."""
        codes: cython.int[12]
        inside: cython.int[12]
        if not cython.compiled:
            codes, inside = [0] * 12, [0] * 12
        self.read_lines(game, seat, codes, inside)
        disciple, belt = kind // BELTS, kind % BELTS + 1
        stage = self.stage(game, seat, 1)
        adds: cython.double[12]
        if not cython.compiled:
            adds = [0.0] * 12
        for line in range(LINES):
            if inside[line] == (4 if line < ROW_LINES else 3):
                continue
            trophy_kind = game.line_trophies[seat * LINES + line]
            if line < ROW_LINES:
                code = codes[line] ^ (6 ^ disciple) << 3 * inside[line]
            else:
                code = codes[line] | belt << 3 * inside[line]
            adds[line] = self.values[stage + self.entry(line, code, trophy_kind)]
            adds[line] -= self.values[stage + self.entry(line, codes[line], trophy_kind)]
        free = game.free_places(seat)
        best = -1
        gain[0] = -1000.0
        while free:
            place = lowest(free)
            free &= free - 1
            value: cython.double = adds[place // WIDTH] + adds[ROW_LINES + place % WIDTH]
            if value > gain[0]:
                gain[0] = value
                best = place
        return best

    def best_line(self, game, seat, trophy, gain):
        """The line where a trophy adds most, and how much; -1 and 0 if it cannot be placed."""
        codes: cython.int[12]
        inside: cython.int[12]
        if not cython.compiled:
            codes, inside = [0] * 12, [0] * 12
        self.read_lines(game, seat, codes, inside)
        free = game.free_lines(seat, trophy)
        stage = self.stage(game, seat, 0)
        best = -1
        gain[0] = -1000.0
        for line in range(LINES):
            if free >> line & 1:
                value = self.values[stage + self.entry(line, codes[line], trophy + 1)]
                value -= self.values[stage + self.entry(line, codes[line], 0)]
                if value > gain[0]:
                    gain[0] = value
                    best = line
        if best < 0:
            gain[0] = 0.0
        return best

    # ---- simulating a dojo --------------------------------------------------------------------------

    def draw_for(self, game, seat, deals, rng):
        """The next card of a seat: any, or the best of as many as there are players when it deals."""
        gain: cython.double[1]
        if not cython.compiled:
            gain = [0.0]
        best = -1
        best_gain: cython.double = 0
        draws = game.players if deals else 1
        for _ in range(draws):
            if game.pile == 0:
                break
            kind = game.draw_card(rng)
            game.take_card(kind)
            if draws == 1:
                return kind
            self.best_place(game, seat, kind, gain)
            if best < 0 or gain[0] > best_gain:
                best, best_gain = kind, gain[0]
        return best

    def random_trophy(self, game, seat, rng):
        """One of the trophies that are still face down, on the line where it adds most."""
        gain: cython.double[1]
        if not cython.compiled:
            gain = [0.0]
        left = 0
        for trophy in range(6):
            left += game.trophies_left[trophy]
        if left == 0:
            return
        n: cython.int = rng.below(left)
        trophy = 0
        while n >= game.trophies_left[trophy]:
            n -= game.trophies_left[trophy]
            trophy += 1
        game.trophies_left[trophy] -= 1
        line = self.best_line(game, seat, trophy, gain)
        if line >= 0:
            game.put_trophy(seat, trophy, line)

    def next_round(self, game, seat, deals, trophy_rate, rng):
        """One more card on its best place, and with probability `trophy_rate` a trophy."""
        gain: cython.double[1]
        if not cython.compiled:
            gain = [0.0]
        kind = self.draw_for(game, seat, deals, rng)
        if kind < 0:
            return
        game.put_card(seat, kind, self.best_place(game, seat, kind, gain))
        if trophy_rate > 0 and rng.below(10000) < 10000 * trophy_rate:
            self.random_trophy(game, seat, rng)

    # ---- learning -----------------------------------------------------------------------------------

    def set_optimistic(self) -> None:
        """Optimistic initial values: full lines have their score, every other pattern more than it can reach, so that
        each is tried."""
        for i in range(SIZE * STAGES):
            self.values[i] = 10.0 if i % SIZE < TROPHY_KINDS * ROW_SHAPES else 5.0
        for trophy_kind in range(TROPHY_KINDS):
            for code in range(4096):
                if ROW_NAMES[ROW_SHAPE[code]] != "-" and all(code >> 3 * i & 7 < 6 for i in range(4)):
                    at = trophy_kind * ROW_SHAPES + ROW_SHAPE[code]
                    for stage in range(STAGES):
                        self.values[stage * SIZE + at] = ROW_POINTS[(trophy_kind % 3) << 12 | code]
            for code in range(512):
                if all(1 <= code >> 3 * i & 7 < 6 for i in range(3)):
                    at = TROPHY_KINDS * ROW_SHAPES + trophy_kind * COLUMN_SHAPES + COLUMN_SHAPE[code]
                    for stage in range(STAGES):
                        self.values[stage * SIZE + at] = COLUMN_POINTS[(trophy_kind % 3) << 9 | code]

    def train(self, start: Dojo, games: cython.int, rate: cython.double, trophy_rate: cython.double, rng: Rng) -> float:
        """Simulate that many dojos and learn from each; return their mean score."""
        errors: cython.double[14]
        if not cython.compiled:
            errors = [0.0] * 14
        for i in range(14):
            errors[i] = 0.0
        dojo = start.copy()
        for _ in range(games):
            dojo.assign(start)
            self.train_once(dojo, rate, trophy_rate, rng, errors)
        for left in range(13):
            self.error[left] = (errors[left] / games) ** 0.5
        return errors[13] / games

    def train_once(self, dojo, rate, trophy_rate, rng, errors):
        found: cython.int[91]
        if not cython.compiled:
            found = [0] * 91
        deals = rng.below(dojo.players)
        for step in range(ROUNDS + 1):
            if step:
                self.next_round(dojo, 0, (step + deals) % dojo.players == 0, trophy_rate, rng)
            if cython.compiled:
                self.entries(dojo, 0, cython.address(found[7 * step]))
            else:
                part = [0] * 7
                self.entries(dojo, 0, part)
                found[7 * step : 7 * step + 7] = part
        points = dojo.score(0)
        errors[13] += points
        for step in range(ROUNDS + 1):
            value: cython.double = 0.0
            for i in range(7):
                value += self.values[SIZE * step + found[7 * step + i]]
            errors[ROUNDS - step] += (points - value) * (points - value)
            for i in range(7):
                self.values[SIZE * step + found[7 * step + i]] += rate * (points - value)

    # ---- for Python callers ----------------------------------------------------------------------

    def value_of(self, game: Dojo, seat: cython.int, more: cython.int = 0) -> float:
        """The expected final score of a dojo."""
        return self.value(game, seat, more)

    def gain_of(self, game: Dojo, seat: cython.int, kind: cython.int) -> float:
        """The gain of a card on its best place in a seat's dojo."""
        gain: cython.double[1]
        if not cython.compiled:
            gain = [0.0]
        self.best_place(game, seat, kind, gain)
        return gain[0]

    def trophy_gain(self, game: Dojo, seat: cython.int, trophy: cython.int) -> float:
        """The gain of a trophy on its best line in a seat's dojo."""
        gain: cython.double[1]
        if not cython.compiled:
            gain = [0.0]
        self.best_line(game, seat, trophy, gain)
        return gain[0]
