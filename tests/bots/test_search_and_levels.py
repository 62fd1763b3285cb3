"""What holds for the search and the levels in every game."""

from __future__ import annotations

import sys
import time

import pytest

import tsukimi
from conformance.variants import random_game
from conftest import COMPILED
from tsukimi import bots
from tsukimi.bots.budget import Budget
from tsukimi.bots.evaluator import Evaluator
from tsukimi.bots.python_evaluator import PythonEvaluator
from tsukimi.bots.search import Search
from tsukimi.bots.tree import Tree
from tsukimi.lab import arena

SMALL = [("charuma", 2, {}), ("china-moon", 3, {}), ("daruma", 2, {}), ("dojo", 3, {})]
every_game = pytest.mark.parametrize("variant", SMALL, ids=[game for game, _, _ in SMALL])
PLAYOUTS = 300 if COMPILED else 12


def some_states(variant, seed, step):
    for decision, state in enumerate(random_game(variant, seed)):
        if decision % step == step // 2 and not state.over:
            yield state
        if decision > 6 * step:
            return


@every_game
def test_the_search_is_the_same_for_a_seed_a_number_of_playouts_and_of_threads(variant):
    for state in some_states(variant, 1, 12):
        seat = state.actors[0]
        for threads in (1, 2):
            found = [
                Tree(state.core, Evaluator(), 5, threads).search(state.core, seat, Budget(None, PLAYOUTS, threads))
                for _ in range(2)
            ]
            assert found[0] == found[1]
            assert {candidate.move for candidate in found[0]} == set(state.actions(seat))
            assert sum(candidate.weight for candidate in found[0]) >= PLAYOUTS


class Fancy(PythonEvaluator):
    """Likes one place for one frog; the other players do not care."""

    def __init__(self, seat, frog):
        super().__init__()
        self.horizon, self.seat, self.frog, self.place = 0, seat, frog, -1

    def value(self, game):
        return [0.9 if seat == self.seat and game.at[self.frog] == self.place else 0.1 for seat in range(game.players)]


def test_a_reused_tree_does_not_outvote_the_current_search():
    for state in random_game(("china-moon", 3, {}), 1):  # until a frog can land on two places
        seat = state.actors[0]
        landings = {}
        for move in state.actions(seat):
            landings.setdefault(move >> 6, []).append(move)
        several = [moves for frog, moves in landings.items() if frog < 9 and len(moves) > 1]
        if several:
            break
    one, other, *_ = several[0]
    fancy = Fancy(seat, one >> 6)
    tree = Tree(state.core, fancy, 5)
    for move, playouts in ((one, 12_000 if COMPILED else 3_000), (other, 1_500)):
        fancy.place = move & 63
        assert tree.search(state.core, seat, Budget(None, playouts))[0].move == move


def test_the_root_of_a_reused_tree_keeps_some_visits_in_the_same_proportions():
    state, kept = tsukimi.new("china-moon", players=3, seed=1), 500
    search = Search(state.core, bots.engine_for(state, 1).evaluator, 5)
    search.set_root(state.core, state.actors[0])
    search.run(1500)
    before = {move: (visits, mean) for move, visits, mean in search.result()}
    search.set_root(state.core, state.actors[0])
    after = {move: (visits, mean) for move, visits, mean in search.result()}
    assert kept - len(after) <= sum(visits for visits, _ in after.values()) <= kept
    most = max(before, key=lambda move: before[move][0])
    assert after[most][0] == pytest.approx(before[most][0] * kept / 1500, abs=1)
    assert after[most][1] == pytest.approx(before[most][1])


@pytest.mark.compiled
def test_the_tree_grows_with_the_search_and_is_not_reused_when_it_is_large():
    state = tsukimi.new("china-moon", players=3, seed=1)
    evaluator = bots.engine_for(state, 1).evaluator
    evaluator.horizon = 0
    evaluator.open_game = False  # as in games with chance or secrets, where no move leads to one node
    search = Search(state.core, evaluator, 5)
    search.set_root(state.core, state.actors[0])
    search.run(150_000)
    assert search.size() > 140_000
    search.set_root(state.core, state.actors[0])
    assert search.size() == 0
    search.run(1000)
    assert sum(visits for _, visits, _ in search.result()) == 1000


@every_game
def test_the_search_reads_nothing_that_its_seat_cannot_know(variant):
    for state in some_states(variant, 2, 12):
        seat = state.actors[0]
        real = Tree(state.core, Evaluator(), 5).search(state.core, seat, Budget(None, PLAYOUTS))
        for seed in range(2):
            other = state.resample(seat, seed)
            assert Tree(other.core, Evaluator(), 5).search(other.core, seat, Budget(None, PLAYOUTS)) == real


