"""Budgets and clocks, the flat baseline, reasons in words, and figures of matches."""

from __future__ import annotations

import importlib
import math
import re
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import tsukimi
from conformance.variants import random_game
from conftest import COMPILED
from tsukimi import bots
from tsukimi.bots.budget import Budget, run_within
from tsukimi.core.rng import Rng
from tsukimi.core.words import Words
from tsukimi.lab import arena, searches

# ---- the clock -----------------------------------------------------------------------------------


def test_waiting_takes_time_on_the_wall_clock_and_none_on_the_cpu_clock():
    wall, cpu = Budget(1000, clock="wall").start(), Budget(1000, clock="cpu").start()
    time.sleep(0.03)
    assert wall.spent() > 29
    assert cpu.spent() < 15


def test_work_takes_time_on_the_cpu_clock():
    watch = Budget(1.0, clock="cpu").start()
    while watch.left() > 0:
        pass
    assert watch.spent() >= 1.0
    assert watch.remaining() == Budget(0.0, clock="cpu")


def test_another_thread_shares_the_end_on_the_wall_clock_and_has_its_own_time_on_the_cpu_clock():
    wall, cpu = Budget(500, clock="wall").start(), Budget(500, clock="cpu").start()
    assert wall.for_thread() is wall
    other = cpu.for_thread()
    with ThreadPoolExecutor(1) as pool:
        assert 480 < pool.submit(other.left).result() <= 500


def test_playouts_have_no_end_in_time():
    watch = Budget(None, 10).start()
    assert watch.left() == math.inf
    assert watch.remaining() == Budget(None, 10)


@pytest.mark.parametrize("most", [1, 7, 5000])
def test_work_is_done_exactly_as_often_as_asked(most):
    portions = []
    assert run_within(Budget(None, most).start(), most, portions.append) == most == sum(portions)


def test_something_is_done_even_without_time_and_nothing_that_would_end_too_late():
    portions = []
    assert run_within(Budget(0.0).start(), None, portions.append) == 1
    watch = Budget(40.0).start()
    run_within(watch, None, lambda portion: time.sleep(0.015 * portion))
    assert watch.spent() < 75


def test_a_level_takes_its_part_of_a_budget_and_keeps_the_clock():
    assert Budget(200.0, 100, 2, "cpu").scaled(0.02, least=8) == Budget(4.0, 8, 2, "cpu")


def test_a_match_is_played_by_the_cpu_clock_unless_asked_otherwise():
    match = arena.Match("daruma", ("random", "random"))
    assert match.clock == "cpu"
    assert arena.data(match, [arena.play(match, 0, 0)])["match"]["clock"] == "cpu"


# ---- flat ----------------------------------------------------------------------------------------


def always_wins(core, seat, move):
    for seed in range(40):
        after = core.copy()
        after.apply(move, seat)
        after.playout(Rng(seed))
        if list(after.winners()) != [seat]:
            return False
    return True


def test_flat_takes_the_win_that_lies_before_it():
    found = 0
    for seed in range(8 if COMPILED else 2):
        for state in random_game(("china-moon", 3, {}), seed):
            seat = None if state.over else state.actors[0]
            wins = (
                []
                if seat is None or state.core.arrived < 3
                else [
                    move
                    for move in state.actions(seat)
                    if (after := state.copy().apply(move, seat)).over and after.winners() == [seat]
                ]
            )
            if wins:
                found += 1
                chosen = bots.make("flat", state, 1, Budget(None, 2000 if COMPILED else 200)).choose(state, seat)
                assert chosen in wins or always_wins(state.core, seat, chosen)  # in random games, which is all it sees
                break
    assert found or not COMPILED


def test_flat_is_a_baseline_and_no_level_of_the_menus():
    assert "flat" not in bots.NAMES
    with pytest.raises(tsukimi.BadOptions, match="flat"):
        bots.make("flatter", tsukimi.new("dojo", players=3, seed=1))


# ---- scripted ------------------------------------------------------------------------------------


def test_scripted_is_a_baseline_of_some_games_and_no_level_of_the_menus():
    assert "scripted" not in bots.NAMES
    bots.make("scripted", tsukimi.new("daruma", players=3, seed=1))
    with pytest.raises(tsukimi.BadOptions, match="china-moon has no scripted bot"):
        bots.make("scripted", tsukimi.new("china-moon", players=3, seed=1))


# ---- reasons in words ----------------------------------------------------------------------------


def test_a_reason_names_the_players_and_uses_the_words_of_the_game():
    words = Words("china-moon", "en", ["Ana", "Bo", "p3"])
    fields = {"frog": "p2a", "owner": 1, "share": 40, "pad": "c1", "points": 2}
    assert words.why("china-moon.quiet", fields).startswith("Bo’s frog A ")
    assert "(p3)" in Words("china-moon", "fr", words.names).why("china-moon.quiet", {**fields, "owner": 2})
    keep = {"own": "fox4", "other": "raccoon2", "difference": 0.8}
    assert Words("dojo", "fr", words.names).why("dojo.keep", keep) == (
        "Pour toi, le renard à ceinture bleue vaut plus que le raton laveur à ceinture jaune\u00a0: environ 0,8 point."
    )


