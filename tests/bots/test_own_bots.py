"""Custom bots: registered names, objects and factories in matches, and clear errors."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import tsukimi
from tsukimi import bots
from tsukimi.bots import Budget
from tsukimi.lab import arena

DOCS = Path(__file__).parents[2] / "docs" / "bots.md"


class LastLegal:
    """An object that plays by itself."""

    def choose(self, state, seat):
        return state.actions(seat)[-1]


class Seeded:
    """A class that is a factory: it is made for every game from the state, a seed and the budget."""

    name = "my bot"
    made: ClassVar[list[tuple[str, int, Budget]]] = []

    def __init__(self, state, seed, budget):
        Seeded.made.append((state.game, seed, budget))

    def choose(self, state, seat):
        return state.actions(seat)[0]


def last_legal(state, seed, budget):
    return LastLegal()


@pytest.fixture(autouse=True)
def nothing_registered(monkeypatch):
    monkeypatch.setattr(bots, "_registered", {})
    Seeded.made.clear()


def test_a_registered_bot_is_made_by_its_name_with_a_seed_and_the_default_second():
    bots.register("first-legal", Seeded)
    state = tsukimi.new("daruma", players=2, seed=1)
    bot = bots.make("first-legal", state, seed=5)
    assert bot.choose(state, state.actors[0]) == state.actions()[0]
    assert Seeded.made == [("daruma", Seeded.made[0][1], Budget(1000.0))]
    bots.make("first-legal", state, seed=5, budget=Budget(None, 7))
    assert Seeded.made[1] == (*Seeded.made[0][:2], Budget(None, 7))


def test_a_second_factory_of_a_name_replaces_the_first():
    bots.register("mine", Seeded)
    bots.register("mine", last_legal)
    assert isinstance(bots.make("mine", tsukimi.new("daruma", players=2, seed=1)), LastLegal)


@pytest.mark.parametrize("name", ["master", "flat", "", "a b", "mine@20ms", "cmd:mine", 3])
def test_a_name_that_is_taken_or_means_something_else_cannot_be_registered(name):
    with pytest.raises(tsukimi.BadOptions, match="registered"):
        bots.register(name, last_legal)


def test_what_is_not_a_bot_is_refused_where_it_is_given():
    state = tsukimi.new("daruma", players=2, seed=1)
    with pytest.raises(tsukimi.BadOptions, match="choose"):
        bots.register("mine", LastLegal())
    with pytest.raises(tsukimi.BadOptions, match="42 is no bot"):
        arena.Match("daruma", (42, "random"))
    bots.register("mine", lambda state, seed, budget: "nobody")
    with pytest.raises(tsukimi.BadOptions, match="'nobody' is no bot"):
        bots.make("mine", state)
    with pytest.raises(tsukimi.BadOptions, match="'nobody' is no bot"):
        arena.play(arena.Match("daruma", (lambda state, seed, budget: "nobody", "random")), 0, 0)


def test_the_error_for_an_unknown_name_lists_the_registered_ones():
    bots.register("mine", last_legal)
    with pytest.raises(tsukimi.BadOptions, match="flat, mine"):
        bots.make("yours", tsukimi.new("daruma", players=2, seed=1))


# ---- in matches ----------------------------------------------------------------------------------


def test_objects_factories_classes_and_registered_names_play_matches():
    bots.register("registered", last_legal)
    match = arena.Match("dojo", [LastLegal(), Seeded, last_legal, "registered@5"], ms=None, playouts=9)
    assert match.names == ("LastLegal", "my bot", "last_legal", "registered@5")
    results = arena.run(match, 1)
    assert {name for result in results for name in result.seats} == set(match.names)
    assert len(arena.standings(results)) == 4
    assert {made[2] for made in Seeded.made} == {Budget(None, 9, clock="cpu")}
    assert arena.data(match, results)["match"]["lineup"] == match.names


def test_the_same_bot_twice_is_one_entrant_and_two_alike_are_two():
    one, other = LastLegal(), LastLegal()
    assert arena.Match("dojo", (one, other, one)).names == ("LastLegal", "LastLegal 2", "LastLegal")


def test_several_processes_play_the_same_games_as_one():
    bots.register("registered", last_legal)
    match = arena.Match("daruma", (LastLegal(), "registered", "random"))
    alone, together = (arena.run(match, 2, processes) for processes in (1, 2))
    assert [(r.seats, r.scores) for r in alone] == [(r.seats, r.scores) for r in together]


def test_a_bot_that_cannot_be_sent_to_other_processes_is_named():
    match = arena.Match("daruma", (lambda state, seed, budget: LastLegal(), "random"))
    assert len(arena.run(match, 1)) == 2
    with pytest.raises(tsukimi.BadOptions, match=r"<lambda>.*processes"):
        arena.run(match, 1, processes=2)


def test_an_illegal_move_is_the_fault_of_its_bot():
    class Wrong:
        def choose(self, state, seat):
            return 10**6

    with pytest.raises(tsukimi.BadOptions, match="'Wrong' failed"):
        arena.play(arena.Match("daruma", (Wrong(), "random")), 0, 0)


def test_a_budget_behind_a_name_must_be_one():
    with pytest.raises(tsukimi.BadOptions, match="800"):
        arena.play(arena.Match("daruma", ("master@soon", "random")), 0, 0)


def test_matches_need_no_ratings():
    """openskill is an extra: without it matches have no ratings, and nobody else imports it."""
    code = """
