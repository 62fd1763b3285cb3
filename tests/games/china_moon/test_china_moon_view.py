"""What everyone sees: the view, the events and their words; and that there is nothing to hide."""

from __future__ import annotations

import itertools
import json
import random

import pytest
from hypothesis import given, settings

import tsukimi
from conftest import COMPILED
from games.china_moon.china_moon_ponds import hub, line, play, pond, ponds, ready
from tsukimi.core import catalogue
from tsukimi.core.rng import Rng
from tsukimi.core.spec import SPECTATOR
from tsukimi.games.china_moon import SPEC


def last(state):
    event = state.events(None)[-1]
    del event["index"]
    return event


def test_the_view_shows_the_pond_the_frogs_the_lilies_and_the_turn():
    state = play(ready(line("..L"), lilies={"3": "white"}), "move p2a 2", "move p1b 3")
    view = state.view(None)
    assert view["phase"] == view["ask"] == "move"
    assert view["turn"] == 0
    assert view["moves_left"] == 1
    assert view["frog"] is None
    assert view["frogs"][0] == [
        {"frog": "p1a", "pad": "start", "moved": False},
        {"frog": "p1b", "pad": "3", "moved": True},
        {"frog": "p1c", "pad": "start", "moved": False},
    ]
    assert view["held"][0] == {"pink": 0, "white": 1, "yellow": 0, "blue": 0, "black": 0}
    assert view["points"] == [1, 0, 0]
    assert view["goal"][3] == {"place": 4, "lily": "blue", "frog": None}
    assert "3" not in view["lilies"]
    assert view["board"]["pads"][2]["kind"] == "lily"
    assert view["board"]["pads"][2]["next"] == ["t1"]
    assert view["board"]["start"]["next"] == ["1"]


def test_the_view_shows_the_way_of_every_legal_move_jumps_included():
    state = play(ready(line("..." * 5)), "move p2a 2", "move p2b 3")
    assert state.view(None)["routes"]["move p1a 4"] == ["1", "2", "3", "4"]
    assert set(state.view(None)["routes"]) == set(state.legal())


def test_the_way_of_a_move_onto_a_spring_goes_on_to_where_the_frog_lands():
    state = ready(line(".S.S..."))
    assert state.view(None)["routes"]["move p1a 2"] == ["1", "2", "3", "4", "5", "6"]
    assert play(state, "move p1a 2").view(None)["frogs"][0][0]["pad"] == "6"


def test_the_way_of_a_move_ends_at_a_spring_with_several_ways_on():
    state = ready(pond({"1": ". 2", "2": "S 3", "3": ". 4 t1", "4": ". t1"}))
    way = state.view(None)["routes"]["move p1a 2"]
    assert way == ["1", "2"]
    assert play(state, "move p1a 2").view(None)["ask"] == "spring"


def test_the_view_before_the_lilies_lie_shows_the_set_up():
    state = tsukimi.new("china-moon", players=3, chance="manual")
    view = state.view(None)
    assert (view["phase"], view["ask"], view["turn"], view["lilies"], view["moves_left"]) == (
        "setup",
        None,
        None,
        {},
        0,
    )
    state.play("first p2").play("goal 1 pink")
    assert state.view(None)["goal"][0] == {"place": 1, "lily": "pink", "frog": None}
    assert state.view(None)["turn"] == 1


def test_the_view_says_which_frog_a_question_is_about():
    state = play(ready(line(".LB"), lilies={"2": "pink"}), "move p2a 2", "move p2b 3")
    view = state.view(None)
    assert (view["phase"], view["ask"], view["frog"], view["actors"], view["turn"]) == ("drop", "drop", "p2b", [1], 0)


def test_a_view_is_the_readers_own():
    state = ready()
    state.view(None)["board"]["pads"][0]["next"].append("goal")
    state.view(None)["lilies"].clear()
    assert state.view(None)["board"]["pads"][0]["next"] == ["2"]
    assert len(state.view(None)["lilies"]) == 13


# ---- events -------------------------------------------------------------------------------


