"""Charuma's bots as players: honest, reproducible, in time, and able to say why."""

from __future__ import annotations

import time

import pytest

import tsukimi
from conftest import COMPILED
from tsukimi import bots
from tsukimi.bots.charuma.endgame import systematic
from tsukimi.bots.charuma.evaluator import CharumaEvaluator
from tsukimi.core import catalogue
from tsukimi.core.rng import Rng

PLAYOUTS = bots.Budget(None, 64 if COMPILED else 4)


def positions(players, seed, most, **options):
    """States along a random game, one every few moves."""
    state, rng = tsukimi.new("charuma", players=players, seed=seed, **options), Rng(seed)
    for step in range(most):
        if state.over:
            return
        if step % 5 == 0:
            yield state
        seat = state.actors[0]
        state.apply(state.core.random_action(seat, rng), seat)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("name", ["greedy", "scripted", "novice", "master"])
def test_what_is_hidden_does_not_matter(players, name):
    for state in positions(players, players, 30 if COMPILED else 6):
        seat = state.actors[0]
        moves = {
            bots.make(name, state, 7, PLAYOUTS).choose(other, seat)
            for other in [state, *(state.resample(seat, f"hidden {s}") for s in range(2))]
        }
        assert len(moves) == 1


@pytest.mark.parametrize("players", [2, 4])
def test_the_same_seed_gives_the_same_analysis(players):
    for state in positions(players, 11, 30 if COMPILED else 6):
        seat = state.actors[0]
        first, second = (bots.engine_for(state, 3).analyse(state, seat, PLAYOUTS) for _ in range(2))
        assert first == second
        assert {candidate.move for candidate in first} == set(state.actions(seat))


def test_greedy_beats_random():
    won = 0
    games = 30 if COMPILED else 4
    for game in range(games):
        state = tsukimi.new("charuma", players=2, seed=game)
        table = [bots.make("greedy", state, game), bots.make("random", state, game)]
        if game % 2:
            table.reverse()
        while not state.over:
            seat = state.actors[0]
            state.apply(table[seat].choose(state, seat), seat)
        won += state.winners() == [game % 2]
    assert won >= 0.75 * games


@pytest.mark.parametrize("players", [2, 3])
def test_a_budget_is_respected(players):
    spent = []
    for state in positions(players, 5, 30 if COMPILED else 6):
        seat = state.actors[0]
        engine = bots.engine_for(state, 1)
        engine.analyse(state, seat, bots.Budget(None, 8 if COMPILED else 1))  # allocates the tree
        started = time.thread_time()
        engine.analyse(state, seat, bots.Budget(60.0, clock="cpu"))
        spent.append(time.thread_time() - started)
    assert sorted(spent)[len(spent) // 2] < (0.066 if COMPILED else 1.0)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_every_move_can_be_explained_in_three_languages(players):
    seen = set()
    for state in positions(players, 20 + players, 60 if COMPILED else 11):
        seat = state.actors[0]
        engine = bots.engine_for(state, 1)
        code, fields = engine.reason(state, seat, engine.analyse(state, seat, PLAYOUTS))
        seen.add(code)
        sentences = {catalogue.say("why", code, fields, lang) for lang in ("en", "fr", "es")}
        assert len(sentences) == 3
        assert all("{" not in sentence for sentence in sentences)
    assert len(seen) > 1


def test_a_bid_that_is_about_as_good_is_said_to_be_so():
    state = tsukimi.new("charuma", players=3, seed=4)
    seat, engine = state.actors[0], bots.engine_for(state, 1)
    first, *others = state.actions(seat)
    for share, equal in ((0.401, True), (0.33, False)):
        candidates = [bots.Candidate(first, 0.404, 1.0), *(bots.Candidate(move, share, 1.0) for move in others)]
        code, fields = engine.reason(state, seat, candidates)
        assert code.startswith("charuma.bid")
        for lang, words in (("en", "about as good"), ("fr", "à peu près"), ("es", "casi igual de buen")):
            sentence = catalogue.say("why", code, fields, lang)
            assert (words in sentence) == equal
            assert ("33" in sentence) != equal
            assert sentence.count("40") == 1


def test_sure_means_sure():
    """A trick that nobody can take is taken, whatever the others hold and play."""
    checked = 0
    for seed in (52, 55, 62, 63) if COMPILED else (62,):
        for state in positions(3, seed, 26 if COMPILED else 11, auction="off"):
            seat, engine = state.actors[0], bots.engine_for(state, 1)
            for move in state.actions(seat):
                others = [bots.Candidate(other, 0.5, 1.0) for other in state.actions(seat) if other != move]
                code, _ = engine.reason(state, seat, [bots.Candidate(move, 0.5, 1.0), *others])
                if code == "charuma.sure":
                    checked += 1
                    assert always_taken(state, seat, move)
    assert checked


def always_taken(state, seat, move):
    for draw in range(10):
        core, rng = state.core.copy(), Rng(draw)
        core = core.resample(seat, rng)
        core.apply(move, seat)
        while core.winner < 0:
            core.apply(core.random_action(core.turn, rng), core.turn)
        if core.winner != seat:
            return False
    return True


def test_shares_of_the_win_follow_the_points():
    state = tsukimi.new("charuma", players=2, seed=1, auction="off")
    core = state.core.copy()
    evaluator = CharumaEvaluator(core.table, 2, 1 << 10)
    evaluator.set_round(core, 8)
    shares = evaluator.shares(core)
    assert sum(shares) == pytest.approx(1.0)
    assert all(0.0 < share < 1.0 for share in shares)


def test_deals_are_drawn_as_often_as_they_are_likely():
    assert [systematic([0.0, 1.0, 3.0, 0.0], Rng(seed)) for seed in range(9)] == [[1, 2, 2, 2]] * 9


def test_a_search_begins_with_deals_that_fit_what_the_seat_knows():
    state = tsukimi.new("charuma", players=3, seed=5)
    engine = bots.engine_for(state, 1)
    assert engine._endgame.worlds(state, state.core, state.actors[0], Rng(1), 8) == []  # nobody has bid
    state.apply(state.actions()[3])
    seat = state.actors[0]
    worlds = engine._endgame.worlds(state, state.core, seat, Rng(1), 8)
    assert len(worlds) == 8
    assert {tuple(world.observation(seat)) for world in worlds} == {tuple(state.core.observation(seat))}
    assert len({world.data() for world in worlds}) > 1
