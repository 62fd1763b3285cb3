"""Daruma: what the darumas do, with the examples of the rulebooks."""

from __future__ import annotations

import pytest

import tsukimi
from games.daruma.daruma_table import cards, eyes, fortune, last, look, say, table

# 6/6/5/1/2/2/2 is the French rulebook's throw, 2/2/5/1/3/3 the Spanish one's; one more 1 paints.
FRENCH = "roll 1 1 2 2 2 5 6 6"
SPANISH = "roll 1 1 2 2 3 3 4 5"


def with_action(action, colour="red", players=2):
    """The daruma at place 1 has this action, the others do nothing on their first eye."""
    five = [f"{colour}.{action}", "orange.swap", "yellow.swap", "green.reroll-all", "blue.reroll-singles"]
    return table(players, five=five)


# ---- reroll --------------------------------------------------------------------------------


def test_reroll_all_rolls_all_available_dice_at_once():
    state = say(with_action("reroll-all"), FRENCH, "paint 1")
    assert look(state)["phase"] == "roll"
    assert look(state)["rolling"] == 7
    assert last(state)["rolled"] == [1, 2, 2, 2, 5, 6, 6]
    say(state, "roll 1 1 1 1 1 4 6")
    assert look(state)["dice"] == [1, 1, 1, 1, 1, 6]
    assert look(state)["ledger"]["fours"] == 1


def test_reroll_all_without_dice_has_no_effect_and_the_turn_ends():
    state = say(with_action("reroll-all"), "roll 1 2 2 2 2 2 2 2")
    for _ in range(6):
        say(state, "sake 2", "reroll 1", "roll 1")
    say(state, "sake 2", "reroll 1", "roll 1", "paint 1")
    assert last(state)["effect"] == "none"
    assert look(state)["turn"] == 1
    assert eyes(state, 1) == ["pupil", "none"]


@pytest.mark.parametrize(("roll", "legal"), [(FRENCH, ["2 2 2", "6 6"]), (SPANISH, ["2 2", "3 3"])])
def test_reroll_multiples_chooses_one_value_present_at_least_twice(roll, legal):
    state = say(with_action("reroll-multiples"), roll, "paint 1")
    assert state.legal() == [f"reroll {dice}" for dice in legal]


def test_reroll_multiples_rolls_all_dice_of_the_value():
    state = say(with_action("reroll-multiples"), FRENCH, "paint 1", "reroll 2 2 2")
    assert look(state)["rolling"] == 3
    say(state, "roll 3 3 4")
    assert look(state)["dice"] == [1, 3, 3, 5, 6, 6]


def test_reroll_multiples_of_one_pair_still_asks():
    state = say(with_action("reroll-multiples"), "roll 1 2 3 4 4 5 6 6", "paint 1")
    assert state.legal() == ["reroll 6 6"]


@pytest.mark.parametrize("action", ["reroll-multiples", "shift-multiples"])
def test_without_a_repeated_value_nothing_is_asked(action):
    state = say(with_action(action), "roll 1 2 3 4 4 4 5 6", "paint 1")
    assert last(state)["effect"] == "none"
    assert look(state)["ask"] == "use"
    assert look(state)["dice"] == [2, 3, 5, 6]


@pytest.mark.parametrize(("roll", "rolled"), [(FRENCH, [1, 5]), (SPANISH, [1, 5])])
def test_reroll_singles_rolls_every_die_whose_value_is_present_exactly_once_at_once(roll, rolled):
    state = say(with_action("reroll-singles"), roll, "paint 1")
    assert last(state)["rolled"] == rolled
    assert look(state)["phase"] == "roll"
    assert look(state)["rolling"] == len(rolled)


@pytest.mark.parametrize("action", ["reroll-singles", "shift-singles"])
def test_without_a_single_value_nothing_is_asked(action):
    state = say(with_action(action), "roll 1 2 2 2 3 3 6 6", "paint 1")
    assert last(state)["effect"] == "none"
    assert look(state)["dice"] == [2, 2, 2, 3, 3, 6, 6]


def test_the_die_that_paints_is_no_longer_available_when_the_action_happens():
    state = say(with_action("reroll-singles"), "roll 1 2 2 2 3 3 5 6", "paint 1")
    assert last(state)["rolled"] == [5, 6]
    state = say(with_action("reroll-multiples"), "roll 1 1 2 3 4 4 5 6", "paint 1")
    assert look(state)["ask"] == "use"


