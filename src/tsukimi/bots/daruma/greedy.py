# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""Greedy for Daruma: the evaluation of a thoughtful beginner, one ply deep. It never changes, as a baseline must not."""

from __future__ import annotations

import cython

if not cython.compiled:
    from tsukimi.core.rng import Rng
    from tsukimi.games.daruma.codes import ALL_PLACES, ASK_SWAP, PLACES, START, USE
    from tsukimi.games.daruma.position import number_of
    from tsukimi.games.daruma.rules import Daruma

    KEEP = [0.0] * 4  # the part of this turn's value that is counted, by fours so far

HALF = 0.5  # a daruma with one eye, as part of one with two
ONE = 0.5  # the value of a 1 that can still be placed
OTHER = 0.08  # any other die
UNTOUCHED = 0.1  # a daruma that could still be painted
LEADER = 0.3  # the part of the best opponent's points that is subtracted


def _fill_tables() -> None:
    for fours, keep in enumerate((1.0, 0.95, 0.85, 0.6)):
        KEEP[fours] = keep


_fill_tables()


def after_moves(sampled: Daruma, seat: int, moves: list[int], samples: int, rng: Rng) -> list[float]:
    """The value of the position after each move, averaged over that many rolls of the dice."""
    after: Daruma = sampled.copy()
    sums = [0.0] * len(moves)
    for _ in range(samples):
        number = rng.number()
        for i, move in enumerate(moves):
            after.assign(sampled)
            after.make_move(move, seat)
            after.sample_chance(Rng(number))
            sums[i] += position_value(after, seat)
    return [total / samples for total in sums]


def position_value(game, seat):
    """The score and, during the turn, what it may still gain."""
    value = points_of(game, seat, game.objective[seat]) - LEADER * best_other(game, seat)
    if game.turn == seat and START <= game.stage <= ASK_SWAP:
        fours = min(3, game.ledger + game.fictive)
        value += KEEP[fours] * (row_value(game, game.objective[seat]) + dice_value(game))
    return value


def row_value(game, objective):
    """The value of the five face-up darumas, by their eyes."""
    value: cython.double = 0.0
    for place in range(PLACES):
        points = game.cards.points[objective * 64 + game.face[place]]
        if game.complete >> place & 1:
            value += points
        elif points > 0:
            value += points * (HALF if game.painted >> place & 1 else UNTOUCHED)
    return value


def dice_value(game):
    """The value of the dice available; before the first roll, of eight dice on average."""
    if game.stage < USE:
        return 8 * (ONE + 4 * OTHER) / 6
    ones = game.dice & 15
    others = number_of(game.dice) - ones
    if game.complete == ALL_PLACES:
        ones = 0
    return ONE * ones + OTHER * others


def points_of(game, seat, objective):
    total: cython.double = 0.0
    for kind in range(game.cards.kinds):
        total += game.owned[seat * 64 + kind] * game.cards.points[objective * 64 + kind]
    return total


def best_other(game, seat):
    """The best opponent's points, averaged over the possible objectives."""
    best: cython.double = -1000.0
    for other in range(game.players):
        if other != seat:
            total: cython.double = 0.0
            for goal in range(game.cards.objectives):
                if goal != game.objective[seat]:
                    total += points_of(game, other, goal)
            best = max(best, total / (game.cards.objectives - 1))
    return best