@every_game
@pytest.mark.parametrize("level", [*bots.NAMES, "flat"])
def test_a_bot_chooses_the_same_when_everything_hidden_is_different(variant, level):
    for state in some_states(variant, 3, 15):
        seat = state.actors[0]
        choices = {
            bots.make(level, twin, seed=4, budget=Budget(None, PLAYOUTS)).choose(twin, seat)
            for twin in (state, state.resample(seat, 1), state.resample(seat, 2))
        }
        assert len(choices) == 1
        assert choices <= set(state.actions(seat))


@every_game
def test_every_level_plays_whole_games(variant):
    game, players, _ = variant
    lineup = ("master", "regular", "novice")[:players]
    match = arena.Match(game, lineup, ms=None, playouts=40 if COMPILED else 3)
    for result in arena.run(match, 1)[: players if COMPILED else 1]:
        assert sum(result.shares) == pytest.approx(1)
        assert sorted(result.seats) == sorted(lineup)


@pytest.mark.compiled
@every_game
def test_a_time_budget_is_respected(variant):
    for state in some_states(variant, 4, 20):
        bot = bots.make("master", state, seed=1, budget=Budget(60, clock="cpu"))
        bot.choose(state, state.actors[0])
        started = time.thread_time()
        bot.choose(state, state.actors[0])
        assert time.thread_time() - started < 0.1


@every_game
@pytest.mark.parametrize("lang", ["en", "fr", "es"])
def test_a_bot_gives_the_reason(variant, lang):
    for state in some_states(variant, 5, 25):
        seat = state.actors[0]
        advice = bots.explain(state, seat, lang, Budget(None, PLAYOUTS))
        assert {text for text, _, _ in advice.moves} == set(state.legal(seat))
        assert advice.sentence.endswith(".")
        assert "{" not in advice.sentence
        assert all(0 <= share <= 1.000001 for _, share, _ in advice.moves)


def test_explaining_needs_a_seat_that_may_act():
    state = tsukimi.new("charuma", players=3, seed=1)
    with pytest.raises(tsukimi.NotYourTurn):
        bots.explain(state, (state.actors[0] + 1) % 3)


def test_an_unknown_bot_is_bad_options():
    with pytest.raises(tsukimi.BadOptions, match="deep-blue"):
        bots.make("deep-blue", tsukimi.new("dojo", players=3, seed=1))


PROGRAM = """
import json, sys
for line in sys.stdin:
    word, _, rest = line.partition(" ")
    data = json.loads(rest)
    if word == "choose":
        assert data["legal"] and "view" in data and "events" in data
        print(data["legal"][-1], flush=True)
"""


@every_game
def test_a_program_in_any_language_can_play(variant, tmp_path):
    game, players, _ = variant
    script = tmp_path / "bot.py"
    script.write_text(PROGRAM)
    match = arena.Match(game, (f"cmd:{sys.executable} {script}", *["random"] * (players - 1)))
    result = arena.play(match, 0, 0)
    assert sum(result.shares) == pytest.approx(1)


@pytest.mark.parametrize("code", ["", "print('castle')", "print('x' * 10**6)", "import sys; sys.exit(3)"])
def test_a_program_that_fails_is_reported(code, tmp_path):
    script = tmp_path / "bot.py"
    script.write_text(code)
    match = arena.Match("dojo", (f"cmd:{sys.executable} {script}", "random", "random"))
    with pytest.raises(tsukimi.BadOptions):
        arena.play(match, 0, 0)
    with pytest.raises(tsukimi.BadOptions):
        arena.play(arena.Match("dojo", ("cmd:/no/such/program", "random", "random")), 0, 0)


def test_every_rotation_of_a_deal_has_the_same_chance():
    match = arena.Match("daruma", ("random", "greedy"), ms=None, playouts=5)
    results = arena.run(match, 3)
    assert len(results) == 6
    for deal in range(3):
        assert {result.seats for result in results if result.deal == deal} == {
            ("random", "greedy"),
            ("greedy", "random"),
        }
    again = arena.run(match, 3)
    assert [(r.seats, r.scores) for r in results] == [(r.seats, r.scores) for r in again]


def test_standings_give_shares_that_sum_to_the_games_and_an_interval():
    match = arena.Match("dojo", ("greedy", "random", "random"))
    rows = {row.name: row for row in arena.standings(arena.run(match, 12 if COMPILED else 4))}
    assert rows["greedy"].share + 2 * rows["random"].share == pytest.approx(1)
    assert rows["greedy"].share > rows["random"].share
    assert 0 < rows["greedy"].interval < 1
