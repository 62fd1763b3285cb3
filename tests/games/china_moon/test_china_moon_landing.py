"""What happens where a frog lands: sentences of docs/games/china-moon.md."""

from __future__ import annotations

import pytest

import tsukimi
from games.china_moon.china_moon_ponds import at, held, hub, landings, line, play, pond, ready

# ---- lilies -------------------------------------------------------------------------------


def test_a_lily_on_the_pad_is_taken_by_the_owner_of_the_frog_whoever_moved_it():
    state = play(ready(line(".L"), lilies={"2": "white"}), "move p2a 2")
    assert held(state, 1) == {"white": 1}
    assert held(state, 0) == {}
    assert "2" not in state.view(None)["lilies"]


def test_a_lily_that_is_jumped_over_or_passed_stays():
    state = play(ready(line("LL.."), lilies={"1": "pink", "2": "white"}), "move p2a 2", "move p1a 3")
    assert state.view(None)["lilies"]["1"] == "pink"
    assert held(state, 0) == {}


def test_the_black_lily_is_taken_like_the_others():
    state = play(ready(hub("t13 t1")), "move p2a t13")
    assert held(state, 1) == {"black": 1}
    assert state.scores() == [0, -2, 0]


# ---- the prankster ------------------------------------------------------------------------


def prankster(lilies):
    """p1a has taken the lily of pad 2, p2a that of pad 3, then p1b lands on the prankster of pad 4."""
    state = ready(line(".LLP..."), lilies=lilies)
    return play(state, "move p1a 2", "move p2a 3", "move p1b 4")


def test_on_a_prankster_the_owner_must_give_a_lily_and_take_one_of_a_different_colour_from_that_player():
    state = prankster({"2": "pink", "3": "white"})
    assert state.legal() == ["trade pink p2 white"]
    play(state, "trade pink p2 white")
    assert held(state, 0) == {"white": 1}
    assert held(state, 1) == {"pink": 1}
    assert state.actors == (1,)


def test_the_owner_decides_the_trade_out_of_turn_whoever_moved():
    state = ready(line(".LLP..."), lilies={"2": "pink", "3": "white"})
    play(state, "move p1a 2", "move p2a 3", "move p2b 4")
    assert state.actors == (1,)
    assert state.legal(0) == []
    with pytest.raises(tsukimi.NotYourTurn):
        state.play("trade white p1 pink", seat=0)
    state.play("trade white p1 pink", seat=1)
    assert state.actors == (1,)  # and now it is p2's turn


def test_after_a_trade_in_the_middle_of_a_turn_the_turn_continues():
    board = hub("a b p t1", {"a": "L t1", "b": "L t1", "p": "P t1"})
    state = play(ready(board, lilies={"a": "pink", "b": "white"}), "move p1a a", "move p2a b", "move p3a t1")
    play(state, "move p1b p")  # moved by p2
    assert state.actors == (0,)
    play(state, "trade pink p2 white")
    assert state.actors == (1,)
    assert state.view(None)["moves_left"] == 2


def test_a_trade_takes_any_colour_of_any_other_player_and_gives_any_own_one():
    state = ready(
        line(".LLLLLP..."), players=4, lilies={"2": "pink", "3": "white", "4": "yellow", "5": "yellow", "6": "white"}
    )
    play(state, "move p1a 2", "move p2a 3", "move p3a 4", "move p1b 5", "move p2b 6", "move p1c 7")
    assert state.actors == (0,)
    assert sorted(state.legal()) == sorted(
        ["trade pink p2 white", "trade pink p3 yellow", "trade yellow p2 white"],
    )


def test_without_an_own_lily_a_prankster_does_nothing():
    state = ready(line(".LLP..."), lilies={"2": "pink", "3": "white"})
    play(state, "move p1a 2", "move p2a 3", "move p3a 4")
    assert state.view(None)["phase"] == "move"
    assert state.actors == (1,)


def test_when_nobody_has_a_different_lily_a_prankster_does_nothing():
    state = prankster({"2": "pink", "3": "pink"})
    assert state.view(None)["phase"] == "move"
    assert held(state, 0) == {"pink": 1}


def test_when_only_one_player_has_lilies_a_prankster_does_nothing():
    state = ready(line(".LLP..."), lilies={"2": "pink", "3": "white"})
    play(state, "move p2a 2", "move p2b 3", "move p2c 4")
    assert state.view(None)["phase"] == "move"
    assert held(state, 1) == {"pink": 1, "white": 1}


def test_a_lily_that_lies_on_a_prankster_is_taken_before_the_trade():
    board = hub("a b p c", {"a": "L t1", "b": "L t1", "p": "P c", "c": "B t1"})
    state = play(ready(board, lilies={"a": "pink", "b": "white"}), "move p1a a", "move p2a b", "move p1b c")
    play(state, "drop pink p", "move p3a p")
    assert state.actors == (2,)
    assert state.legal() == ["trade pink p2 white"]


