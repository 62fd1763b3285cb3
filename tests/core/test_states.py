"""States compared, copied, pickled, and what a seat can distinguish."""

from __future__ import annotations

import copy
import hashlib
import os
import pickle
import random
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from operator import attrgetter, methodcaller

import pytest

import tsukimi
from conformance.variants import ALL, IDS, new, random_game
from core import kuhn

every_variant = pytest.mark.parametrize("variant", ALL, ids=IDS)


@pytest.fixture(autouse=True)
def _kuhn_is_known():
    tsukimi.games.register(kuhn.SPEC)
    yield
    tsukimi.games._registered.clear()


def at_decision(number, game="dojo", seed=3, **options):
    state, luck = tsukimi.new(game, players=3, seed=seed, **options), random.Random(seed)
    for _ in range(number):
        seat = luck.choice(state.actors)
        state.apply(luck.choice(state.actions(seat)), seat)
    return state


def test_states_are_equal_by_game_options_components_and_history():
    state = at_decision(9)
    again = at_decision(9)
    assert state == again
    assert hash(state) == hash(again)
    again.names, again.proof = {0: "Ana"}, ["verify x"]
    assert state == again
    assert state == tsukimi.replay(state.record())
    assert state != at_decision(10)
    assert state != at_decision(9, seed=4)
    assert at_decision(0, first="p1") != at_decision(0, first="p2")
    assert state != "a text"


def test_components_count_in_a_comparison():
    own = {"tatami": [{"disciple": "fox", "belt": 1, "count": 60}]}
    one = tsukimi.new("dojo", players=3, chance="manual", components=own)
    assert one == tsukimi.new("dojo", players=3, chance="manual", components=copy.deepcopy(own))
    assert one != tsukimi.new("dojo", players=3, chance="manual")


def test_positions_are_equal_by_content():
    one, two = at_decision(9).core, at_decision(9).core
    assert one == two
    assert hash(one) == hash(two)
    two.apply(two.actions()[0])
    assert one != two
    assert one != at_decision(9, belt="white").core
    assert one != 7


@every_variant
def test_pickles_and_deep_copies_keep_names_proof_and_future(variant):
    *_, state = (state for _, state in zip(range(8), random_game(variant, 5), strict=False))
    state.names, state.proof = {0: "Ana"}, ["verify commitment abc"]
    for again in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state)):
        assert again == state
        assert again.core == state.core
        assert again.names == state.names
        assert again.proof == state.proof
        assert again._source.__getstate__() == state._source.__getstate__()


@every_variant
def test_positions_are_pickled_and_copied(variant):
    state = tsukimi.new(variant.game, variant.players, seed=6, **variant.options)
    for _ in range(min(12, state.spec.length // 4)):
        state.apply(state.actions()[0])
    assert not state.over
    for again in (pickle.loads(pickle.dumps(state.core)), copy.deepcopy(state.core), copy.copy(state.core)):
        assert again == state.core
        assert again.actions() == state.core.actions()
        move = again.actions()[0]
        again.apply(move)
        assert again != state.core


def test_positions_with_own_components_are_pickled():
    own = {"tatami": [{"disciple": "fox", "belt": 1, "count": 60}]}
    core = tsukimi.new("dojo", players=4, seed=1, components=own).core
    again = pickle.loads(pickle.dumps(core))
    assert again == core
    assert again.observation(0) == core.observation(0)


def test_data_that_are_not_a_position_are_refused():
    _, (origin, data, checksum) = at_decision(3).core.__reduce__()
    import tsukimi.core.game as game

    for bad in (data[:-1], data[:-1] + bytes([data[-1] ^ 1]), b"", "text", None):
        with pytest.raises((tsukimi.BadOptions, TypeError)):
            game._revive(origin, bad, checksum)


def test_games_written_in_python_are_pickled_too():
    state = tsukimi.new("kuhn", players=2, seed=3, ante="2")
    again = pickle.loads(pickle.dumps(state))
    assert again == state
    assert pickle.loads(pickle.dumps(state.core)) == state.core


def test_other_processes_get_the_same_state():
    state = at_decision(7)
    state.names = {1: "Bo"}
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(methodcaller("infoset", 0), state).result() == state.infoset(0)
        assert pool.submit(attrgetter("names"), state).result() == {1: "Bo"}
        assert pool.submit(methodcaller("copy"), state.core).result() == state.core


def test_a_copy_is_independent():
    state = at_decision(6)
    state.undo(2)
    twin = state.copy()
    assert twin == state
    twin.play(twin.legal()[0]).undo(1)
    assert twin != state
    assert twin.lines()[: len(state.lines())] == state.lines()
    assert len(state.lines()) + 2 <= len(twin.lines())
    state.undo(1)
    assert twin.core != state.core or twin.lines() != state.lines()


@every_variant
def test_an_infoset_is_equal_for_states_that_the_seat_cannot_tell_apart(variant):
    for decision, state in enumerate(random_game(variant, 21)):
        if decision % 9 == 4 and decision < 60:
            for seat in range(state.players):
                key = state.infoset(seat)
                assert isinstance(key, bytes)
                assert state.resample(seat, seed=decision).infoset(seat) == key
                assert state.copy().infoset(seat) == key


@every_variant
def test_an_infoset_contains_what_the_seat_has_seen(variant):
    keys = {}
    for state in random_game(variant, 22):
        for seat in range(state.players):
            keys.setdefault(state.infoset(seat), []).append((seat, len(state.lines())))
        if len(keys) > 90:
            break
    assert all(len(found) == 1 for found in keys.values())
    taken_back = new(variant, 23)
    before = taken_back.infoset(0)
    taken_back.play(taken_back.legal()[0]).undo(1)
    assert taken_back.infoset(0) != before


def test_an_infoset_does_not_depend_on_the_others_secrets():
    def dealt(card):
        state = tsukimi.new("kuhn", players=2, chance="manual", first="p1")
        return state.play("deal p1 queen").play(f"deal p2 {card}").play("pass").play("bet")

    jack, king = dealt("jack"), dealt("king")
    assert jack.infoset(0) == king.infoset(0)
    assert jack.infoset(1) != king.infoset(1)
    assert jack.infoset(None) == king.infoset(None)
    assert jack.play("bet").infoset(0) != king.play("bet").infoset(0)


def test_an_infoset_is_stable_between_processes_and_builds():
    program = (
        "import tsukimi, hashlib; s = tsukimi.new('charuma', players=3, seed=7); s.play(s.legal()[0]);"
        "print(hashlib.sha256(b''.join(s.infoset(x) for x in (0, 1, 2, None))).hexdigest())"
    )
    state = tsukimi.new("charuma", players=3, seed=7)
    state.play(state.legal()[0])
    here = hashlib.sha256(b"".join(state.infoset(seat) for seat in (0, 1, 2, None))).hexdigest()
    for seed in ("0", "1"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        shown = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
        assert shown.stdout.strip() == here
    assert here == "cb9af1ff53a02a3cc84090029325235018ceaf3eeba92e11cdee089444a58171"


def test_the_package_of_our_games_is_importable_and_callable():
    import tsukimi.games.dojo

    assert tsukimi.games.dojo.SPEC.name == "dojo"
    assert {"charuma", "china-moon", "daruma", "dojo"} <= set(tsukimi.games())
    assert tsukimi.games.spec("dojo") is tsukimi.games.dojo.SPEC