import sys
sys.modules["openskill"] = None
from tsukimi.lab import arena
rows = arena.standings(arena.run(arena.Match("dojo", ("greedy", "random", "random")), 1))
assert len(rows) == 2 and rows[0].rating is None
assert arena.standings(arena.run(arena.Match("dojo", ("random",) * 3), 1), rated=False)[0].rating is None
"""
    subprocess.run([sys.executable, "-c", code], check=True)


# ---- what is wrong -------------------------------------------------------------------------------


@pytest.mark.parametrize("limits", [{}, {"ms": None, "playouts": None}, {"threads": 2}])
def test_a_budget_needs_a_limit(limits):
    with pytest.raises(tsukimi.BadOptions, match=r"milliseconds \(ms\), playouts"):
        Budget(**limits)


@pytest.mark.parametrize(
    ("limits", "wrong"),
    [
        ({"ms": -1}, "ms"),
        ({"ms": float("nan")}, "ms"),
        ({"ms": float("inf")}, "ms"),
        ({"ms": "20"}, "ms"),
        ({"playouts": 0}, "playouts"),
        ({"playouts": 2.5}, "playouts"),
        ({"ms": 20, "threads": 0}, "threads"),
        ({"ms": 20, "clock": "sun"}, "clock"),
    ],
)
def test_an_invalid_limit_is_named(limits, wrong):
    with pytest.raises(tsukimi.BadOptions, match=f"Option {wrong}"):
        Budget(**limits)


@pytest.mark.parametrize("level", [*bots.NAMES, *bots.BASELINES])
def test_numpy_integers_are_seats_and_limits(level):
    state = tsukimi.new("daruma", players=2, seed=1)
    seat = state.actors[0]
    moves = {
        bots.make(level, state, 3, Budget(None, limit)).choose(state, one)
        for one, limit in ((seat, 8), (np.int64(seat), np.int32(8)), (np.uint8(seat), np.int64(8)))
    }
    assert len(moves) == 1
    assert bots.explain(state, np.int32(seat), budget=Budget(np.float64(5))).moves


@pytest.mark.parametrize("level", [*bots.NAMES, *bots.BASELINES])
def test_a_seat_that_may_not_act_is_named(level):
    state = tsukimi.new("daruma", players=2, seed=1)
    other = 1 - state.actors[0]
    bot = bots.make(level, state, 1, Budget(None, 8))
    with pytest.raises(tsukimi.NotYourTurn, match=f"p{state.actors[0] + 1}"):
        bot.choose(state, other)
    for wrong in (7, -1, "p1", 0.5, None):
        with pytest.raises(tsukimi.BadOptions, match="no seat"):
            bot.choose(state, wrong)


# ---- the documentation ---------------------------------------------------------------------------


def test_the_examples_of_the_documentation_run(capsys):
    state = tsukimi.new("daruma", players=3, seed=1)
    names = {"state": state, "seat": state.actors[0]}
    blocks = re.findall(r"```python\n(.*?)```", DOCS.read_text("utf-8"), re.S)
    assert len(blocks) >= 2
    for block in blocks:
        exec(block.replace("ms=200", "playouts=8").replace("deals=50", "deals=1"), names)
    assert "Cautious" in capsys.readouterr().out