# ---- shift ---------------------------------------------------------------------------------


def test_shift_multiples_chooses_a_value_and_plus_or_minus_die_by_die():
    state = say(with_action("shift-multiples"), FRENCH, "paint 1")
    assert sorted(state.legal()) == [
        "shift 2+ 2+ 2+",
        "shift 2+ 2+ 2-",
        "shift 2+ 2- 2-",
        "shift 2- 2- 2-",
        "shift 6+ 6+",
        "shift 6+ 6-",
        "shift 6- 6-",
    ]
    say(state, "shift 2+ 2+ 2-")
    assert look(state)["dice"] == [1, 1, 3, 3, 5, 6, 6]


def test_shift_wraps_6_to_1_and_1_to_6():
    state = say(with_action("shift-multiples"), FRENCH, "paint 1", "shift 6+ 6-")
    assert look(state)["dice"] == [1, 1, 2, 2, 2, 5, 5]
    state = say(with_action("shift-multiples"), "roll 1 1 1 2 3 5 5 6", "paint 1", "shift 1+ 1-")
    assert look(state)["dice"] == [2, 2, 3, 5, 5, 6, 6]


def test_shift_may_never_make_a_4():
    state = say(with_action("shift-multiples"), "roll 1 2 3 3 3 5 5 6", "paint 1")
    assert sorted(state.legal()) == ["shift 3- 3- 3-", "shift 5+ 5+"]
    with pytest.raises(tsukimi.IllegalMove) as caught:
        state.play("shift 3+ 3- 3-")
    assert caught.value.code == "daruma.never-a-four"
    say(state, "shift 5+ 5+")
    assert look(state)["dice"] == [2, 3, 3, 3, 6, 6, 6]


def test_shift_multiples_is_compulsory_for_every_die_of_the_value():
    state = say(with_action("shift-multiples"), FRENCH, "paint 1")
    with pytest.raises(tsukimi.IllegalMove) as caught:
        state.play("shift 2+ 2+")
    assert caught.value.code == "daruma.must-shift-multiples"


def test_shift_singles_moves_every_die_whose_value_is_present_exactly_once():
    state = say(with_action("shift-singles"), FRENCH, "paint 1")
    assert sorted(state.legal()) == ["shift 1+ 5+", "shift 1- 5+"]
    say(state, "shift 1- 5+")
    assert look(state)["dice"] == [2, 2, 2, 6, 6, 6, 6]


def test_shift_singles_chooses_die_by_die_and_always_asks():
    state = say(with_action("shift-singles"), "roll 1 1 2 3 4 4 5 6", "paint 1")
    assert sorted(state.legal()) == sorted(f"shift 1{a} 2{b} 3- 5+ 6{c}" for a in "+-" for b in "+-" for c in "+-")
    say(state, "shift 1+ 2- 3- 5+ 6+")
    assert look(state)["dice"] == [1, 1, 2, 2, 6]
    state = say(with_action("shift-singles"), "roll 1 2 2 2 3 6 6 6", "paint 1")
    assert state.legal() == ["shift 3-"]


# ---- swap ----------------------------------------------------------------------------------


def swapping(players=3):
    five = ["red.swap", "orange.swap", "yellow.reroll-all", "green.reroll-all", "blue.reroll-singles"]
    return table(players, five=five)


def test_swap_is_asked_only_when_this_die_paints_the_second_eye():
    state = say(fortune(swapping(), "green.swap"), "roll 1 1 2 2 2 3 3 3", "paint 1")
    assert look(state)["ask"] == "use"
    say(state, "paint 1")
    assert look(state)["ask"] == "swap"


def test_swap_over_a_pupil_token_is_asked_with_the_first_die():
    state = say(swapping(), "roll 1 2 2 2 2 3 3 3", "paint 1", "stop")
    say(fortune(state, "green.swap"), "roll 1 2 2 2 2 3 3 3", "paint 1")
    assert look(state)["ask"] == "swap"


def test_if_nobody_at_the_table_has_a_daruma_no_exchange_is_asked():
    state = say(swapping(), "roll 1 1 2 2 2 3 3 3", "paint 1", "paint 1")
    assert last(state)["effect"] == "none"
    assert look(state)["ask"] == "use"


