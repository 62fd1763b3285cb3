"""Moves of equal value: chance decides, by the bot's own seed, never the order in which moves are numbered."""

from __future__ import annotations

from functools import cache

import pytest

import tsukimi
from conftest import COMPILED
from tsukimi import bots
from tsukimi.bots.budget import Budget
from tsukimi.bots.engine import best_first
from tsukimi.bots.python_evaluator import PythonEvaluator
from tsukimi.bots.tree import Tree
from tsukimi.core.rng import Rng

GAMES = [("charuma", 3), ("china-moon", 3), ("daruma", 3), ("dojo", 3)]


class Indifferent(PythonEvaluator):
    """All positions are worth the same to all."""

    def __init__(self) -> None:
        super().__init__()
        self.horizon = 0

    def value(self, game):
        return [1 / game.players] * game.players


def a_state_with_choice(game, players, most=12):
    state, rng = tsukimi.new(game, players=players, seed=3), Rng(3)
    while not 2 < len(state.actions(state.actors[0])) <= most:
        seat = state.actors[0]
        state.apply(state.core.random_action(seat, rng), seat)
    return state


@cache
def a_lost_position():
    """A position of China Moon in which the player to move loses whatever is played."""
    for seed in range(200):
        state, rng = tsukimi.new("china-moon", players=3, seed=seed), Rng(seed)
        while not state.over:
            seat, moves = state.actors[0], state.actions(state.actors[0])
            if state.core.arrived == 3 and 2 < len(moves) < 30:
                known = bots.engine_for(state, 1).solve(state.core.copy(), seat, moves, Budget(None, 200))
                if len(known) == len(moves) and max(known.values()) < 1e-6:
                    return state
            state.apply(state.core.random_action(seat, rng), seat)
    raise AssertionError("no such position was met")


def test_equal_candidates_come_in_random_order_and_others_by_their_share():
    equal = [bots.Candidate(move, 0.25, 1.0) for move in range(4)]
    firsts = {best_first(equal, Rng(seed))[0].move for seed in range(60)}
    assert firsts == {0, 1, 2, 3}
    assert best_first(equal, Rng(7)) == best_first(equal, Rng(7))
    unequal = [bots.Candidate(move, move / 10, 1.0) for move in range(4)]
    assert [candidate.move for candidate in best_first(unequal, Rng(7))] == [3, 2, 1, 0]


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_a_search_that_finds_no_difference_prefers_no_move(game, players):
    state = a_state_with_choice(game, players)
    seat, moves = state.actors[0], state.actions(state.actors[0])
    playouts = Budget(None, 5 * len(moves) // 2)  # some moves are visited once more than others
    chosen = {Tree(state.core, Indifferent(), seed).search(state.core, seat, playouts)[0].move for seed in range(40)}
    assert len(chosen) > len(moves) // 2


@pytest.mark.parametrize("level", ["master", "flat"])
def test_a_player_who_cannot_win_favours_no_other_player(level):
    state = a_lost_position()
    seat = state.actors[0]
    moves, budget = state.actions(seat), Budget(None, 2000 if COMPILED or level != "flat" else 60)
    chosen = [bots.make(level, state, seed, budget).choose(state, seat) for seed in range(12)]
    assert len(set(chosen)) > 2
    assert chosen.count(min(moves)) < 8
    assert chosen == [bots.make(level, state, seed, budget).choose(state, seat) for seed in range(12)]