# ---- the spring ---------------------------------------------------------------------------


def test_a_spring_moves_the_frog_two_pads_on_at_once():
    state = play(ready(line(".S.....")), "move p1a 2")
    assert at(state, "p1a") == "4"
    assert state.view(None)["moves_left"] == 2


def test_a_springs_leg_is_a_move_that_counts_only_free_pads():
    board = pond({"a": ". 3", "1": ". 2", "2": "S 3", "3": ". 4", "4": ". 5", "5": ". t1"}, start="1 a")
    state = play(ready(board), "move p2a 3", "move p1a 2")
    assert at(state, "p1a") == "5"


def test_springs_chain():
    state = play(ready(line(".S.S.S.S")), "move p1a 2")
    assert at(state, "p1a") == "t2"
    assert held(state, 0) == {state.events(None)[-1]["lily"]: 1}


def test_after_a_spring_the_frog_lands_again():
    state = play(ready(line(".S.L"), lilies={"4": "yellow"}), "move p2a 2")
    assert held(state, 1) == {"yellow": 1}


def test_the_mover_chooses_the_way_after_a_spring():
    board = pond({"1": ". 2", "2": "S a1 b1", "a1": ". a2", "a2": ". 3", "b1": ". 3", "3": ". 4", "4": ". t1"})
    state = play(ready(board), "move p2a 2")
    assert state.actors == (0,)
    assert state.view(None)["phase"] == "spring"
    assert sorted(state.legal()) == ["move p2a 3", "move p2a a2"]
    assert at(state, "p2a") == "2"
    with pytest.raises(tsukimi.IllegalMove) as caught:
        state.play("move p1a a1")
    assert caught.value.code == "china-moon.asked-spring"
    play(state, "move p2a a2")
    assert at(state, "p2a") == "a2"
    assert state.view(None)["moves_left"] == 2
    assert landings(state, "p2a") == set()


def test_a_lily_on_a_spring_is_taken_before_the_frog_continues():
    board = hub("a s c", {"a": "L t1", "s": "S d c", "d": ". e", "e": ". t1", "c": "B t1"})
    state = play(ready(board, lilies={"a": "pink"}), "move p1a a", "move p1b c", "drop pink s")
    assert state.view(None)["lilies"]["s"] == "pink"
    play(state, "move p2a s")
    assert state.view(None)["phase"] == "spring"
    assert held(state, 1) == {"pink": 1}
    assert sorted(state.legal()) == ["move p2a e", "move p2a t2"]  # c has a frog: t1, t2


def test_a_frog_on_its_way_from_a_spring_takes_both_lilies():
    state = ready(hub("a s c", {"a": "L t1", "s": "S c", "c": "B l", "l": "L t1"}), lilies={"a": "pink", "l": "white"})
    play(state, "move p1a a", "move p1b c", "drop pink s", "move p2a s")
    assert at(state, "p2a") == "t1"  # over c: l, t1
    event = state.events(None)[-1]
    assert [leg["landing"] for leg in event["legs"]] == ["s", "t1"]
    assert held(state, 1) == {"pink": 1, event["second_lily"]: 1} or held(state, 1) == {"pink": 2}


def test_a_spring_can_lead_into_the_goal():
    board = hub("s t1", {"s": "S e", "e": ". goal"})
    state = play(ready(board, goal="white pink yellow"), "move p2a s")
    assert at(state, "p2a") == "goal"
    assert held(state, 1) == {"white": 1}


# ---- the butterfly ------------------------------------------------------------------------


def test_on_a_butterfly_the_owner_drops_a_lily_of_choice_on_the_nearest_pad_behind():
    state = ready(line(".LL.B..."), lilies={"2": "pink", "3": "white"})
    play(state, "move p2a 2", "move p2b 3", "move p2c 4")
    play(state, "move p2b 6", "move p2a 5")
    assert state.actors == (1,)
    assert sorted(state.legal()) == ["drop pink", "drop white"]
    play(state, "drop white")  # 4 has a frog, 3 is free
    assert state.view(None)["lilies"]["3"] == "white"
    assert held(state, 1) == {"pink": 1}


def test_the_owner_decides_the_drop_out_of_turn():
    state = ready(line(".LB"), lilies={"2": "pink"})
    play(state, "move p2a 2", "move p2b 3")
    assert state.actors == (1,)
    with pytest.raises(tsukimi.NotYourTurn):
        state.play("drop pink", seat=0)
    state.play("drop pink", seat=1)
    assert state.view(None)["lilies"]["1"] == "pink"
    assert state.actors == (0,)


