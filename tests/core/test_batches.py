"""Batches: many games stepped together give what the games give one by one."""

from __future__ import annotations

import pickle
import tomllib

import numpy as np
import pytest

import tsukimi
from conformance.variants import ALL, IDS
from conftest import COMPILED
from tsukimi.core.rng import Rng
from tsukimi.core.source import rng_of
from tsukimi.games import spec

GAMES = 64 if COMPILED else 6
STEPS = 300 if COMPILED else 40
every_variant = pytest.mark.parametrize("variant", ALL, ids=IDS)


def make(variant, **more):
    game, players, options = variant
    return tsukimi.batch(game, players=players, games=GAMES, seed=1, **options, **more)


@every_variant
def test_a_batch_plays_exactly_like_single_games(variant):
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


def arrays(batch):
    ragged = [batch.moves, batch.offsets, batch.actors]
    return [array.copy() for array in [*ragged, batch.observations, batch.over, batch.rewards, batch.scores]]


def same(some, others):
    return all(a.shape == b.shape and (a == b).all() for a, b in zip(some, others, strict=True))


@every_variant
def test_a_saved_batch_continues_as_it_would_have(variant):
    batch = make(variant, terminal=True)
    for _ in range(10):
        batch.step(batch.pick())
    saved, here = pickle.loads(pickle.dumps(batch.save())), arrays(batch)
    for _ in range(15):
        batch.step(batch.pick())
    later = arrays(batch)
    other = make(variant, threads=2, terminal=True)
    for again in (batch, other):
        again.load(saved)
        assert same(arrays(again), here)
        for _ in range(15):
            again.step(again.pick())
        assert same(arrays(again), later)


def test_positions_of_other_components_are_not_loaded():
    own = tomllib.loads((spec("dojo").folder / "components.toml").read_text("utf-8"))
    batch = tsukimi.batch("dojo", players=3, games=4, seed=1)
    other = tsukimi.batch("dojo", players=3, games=4, seed=1, components=own)
    with pytest.raises(tsukimi.BadOptions):
        batch.load(other.save())
    other.load(other.save())


def test_damaged_data_are_not_loaded():
    batch = tsukimi.batch("dojo", players=3, games=4, seed=1)
    saved, before = batch.save(), arrays(batch)
    damaged = bytearray(saved["positions"][0])
    damaged[-1] ^= 1
    others = tsukimi.batch("dojo", players=4, games=4, seed=1), tsukimi.batch("dojo", players=3, games=5, seed=1)
    bad = [{**saved, "positions": [bytes(damaged), *saved["positions"][1:]]}, *(other.save() for other in others)]
    for wrong in bad:
        with pytest.raises(tsukimi.BadOptions):
            batch.load(wrong)
        assert same(arrays(batch), before)


@every_variant
def test_a_game_depends_only_on_its_own_seed(variant):
    one, other = make(variant), make(variant)
    seeds = np.arange(GAMES) + 100
    one.reset(seeds=seeds)
    other.step(other.pick())
    other.reset(seeds=seeds[::-1])
    for _ in range(12):
        assert (one.observations == other.observations[::-1]).all()
        assert (one.actors == other.actors[::-1]).all()
        chosen = one.pick()
        assert (chosen == other.pick()[::-1]).all()
        one.step(chosen)
        other.step(chosen[::-1])


def test_some_games_can_be_restarted():
    batch = tsukimi.batch("dojo", players=3, games=6, seed=1)
    for _ in range(8):
        batch.step(batch.pick())
    before = batch.observations.copy()
    batch.reset(games=[1, 4], seeds=[7, 7])
    assert [i for i in range(6) if (batch.observations[i] != before[i]).any()] == [1, 4]
    assert (batch.observations[1] == batch.observations[4]).all()
    for bad in (
        {"games": [6]},
        {"games": [-1]},
        {"games": 1.5},
        {"seeds": [1]},
        {"seeds": "abc"},
        {"games": [0], "seeds": []},
    ):
        with pytest.raises(tsukimi.BadOptions):
            batch.reset(**bad)


@every_variant
def test_all_seats_can_be_observed_and_the_end_is_kept(variant):
    game, players, options = variant
    batch = make(variant, observe="all", terminal=True)
    start = tsukimi.new(game, players=players, chance="manual", **options).core
    size = start.observation_size
    assert batch.observations.shape == batch.terminal_observations.shape == (GAMES, players, size)
    core, rng, ended = start.copy(), Rng(5), 0
    batch.reset(seeds=np.full(GAMES, 5))
    core.sample_chance(rng)
    for _ in range(STEPS):
        assert batch.observations[0].tolist() == [core.observation(seat) for seat in range(players)]
        chosen = batch.pick()
        rng.randrange(int(batch.offsets[1]))  # the batch has used its generator to pick
        core.apply(chosen[0], core.actors[0])
        core.sample_chance(rng)
        batch.step(chosen)
        if core.over:
            ended += 1
            assert batch.over[0]
            assert batch.terminal_observations[0].tolist() == [core.observation(seat) for seat in range(players)]
            core.assign(start)
            core.sample_chance(rng)
    assert ended or not COMPILED or game == "charuma"


@pytest.mark.parametrize("reward", ["score", "rank"])
@every_variant
def test_rewards_are_scores_or_ranks_if_asked(variant, reward):
    _, players, _ = variant
    plain, batch = make(variant), make(variant, reward=reward)
    for _ in range(STEPS):
        plain.step(plain.pick())
        batch.step(batch.pick())
        for i in np.flatnonzero(batch.over):
            scores, winners = batch.scores[i], plain.rewards[i] > 0
            if reward == "score":
                assert (batch.rewards[i] == scores).all()
            else:
                keys = [(winners[seat], 0 if winners[seat] else scores[seat]) for seat in range(players)]
                halves = [sum(2 * (key > k) + (key == k) for k in keys) - 1 for key in keys]
                assert batch.rewards[i].tolist() == pytest.approx([half / 2 / (players - 1) for half in halves])


def test_arrays_are_shared_with_other_libraries_without_a_copy():
    batch = tsukimi.batch("dojo", players=3, games=4, seed=1)
    for array in (batch.observations, batch.rewards, batch.scores, batch.over):
        assert np.shares_memory(np.from_dlpack(array), array)
        assert array.flags.writeable, "or other libraries refuse or copy it"
    seen = np.from_dlpack(batch.observations)
    for _ in range(5):
        batch.step(batch.pick())
    assert (seen == batch.observations).all()
    for array in (batch.actors, batch.moves, batch.offsets):
        assert not array.flags.writeable, "the batch relies on it"


def test_bad_arguments_of_a_batch_are_refused():
    batch = tsukimi.batch("dojo", players=3, games=4, seed=1)
    for bad in ([1, 2], np.zeros((4, 2), int), np.zeros(4), None, "abcd"):
        with pytest.raises(tsukimi.BadOptions):
            batch.step(bad)
    for games in (0, -1, 2**40, 1.5, None):
        with pytest.raises(tsukimi.BadOptions):
            tsukimi.batch("dojo", players=3, games=games)
    for bad in ({"threads": 0}, {"reward": "glory"}, {"observe": "nobody"}):
        with pytest.raises(tsukimi.BadOptions):
            tsukimi.batch("dojo", players=3, games=4, **bad)
