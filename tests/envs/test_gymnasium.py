"""Gymnasium's own checker, and what it does not ask."""

from __future__ import annotations

import numpy as np
import pytest

import tsukimi
from envs.conftest import GAMES, every_game, need

gymnasium = need("gymnasium")
checker = need("gymnasium.utils.env_checker")
ours = need("tsukimi.envs.gymnasium")

BOTS = ["random", "greedy", "novice", "regular", "master"]


def played(env, seed):
    """A random game: what was seen, and the rewards."""
    luck = np.random.default_rng(seed)
    seen, info = env.reset(seed=seed)
    observations, rewards, ended = [seen], [], False
    while not ended:
        seen, reward, ended, truncated, info = env.step(luck.choice(np.flatnonzero(info["action_mask"])))
        assert not truncated
        observations.append(seen)
        rewards.append(reward)
    return observations, rewards


@every_game
@pytest.mark.parametrize("encoding", ["numbers", "onehot"])
def test_its_checker_passes(game, players, encoding):
    env = gymnasium.make(f"tsukimi/{game}-v1", players=players, encoding=encoding, render_mode="rgb_array")
    checker.check_env(env.unwrapped)


@every_game
def test_a_seed_gives_the_same_game_and_the_last_reward_is_the_result(game, players):
    env = gymnasium.make(f"tsukimi/{game}-v1", players=players, seat=players - 1)
    first, rewards = played(env, 3)
    again, _ = played(env, 3)
    assert all((a == b).all() for a, b in zip(first, again, strict=True))
    winners = env.unwrapped.game.winners()
    assert sum(rewards) == (1 / len(winners) if players - 1 in winners else 0)


@pytest.mark.parametrize("bot", BOTS)
@every_game
def test_bots_of_any_level_play_the_other_seats(game, players, bot):
    env = ours.SeatEnv(game, players, bots=bot, playouts=4)
    seen, info = env.reset(seed=1)
    for _ in range(4):
        seen, _, ended, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        assert env.observation_space.contains(seen)
        if ended:
            break


@every_game
def test_the_table_is_shown_as_its_seat_sees_it(game, players):
    env = ours.SeatEnv(game, players, render_mode="ansi")
    env.reset(seed=1)
    assert len(env.render()) > 40


def test_an_illegal_action_ends_the_episode_or_is_replaced_or_refused():
    bad = 58
    for illegal, ends in (("end", True), ("random", False)):
        env = ours.SeatEnv("dojo", 3, illegal=illegal, illegal_reward=-7)
        _, info = env.reset(seed=1)
        assert not info["action_mask"][bad]
        _, reward, ended, *_ = env.step(bad)
        assert (ended, reward) == (ends, -7 if ends else 0)
    env = ours.SeatEnv("dojo", 3, illegal="raise")
    env.reset(seed=1)
    with pytest.raises(tsukimi.IllegalMove):
        env.step(bad)


def test_the_seat_can_change_from_game_to_game():
    env = ours.SeatEnv("dojo", 3, seat="random")
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(20)} == {0, 1, 2}


def test_bad_settings_are_refused():
    for bad in ({"seat": 3}, {"seat": -1}, {"bots": ["random"]}, {"illegal": "maybe"}, {"players": 2}, {"belt": "red"}):
        with pytest.raises(tsukimi.BadOptions):
            ours.SeatEnv("dojo", **{"players": 3, **bad})
    with pytest.raises(tsukimi.BadOptions):
        ours.SeatEnv("dojo", 3, bots="nobody").reset()


def test_its_vector_environment_runs_ours():
    game, players = GAMES[-1]
    envs = gymnasium.make_vec(f"tsukimi/{game}-v1", num_envs=3, vectorization_mode="sync", players=players)
    seen, info = envs.reset(seed=1)
    for _ in range(20):
        actions = np.array([np.flatnonzero(mask)[0] if mask.any() else 0 for mask in info["action_mask"]])
        seen, rewards, *_, info = envs.step(actions)
    assert seen.shape == (3, envs.single_observation_space.shape[0])
    assert rewards.shape == (3,)


def test_masks_have_the_form_that_other_libraries_expect():
    env = ours.SeatEnv("dojo", 3)
    _, info = env.reset(seed=1)
    assert env.action_masks().dtype == bool
    assert (env.action_masks() == info["action_mask"]).all()
