"""`net:PATH`: a trained network as a bot, from a file, with NumPy alone."""

from __future__ import annotations

import numpy as np
import pytest

import tsukimi
from cli.typist import run
from tsukimi import bots
from tsukimi.bots.net import Network
from tsukimi.core.encoding import Encoding
from tsukimi.core.errors import BadOptions
from tsukimi.lab import arena


def saved(path, game="dojo", players=3, likes=None, **about):
    """A network of two layers that likes some moves (by number) best, whatever it sees; the rest is chance."""
    state = tsukimi.new(game, players, chance="manual")
    size, moves = Encoding(state.spec, state.core, "onehot").size, state.core.move_ids
    rng = np.random.default_rng(1)
    first = rng.normal(scale=0.02, size=(size, 4)).astype(np.float32), np.zeros(4, np.float32)
    last = rng.normal(size=(4, moves)).astype(np.float32), np.zeros(moves, np.float32)
    for move in likes or ():
        last[1][move] = 1000
    Network([first, last], {"game": game, "players": players, "options": state.options, **about}).save(path)
    return f"net:{path}"


def test_it_plays_a_legal_move_that_its_network_likes(tmp_path):
    state = tsukimi.new("dojo", 3, seed=1)
    liked = state.actions()[1]
    bot = bots.make(saved(tmp_path / "a.npz", likes=[liked]), state, seed=1)
    assert bot.choose(state, state.actors[0]) == liked


def test_it_plays_by_its_probabilities_or_the_best_move_as_the_file_says(tmp_path):
    state = tsukimi.new("dojo", 3, seed=1)
    seat, sampled, best = state.actors[0], saved(tmp_path / "a.npz"), saved(tmp_path / "b.npz", play="best")

    def chosen(name):
        return {bots.make(name, state, seed=seed).choose(state, seat) for seed in range(60)}

    assert len(chosen(best)) == 1
    assert len(chosen(sampled)) > 1


def test_its_choice_depends_only_on_what_its_seat_knows(tmp_path):
    name = saved(tmp_path / "a.npz", play="best")
    state = tsukimi.new("dojo", 3, seed=2)
    while not state.over:
        seat = state.actors[0]
        move = bots.make(name, state, seed=1).choose(state, seat)
        assert bots.make(name, state, seed=1).choose(state.resample(seat, 5), seat) == move
        state.apply(move, seat)


def test_it_plays_in_the_arena_and_in_the_terminal(tmp_path, monkeypatch):
    name = saved(tmp_path / "a.npz")
    rows = arena.standings(arena.run(arena.Match("dojo", [name, "random", "random"], playouts=1), deals=2))
    assert {row.name for row in rows} == {name, "random"}
    ended = run(monkeypatch, "play", "dojo", "--players", "3", "--bots", name, "--seed", "1", typed="quit\n")
    assert ended.code == 0, ended.err


@pytest.mark.parametrize("other", [{"game": "charuma"}, {"players": 4}, {"options": {"belt": "white"}}])
def test_a_network_of_another_game_is_refused(tmp_path, other):
    with pytest.raises(BadOptions) as refused:
        bots.make(saved(tmp_path / "a.npz", **other), tsukimi.new("dojo", 3, seed=1))
    assert refused.value.code == "bad-network"


@pytest.mark.parametrize("content", [None, b"", b"no network", b"PK\x03\x04 broken"])
def test_a_file_that_is_not_a_network_is_refused(tmp_path, content):
    path = tmp_path / "a.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadOptions) as refused:
        bots.make(f"net:{path}", tsukimi.new("dojo", 3, seed=1))
    assert refused.value.code == "bad-network"


def test_layers_that_do_not_fit_are_refused(tmp_path):
    path = tmp_path / "a.npz"
    saved(path)
    network = Network.load(path)
    for layers in (network.layers[:1], network.layers[::-1], []):
        Network(layers, network.about).save(path)
        with pytest.raises(BadOptions):
            bots.make(f"net:{path}", tsukimi.new("dojo", 3, seed=1))