def test_the_events_of_the_set_up():
    state = tsukimi.new("china-moon", players=3, chance="manual")
    state.play("first p3").play("goal 1 white").play("goal 2 pink").play("goal 3 yellow").play("lily 3 pink")
    assert state.events(None) == [
        {"index": 0, "type": "first", "first_seat": 2},
        {"index": 1, "type": "goal", "place": 1, "colour": "white"},
        {"index": 2, "type": "goal", "place": 2, "colour": "pink"},
        {"index": 3, "type": "goal", "place": 3, "colour": "yellow"},
        {"index": 4, "type": "lily", "pad": "3", "colour": "pink", "to_goal": 28},
    ]


def test_a_moves_event_says_from_where_over_what_to_where_and_what_was_taken():
    state = play(ready(line("..LL..."), lilies={"3": "pink", "4": "white"}), "move p2a 2", "move p1a 3", "move p2b 4")
    assert last(state) == {
        "type": "move",
        "seat": 0,
        "frog": "p2b",
        "owner": 1,
        "origin": "start",
        "landing": "4",
        "spring": False,
        "legs": [
            {
                "origin": "start",
                "path": ["1", "2", "3", "4"],
                "jumped": ["2", "3"],
                "landing": "4",
                "kind": "lily",
                "lily": "white",
            }
        ],
        "lily": "white",
        "to_goal": 15,
        "points": [1, 1, 0],
        "next_seat": 1,
    }


def test_spring_legs_that_follow_by_themselves_are_in_the_event():
    state = play(ready(line(".S.S.L"), lilies={"6": "yellow"}), "move p3a 2")
    event = last(state)
    assert [(leg["origin"], leg["landing"], leg["path"]) for leg in event["legs"]] == [
        ("start", "2", ["1", "2"]),
        ("2", "4", ["3", "4"]),
        ("4", "6", ["5", "6"]),
    ]
    assert event["lily"] == "yellow"
    assert (event["origin"], event["landing"]) == ("start", "6")


def test_a_spring_with_a_choice_asks_and_its_leg_is_an_event_of_its_own():
    board = pond({"1": ". 2", "2": "S a b", "a": ". 3", "b": ". 4", "3": ". t1", "4": ". t1"})
    state = play(ready(board), "move p2a 2")
    assert (last(state)["landing"], last(state)["asks"], last(state)["asked_seat"]) == ("2", "spring", 0)
    play(state, "move p2a 4")
    event = last(state)
    assert (event["spring"], event["origin"], event["landing"]) == (True, "2", "4")
    assert "next_seat" not in event


def test_an_arrival_says_its_place_and_lily_and_the_last_one_that_the_game_is_over():
    state = play(ready(hub("goal t1")), "move p2a goal")
    assert (last(state)["place"], last(state)["prize"], last(state)["points"]) == (1, "pink", [0, 1, 0])
    assert "over" not in last(state)
    play(state, "move p2b goal", "move p2c goal", "move p3a goal")
    event = last(state)
    assert (event["place"], event["prize"], event["over"], event["points"]) == (4, "blue", True, [0, 3, 4])
    assert "next_seat" not in event


def test_the_events_of_a_trade_and_of_a_drop():
    state = play(ready(line(".LLPB"), lilies={"2": "pink", "3": "white"}), "move p1a 2", "move p2a 3", "move p1b 4")
    assert (last(state)["asks"], last(state)["asked_seat"]) == ("trade", 0)
    play(state, "trade pink p2 white")
    assert last(state) == {
        "type": "trade",
        "seat": 0,
        "give": "pink",
        "to": 1,
        "take": "white",
        "points": [1, 1, 0],
        "next_seat": 1,
    }
    play(state, "move p1c 5")
    assert (last(state)["asks"], last(state)["asked_seat"]) == ("drop", 0)
    play(state, "drop white")
    assert last(state) == {"type": "drop", "seat": 0, "colour": "white", "pad": "1", "points": [0, 1, 0]}


