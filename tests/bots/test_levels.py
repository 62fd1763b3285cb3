"""The weaker levels err, but not in what anybody sees."""

from __future__ import annotations

from itertools import islice

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
    """Thinks what it is told, and sees the moves of a weaker level in the opposite order."""

    known = (1.0, 0.99, 0.5)

    def analyse(self, state, seat, budget):
        moves = state.actions(seat)[: len(self.known)]
        return [bots.Candidate(move, share, 1.0) for move, share in zip(moves, self.known, strict=True)]

    def seen(self, state, seat, level, budget):
        return self.analyse(state, seat, budget)[::-1]


@pytest.mark.parametrize(("known", "place"), [((1.0, 0.99, 0.5), 1), ((0.9, 0.5, 0.2), 2)])
def test_a_weaker_level_plays_what_it_sees_unless_that_throws_a_won_game_away(known, place):
    state = tsukimi.new("china-moon", players=3, seed=1)
    seat = state.actors[0]
    engine = Given(state.core.copy(), 1)
    engine.known = known
    chosen = {SearchBot(engine, "novice", Budget(None, 8), seed).choose(state, seat) for seed in range(5)}
    assert chosen == {state.actions(seat)[place]}


@pytest.mark.parametrize("game", ["charuma", "china-moon", "dojo"])
def test_a_novice_throws_no_dice_over_its_moves(game):
    """Where it looks at the next move only, another seed changes its choice among equal moves alone."""
    found = 0
    for state, seat in islice(decisions(game, 3, 1), 25):
        if game == "dojo" and state.view(seat)["phase"] != "place":
            continue
        seen = [bots.engine_for(state, seed).seen(state, seat, "novice", Budget(None, 8)) for seed in range(3)]
        if game == "charuma" and seen[0][0].weight > 1:
            continue  # the last two cards are solved, over sampled deals
        found += 1
        assert len({round(candidates[0].share, 6) for candidates in seen}) == 1
    assert found > 3


def blunders_avoided(state, seat, level, seed):
    """How many moves a level rules out here; it chooses none of them."""
    budget = Budget(None, 1000 if COMPILED else 100)
    half = budget.scaled(LEVELS[level], least=8).scaled(0.5, least=8)
    best = bots.engine_for(state, seed).analyse(state, seat, half)[0].move
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
            assert after.held[seat * COLOURS + BLACK] > before or state.core.arrived == 3
    assert seen or not COMPILED


@pytest.mark.parametrize("level", ["novice", "regular"])
def test_nobody_leaves_a_trick_that_is_sure_and_worth_taking(level):
    seen = 0
    for number, (state, seat) in enumerate(decisions("charuma", 3, 2 if COMPILED else 1)):
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
