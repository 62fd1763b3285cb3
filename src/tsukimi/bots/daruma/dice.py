# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""Tables about up to eight dice without fours. Each multiset of dice has a rank from 0 to 1286, fewer dice first.

The tables hold the ranks with a die more or less, the parts that can be kept when the rest is rolled again, and the
results of the darumas' actions. Faces are numbered 0 to 4 here: 1, 2, 3, 5, 6.
"""

from __future__ import annotations

from itertools import product
from math import comb

import cython

FACES = (0, 4, 8, 16, 20)  # where a face's count stands in packed dice
AFTER = ((1, 4), (2, 0), (1,), (4,), (0, 3))  # a face shifted up, down (never onto a 4)

if not cython.compiled:
    FIRST_RANK = [0] * 11  # the first rank with that many dice
    MORE = [0] * 6435  # rank of the dice and one of a face, at 5 x rank + face; -1 if there is none
    LESS = [0] * 6435
    SINGLES_OFF = [0] * 1287  # rank of the dice without those whose value is there once
    VALUE_OFF = [0] * 6435  # rank of the dice without those of a face that is there at least twice, or -1
    PARTS_AT = [0] * 1288  # where the list of a rank begins
    PARTS = [0] * 18656  # ranks of all parts but the whole
    MULTIPLES_AT = [0] * 1288
    MULTIPLES = [0] * 3402  # what a shift of multiples can make
    SINGLES_AT = [0] * 1288
    SINGLES = [0] * 1434  # what a shift of singles can make
    FOUR_FOURS = [0.0] * 9  # the probability that this many dice show four or more fours


def _rank(counts: tuple[int, ...]) -> int:
    total, rank = 0, 0
    for face in range(5):
        total += counts[face]
        rank += comb(total + face, face + 1)
    return rank


def _changed(counts: tuple[int, ...], face: int, by: int) -> int:
    after = tuple([count + by * (i == face) for i, count in enumerate(counts)])
    return _rank(after) if min(after) >= 0 and sum(after) <= 8 else -1


def _parts(counts: tuple[int, ...]) -> list[int]:
    found = [_rank(part) for part in product(*[range(count + 1) for count in counts])]
    return [rank for rank in found if rank != _rank(counts)]


def _moved(counts: tuple[int, ...], face: int, up: int) -> tuple[int, ...]:
    """All dice of one face shifted: `up` of them up, the others down, if the face can go either way."""
    ways = AFTER[face]
    after = list(counts)
    after[face] = 0
    after[ways[0]] += up if len(ways) > 1 else counts[face]
    if len(ways) > 1:
        after[ways[1]] += counts[face] - up
    return tuple(after)


def _multiples(counts: tuple[int, ...]) -> list[int]:
    found = set()
    for face in range(5):
        if counts[face] > 1:
            for up in range(counts[face] + 1):
                found.add(_rank(_moved(counts, face, up)))
    return sorted(found)


def _singles(counts: tuple[int, ...]) -> list[int]:
    alone = [face for face in range(5) if counts[face] == 1]
    found = set()
    for ways in product(*[AFTER[face] for face in alone]):
        after = [0 if face in alone else counts[face] for face in range(5)]
        for way in ways:
            after[way] += 1
        found.add(_rank(tuple(after)))
    return sorted(found) if alone else []


def _fill_tables() -> None:
    for number in range(11):
        FIRST_RANK[number] = comb(number + 4, 5)
    for number in range(9):
        FOUR_FOURS[number] = sum([comb(number, k) * 5 ** (number - k) for k in range(4, number + 1)]) / 6**number
    every = [counts for counts in product(range(9), repeat=5) if sum(counts) <= 8]
    parts = multiples = singles = 0
    for rank, counts in sorted([(_rank(counts), counts) for counts in every]):
        for face in range(5):
            MORE[5 * rank + face] = _changed(counts, face, 1)
            LESS[5 * rank + face] = _changed(counts, face, -1)
            VALUE_OFF[5 * rank + face] = _changed(counts, face, -counts[face]) if counts[face] > 1 else -1
        SINGLES_OFF[rank] = _rank(tuple([0 if count == 1 else count for count in counts]))
        PARTS_AT[rank], MULTIPLES_AT[rank], SINGLES_AT[rank] = parts, multiples, singles
        if sum(counts) < 8:
            for part in _parts(counts):
                PARTS[parts] = part
                parts += 1
            for after in _multiples(counts):
                MULTIPLES[multiples] = after
                multiples += 1
            for after in _singles(counts):
                SINGLES[singles] = after
                singles += 1
    PARTS_AT[1287], MULTIPLES_AT[1287], SINGLES_AT[1287] = parts, multiples, singles


_fill_tables()


def rank_of_dice(dice):
    """The rank of packed dice without fours."""
    rank = 0
    for face in range(6):
        if face != 3:
            place = face if face < 3 else face - 1
            for _ in range(dice >> 4 * face & 15):
                rank = MORE[5 * rank + place]
    return rank


def rank(dice: int) -> int:
    """`rank_of_dice`, for Python callers."""
    return rank_of_dice(dice)


def table_sizes() -> tuple[int, int, int]:
    """How much of the three lists is used."""
    return PARTS_AT[1287], MULTIPLES_AT[1287], SINGLES_AT[1287]