def test_two_players_exchange_a_daruma_oneself_allowed():
    state = say(fortune(swapping(), "green.swap"), "roll 2 2 2 3 3 3 5 5", "stop")
    say(fortune(state, "blue.swap", "purple.swap"), "roll 1 1 2 2 2 3 3 3", "paint 1", "paint 1")
    assert sorted(state.legal()) == [
        "swap p1 green.swap p2 blue.swap",
        "swap p1 green.swap p2 purple.swap",
        "swap p1 green.swap p3",
        "swap p2 blue.swap p3",
        "swap p2 purple.swap p3",
    ]
    say(state, "swap p1 green.swap p2 blue.swap")
    assert look(state)["collections"] == [["blue.swap"], ["green.swap", "purple.swap"], []]


def test_if_the_other_has_none_the_daruma_simply_goes_over():
    state = say(swapping(), "roll 2 2 2 3 3 3 5 5", "stop")
    say(fortune(state, "blue.swap"), "roll 1 1 2 2 2 3 3 3", "paint 1", "paint 1")
    assert sorted(state.legal()) == ["swap p1 p2 blue.swap", "swap p2 blue.swap p3"]
    say(state, "swap p1 p2 blue.swap")
    assert last(state) == {
        "index": len(state.history) - 1,
        "type": "swap",
        "seat": 1,
        "one_seat": 0,
        "other_seat": 1,
        "other_card": "blue.swap",
    }
    assert look(state)["collections"] == [["blue.swap"], [], []]


def test_the_two_players_are_different():
    state = say(fortune(swapping(), "green.swap"), "roll 1 1 2 2 2 3 3 3", "paint 1", "paint 1")
    with pytest.raises(tsukimi.IllegalMove) as caught:
        state.play("swap p1 green.swap p1 green.swap")
    assert caught.value.code == "daruma.swap-one-player"


def test_an_exchange_is_asked_even_when_no_die_is_left_and_then_the_turn_ends():
    state = say(fortune(swapping(), "green.swap"), "roll 1 1 2 2 2 2 2 2")
    for _ in range(6):
        say(state, "sake 2", "reroll 1", "roll 1")
    say(state, "paint 1", "paint 1")
    assert look(state)["ask"] == "swap"
    say(state, "swap p1 green.swap p2")
    assert last(state)["taken"] == ["red.swap"]
    assert look(state)["collections"] == [["red.swap"], ["green.swap"], []]


def test_the_daruma_being_painted_cannot_be_exchanged_before_it_is_taken():
    state = say(fortune(swapping(), "green.swap"), "roll 1 1 2 2 2 3 3 3", "paint 1", "paint 1")
    assert sorted(state.legal()) == ["swap p1 green.swap p2", "swap p1 green.swap p3"]


# ---- fictive four --------------------------------------------------------------------------


def test_fictive_four_adds_one_fictive_four_for_this_turn_only():
    state = say(with_action("fictive-four", "gold"), "roll 1 2 2 2 2 3 4 4", "paint 1")
    assert look(state)["ledger"] == {"fours": 2, "fictive": 1}
    say(state, "stop")
    assert look(state)["ledger"] == {"fours": 0, "fictive": 0}


# ---- the example of a turn -----------------------------------------------------------------


def test_the_turn_of_naoko_del_carmen():
    five = ["red.reroll-all", "orange.shift-multiples", "yellow.swap", "green.reroll-all", "blue.reroll-singles"]
    state = say(fortune(table(3, five=five), "purple.swap"), "roll 2 2 2 3 3 3 5 5", "stop")
    say(fortune(state, "green.swap"), "roll 2 2 2 3 3 3 5 5", "stop")
    say(state, "roll 1 1 2 4 4 5 6 6")
    assert look(state)["ledger"]["fours"] == 2
    say(state, "paint 1")
    assert look(state)["rolling"] == 5
    say(state, "roll 2 3 4 5 6")
    assert look(state)["ledger"]["fours"] == 3
    say(state, "sake 6", "reroll 2 3 5", "roll 1 2 2", "paint 2", "shift 2- 2-")
    assert look(state)["dice"] == [1, 1]
    say(state, "paint 3", "paint 3", "swap p1 purple.swap p2 green.swap")
    assert last(state)["taken"] == ["yellow.swap"]
    assert last(state)["pupils_on"] == [1, 2]
    say(state, "draw red.swap")
    assert look(state)["collections"] == [["green.swap"], ["purple.swap"], ["yellow.swap"]]
    assert look(state)["counter"] == 5
    assert "counter" not in last(state)
    assert look(state)["turn"] == 0
    assert cards(state) == ["red.reroll-all", "orange.shift-multiples", "red.swap", "green.reroll-all", five[4]]
