"""A position is safe to call from Python: what makes no sense is an error, never a crash."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tsukimi
from conformance.variants import ALL, IDS, new
from tsukimi.core.rng import Rng

every_variant = pytest.mark.parametrize("variant", ALL, ids=IDS)


def position(game="dojo", players=3):
    return tsukimi.new(game, players=players, seed=1).core.copy()


@every_variant
def test_a_position_uses_the_same_texts_as_its_state(variant):
    state = new(variant, 4)
    core = state.core.copy()
    for _ in range(30):
        assert (core.over, core.chance, core.actors) == (state.over, state.chance, state.actors)
        assert core.actions() == state.actions()
        assert core.scores() == state.scores()
        if state.over:
            break
        move = state.actions()[-1]
        state.apply(move)
        core.apply(move)
        while core.chance:  # the state's dice
            core.assign(state.core)


@every_variant
def test_at_chance_only_possible_outcomes_are_taken(variant):
    core, rng = new(variant, 0, chance="manual").core.copy(), Rng(1)
    spec = new(variant, 0).spec
    events = 0
    while events < 40 and not core.over:
        if not core.chance:
            core.apply(core.random_action(None, rng))
            continue
        events += 1
        possible = {outcome for outcome, _ in spec.outcomes(core)}
        for outcome in {500, *range(-1, 70), *(rng.randrange(2**25) for _ in range(20))} - possible:
            with pytest.raises((tsukimi.IllegalMove, tsukimi.MalformedMove)):
                core.copy().apply(outcome)
        for outcome in sorted(possible)[:60]:
            core.copy().apply(outcome)
        with pytest.raises(tsukimi.NotYourTurn):
            core.apply(min(possible), 0)
        core.apply(core.sample_outcome(rng))


def test_what_makes_no_sense_is_an_error():
    core = position()
    seat = core.actors[0]
    other = next(seat for seat in range(3) if seat not in core.actors)
    legal = core.actions()
    illegal = next(move for move in range(core.move_ids) if move not in legal)
    for bad, error in [
        (lambda: core.apply(500, 3), tsukimi.TsukimiError),
        (lambda: core.apply(illegal), tsukimi.IllegalMove),
        (lambda: core.apply(legal[0], other), tsukimi.NotYourTurn),
        (lambda: core.apply(core.move_ids), tsukimi.MalformedMove),
        (lambda: core.apply(2**40), tsukimi.MalformedMove),
        (lambda: core.apply("0"), tsukimi.MalformedMove),
        (lambda: core.apply(1.0), tsukimi.MalformedMove),
        (lambda: core.apply(True), tsukimi.MalformedMove),
        (lambda: core.apply(legal[0], True), tsukimi.BadOptions),
        (lambda: core.actions(99), tsukimi.BadOptions),
        (lambda: core.actions("p1"), tsukimi.BadOptions),
        (lambda: core.observation(3), tsukimi.BadOptions),
        (lambda: core.observation(-2), tsukimi.BadOptions),
        (lambda: core.resample(7, 1), tsukimi.BadOptions),
        (lambda: core.resample(0, 1.5), tsukimi.BadOptions),
        (lambda: core.random_action(other, Rng(1)), tsukimi.NotYourTurn),
        (lambda: core.random_action(seat, None), TypeError),
        (lambda: core.random_action(seat, 7), TypeError),
        (lambda: core.sample_outcome(Rng(1)), tsukimi.NotYourTurn),
        (lambda: core.sample_chance(7), TypeError),
        (lambda: core.playouts(Rng(1), -1), tsukimi.BadOptions),
        (lambda: core.playouts(Rng(1), 2**40), tsukimi.BadOptions),
        (lambda: core.playout(None), TypeError),
        (lambda: core.assign(position("charuma")), TypeError),
        (lambda: core.assign(None), TypeError),
        (lambda: core.dojo(5), tsukimi.BadOptions),
        (lambda: core.__init__(core.table, 3, 0, -1), TypeError),
        (lambda: type(core).__new__(type(core)).actions(0), TypeError),
        (lambda: type(core).__new__(type(core)).copy(), TypeError),
        (lambda: type(core)(None, 99, 0, 0), TypeError),
        (lambda: type(core)(core.table, 99, 0, 0), tsukimi.BadOptions),
        (lambda: type(core)(core.table, 3, 9, 0), tsukimi.BadOptions),
        (lambda: type(core)(core.table, 3, 0, 3), tsukimi.BadOptions),
        (lambda: type(core)(position("charuma").table, 3, 0, 0), (TypeError, tsukimi.BadComponents)),
        (lambda: Rng("7"), TypeError),
        (lambda: Rng(1).randrange(0), ValueError),
        (lambda: Rng(1).randrange(2.5), TypeError),
    ]:
        with pytest.raises(error):
            bad()
    core.apply(legal[0])


def test_a_table_for_fewer_players_is_refused():
    from tsukimi.games.charuma.deck import Deck
    from tsukimi.games.charuma.rules import Charuma

    with pytest.raises(tsukimi.BadComponents):
        Charuma(Deck(2), 5)
    with pytest.raises(tsukimi.BadOptions):
        Deck(9)


def test_errors_say_what_was_wrong_in_three_languages():
    core = position()
    with pytest.raises(tsukimi.MalformedMove) as caught:
        core.apply(1.0)
    assert str(caught.value) == "Moves must be integers, not float."
    assert caught.value.message("fr") == "Les coups doivent être des entiers, pas float."
    assert caught.value.message("es") == "Las jugadas deben ser enteros, no float."
    batch = tsukimi.batch("dojo", players=3, games=4, seed=1)
    with pytest.raises(tsukimi.BadOptions, match=r"Moves must be integers, not float64\."):
        batch.step(np.zeros(4))
    with pytest.raises(tsukimi.BadOptions, match=r"A batch of 4 games needs one move for each, not 2 moves\."):
        batch.step([1, 2])
    with pytest.raises(tsukimi.BadOptions, match=r"games must be an integer, not str\."):
        tsukimi.batch("dojo", players=3, games="4")


@pytest.mark.parametrize("kind", [np.int8, np.int32, np.int64, np.uint16])
def test_numpy_integers_are_integers(kind):
    state = tsukimi.new("dojo", players=kind(3), seed=kind(7))
    plain = tsukimi.new("dojo", players=3, seed=7)
    assert state == plain
    seat = state.actors[0]
    assert state.legal(kind(seat)) == plain.legal(seat)
    assert state.actions(kind(seat)) == plain.actions(seat)
    assert state.choices(kind(seat)) == plain.choices(seat)
    assert state.view(kind(seat)) == plain.view(seat)
    assert state.events(kind(seat)) == plain.events(seat)
    assert state.infoset(kind(seat)) == plain.infoset(seat)
    move = state.actions()[0]
    assert state.text(kind(move), kind(seat)) == plain.text(move, seat)
    assert state.core.observation(kind(seat)) == plain.core.observation(seat)
    assert state.resample(kind(seat), kind(3)) == plain.resample(seat, 3)
    state.core.copy().apply(kind(move), kind(seat))
    state.apply(kind(move), kind(seat))
    plain.apply(move, seat)
    assert state == plain
    assert all(type(number) is int for event in state.history for number in event)
    assert state.undo(kind(1)) == plain.undo(1)
    batch = tsukimi.batch("dojo", players=kind(3), games=kind(4), threads=kind(2), seed=kind(1))
    batch.step(batch.pick().astype(np.int64))


def test_booleans_are_no_integers():
    state = tsukimi.new("dojo", players=3, seed=7)
    for bad in (True, False, np.True_):
        with pytest.raises(tsukimi.BadOptions):
            state.view(bad)
        with pytest.raises(tsukimi.NotYourTurn):
            state.play(state.legal()[0], bad)
        with pytest.raises(tsukimi.MalformedMove):
            state.apply(bad)
        with pytest.raises(tsukimi.BadOptions):
            tsukimi.new("dojo", players=3, seed=bad)
        assert state.legal(bad) == []


FUZZ = Path(__file__).parent / "fuzz.py"


@pytest.mark.compiled
@pytest.mark.parametrize("seed", range(3))
def test_no_call_with_junk_kills_the_interpreter(seed):
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(Path(tsukimi.__file__).parents[1]), str(FUZZ.parent)]),
    }
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", str(FUZZ), str(seed)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.strip().endswith("alive")
