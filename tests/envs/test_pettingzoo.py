"""PettingZoo's own tests, and what they do not ask."""

from __future__ import annotations

import numpy as np
import pytest

import tsukimi
from envs.conftest import every_game, need

suite = need("pettingzoo.test")
pettingzoo = need("tsukimi.envs.pettingzoo")

# The warnings of its tests for every external environment with action masks.
masked = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",
)


@masked
@every_game
@pytest.mark.parametrize("encoding", ["numbers", "onehot"])
def test_its_api_test_passes(game, players, encoding):
    suite.api_test(pettingzoo.env(game, players, encoding=encoding), num_cycles=60)


@every_game
def test_its_parallel_api_test_passes(game, players):
    suite.parallel_api_test(pettingzoo.parallel_env(game, players), num_cycles=200)


@every_game
def test_its_seed_test_passes(game, players):
    suite.seed_test(lambda: pettingzoo.env(game, players), num_cycles=40)


@every_game
def test_its_render_test_passes(game, players, capsys):
    shown = {"ansi": lambda text: len(text) > 40, "rgb_array": lambda image: image.std() > 5}
    suite.render_test(lambda render_mode: pettingzoo.env(game, players, render_mode=render_mode), shown)
    assert len(capsys.readouterr().out) > 40, "human: the text on standard output"


@every_game
def test_a_whole_game_ends_with_the_rewards_of_its_winners(game, players):
    env = pettingzoo.env(game, players)
    env.reset(seed=3)
    total = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, ended, _, _ = env.last()
        total[agent] += reward
        env.step(None if ended else int(np.flatnonzero(seen["action_mask"])[-1]))
    winners = env.game.winners()
    assert total == {f"player_{s}": 1 / len(winners) if s in winners else 0.0 for s in range(players)}


@every_game
def test_parallel_steps_play_the_same_game_as_single_turns(game, players):
    """Nobody's legal moves depend on what the others choose at the same moment."""
    turns, together = pettingzoo.env(game, players), pettingzoo.parallel_env(game, players)
    turns.reset(seed=5)
    seen, _ = together.reset(seed=5)
    luck = np.random.default_rng(1)
    while together.agents:
        assert set(turns.game.actors) == set(together.game.actors)
        masks = {agent: seen[agent]["action_mask"] for agent in together.agents}
        actions = {agent: int(luck.choice(np.flatnonzero(m))) if m.any() else 0 for agent, m in masks.items()}
        for _ in range(len(together.game.actors)):
            agent = turns.agent_selection
            assert (turns.observe(agent)["action_mask"] == masks[agent]).all()
            turns.step(actions[agent])
        seen, rewards, *_ = together.step(actions)
        assert turns.game == together.game
    assert rewards == turns.rewards


def test_an_illegal_move_is_refused_and_changes_nothing():
    env, together = pettingzoo.env("dojo", 3), pettingzoo.parallel_env("dojo", 3)
    env.reset(seed=1)
    together.reset(seed=1)
    before = env.game.record()
    for bad in (58, 10**6, 1.5, None):
        with pytest.raises(tsukimi.TsukimiError):
            env.step(bad)
        with pytest.raises(tsukimi.TsukimiError):
            together.step(dict.fromkeys(together.agents, bad))
    assert env.game.record() == together.game.record() == before


def test_variants_and_components_can_be_chosen():
    env = pettingzoo.env("charuma", 4, auction="off", reward="score", encoding="onehot")
    env.reset(seed=1)
    assert env.game.options["auction"] == "off"
    with pytest.raises(tsukimi.BadOptions):
        pettingzoo.env("charuma", 4, reward="glory")
    with pytest.raises(tsukimi.BadOptions):
        pettingzoo.env("charuma", 9)


def test_the_state_holds_what_all_seats_know():
    env = pettingzoo.env("dojo", 3)
    env.reset(seed=1)
    assert env.state().shape == (3 * env.encoding.size,)
