"""The weaker levels err, but not in what anybody sees."""

from __future__ import annotations

import pytest

import tsukimi
from conftest import COMPILED
from tsukimi import bots
from tsukimi.bots.budget import Budget
from tsukimi.bots.levels import LEVELS, SearchBot
from tsukimi.core.rng import Rng
from tsukimi.games.china_moon.rules import BLACK, COLOURS

GAMES = 4 if COMPILED else 1


def decisions(game, players, games=GAMES):
    for deal in range(games):
        state, rng = tsukimi.new(game, players=players, seed=f"levels {deal}"), Rng(deal)
        while not state.over:
            seat = state.actors[0]
            if len(state.actions(seat)) > 1:
                yield state, seat
            state.apply(state.core.random_action(seat, rng), seat)


class Given(bots.Engine):
    """Thinks what it is told."""

    shares = (0.02, 0.005)

    def analyse(self, state, seat, budget):
        moves = state.actions(seat)[: len(self.shares)]
        return [bots.Candidate(move, share, 1.0) for move, share in zip(moves, self.shares, strict=True)]


@pytest.mark.parametrize("shares", [(0.02, 0.005), (0.995, 0.98)])
def test_a_novice_tells_moves_apart_when_far_behind_or_nearly_through(shares):
    state = tsukimi.new("china-moon", players=3, seed=1)
    seat = state.actors[0]
    engine = Given(state.core.copy(), 1)
    engine.shares = shares
    best = state.actions(seat)[0]
    chosen = [SearchBot(engine, "novice", Budget(None, 8), seed).choose(state, seat) for seed in range(100)]
    assert chosen.count(best) > 90


def blunders_avoided(state, seat, level, seed):
    """How many moves a level rules out here; it chooses none of them."""
    budget = Budget(None, 1000 if COMPILED else 100)
    best = bots.engine_for(state, seed).analyse(state, seat, budget.scaled(LEVELS[level], least=8))[0].move
    engine = bots.engine_for(state, seed)
    blunders = {move for move in state.actions(seat) if engine.is_blunder(state, seat, best, move)}
    if blunders:
        assert best not in blunders
        engine = bots.engine_for(state, seed)  # the same seed: the same analysis
        assert SearchBot(engine, level, budget, seed).choose(state, seat) not in blunders
    return blunders


@pytest.mark.parametrize("level", ["novice", "regular"])
def test_nobody_takes_the_black_lily_for_nothing(level):
    seen = 0
    for number, (state, seat) in enumerate(decisions("china-moon", 3)):
        before = state.core.held[seat * COLOURS + BLACK]
        for move in blunders_avoided(state, seat, level, number):
            seen += 1
            after = state.core.copy()
            after.apply(move, seat)
            assert after.held[seat * COLOURS + BLACK] > before
    assert seen or not COMPILED


@pytest.mark.parametrize("level", ["novice", "regular"])
def test_the_last_to_play_takes_the_trick_that_is_worth_taking(level):
    seen = 0
    for number, (state, seat) in enumerate(decisions("charuma", 2)):
        for move in blunders_avoided(state, seat, level, number):
            seen += 1
            after = state.core.copy()
            after.apply(move, seat)
            assert after.ahead() != seat
    assert seen


def wins_at_once(state, seat):
    """The moves that end the game and win it alone."""
    winning = set()
    for move in state.actions(seat):
        after = state.core.copy()
        after.apply(move, seat)
        if after.over and after.winners() == [seat]:
            winning.add(move)
    return winning


@pytest.mark.compiled
@pytest.mark.parametrize("level", ["novice", "regular"])
def test_whoever_can_win_at_once_does(level):
    """Over whole games that a level plays against itself."""
    seen = 0
    for deal in range(6):
        state = tsukimi.new("china-moon", players=3, seed=f"won {deal}")
        seats = [bots.make(level, state, f"{deal} {seat}", Budget(None, 400)) for seat in range(3)]
        while not state.over:
            seat = state.actors[0]
            winning = wins_at_once(state, seat) if state.core.arrived == 3 else set()
            move = seats[seat].choose(state, seat)
            if winning:
                seen += 1
                assert move in winning
            state.apply(move, seat)
    assert seen
