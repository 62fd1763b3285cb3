"""China Moon's network: the same numbers as NumPy finds, whoever decides, and none where it was not trained."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, cast

import numpy as np
import pytest

import tsukimi
from tsukimi import bots
from tsukimi.bots.china_moon import network as network_module
from tsukimi.bots.china_moon import networks
from tsukimi.bots.china_moon.evaluator import ChinaMoonEvaluator
from tsukimi.bots.china_moon.inputs import NetworkInputs
from tsukimi.bots.china_moon.network import NetworkEvaluator
from tsukimi.bots.search import Search
from tsukimi.core.rng import Rng
from tsukimi.games.china_moon.rules import DROPS, START, TRADES, ChinaMoon

PLAIN = str(network_module.__file__).endswith(".py")
NO_ROW = -1
Array = Any


def game_of(players: int, seed: int, first: str = "p1") -> ChinaMoon:
    return cast(ChinaMoon, tsukimi.new("china-moon", players=players, seed=f"{seed}", first=first).core.copy())


def positions(players: int, count: int, seed: int = 0) -> list[ChinaMoon]:
    """Decisions met in random games."""
    rng = Rng(seed)
    found: list[ChinaMoon] = []
    while len(found) < count:
        game = game_of(players, rng.randrange(1000))
        while not game.over and len(found) < count:
            (seat,) = game.actors
            if rng.randrange(9) == 0:
                found.append(cast(ChinaMoon, game.copy()))
            game.apply(game.random_action(seat, rng), seat)
    return found


def random_network(inputs: NetworkInputs, seed: int = 0) -> dict[str, Array]:
    rng = np.random.default_rng(seed)
    shapes = networks.shapes(inputs.players, inputs.size, inputs.rows)
    return {name: rng.normal(0, 0.2, shape).astype(np.float32) for name, shape in shapes.items()}


def evaluator_of(game: ChinaMoon, arrays: dict[str, Array]) -> NetworkEvaluator:
    found = networks.evaluator(
        game.table, game.players, {game.players: {**networks.flat(arrays), "pond": networks.fingerprint(game.table)}}
    )
    assert isinstance(found, NetworkEvaluator)
    return found


def second_layer(game: ChinaMoon, seat: int, arrays: dict[str, Array]) -> Array:
    inputs, players = NetworkInputs(game.table, game.players), game.players
    rows, phase = inputs.features(game)
    seats = [rows[(seat + i) % players] for i in range(players)]
    dense = np.array([*(number for row in seats for number in row), *phase[1:]])
    first = arrays["sparse"][inputs.inputs(game, seat)].sum(0) + dense @ arrays["dense"] + arrays["first_bias"]
    return np.maximum(np.maximum(first, 0) @ arrays["second"] + arrays["second_bias"], 0)


def shares_by_numpy(game: ChinaMoon, seat: int, arrays: dict[str, Array]) -> Array:
    second, linear = second_layer(game, seat, arrays), np.log(ChinaMoonEvaluator(game.table).shares(game))
    values = arrays["value"][:, :-1] @ second + arrays["value"][:, -1] + arrays["scales"][1] * np.roll(linear, -seat)
    odds = np.exp(values - values.max())
    return np.roll(odds / odds.sum(), seat)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_network_gives_the_shares_that_numpy_finds(players: int) -> None:
    inputs = NetworkInputs(game_of(players, 0).table, players)
    arrays, checked = random_network(inputs), 0
    for game in positions(players, 6 if PLAIN else 30):
        (seat,) = game.actors
        if max(inputs.shares(game)) == 1:  # a win on the move, which is known without the network
            continue
        expected = shares_by_numpy(game, seat, arrays)
        found = evaluator_of(game, arrays).shares(game)
        assert sum(found) == pytest.approx(1, abs=1e-5)
        assert found == pytest.approx(list(expected), abs=1e-4)
        checked += 1
    assert checked > 3


@pytest.mark.parametrize("players", [3, 5])
def test_the_network_gives_the_priors_that_numpy_finds(players: int) -> None:
    inputs, kinds = NetworkInputs(game_of(players, 0).table, players), set()
    arrays = random_network(inputs, 1)
    for game in positions(players, 40 if PLAIN else 60, seed=1):
        (seat,) = game.actors
        second = second_layer(game, seat, arrays)
        factor = arrays["scales"][0] + second @ arrays["rating"]
        expected = []
        for move in game.actions(seat):
            kinds.add((move >= TRADES) + (move >= DROPS))
            rows = [row for row in inputs.rows_of(game, seat, move) if row != NO_ROW]
            logits = sum(arrays["policy"][row] @ second + arrays["policy_bias"][row] for row in rows)
            expected.append(float(factor * inputs.rating(game, seat, move) + logits))
        assert evaluator_of(game, arrays).priors(game, seat) == pytest.approx(expected, rel=1e-3, abs=1e-3)
    assert kinds == {0, 1, 2}


def moved_on(move: int, players: int) -> int:
    """The same move one seat further round the table."""
    if move < TRADES:
        return (move // 192 + 1) % players * 192 + move % 192
    if move < DROPS:
        number = move - TRADES
        return TRADES + number // 25 * 25 + (number // 5 % 5 + 1) % players * 5 + number % 5
    return move


@pytest.mark.parametrize("players", [3, 4])
def test_it_does_not_matter_which_seat_is_whose(players: int) -> None:
    one, other = game_of(players, 4, "p1"), game_of(players, 4, "p2")
    inputs = NetworkInputs(one.table, players)
    arrays, rng = random_network(inputs), Rng(4)
    assert list(one.lily) == list(other.lily)
    while not one.over:
        (seat,) = one.actors
        assert other.actors == ((seat + 1) % players,)
        assert inputs.inputs(one, seat) == inputs.inputs(other, (seat + 1) % players)
        if rng.randrange(10) == 0:
            here, there = evaluator_of(one, arrays).shares(one), evaluator_of(other, arrays).shares(other)
            assert np.roll(here, 1) == pytest.approx(there, abs=1e-6)
        move = one.random_action(seat, rng)
        one.apply(move, seat)
        other.apply(moved_on(move, players), (seat + 1) % players)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_network_is_shipped_for_every_number_of_players(players: int) -> None:
    game = game_of(players, 0)
    inputs, shipped = NetworkInputs(game.table, players), networks.shipped()[players]
    shapes = networks.shapes(players, inputs.size, inputs.rows)
    assert {name: shipped[name].size for name in shapes} == {
        name: int(np.prod(shape)) for name, shape in shapes.items()
    }
    assert isinstance(networks.evaluator(game.table, players), NetworkEvaluator)
    assert len(files("tsukimi.bots.china_moon").joinpath("networks.npz").read_bytes()) < 500_000


def test_a_custom_pond_has_the_linear_evaluator() -> None:
    pads = [{"id": str(n), "kind": "lily", "next": [str(n + 1)]} for n in range(1, 13)]
    board = {"start": ["1"], "pad": [*pads, {"id": "13", "kind": "lily", "next": ["goal"]}]}
    state = tsukimi.new("china-moon", players=3, components=board, seed=1)
    assert type(networks.evaluator(state.core.table, 3)) is ChinaMoonEvaluator
    assert sum(bots.shares(state)) == pytest.approx(1)


def test_inputs_and_moves_fit_into_the_network() -> None:
    for players in (3, 4, 5):
        inputs = NetworkInputs(game_of(players, 0).table, players)
        for game in positions(players, 20 if PLAIN else 200, seed=players):
            (seat,) = game.actors
            active = inputs.inputs(game, seat)
            assert len(active) <= 48
            assert max(active) < inputs.size
            for move in game.actions(seat):
                assert max(inputs.rows_of(game, seat, move)) < inputs.rows


def test_the_search_moves_one_of_the_frogs_on_the_start() -> None:
    game = game_of(3, 2)
    search = Search(game, ChinaMoonEvaluator(game.table), 1, 1000, 100_000)
    search.set_root(game, game.actors[0])
    search.run(20)
    frogs = {move >> 6 for move, _, _ in search.result()}
    assert all(game.at[frog] == START for frog in range(9))
    assert frogs == {0, 3, 6}


def test_nodes_found_by_a_move_are_those_found_by_the_position() -> None:
    game = positions(3, 3, seed=5)[-1]
    results = []
    for open_game in (True, False):
        evaluator = ChinaMoonEvaluator(game.table)
        evaluator.open_game = open_game
        search = Search(game, evaluator, 7, 4000, 400_000)
        search.set_root(game, game.actors[0])
        search.run(60 if PLAIN else 2000)
        results.append((sorted(search.result()), search.size()))
    assert results[0] == results[1]


def test_the_shares_of_the_root_add_up_to_one() -> None:
    game = positions(4, 2, seed=6)[-1]
    search = Search(game, ChinaMoonEvaluator(game.table), 1, 4000, 400_000)
    search.set_root(game, game.actors[0])
    search.run(30)
    shares = search.root_shares()
    assert sum(shares) == pytest.approx(1, abs=1e-5)
    mean = sum(visits * share for _, visits, share in search.result()) / 30
    assert shares[game.actors[0]] == pytest.approx(mean, abs=1e-5)


@pytest.mark.compiled
def test_a_large_tree_keeps_what_follows_from_the_new_root() -> None:
    game = positions(3, 4, seed=8)[-1]
    search = Search(game, ChinaMoonEvaluator(game.table), 1)
    search.set_root(game, game.actors[0])
    search.run(90_000)
    assert search.size() > 65_536
    best, *_ = max(search.result(), key=lambda found: found[1])
    game.apply(best, game.actors[0])
    seat = game.actors[0]
    search.set_root(game, seat)
    kept = {move: mean for move, visits, mean in search.result() if visits}
    assert 1000 < search.size() <= 65_536
    assert sum(visits for _, visits, _ in search.result()) > 450
    fresh = Search(game, ChinaMoonEvaluator(game.table), 2)
    fresh.set_root(game, seat)
    fresh.run(60_000)
    likely, _, mean = max(fresh.result(), key=lambda found: found[1])
    assert kept[likely] == pytest.approx(mean, abs=0.1)
    search.run(20_000)
    assert sum(search.root_shares()) == pytest.approx(1, abs=1e-5)
