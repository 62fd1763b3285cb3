"""Arrivals, the end and the score: sentences of docs/games/china-moon.md."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tsukimi
from games.china_moon.china_moon_ponds import held, hub, play, ready
from tsukimi.core.rng import Rng


def race(goal="pink white yellow", players=3):
    return ready(hub("goal t1"), goal=goal, players=players)


def test_the_first_three_frogs_to_arrive_take_the_lily_of_their_place():
    state = play(race("yellow pink white"), "move p2a goal", "move p3a goal", "move p1a goal")
    assert [held(state, seat) for seat in range(3)] == [{"white": 1}, {"yellow": 1}, {"pink": 1}]
    assert [place["frog"] for place in state.view(None)["goal"]] == ["p2a", "p3a", "p1a", None]
    assert [place["lily"] for place in state.view(None)["goal"]] == [None, None, None, "blue"]


def test_the_fourth_takes_the_blue_one_and_the_game_is_over_at_once_in_the_middle_of_a_turn():
    state = play(race(), "move p2a goal", "move p3a goal", "move p1a goal")
    assert not state.over
    play(state, "move p3b goal")
    assert state.over
    assert state.actors == ()
    assert state.legal() == []
    assert held(state, 2) == {"white": 1, "blue": 1}
    with pytest.raises(tsukimi.NotYourTurn):
        state.play("move p1b goal")


def test_the_game_ends_even_if_lilies_are_left_on_the_pond():
    state = play(race(), "move p2a goal", "move p3a goal", "move p1a goal", "move p3b goal")
    assert len(state.view(None)["lilies"]) == 13


def test_most_points_win():
    state = play(race(), "move p2a goal", "move p2b goal", "move p2c goal", "move p3a goal")
    assert state.scores() == [0, 3, 4]
    assert state.winners() == [2]


def test_a_tie_is_shared():
    board = hub("a b goal t1", {"a": "L t1", "b": "L t1"})
    state = ready(board, lilies={"a": "white", "b": "pink"}, goal="white yellow pink")
    play(state, "move p2a a", "move p2b goal", "move p2c b")  # two white and a pink: 3 + 1
    play(state, "move p3a goal", "move p3b goal", "move p1a goal")  # yellow and pink for p3, blue for p1
    assert state.scores() == [4, 4, 2]
    assert state.winners() == [0, 1]


def test_there_are_no_winners_before_the_end():
    state = play(race(), "move p1a goal")
    assert state.scores() == [1, 0, 0]
    assert state.winners() == []


@pytest.mark.parametrize("colour", ["pink", "white", "yellow"])
def test_a_colour_counts_1_3_6_10_15_points_for_1_to_5_lilies(colour):
    pads = {"l1": "L k", "k": ". l4", "l2": "L e", "e": ". goal t1", "l3": "L t1", "l4": "L t1"}
    goal = " ".join([colour, *(other for other in ("pink", "white", "yellow") if other != colour)])
    state = ready(hub("l1 l2 l3 goal t1", pads), lilies={f"l{n}": colour for n in range(1, 5)}, goal=goal)
    points = [state.scores()[0]]
    for move in ("p1a l1", "p1b l2", "p2a t1", "p1c l3", "p1a l4", "p2b t2", "p1b goal"):
        state.play(f"move {move}")
        if move.startswith("p1"):
            points.append(state.scores()[0])
    assert points == [0, 1, 3, 6, 10, 15]
    assert held(state, 0) == {colour: 5}


def test_blue_counts_4_and_black_minus_2():
    state = play(ready(hub("goal t13 t1")), "move p2a goal", "move p2b goal", "move p2c goal")
    assert state.scores() == [0, 3, 0]
    play(state, "move p3a t13")
    assert state.scores() == [0, 3, -2]
    play(state, "move p1a goal")
    assert state.scores() == [4, 3, -2]
    assert state.winners() == [0]


@given(st.integers(0, 10**6), st.sampled_from([3, 4, 5]))
def test_the_score_is_the_sum_over_the_lilies_held(seed, players):
    state = tsukimi.new("china-moon", players=players, seed=seed)
    core = state.core.copy()
    core.playout(Rng(seed))
    for seat in range(players):
        counts = state.spec.view(core, seat)["held"][seat]
        points = sum(sum(range(1, counts[colour] + 1)) for colour in ("pink", "white", "yellow"))
        assert core.scores()[seat] == points + 4 * counts["blue"] - 2 * counts["black"]
    assert core.winners() == [seat for seat in range(players) if core.scores()[seat] == max(core.scores())]