def test_pads_with_a_frog_or_a_lily_take_no_dropped_lily():
    state = ready(line(".LLB"), lilies={"2": "pink", "3": "white"})
    play(state, "move p2a 2", "move p1a 3", "move p2b 4", "drop pink")  # 3 and 2 have frogs
    assert state.view(None)["lilies"]["1"] == "pink"
    state = ready(hub("a l", {"a": "L t1", "l": "L b", "b": "B t1"}), lilies={"a": "pink"})
    play(state, "move p2a a", "move p3a l", "move p3b b")  # p3 drops what it took from l, with a frog on l
    assert [text.split()[0] for text in state.legal()] == ["drop"]
    play(state, state.legal()[0])
    assert set(state.view(None)["lilies"]) & {"x", "l", "b"} == {"x"}


def walled():
    """Behind the butterfly b there is but one pad, with a lily, and the start."""
    return pond({"l": "L b", "b": "B t1", "x": ". a t1", "a": "L t1"}, start="l x")


def test_start_takes_no_lily_and_if_there_is_no_pad_nothing_happens():
    state = play(ready(walled(), lilies={"a": "pink"}), "move p2a a", "move p2b b")
    assert held(state, 1) == {"pink": 1}
    assert state.view(None)["phase"] == "move"
    assert state.view(None)["moves_left"] == 1


def test_without_a_lily_a_butterfly_does_nothing():
    state = play(ready(line("..B")), "move p1a 2", "move p2a 3")
    assert at(state, "p2a") == "3"
    assert state.view(None)["phase"] == "move"


def test_a_dropped_lily_can_lie_on_any_kind_of_pad():
    for kind in ".PSB":
        board = hub("a k c", {"a": "L t1", "k": f"{kind} c", "c": "B t1"})
        state = play(ready(board, lilies={"a": "pink"}), "move p2a a", "move p2b c", "drop pink k")
        assert state.view(None)["lilies"]["k"] == "pink"


def two_arms():
    return pond(
        {
            "1": ". a1 b1",
            "a1": "L a2",
            "a2": ". 2",
            "b1": "L b2",
            "b2": ". 2",
            "2": "B 3",
            "3": ". t1",
        }
    )


def test_where_several_pads_are_nearest_the_owner_chooses_one():
    state = ready(two_arms(), lilies={"a1": "pink", "b1": "white"})
    play(state, "move p2a a1", "move p3a a2", "move p3b b1")
    play(state, "move p3a 3", "move p2a 2")
    assert state.actors == (1,)
    assert state.legal() == ["drop pink a2", "drop pink b2"]
    with pytest.raises(tsukimi.IllegalMove) as caught:
        state.play("drop pink")
    assert caught.value.code == "china-moon.drop-which-pad"
    play(state, "drop pink b2")
    assert state.view(None)["lilies"]["b2"] == "pink"


def test_pads_with_a_frog_count_as_steps_back():
    """a has a frog; b2 is as near as a and free; x, behind a, is a step farther than b2."""
    board = hub("l a b1", {"l": "L t1", "a": ". 2", "b1": ". b2", "b2": ". 2", "2": "B t1"})
    state = play(ready(board, lilies={"l": "pink"}), "move p2a l", "move p3a a", "move p2b 2")
    assert state.legal() == ["drop pink"]
    with pytest.raises(tsukimi.IllegalMove) as caught:
        state.play("drop pink x")
    assert caught.value.code == "china-moon.drop-one-pad"
    play(state, "drop pink")
    assert state.view(None)["lilies"]["b2"] == "pink"


def test_nearest_is_by_steps_back_through_every_arm():
    """Both pads one step behind have frogs; two steps behind are a1 and, through b as through a2, x."""
    board = hub("l a1 a2 b", {"l": "L t1", "a1": ". a2", "a2": ". 2", "b": ". 2", "2": "B t1"})
    state = play(ready(board, lilies={"l": "pink"}), "move p2a l", "move p3a a2", "move p3b b", "move p2b 2")
    assert sorted(state.legal()) == ["drop pink a1", "drop pink x"]


def test_the_black_lily_is_dropped_like_the_others():
    state = play(ready(hub("t13 b", {"b": "B t1"})), "move p2a t13", "move p2b b")
    assert state.legal() == ["drop black"]
    play(state, "drop black")
    assert state.view(None)["lilies"]["x"] == "black"
    assert state.scores() == [0, 0, 0]


def test_the_black_lily_is_traded_like_the_others():
    board = hub("a t12 p t1", {"a": "L t1", "p": "P t1"})
    state = play(ready(board, lilies={"a": "pink"}), "move p1a t12", "move p2a a", "move p1b p")
    assert state.legal() == ["trade black p2 pink"]
    assert play(state, "trade black p2 pink").scores() == [1, -2, 0]
