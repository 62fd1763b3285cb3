"""Daruma's packed numbers packed and unpacked, for notation and views."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from tsukimi.games.daruma.codes import MOVE_GIVE, MOVE_REROLL, MOVE_SHIFT, MOVE_SINGLES
from tsukimi.games.daruma.position import dice_at, rank_at
from tsukimi.games.daruma.rules import Daruma

FACES = (1, 2, 3, 5, 6)
Shift = Sequence[tuple[int, int]]  # (face, +1 or -1) per die, by face, up before down


def dice_of(faces: Iterable[int]) -> int:
    """Faces as packed counts."""
    return sum(1 << 4 * (face - 1) for face in faces)


@cache  # there are 3003 ways that up to eight dice can lie
def faces_in(dice: int) -> list[int]:
    """Packed counts as sorted faces, read-only."""
    return [face for face in range(1, 7) for _ in range(dice >> 4 * (face - 1) & 15)]


def reroll_of(move: int) -> list[int]:
    return faces_in(dice_at(move - MOVE_REROLL))


def move_of_reroll(faces: Iterable[int]) -> int:
    return MOVE_REROLL + rank_at(dice_of(faces))


def shift_of(move: int) -> Shift:
    """Which dice go where; both kinds of shift."""
    if move < MOVE_SINGLES:
        face, up, down = (move - MOVE_SHIFT) // 64 + 1, (move - MOVE_SHIFT) // 8 % 8, (move - MOVE_SHIFT) % 8
        return [(face, 1)] * up + [(face, -1)] * down
    digits = [(move - MOVE_SINGLES) // 3**i % 3 for i in range(5)]
    return [(face, 1 if digit == 1 else -1) for face, digit in zip(FACES, digits, strict=True) if digit]


def move_of_shift(dice: Shift) -> int:
    """Dice of one value if it is there more than once, else single ones."""
    up = sum(way > 0 for _, way in dice)
    if len(dice) > 1 and dice[0][0] == dice[-1][0]:
        return MOVE_SHIFT + 64 * (dice[0][0] - 1) + 8 * up + len(dice) - up
    return MOVE_SINGLES + sum((1 if way > 0 else 2) * int(3 ** FACES.index(face)) for face, way in dice)


def shifted(face: int, way: int) -> int:
    """The face one up or down; 6 and 1 are neighbours."""
    return (face - 1 + way) % 6 + 1


def swap_base(game: Daruma) -> int:
    return MOVE_GIVE + game.cards.kinds * game.players


def swap_of(game: Daruma, move: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The two seats of an exchange, lower first, each with the kind that it hands over (-1: nothing)."""
    base = game.cards.kinds + 1
    rest, b = divmod(move - swap_base(game), base)
    pair, a = divmod(rest, base)
    one, other = _pairs(game.players)[pair]
    return (one, a - 1), (other, b - 1)


def move_of_swap(game: Daruma, one: tuple[int, int], other: tuple[int, int]) -> int:
    base = game.cards.kinds + 1
    (low, a), (high, b) = sorted((one, other))
    return swap_base(game) + (_pairs(game.players).index((low, high)) * base + a + 1) * base + b + 1


@cache
def _pairs(players: int) -> list[tuple[int, int]]:
    return [(one, other) for one in range(players) for other in range(one + 1, players)]
