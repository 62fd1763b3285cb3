"""The fast rules against the same rules written plainly, on the pond of the box and on ponds nobody would draw."""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tsukimi
from conftest import COMPILED
from games.china_moon.china_moon_ponds import line, pond, ponds
from games.china_moon.china_moon_reference import COLOURS, Reference
from tsukimi.core.rng import Rng
from tsukimi.games.china_moon import SPEC

BOX = tomllib.loads((SPEC.folder / "components.toml").read_text("utf-8"))


def reference_of(state: tsukimi.State, board: dict[str, Any]) -> Reference:
    view = state.view(None)
    prizes = [place["lily"] for place in view["goal"][:3]]
    return Reference(board, state.players, view["turn"], view["lilies"], prizes)


def play_both(board: dict[str, Any], players: int, seed: int) -> int:
    luck = random.Random(seed)
    state = tsukimi.new("china-moon", players=players, seed=seed, components=board)
    reference = reference_of(state, board)
    decisions = 0
    while not state.over:
        assert state.actors == (reference.actor(),)
        legal = state.legal()
        assert sorted(legal) == sorted(reference.legal())
        move = luck.choice(legal)
        state.play(move)
        reference.play(move)
        view = state.view(None)
        assert {frog["frog"]: frog["pad"] for frogs in view["frogs"] for frog in frogs} == reference.where
        assert view["lilies"] == reference.lilies
        for seat in range(players):
            assert view["held"][seat] == {colour: reference.held[seat].count(colour) for colour in COLOURS}
        assert state.scores() == [reference.score(seat) for seat in range(players)]
        decisions += 1
    assert reference.over()
    best = max(state.scores())
    assert state.winners() == [seat for seat in range(players) if state.scores()[seat] == best]
    return decisions


@pytest.mark.parametrize("players", [3, 4, 5])
def test_random_games_on_the_box_pond(players):
    for seed in range(12 if COMPILED else 3):
        assert play_both(BOX, players, seed) > 20


@given(ponds(), st.sampled_from([3, 4, 5]), st.integers(0, 1000))
def test_random_games_on_unusual_ponds(board, players, seed):
    assert play_both(board, players, seed) > 0


def crossing() -> dict[str, Any]:
    """Forks in a row: a frog can have many landings, and jumps over several forks."""
    return pond(
        {
            "1": ". 2 3 4",
            "2": ". 5",
            "3": ". 5 6",
            "4": ". 6",
            "5": ". 7 8",
            "6": ". 8 9 t1",
            "7": ". t1",
            "8": ". t1 t2",
            "9": "L t1",
        },
        start="1 2 3",
    )


def scrambled() -> dict[str, Any]:
    """The box pond with its pads in another order."""
    pads = list(BOX["pad"])
    random.Random(3).shuffle(pads)
    return {**BOX, "pad": pads}


@pytest.mark.parametrize("board", [BOX, crossing(), scrambled(), line("...S..")], ids=["box", "forks", "mixed", "line"])
def test_every_legal_move_is_drawn_equally_often(board):
    """Chi-square over the moves of positions all along a game; the bound is far out (p below 1e-6), the seed fixed."""
    state = tsukimi.new("china-moon", players=4, seed=5, components=board)
    rng, luck, decision = Rng(17), random.Random(2), 0
    while not state.over:
        moves, seat = state.actions(), state.actors[0]
        if decision % 7 == 3:
            draws = (300 if COMPILED else 40) * len(moves)
            counts = Counter(state.core.random_action(seat, rng) for _ in range(draws))
            assert set(counts) <= set(moves)
            expected = draws / len(moves)
            chi = sum((counts[move] - expected) ** 2 / expected for move in moves)
            freedom = len(moves) - 1
            assert chi < freedom + 5 * (2 * max(freedom, 1)) ** 0.5 + 12
        state.apply(luck.choice(moves))
        decision += 1


CHECKSUMS = {
    3: (1879, 4223391828058659257),
    4: (2093, 15174156317335342935),
    5: (2196, 14238849369112499020),
}


@pytest.mark.parametrize("players", [3, 4, 5])
def test_random_games_are_the_same_compiled_and_plain(players):
    core = tsukimi.new("china-moon", players=players, chance="manual").core
    rng = Rng(1)
    decisions = core.playouts(rng, 20)
    assert (decisions, rng.state) == CHECKSUMS[players]
