"""Daruma: the gift and the end of a turn, as described in docs/games/daruma.md."""

from __future__ import annotations

import pytest

from games.daruma.daruma_table import BAD_LUCK, GOLDS, cards, eyes, few_cards, fortune, last, look, refused, say, table

# ---- gift ----------------------------------------------------------------------------------


def gift_table(players=2, **more):
    return fortune(table(players, **more), "red.swap", "blue.swap")


def test_a_gift_takes_one_real_four_off_the_ledger_and_re_rolls_it():
    state = say(gift_table(), "roll 2 2 2 2 2 2 4 4", "give red.swap p2")
    assert look(state)["rolling"] == 1
    assert look(state)["ledger"]["fours"] == 1
    say(state, "roll 5")
    assert look(state)["dice"] == [2, 2, 2, 2, 2, 2, 5]
    assert look(state)["collections"] == [["blue.swap"], ["red.swap"]]


def test_a_new_4_goes_back_to_the_ledger():
    state = say(gift_table(), "roll 2 2 2 2 2 2 4 4", "give red.swap p2", "roll 4")
    assert look(state)["ledger"]["fours"] == 2
    assert look(state)["dice"] == [2] * 6


def test_a_gift_is_given_once_a_turn():
    state = say(gift_table(), "roll 2 2 2 2 2 2 4 4", "give red.swap p2", "roll 5")
    assert refused(state, "give blue.swap p2") == "daruma.one-gift-a-turn"


def test_a_gift_may_be_given_again_in_the_next_turn():
    state = say(gift_table(), "roll 2 2 2 2 2 2 4 4", "give red.swap p2", "roll 5", "stop")
    say(state, *BAD_LUCK, "roll 2 2 2 2 2 2 4 4")
    assert "give blue.swap p2" in state.legal()


def test_a_gift_goes_to_another_player():
    state = say(gift_table(3), "roll 2 2 2 2 2 2 4 4")
    gifts = [text for text in state.legal() if text.startswith("give")]
    assert sorted(gifts) == ["give blue.swap p2", "give blue.swap p3", "give red.swap p2", "give red.swap p3"]
    assert refused(state, "give red.swap p1") == "daruma.no-gift-to-yourself"
    assert refused(state, "give green.swap p2") == "daruma.not-your-daruma"


def test_a_gift_needs_a_four_on_the_ledger():
    assert refused(say(gift_table(), "roll 2 2 2 2 2 2 3 3"), "give red.swap p2") == "daruma.no-four-on-the-ledger"


def test_fictive_fours_cannot_be_taken_by_a_gift():
    state = say(gift_table(track={1: "four"}), "roll 2 2 2 2 2 2 3 3")
    assert look(state)["ledger"] == {"fours": 0, "fictive": 1}
    assert refused(state, "give red.swap p2") == "daruma.no-four-on-the-ledger"


def test_no_gift_while_an_action_is_unfinished():
    state = say(gift_table(), "roll 2 2 2 2 2 2 4 4", "sake 2")
    assert refused(state, "give red.swap p2") == "daruma.must-sake"


def test_no_gift_without_dice_the_turn_is_over_at_once():
    state = say(gift_table(), "roll 2 2 2 2 2 2 4 4")
    for _ in range(5):
        say(state, "sake 2", "reroll 2", "roll 2")
    assert "give red.swap p2" in state.legal()
    state = say(gift_table(), "roll 2 2 2 2 2 2 2 4")
    for _ in range(5):
        say(state, "sake 2", "reroll 2", "roll 2")
    say(state, "sake 2", "reroll 2", "roll 4")
    assert look(state)["turn"] == 1
    assert look(state)["collections"] == [["red.swap", "blue.swap"], []]


def test_a_gift_of_the_four_may_come_after_painting():
    state = say(gift_table(), "roll 1 2 2 2 2 2 4 4", "paint 5", "give red.swap p2", "roll 1")
    assert look(state)["dice"] == [1, 2, 2, 2, 2, 2]
    assert eyes(state, 5) == ["die", "none"]


# ---- the end of the turn -------------------------------------------------------------------


def test_the_turn_ends_at_once_when_no_die_is_available():
    state = say(table(), "roll 1 1 2 2 2 2 4 4", "sake 2", "reroll 2", "roll 1", "sake 2", "reroll 2", "roll 4")
    assert look(state)["dice"] == [1, 1, 1]
    say(state, "paint 5", "paint 5", "paint 3")
    assert "taken" in last(state)
    assert look(state)["phase"] == "refill"
    assert look(state)["turn"] == 0


def test_stop_only_when_no_available_one_can_be_placed():
    state = say(table(), "roll 1 2 2 2 2 3 3 3")
    assert "stop" not in state.legal()
    assert refused(state, "stop") == "daruma.ones-left"
    say(state, "paint 5")
    assert "stop" in state.legal()


