"""China Moon's solver against plain recursion without memory, depth by depth."""

from __future__ import annotations

from typing import cast

import pytest

import tsukimi
from tsukimi.bots.china_moon import solver as solver_module
from tsukimi.bots.china_moon.solver import Solver
from tsukimi.core.rng import Rng
from tsukimi.games.china_moon.rules import ChinaMoon

LIMIT = 10**9
PLAIN = str(solver_module.__file__).endswith(".py")


def brute(game: ChinaMoon, depth: int) -> list[float] | None:
    """Max^n as the solver's docstring says it; None: not decided within the depth."""
    if game.over:
        winners = game.winners()
        return [1 / len(winners) if seat in winners else 0.0 for seat in range(game.players)]
    if depth == 0:
        return None
    (mover,) = game.actors
    found, known = [], True
    for move in game.actions(mover):
        after = cast(ChinaMoon, game.copy())
        after.apply(move, mover)
        shares = brute(after, depth - 1)
        if shares is None:
            known = False
        elif shares[mover] == 1:
            return shares
        else:
            found.append(shares)
    if not known:
        return None
    best = max(shares[mover] for shares in found)
    ties = [shares for shares in found if shares[mover] > best - 1e-6]
    return [sum(column) / len(ties) for column in zip(*ties, strict=True)]


def endings(count: int, players: int, seed: int = 0) -> list[ChinaMoon]:
    """Positions some decisions before the end of random games."""
    rng = Rng(seed)
    start = tsukimi.new("china-moon", players=players, chance="manual").core
    found = []
    for _ in range(count):
        game = start.copy()
        game.sample_chance(rng)
        line = []
        while not game.over:
            line.append(game.copy())
            (mover,) = game.actors
            game.apply(game.random_action(mover, rng), mover)
        found.append(cast(ChinaMoon, line[-1 - rng.randrange(min(5, len(line)))]))
    return found


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_solver_agrees_with_brute_force(players: int) -> None:
    known = 0
    for game in endings(12 if PLAIN else 40, players, players):
        solver = Solver()
        for depth in range(3 if PLAIN else 4):
            expected, got = brute(game, depth), solver.shares(game, depth, LIMIT)
            assert (got is None) == (expected is None)
            if expected is not None and got is not None:
                assert got == pytest.approx(expected, abs=1e-5)
                known += 1
    assert known


def test_sister_frogs_are_alike_and_the_position_is_left_alone() -> None:
    for game in endings(3 if PLAIN else 20, 4, 9):
        before = game.observation(0)
        first = Solver()
        found = first.shares(game, 3, LIMIT)
        again = first.shares(game, 3, LIMIT)
        assert found == again
        assert game.observation(0) == before


def test_the_limit_holds() -> None:
    for game in endings(3, 4, 3):
        solver = Solver()
        solver.shares(game, 10, 50)
        assert solver.nodes <= 51


def test_a_small_board_is_solved_to_its_end() -> None:
    """Thirteen pads in a row: the game is short, and the end is known from further away."""
    pads = [{"id": str(n), "kind": "lily", "next": [str(n + 1)]} for n in range(1, 13)]
    board = {"start": ["1"], "pad": [*pads, {"id": "13", "kind": "lily", "next": ["goal"]}]}
    rng = Rng(4)
    state = tsukimi.new("china-moon", players=3, components=board, seed=1)
    game, line = cast(ChinaMoon, state.core.copy()), []
    while not game.over:
        line.append(cast(ChinaMoon, game.copy()))
        (mover,) = game.actors
        game.apply(game.random_action(mover, rng), mover)
    for depth in range(1, 4 if PLAIN else 5):
        expected, got = brute(line[-depth], depth), Solver().shares(line[-depth], depth, LIMIT)
        assert (got is None) == (expected is None)
        if got is not None:
            assert got == pytest.approx(expected, abs=1e-5)
