# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""Greedy for Daruma: how a position looks to a thoughtful beginner, one ply deep. Frozen: stronger bots are measured by it."""

from __future__ import annotations

import cython

if not cython.compiled:
    from tsukimi.core.rng import Rng
    from tsukimi.games.daruma.codes import ALL_PLACES, ASK_SWAP, PLACES, START, USE
    from tsukimi.games.daruma.position import number_of
    from tsukimi.games.daruma.rules import Daruma

    KEEP = [0.0] * 4  # how much of what was painted this turn is still counted on, by fours so far

HALF = 0.5  # a daruma with one eye, as part of one with two
ONE = 0.5  # a 1 that can still be placed
OTHER = 0.08  # any other die
UNTOUCHED = 0.1  # a daruma that could still be painted
LEADER = 0.3  # what the best of the others has counts against one


def _fill_tables() -> None:
    for fours, keep in enumerate((1.0, 0.95, 0.85, 0.6)):
        KEEP[fours] = keep


_fill_tables()


def after_moves(world: Daruma, seat: int, moves: list[int], samples: int, rng: Rng) -> list[float]:
    """How the position looks after each move, on average over so many rolls of the dice."""
    after = world.copy()
    sums = [0.0] * len(moves)
    for _ in range(samples):
        number = rng.number()
        for i, move in enumerate(moves):
            after.assign(world)
            after.apply(move, seat)
            after.sample_chance(Rng(number))
            sums[i] += looks(after, seat)
    return [total / samples for total in sums]


def looks(game, seat):
    """Points as they stand, and what this turn promises as long as it lasts."""
    value = points_of(game, seat, game.objective[seat]) - LEADER * best_other(game, seat)
    if game.turn == seat and START <= game.stage <= ASK_SWAP:
        fours = min(3, game.ledger + game.fictive)
        value += KEEP[fours] * (row(game, game.objective[seat]) + dice_left(game))
    return value


def row(game, objective):
    """The five face-up darumas, by the eyes they have."""
    value: cython.double = 0.0
    for place in range(PLACES):
        worth = game.cards.points[objective * 64 + game.face[place]]
        if game.complete >> place & 1:
            value += worth
        elif worth > 0:
            value += worth * (HALF if game.painted >> place & 1 else UNTOUCHED)
    return value


def dice_left(game):
    """The dice available; before the first roll, what eight dice show on average."""
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
    """The best of the others, on average over the objectives that they may have."""
    best: cython.double = -1000.0
    for other in range(game.players):
        if other != seat:
            total: cython.double = 0.0
            for goal in range(game.cards.objectives):
                if goal != game.objective[seat]:
                    total += points_of(game, other, goal)
            best = max(best, total / (game.cards.objectives - 1))
    return best