def test_a_one_blocks_stopping_only_while_a_free_eye_exists():
    five = ["red.swap", "orange.swap", "yellow.swap", "green.swap", "blue.swap"]
    state = say(table(five=five), "roll", "roll 1 1 1 1 1 2 2 2", *(f"paint {place}" for place in range(1, 6)), "stop")
    say(state, "roll", "roll 1 1 1 1 1 1 2 2", *(f"paint {place}" for place in range(1, 5)))
    assert "stop" not in state.legal()
    say(state, "paint 5")
    assert look(state)["dice"] == [1, 2, 2]
    assert sorted(state.legal()) == ["sake 2", "stop"]
    assert refused(state, "paint 1") == "daruma.no-free-eye"
    say(state, "stop")
    assert look(state)["collections"] == [[], ["red.swap", "orange.swap", "yellow.swap", "green.swap", "blue.swap"]]


def test_every_face_up_daruma_with_two_painted_eyes_is_taken():
    state = say(table(five=GOLDS), "roll 1 1 1 1 2 2 3 5", "paint 4", "paint 4", "paint 5", "paint 5", "stop")
    assert last(state)["taken"] == ["yellow.swap", "blue.swap"]
    assert last(state)["taken_places"] == [4, 5]
    assert look(state)["collections"][0] == ["yellow.swap", "blue.swap"]


def test_on_one_eyed_darumas_a_pupil_token_replaces_the_die():
    state = say(table(), "roll 1 2 2 2 2 3 3 3", "paint 5", "stop")
    assert last(state)["pupils_on"] == [5]
    assert eyes(state, 5) == ["pupil", "none"]


def test_a_daruma_with_a_pupil_token_is_taken_by_whoever_paints_the_second_eye():
    state = say(table(), "roll 1 2 2 2 2 3 3 3", "paint 5", "stop", "roll 1 2 2 2 2 3 3 3", "paint 5", "stop")
    assert look(state)["collections"] == [[], ["blue.swap"]]


def test_the_refill_goes_to_the_lowest_empty_place_first_and_the_other_cards_stay():
    state = say(table(five=GOLDS), "roll 1 1 1 1 2 2 3 5", "paint 4", "paint 4", "paint 5", "paint 5", "stop")
    say(state, "draw green.swap")
    assert cards(state) == [*GOLDS[:3], "green.swap", None]
    say(state, "draw purple.swap")
    assert cards(state) == [*GOLDS[:3], "green.swap", "purple.swap"]
    assert eyes(state, 4) == ["none", "none"]


def test_if_the_refill_is_impossible_what_is_left_is_laid_out_and_the_game_ends_at_once():
    state = table(five=GOLDS, components=few_cards(*GOLDS, "red.swap"))
    say(state, "roll 1 1 1 1 2 2 3 5", "paint 4", "paint 4", "paint 5", "paint 5", "stop", "draw red.swap")
    assert state.over
    assert cards(state) == [*GOLDS[:3], "red.swap", None]
    assert look(state)["counter"] == 1


@pytest.mark.parametrize(("dice", "steps"), [("2 2", 2), ("2 2 2 2 2 2 2 2", 2), ("2", 1)])
def test_the_counter_moves_by_the_dice_left_but_at_most_two(dice, steps):
    state = say(table(), "roll 2 2 2 2 2 2 2 2")
    while len(look(state)["dice"]) > len(dice.split()):
        say(state, "sake 2", "reroll 2", "roll 2")
    say(state, "stop")
    assert look(state)["counter"] == 1 + steps


def test_the_counter_stays_when_no_die_is_left():
    state = say(table(), "roll 1 1 2 2 2 2 2 2")
    for _ in range(6):
        say(state, "sake 2", "reroll 1", "roll 1")
    say(state, "paint 5", "paint 5", "draw red.swap")
    assert look(state)["turn"] == 1
    assert look(state)["counter"] == 1


def test_the_next_player_is_the_next_seat():
    state = say(table(3), *BAD_LUCK)
    assert look(state)["turn"] == 1
    say(state, *BAD_LUCK, *BAD_LUCK)
    assert look(state)["turn"] == 0


def test_a_turn_that_ends_by_itself_differs_from_one_that_is_stopped():
    sips = ["sake 2", "reroll 2", "roll 2"] * 5
    state = say(table(), "roll 2 2 2 2 2 2 4 4", *sips)
    assert state.legal() == ["stop"]
    say(state, "stop")
    assert state.events(0)[-1]["why"] == "last-die"
    state = say(gift_table(), "roll 2 2 2 2 2 2 4 4", *sips)
    assert len(state.legal()) > 1
    say(state, "stop")
    assert "why" not in state.events(0)[-1]