NOTATION = re.compile(r"[a-z][1-5]\b|\bp[1-3]|\b(10|[A2-9])[br]\b|\*|[a-z]\.[a-z]")


@pytest.mark.parametrize("game", ["charuma", "daruma", "dojo"])
@pytest.mark.parametrize("lang", ["en", "fr", "es"])
def test_advice_calls_cards_and_players_by_their_names(game, lang):
    state = tsukimi.new(game, players=3, seed=4)
    state.names = {0: "Ana", 1: "Bo", 2: "Cy"}
    for _ in range(40 if COMPILED else 12):
        seat = state.actors[0]
        sentence = bots.explain(state, seat, lang, Budget(None, 30)).sentence
        assert not NOTATION.search(sentence), sentence
        state.apply(state.actions(seat)[0], seat)


# ---- figures -------------------------------------------------------------------------------------


def test_an_interval_over_deals_is_never_certain_and_narrows_with_the_deals():
    assert 0.3 < arena.interval([1.0]) < 1
    assert arena.interval([1.0] * 20) > arena.interval([1.0] * 400) > 0
    assert arena.interval([0.25, 0.75] * 300) == pytest.approx(1.96 * 0.25 / 600**0.5, rel=0.02)


def test_search_speed_is_compared_with_the_better_of_the_others_in_the_same_round():
    found = {
        searches.ONE: [9.0, 10.0, 30.0],
        searches.TWO: [18.0, 19.0, 60.0],
        searches.HEARTS: [1.0, 2.0, 3.0],
        searches.SPADES: [3.0, 2.0, 5.0],
    }
    rows = {name: (figure, ratio) for name, figure, ratio, _ in searches.ratios(found)}
    assert rows[searches.ONE] == (10.0, 5.0)
    assert rows[searches.TWO] == (19.0, 2.0)


@pytest.mark.compiled
def test_our_searches_count_the_moves_they_simulate(monkeypatch):
    monkeypatch.setattr(searches, "SIMULATIONS", 50)
    moves = {name: work(0) for name, work in searches.works(None, None, None)}
    assert moves[searches.TWO] > 1.5 * moves[searches.ONE] > 5000
    assert moves[searches.MASTER] > 50


@pytest.fixture
def strength(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "bench")
    return importlib.import_module("strength")


def test_a_measurement_resumes_where_it_was_stopped(strength, tmp_path, monkeypatch):
    monkeypatch.setattr(strength, "LEAST_DEALS", 4)
    lines = tmp_path / "strength.jsonl"
    contests = [strength.Contest(game, 3, "random", "random", aim=0.4) for game in ("charuma", "dojo")]
    first = strength.Record(lines)
    strength.run(contests, first, 1.0, 0.3, 1)
    again = strength.Record(lines)
    assert again.found(contests[0], 1.0) == first.found(contests[0], 1.0) != []
    before = len(again.found(contests[0], 1.0))
    again.add(contests[0], 1.0, [0.5], 1.0)
    assert len(strength.Record(lines).found(contests[0], 1.0)) == before + 1


def test_what_is_exact_soonest_is_measured_next_and_what_is_exact_is_left(strength, tmp_path):
    record = strength.Record(tmp_path / "strength.jsonl")
    wide, narrow, new = [strength.Contest("dojo", 4, one, "b") for one in ("a", "c", "d")]
    record.add(wide, 20.0, [0.0, 1.0] * 50, 9.0)
    record.add(narrow, 20.0, [0.4, 0.6] * 50, 9.0)
    assert strength.soonest([narrow, wide, new], record, 20.0) is new
    assert strength.soonest([wide, narrow], record, 20.0) is narrow
    record.add(narrow, 20.0, [0.5] * 3000, 9.0)
    assert strength.soonest([narrow, wide], record, 20.0) is wide
    record.add(wide, 20.0, [0.5] * 3000, 9.0)
    assert strength.soonest([narrow, wide], record, 20.0) is None


def test_every_claim_is_a_match_and_the_table_says_whether_it_holds(strength, tmp_path):
    contests = list(strength.contests())
    assert len({contest.name for contest in contests}) == len(contests) == 4 * 7 + 2 * 2 + 1
    record = strength.Record(tmp_path / "strength.jsonl")
    record.add(contests[0], 20.0, [1.0, 0.5] * 40, 9.0)
    table = strength.report(record)
    assert "| charuma | 2 | master against 1 greedy | 20 ms | 160 | 75.0 % ± 5.7 | 80.0 % | not yet, within" in table
