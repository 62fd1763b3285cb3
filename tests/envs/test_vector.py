"""The vector environment of Gymnasium, and what a batch adds for learners: masks, one seat, one-hot observations."""

from __future__ import annotations

import numpy as np
import pytest

import tsukimi
from conftest import COMPILED
from envs.conftest import GAMES, every_game, need
from tsukimi.envs.encoding import encoding

gymnasium = need("gymnasium")
need("tsukimi.envs.gymnasium")  # registers them
ours = need("tsukimi.envs.vector")

STEPS = 120 if COMPILED else 25


def legal(info, luck):
    return np.array([luck.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])


def run(env, seed, steps=STEPS):
    luck = np.random.default_rng(seed)
    seen, info = env.reset(seed=seed)
    rows = [(seen, np.zeros(env.num_envs), np.zeros(env.num_envs, bool), info)]
    for _ in range(steps):
        seen, rewards, ended, _, info = env.step(legal(info, luck))
        rows.append((seen, rewards, ended, info))
    return rows


@every_game
def test_make_vec_gives_it_with_the_spaces_types_and_keys_of_gymnasiums_own(game, players):
    named = {"players": players, "encoding": "onehot", "num_envs": 4, "seat": "random"}
    mode = gymnasium.vector.AutoresetMode.SAME_STEP
    fast = gymnasium.make_vec(f"tsukimi/{game}-v1", **named)
    assert isinstance(fast.unwrapped, ours.VectorSeatEnv)
    own = gymnasium.make_vec(
        f"tsukimi/{game}-v1", vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}, **named
    )
    assert fast.metadata["autoreset_mode"] == own.metadata["autoreset_mode"]
    assert fast.observation_space == own.observation_space
    assert fast.single_action_space == own.single_action_space
    for one, other in zip(fast.reset(seed=1), own.reset(seed=1), strict=True):
        if isinstance(one, dict):
            assert one.keys() == other.keys()
            assert all(one[key].shape == other[key].shape for key in one)
        else:
            assert (one.shape, one.dtype) == (other.shape, other.dtype)
    mask = np.flatnonzero
    both = [env.step(np.array([mask(row)[0] for row in env.reset(seed=2)[1]["action_mask"]])) for env in (fast, own)]
    for one, other in list(zip(*both, strict=True))[:-1]:
        assert (one.shape, one.dtype) == (other.shape, other.dtype)


@pytest.mark.compiled
@every_game
def test_a_seed_gives_the_same_games_whatever_the_threads_and_ended_games_show_their_end(game, players):
    named = {"players": players, "seat": "random", "encoding": "onehot"}
    first, again = (run(ours.VectorSeatEnv(game, 16, threads=threads, **named), 5) for threads in (1, 3))
    ends = 0
    for (seen, rewards, ended, info), (seen_too, *_, info_too) in zip(first, again, strict=True):
        assert (seen == seen_too).all()
        assert (info["action_mask"] == info_too["action_mask"]).all()
        assert info["action_mask"].any(1).all(), "somebody always decides"
        assert (rewards[~ended] == 0).all()
        for i in np.flatnonzero(ended):
            ends += 1
            assert info["final_obs"][i].shape == seen[i].shape
            assert (info["final_obs"][i] != seen[i]).any()
    assert ends or game == "charuma"


def test_the_chosen_seat_decides_and_all_seats_win_equally_often():
    """Dojo throws at the same moment: the seat is asked first, whoever else decides."""
    for seat in range(3):
        batch = tsukimi.batch("dojo", players=3, games=64 if COMPILED else 4, seed=seat, seat=seat)
        total, ends = 0.0, 0
        for _ in range(400 if COMPILED else 10):
            assert (batch.actors == seat).all()
            batch.step(batch.pick())
            total += batch.rewards[:, seat].sum()
            ends += int(batch.over.sum())
        assert not COMPILED or (ends > 100 and 0.2 < total / ends < 0.47)


@every_game
def test_a_batch_one_hot_says_what_its_numbers_say_and_masks_follow_the_moves(game, players):
    size, steps = (32, 200) if COMPILED else (3, 15)
    for observe in ("actor", "all"):
        named = {"players": players, "games": size, "seed": 1, "observe": observe, "terminal": True}
        numbers = tsukimi.batch(game, **named)
        hot = tsukimi.batch(game, encoding="onehot", masks=True, **named)
        layout, buffer = encoding(game, players), hot.observations
        masks = hot.masks
        for step in range(steps):
            if step % 20 == 0 or numbers.over.any():
                assert (layout.encode(numbers.observations) == hot.observations).all()
                assert (hot.mask() == masks).all()
            over = numbers.over.astype(bool)
            assert (layout.encode(numbers.terminal_observations[over]) == hot.terminal_observations[over]).all()
            moves = numbers.pick()
            assert (hot.pick() == moves).all()
            numbers.step(moves)
            hot.step(moves)
        assert buffer is hot.observations, "the memory stays, so that a network can read it"
        assert np.from_dlpack(hot.observations).ctypes.data == hot.observations.ctypes.data
        if observe == "all":
            assert np.shares_memory(hot.state, hot.observations)
            assert hot.state.shape == (size, players * layout.size)


def test_masks_and_seats_survive_saving():
    batch = tsukimi.batch("dojo", players=3, games=8, seed=1, masks=True, seat="random", terminal=True)
    for _ in range(30):
        batch.step(batch.pick())
    saved, seats = batch.save(), batch.seats.copy()
    later = tsukimi.batch("dojo", players=3, games=8, seed=2, masks=True, seat="random", terminal=True)
    later.load(saved)
    assert (later.seats == seats).all()
    assert (later.masks == later.mask()).all()
    assert (later.actors == batch.actors).all()


def test_an_illegal_action_ends_only_its_own_game_or_is_replaced_or_refused():
    bad, wrong = 58, np.array([False, True, False])
    for illegal in ("end", "random", "raise"):
        env = ours.VectorSeatEnv("dojo", 3, 3, illegal=illegal, illegal_reward=-7)
        seen, info = env.reset(seed=[1, 2, 3])
        assert not info["action_mask"][1, bad]
        actions = np.where(wrong, bad, info["action_mask"].argmax(1))
        if illegal == "raise":
            with pytest.raises(tsukimi.IllegalMove):
                env.step(actions)
            continue
        _, rewards, ended, _, info = env.step(actions)
        assert (ended == (wrong & (illegal == "end"))).all()
        assert (rewards == np.where(ended, -7, 0)).all()
        assert illegal == "random" or (info["final_obs"][1] == seen[1]).all()


def test_bad_settings_are_refused():
    game, players = GAMES[-1]
    for bad in ({"bots": "master"}, {"seat": players}, {"illegal": "maybe"}, {"encoding": "words"}):
        with pytest.raises(tsukimi.BadOptions):
            ours.VectorSeatEnv(game, 2, players, **bad)
    with pytest.raises(tsukimi.BadOptions):
        ours.VectorSeatEnv(game, 2, players).reset(seed=[1])
