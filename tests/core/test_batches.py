"""Batches: many games stepped together give what the games give one by one."""

from __future__ import annotations

import numpy as np
import pytest

import tsukimi
from conformance.variants import ALL, IDS
from conftest import COMPILED
from tsukimi.core.rng import Rng
from tsukimi.core.source import rng_of

GAMES = 64 if COMPILED else 6
STEPS = 300 if COMPILED else 40
every_variant = pytest.mark.parametrize("variant", ALL, ids=IDS)


def make(variant, **more):
    game, players, options = variant
    return tsukimi.batch(game, players=players, games=GAMES, seed=1, **options, **more)


@every_variant
def test_a_batch_plays_exactly_as_single_games_do(variant):
    game, players, options = variant
    batch = make(variant)
    start = tsukimi.new(game, players=players, chance="manual", **options).core
    root = rng_of(1)
    rngs = [Rng(root.number()) for _ in range(GAMES)]
    cores = [start.copy() for _ in range(GAMES)]
    for core, rng in zip(cores, rngs, strict=True):
        core.sample_chance(rng)
    ended = 0
    for _ in range(STEPS):
        for i, core in enumerate(cores):
            seat = core.actors[0]
            assert batch.actors[i] == seat
            assert batch.moves[batch.offsets[i] : batch.offsets[i + 1]].tolist() == core.actions(seat)
            assert batch.observations[i].tolist()[: core.observation_size] == core.observation(seat)
        chosen = batch.pick()
        for i, (core, rng) in enumerate(zip(cores, rngs, strict=True)):
            seat = core.actors[0]
            assert core.actions(seat)[rng.randrange(len(core.actions(seat)))] == chosen[i]
            core.apply(int(chosen[i]), seat)
            core.sample_chance(rng)
        batch.step(chosen)
        for i, (core, rng) in enumerate(zip(cores, rngs, strict=True)):
            assert batch.over[i] == core.over
            if core.over:
                ended += 1
                winners = core.winners()
                expected = [1 / len(winners) if seat in winners else 0 for seat in range(players)]
                assert batch.rewards[i].tolist() == pytest.approx(expected)
                assert batch.scores[i].tolist() == core.scores()
                core.assign(start)
                core.sample_chance(rng)
            else:
                assert batch.rewards[i].tolist() == [0] * players
    assert ended or not COMPILED or game == "charuma"


@every_variant
def test_the_number_of_threads_changes_nothing(variant):
    one, three = make(variant), make(variant, threads=3)
    for _ in range(20):
        assert (one.moves == three.moves).all()
        assert (one.offsets == three.offsets).all()
        assert (one.observations == three.observations).all()
        chosen = one.pick()
        assert (chosen == three.pick()).all()
        one.step(chosen)
        three.step(chosen)


@every_variant
def test_the_mask_says_the_same_as_the_ragged_list(variant):
    batch = make(variant)
    mask = batch.mask()
    assert mask.shape == (GAMES, batch.move_ids)
    for i in range(GAMES):
        moves = batch.moves[batch.offsets[i] : batch.offsets[i + 1]]
        assert sorted(moves.tolist()) == np.flatnonzero(mask[i]).tolist()


@every_variant
def test_an_illegal_move_in_a_batch_changes_nothing(variant):
    batch = make(variant)
    chosen = batch.pick()
    bad = chosen.copy()
    bad[3] = batch.move_ids + 5
    before = [batch.moves.copy(), batch.observations.copy(), batch.actors.copy()]
    with pytest.raises(tsukimi.IllegalMove) as caught:
        batch.step(bad)
    assert caught.value.params["game"] == 3
    assert all((a == b).all() for a, b in zip(before, [batch.moves, batch.observations, batch.actors], strict=True))
    batch.step(chosen)


def test_bad_arguments_of_a_batch_are_refused():
    batch = tsukimi.batch("dojo", players=3, games=4, seed=1)
    for bad in ([1, 2], np.zeros((4, 2), int), np.zeros(4), None, "abcd"):
        with pytest.raises(tsukimi.BadOptions):
            batch.step(bad)
    for games in (0, -1, 2**40, 1.5, None):
        with pytest.raises(tsukimi.BadOptions):
            tsukimi.batch("dojo", players=3, games=games)
    with pytest.raises(tsukimi.BadOptions):
        tsukimi.batch("dojo", players=3, games=4, threads=0)
