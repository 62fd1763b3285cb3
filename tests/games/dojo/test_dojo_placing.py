"""Where tatamis and trophies may go."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tsukimi
from games.dojo.dojo_builders import (
    all_pass,
    next_cards,
    place_anywhere,
    play,
    quiet_round,
    recruit,
    table,
    turn_if_asked,
    won_trophy,
)
from tsukimi.core.rng import Rng
from tsukimi.games.dojo.notation import PLACES, phase


def with_dojo(places, seat=0, players=3):
    """A table where a seat has filled these places, quietly, and is to place again."""
    state = table(players)
    for place in places:
        _to_placing(state)
        state.play("place {} {}".format(*place), seat)
        place_anywhere(state)
    return _to_placing(state)


def _to_placing(state):
    return all_pass(recruit(state, *next_cards(state)))


def places(state, seat=0):
    return {tuple(map(int, text.split()[1:])) for text in state.legal(seat)}


def test_the_first_card_is_placed_freely_and_fixes_nothing():
    assert with_dojo([]).legal(0) == ["place 0 0"]


def test_each_further_card_touches_one_by_a_side():
    assert places(with_dojo([(0, 0)])) == {(-1, 0), (1, 0), (0, -1), (0, 1)}


def test_a_card_that_touches_by_a_corner_only_is_refused():
    state = with_dojo([(0, 0)])
    with pytest.raises(tsukimi.IllegalMove) as problem:
        state.play("place 1 1", 0)
    assert problem.value.code == "dojo.not-beside"


def test_a_row_of_five_cards_is_refused():
    state = with_dojo([(0, 0), (0, 1), (0, 2), (0, 3)])
    assert (0, 4) not in places(state) and (0, -1) not in places(state)
    for text in ("place 0 4", "place 0 -1"):
        with pytest.raises(tsukimi.IllegalMove) as problem:
            state.play(text, 0)
        assert problem.value.code == "dojo.no-fit"


def test_a_column_of_four_cards_is_refused():
    state = with_dojo([(0, 0), (-1, 0), (1, 0)])
    assert {place for place in places(state) if place[1] == 0} == set()


def test_the_dojo_floats_until_three_rows_and_four_columns_are_there():
    state = with_dojo([(0, 0), (0, -1), (0, -2)])
    assert (0, -3) in places(state) and (0, 1) in places(state)
    state = with_dojo([(0, 0), (0, -1), (0, -2), (1, -2), (2, -2)])
    assert (-1, 0) not in places(state)
    assert (2, -3) in places(state)


def test_a_place_that_is_taken_is_refused_and_so_is_another_first_place():
    with pytest.raises(tsukimi.IllegalMove) as problem:
        with_dojo([(0, 0)]).play("place 0 0", 0)
    assert problem.value.code == "dojo.place-taken"
    with pytest.raises(tsukimi.IllegalMove) as problem:
        with_dojo([]).play("place 1 0", 0)
    assert problem.value.code == "dojo.first-card"


@given(st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_every_legal_place_keeps_a_way_to_three_rows_by_four_columns(seed):
    rng = Rng(seed)
    state = table(3)
    core = state.core
    for number in range(1, 13):
        while phase(core) != "place" or not core.actions(0):
            if core.chance:
                core.sample_chance(rng)
            else:
                mover = core.actors[0]
                core.apply(core.actions(mover)[-1 if phase(core) == "challenge" else 0], mover)
        free = {PLACES[place] for place in core.places(0)}
        taken = {(row, column) for row, column, _ in core.dojo(0)}
        assert free == brute_places(taken)
        assert free
        core.apply(core.random_action(0, rng), 0)
        assert len(core.dojo(0)) == number


def brute_places(taken):
    """Every place that touches a card by a side and keeps the whole within 3 x 4."""
    if not taken:
        return {(0, 0)}
    free = set()
    for row in range(-6, 7):
        for column in range(-6, 7):
            beside = {(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)}
            rows = [r for r, _ in taken] + [row]
            columns = [c for _, c in taken] + [column]
            fits = max(rows) - min(rows) < 3 and max(columns) - min(columns) < 4
            if (row, column) not in taken and beside & taken and fits:
                free.add((row, column))
    return free


# ---- trophies --------------------------------------------------------------------------------


@pytest.mark.parametrize("trophy", ["raccoon", "incense", "assistant"])
def test_black_trophies_go_on_a_row(trophy):
    state = _second_round(trophy)
    assert state.legal() == ["trophy row 0", "trophy row 1"]
    with pytest.raises(tsukimi.IllegalMove) as problem:
        state.play("trophy column 0")
    assert problem.value.code == "dojo.row-trophy"


@pytest.mark.parametrize("trophy", ["multicolour-belt", "kimono", "broom"])
def test_orange_trophies_go_on_a_column(trophy):
    state = _second_round(trophy)
    assert state.legal() == ["trophy column 0"]
    with pytest.raises(tsukimi.IllegalMove) as problem:
        state.play("trophy row 0")
    assert problem.value.code == "dojo.column-trophy"


def _second_round(trophy):
    """p1 wins this trophy in the second round, with a dojo of one column and two rows."""
    state = table(3)
    turn_if_asked(state, trophy)
    quiet_round(state)
    won_trophy(state, trophy, winner=0, place=False)
    state.play("place 1 0", 0)
    return place_anywhere(state)


def test_a_trophy_goes_only_on_a_line_that_already_has_a_card():
    state = _second_round("incense")
    with pytest.raises(tsukimi.IllegalMove) as problem:
        state.play("trophy row -1")
    assert problem.value.code == "dojo.line-empty"


def test_one_trophy_per_line_and_once_placed_it_stays():
    state = _second_round("incense")
    state.play("trophy row 1")
    quiet_round(play(state, "trophy raccoon"))
    won_trophy(state, "raccoon", winner=0, place=False)
    state.play("place 0 1", 0)
    place_anywhere(state)
    assert state.legal() == ["trophy row -1", "trophy row 0"]
    with pytest.raises(tsukimi.IllegalMove) as problem:
        state.play("trophy row 1")
    assert problem.value.code == "dojo.line-taken"
    state.play("trophy row 0")
    assert state.view(None)["dojos"][0]["trophies"] == [
        {"line": "row", "at": 0, "trophy": "raccoon"},
        {"line": "row", "at": 1, "trophy": "incense"},
    ]


def test_a_row_and_a_column_that_cross_may_both_have_a_trophy():
    state = _second_round("incense")
    state.play("trophy row 0")
    quiet_round(play(state, "trophy broom"))
    won_trophy(state, "broom", winner=0)
    assert "trophy column 0" in state.legal()


def test_if_no_line_is_free_the_trophy_goes_back_into_the_box_without_a_move_but_the_challenge_is_won():
    state = table(3, first="p3")
    won_trophy(play(state, "trophy incense"), None, winner=1)
    state.play("trophy row 0")
    won_trophy(play(state, "trophy raccoon"), None, winner=1, place=False)
    for seat in (0, 1, 2):
        state.play("place 0 1", seat)
    event = state.events(None)[-1]
    assert (event["boxed"], event["winner"]) == ("raccoon", 1)
    assert state.view(None)["dojos"][1]["won"] == 2
    assert state.view(None)["dojos"][1]["trophies"] == [{"line": "row", "at": 0, "trophy": "incense"}]
    assert state.view(None)["phase"] == "turn"
    assert dict(state.outcomes())["trophy raccoon"] == 1 / 10