@settings(max_examples=15)
@given(ponds())
def test_every_path_is_a_way_of_the_board_with_at_most_two_free_pads(board):
    state, luck = tsukimi.new("china-moon", players=4, seed=3, components=board), random.Random(4)
    onward = {"start": board["start"]} | {pad["id"]: pad["next"] for pad in board["pad"]}
    while not state.over:
        taken = {frog["pad"] for frogs in state.view(None)["frogs"] for frog in frogs} - {"start", "goal"}
        move = luck.choice(state.legal())
        state.play(move)
        event = last(state)
        if event["type"] != "move":
            continue
        for leg in event["legs"]:
            way = [leg["origin"], *leg["path"]]
            assert all(there in onward[here] for here, there in itertools.pairwise(way))
            free = [pad for pad in leg["path"] if pad not in taken]
            assert len(free) == 2 or (len(free) == 1 and free == ["goal"])
            assert free[-1] == leg["landing"] == leg["path"][-1]
            assert leg["jumped"] == [pad for pad in leg["path"] if pad in taken]
            taken = taken - {leg["origin"]} | {leg["landing"]} - {"goal"}


def test_every_event_has_a_text_in_three_languages():
    for seed in range(3):
        state, luck = tsukimi.new("china-moon", players=4, seed=seed), random.Random(seed)
        while not state.over:
            state.play(luck.choice(state.legal()))
        for event in state.events(None):
            for lang in catalogue.LANGUAGES:
                templates = catalogue.messages("china-moon", lang)["log"][event["type"]]
                assert "{" not in catalogue.fill(templates, event)


# ---- nothing is hidden --------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4, 5])
def test_all_see_the_same_and_resampling_changes_nothing(players):
    state, luck, rng = tsukimi.new("china-moon", players=players, seed=8), random.Random(8), Rng(1)
    decision = 0
    while not state.over:
        if decision % (1 if COMPILED else 6) == 0:
            shown = state.spec.view(state.core, SPECTATOR)
            for seat in (*range(players), SPECTATOR):
                assert state.spec.view(state.core, seat) == shown
                twin = state.core.copy()
                twin = twin.resample(seat, rng)
                assert twin.observation(0) == state.core.observation(0)
                assert state.spec.view(twin, seat) == shown
                assert SPEC.resample(state._start, state.history, seat, rng) == state.history
        state.play(luck.choice(state.legal()))
        decision += 1
    for seat in (*range(players), None):
        again = state.resample(seat, seed=4)
        assert again.record() == state.record()
        assert again.events(seat) == state.events(None)
    json.dumps(state.events(None), allow_nan=False)


def test_observations_of_different_positions_differ_and_are_relative_to_the_seat():
    state, luck, seen = tsukimi.new("china-moon", players=3, seed=2), random.Random(2), set()
    decisions = 0
    while not state.over:
        for seat in range(3):
            numbers = state.core.observation(seat)
            assert len(numbers) == state.core.observation_size
            assert all(0 <= number <= 16 for number in numbers)
        seen.add(tuple(state.core.observation(0)))
        decisions += 1
        state.play(luck.choice(state.legal()))
    assert len(seen) == decisions
    fresh = play(ready(line("..." * 4)), "move p2a 2")
    assert fresh.core.observation(0)[1] == 1 + 3  # the first frog of the next seat
    assert fresh.core.observation(1)[1] == 1


def test_the_view_says_how_far_each_pad_is_and_when_the_end_is_near():
    state = tsukimi.new("china-moon", players=3, seed=1)
    far = {pad["id"]: pad["to_goal"] for pad in state.view(None)["board"]["pads"]}
    assert (far["20"], far["19"], far["1"]) == (1, 2, 30)
    assert far["f1"] < far["e1"]  # the short way counts
    assert state.view(None)["ending"] is None
    rng, seen = Rng(5), 0
    while not state.over:
        state.apply(state.core.random_action(state.actors[0], rng), state.actors[0])
        view = state.view(None)
        home = sum(place["frog"] is not None for place in view["goal"])
        assert view["ending"] in (None, home)
        seen += view["ending"] is not None
        if view["over"]:
            assert view["ending"] is None
    assert seen
