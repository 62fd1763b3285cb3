"""OpenSpiel's own tests and algorithms on our games."""

from __future__ import annotations

import json

import numpy as np
import pytest

import tsukimi
from envs.conftest import every_game, need

pyspiel = need("pyspiel")
need("tsukimi.envs.openspiel")
algorithms = "open_spiel.python.algorithms"


def load(game, **parameters):
    return pyspiel.load_game("tsukimi_" + game.replace("-", "_"), parameters)


def decisions(game, luck):
    """The states of a random game in which a player decides."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(luck.choice(outcomes, p=chances))
        else:
            yield state
            state.apply_action(luck.choice(state.legal_actions()))


@every_game
def test_its_random_simulations_pass(game, players):
    pyspiel.random_sim_test(load(game), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("reward", ["win", "score", "rank"])
def test_they_pass_with_every_kind_of_reward(reward):
    pyspiel.random_sim_test(load("leduc", reward=reward), num_sims=10, serialize=True, verbose=False)


@every_game
def test_a_resampled_state_looks_the_same_to_the_player_who_asks(game, players):
    luck = np.random.RandomState(1)
    for _, state in zip(range(8), decisions(load(game), luck), strict=False):
        player = state.current_player()
        drawn = state.resample_from_infostate(player, luck.random_sample)
        assert drawn.current_player() == player
        assert drawn.information_state_string(player) == state.information_state_string(player)
        assert drawn.observation_string(player) == state.observation_string(player)
        assert drawn.observation_tensor(player) == state.observation_tensor(player)
        assert drawn.legal_actions() == state.legal_actions()


def test_resampling_changes_what_the_player_does_not_know():
    luck = np.random.RandomState(1)
    state = next(decisions(load("leduc"), luck))
    assert len({str(state.resample_from_infostate(0, luck.random_sample)) for _ in range(30)}) == 3


@every_game
def test_its_information_set_search_plays(game, players):
    ismcts, mcts = need(f"{algorithms}.ismcts"), need(f"{algorithms}.mcts")
    luck, loaded = np.random.RandomState(1), load(game)
    evaluator = mcts.RandomRolloutEvaluator(1, luck)
    bot = ismcts.ISMCTSBot(loaded, evaluator, 1.4, 5, random_state=luck)
    state = next(decisions(loaded, luck))
    assert bot.step(state) in state.legal_actions()


def test_its_value_of_random_play_in_leduc_is_that_of_its_own_leduc():
    policy, score = need("open_spiel.python.policy"), need(f"{algorithms}.expected_game_score")
    values = []
    for game in (load("leduc", reward="score", first="p1"), pyspiel.load_game("leduc_poker")):
        uniform = policy.UniformRandomPolicy(game)
        values.append(score.policy_value(game.new_initial_state(), [uniform] * 2))
    assert values[0] == pytest.approx(values[1])


@pytest.mark.compiled
def test_its_cfr_learns_leduc():
    cfr, exploitability = need(f"{algorithms}.cfr"), need(f"{algorithms}.exploitability")
    game = load("leduc", reward="score", first="p1")
    solver = cfr.CFRPlusSolver(game)
    before = exploitability.nash_conv(game, solver.average_policy())
    for _ in range(10):
        solver.evaluate_and_update_policy()
    assert exploitability.nash_conv(game, solver.average_policy()) < before / 2
    assert len(solver.average_policy().states) == 288, "as many as the game has when suits do not matter"


def test_the_information_states_of_a_short_game_have_distinct_tensors():
    luck, tensors = np.random.RandomState(1), {}
    for _ in range(60):
        for state in decisions(load("leduc"), luck):
            player = state.current_player()
            key = player, state.information_state_string(player)
            assert tensors.setdefault(key, state.information_state_tensor(player)) == state.information_state_tensor(
                player
            )
    assert len({tuple(tensor) for tensor in tensors.values()}) == len(tensors) > 50


def test_a_playthrough_can_be_written():
    playthrough = need(f"{algorithms}.generate_playthrough")
    assert "game: tsukimi_leduc" in playthrough.playthrough("tsukimi_leduc", None, seed=1)


def test_options_are_parameters():
    state = load("charuma", players=3, auction="off").new_initial_state()
    view = json.loads(state.observation_string(0))
    assert view["players"] == 3
    assert view["options"]["auction"] == "off"
    with pytest.raises(tsukimi.BadOptions):
        load("charuma", reward="glory")
