"""Daruma: sweeping, rolling, luck and the use of dice, as described in docs/games/daruma.md."""

from __future__ import annotations

import pytest

from games.daruma.daruma_table import (
    BAD_LUCK,
    FIVE,
    GOLDS,
    cards,
    eyes,
    few_cards,
    fortune,
    last,
    look,
    refused,
    say,
    table,
)

THREE_RED = ["red.reroll-all", "red.swap", "red.reroll-singles", "green.shift-multiples", "blue.swap"]
THREE_SWAP = ["red.swap", "orange.swap", "blue.swap", "green.reroll-all", "yellow.reroll-singles"]


# ---- sweep ---------------------------------------------------------------------------------


@pytest.mark.parametrize("five", [THREE_RED, THREE_SWAP])
def test_with_three_of_a_colour_or_three_of_an_action_the_player_may_sweep_or_roll(five):
    state = table(five=five)
    assert state.legal() == ["sweep", "roll"]


def test_with_fewer_the_first_roll_comes_at_once():
    assert look(table(five=FIVE))["phase"] == "roll"


def test_a_sweep_puts_all_five_back_and_deals_five_new_ones():
    state = say(table(five=THREE_RED), "sweep")
    assert look(state)["pile"] == 60
    assert cards(state) == [None] * 5
    assert dict(state.outcomes())["draw red.swap"] == pytest.approx(1 / 60)
    say(state, *(f"draw {name}" for name in FIVE))
    assert cards(state) == FIVE
    assert look(state)["pile"] == 55
    assert look(state)["phase"] == "roll"


def test_pupil_tokens_on_swept_darumas_come_off():
    state = say(table(five=THREE_SWAP), "roll", "roll 1 2 2 2 3 3 5 6", "paint 2", "stop")
    assert eyes(state, 2) == ["pupil", "none"]
    say(state, "sweep", *(f"draw {name}" for name in THREE_SWAP))
    assert last(state)["type"] == "draw"
    assert state.events(None)[-6]["pupils_off"] == [2]
    assert eyes(state, 2) == ["none", "none"]


def test_fr_may_repeat_the_sweep_as_long_as_the_new_five_qualify():
    state = say(table(five=THREE_RED, edition="fr"), "sweep", *(f"draw {name}" for name in THREE_SWAP))
    assert state.legal() == ["sweep", "roll"]


def test_es_sweeps_once_a_turn():
    state = say(table(five=THREE_RED, edition="es"), "sweep", *(f"draw {name}" for name in THREE_SWAP))
    assert look(state)["phase"] == "roll"
    say(state, *BAD_LUCK)
    assert state.legal() == ["sweep", "roll"]


@pytest.mark.parametrize("edition", ["fr", "es"])
def test_gold_is_a_colour_of_its_own_for_the_sweep_in_both_editions(edition):
    two_reds = ["red.reroll-all", "red.swap", "gold.fictive-four", "green.shift-multiples", "blue.reroll-singles"]
    assert look(table(five=two_reds, edition=edition))["phase"] == "roll"
    assert table(five=["gold.fictive-four"] * 3 + FIVE[:2], edition=edition).legal() == ["sweep", "roll"]


def test_no_sweep_with_an_empty_pile():
    assert look(table(five=THREE_RED, components=few_cards(*THREE_RED)))["phase"] == "roll"


def test_darumas_are_taken_in_a_turn_that_began_with_a_sweep_too():
    state = say(table(five=THREE_RED), "sweep", *(f"draw {name}" for name in FIVE), "roll 1 1 2 2 2 3 3 3")
    say(state, "paint 5", "paint 5", "stop")
    assert last(state)["taken"] == ["blue.swap"]


# ---- rolling -------------------------------------------------------------------------------


def test_the_first_roll_is_of_all_8_dice_and_its_fours_go_to_the_ledger():
    state = say(table(), "roll 1 2 3 4 4 5 6 6")
    assert look(state)["dice"] == [1, 2, 3, 5, 6, 6]
    assert look(state)["ledger"] == {"fours": 2, "fictive": 0}
    assert last(state)["fours"] == 2


def test_good_fortune_gains_a_daruma_and_rolls_exactly_those_dice_again():
    state = say(table(), "roll 1 2 3 4 4 4 4 6")
    assert last(state)["luck"] == "good-fortune"
    say(state, "draw purple.swap")
    assert look(state)["collections"] == [["purple.swap"], []]
    assert look(state)["rolling"] == 8
    assert look(state)["ledger"]["fours"] == 0
    say(state, "roll 1 1 1 1 1 1 1 1")
    assert look(state)["dice"] == [1] * 8


def test_good_fortune_can_happen_again_and_again():
    state = say(fortune(table(), "red.swap", "blue.swap", "green.swap"), "roll 1 2 3 4 4 4 6 6")
    assert look(state)["collections"][0] == ["red.swap", "green.swap", "blue.swap"]


def test_good_fortune_rolls_only_the_dice_of_this_roll_again():
    state = say(table(), "roll 2 2 2 2 2 3 4 4", "sake 2", "reroll 2 2 2 2", "roll 4 4 4 4", "draw red.swap")
    assert look(state)["rolling"] == 4
    assert look(state)["dice"] == [3]
    assert look(state)["ledger"]["fours"] == 2


def test_an_empty_pile_gives_nothing_by_good_fortune_and_the_dice_are_rolled_again():
    state = say(table(components=few_cards(*FIVE)), "roll 1 2 3 4 4 4 4 6")
    assert look(state)["phase"] == "roll"
    assert look(state)["rolling"] == 8
    assert look(state)["collections"] == [[], []]


def test_fours_of_several_rolls_are_no_good_fortune_but_bad_luck():
    state = say(table(), "roll 2 2 2 2 2 4 4 4", "sake 2", "reroll 2 2", "roll 2 4")
    assert last(state)["luck"] == "bad-luck"
    assert look(state)["turn"] == 1


def test_eight_fours_are_good_fortune_not_bad_luck():
    state = say(table(), "roll 4 4 4 4 4 4 4 4")
    assert last(state)["luck"] == "good-fortune"
    assert look(state)["turn"] == 0


# ---- bad luck ------------------------------------------------------------------------------


def test_bad_luck_ends_the_turn_at_once_and_the_counter_does_not_move():
    state = say(table(), *BAD_LUCK)
    assert look(state)["turn"] == 1
    assert look(state)["counter"] == 1
    assert look(state)["phase"] == "roll"
    assert look(state)["rolling"] == 8
    assert look(state)["sake"] == []
    assert look(state)["ledger"] == {"fours": 0, "fictive": 0}


def test_nothing_completed_in_a_turn_of_bad_luck_is_taken():
    state = say(table(), "roll 1 1 2 2 2 4 4 4", "paint 5", "paint 5")
    assert eyes(state, 5) == ["die", "die"]
    say(state, "sake 2", "reroll 2", "roll 4")
    assert eyes(state, 5) == ["none", "none"]
    assert cards(state) == FIVE
    assert look(state)["collections"] == [[], []]


def test_pupil_tokens_of_earlier_turns_stay_after_bad_luck():
    state = say(table(), "roll 1 2 2 2 3 3 3 5", "paint 5", "stop")
    say(state, "roll 1 2 2 2 2 4 4 4", "paint 5", "sake 2", "reroll 2", "roll 4")
    assert eyes(state, 5) == ["pupil", "none"]


def test_bad_luck_names_the_darumas_with_dice_of_the_turn():
    five = ["red.swap", "orange.swap", "yellow.swap", "green.swap", "blue.swap"]
    state = say(table(five=five), "roll", "roll 1 1 2 2 3 3 3 5", "paint 2", "paint 5", "stop")
    say(state, "roll", "roll 1 1 2 2 2 4 4 4", "paint 5", "paint 3", "sake 2", "reroll 2", "roll 4")
    assert last(state)["unpainted"] == ["yellow.swap", "blue.swap"]
    assert "unpainted" not in last(say(table(), *BAD_LUCK))


def test_the_painted_daruma_that_brings_bad_luck_is_unpainted_too():
    state = say(table(five=GOLDS), "roll 1 2 2 2 3 4 4 4", "paint 1")
    assert last(state)["luck"] == "bad-luck"
    assert last(state)["unpainted"] == ["gold.fictive-four"]


def test_darumas_gained_by_good_fortune_stay_after_bad_luck():
    state = say(fortune(table(), "red.swap"), *BAD_LUCK)
    assert look(state)["collections"] == [["red.swap"], []]


def test_gifts_given_stay_after_bad_luck():
    state = say(fortune(table(), "red.swap"), "roll 2 2 2 2 2 4 4 4", "give red.swap p2", "roll 4")
    say(state, "sake 2", "reroll 2", "roll 4")
    assert last(state)["luck"] == "bad-luck"
    assert look(state)["collections"] == [[], ["red.swap"]]


def test_exchanges_made_stay_after_bad_luck():
    state = say(fortune(table(), "red.swap"), "roll 1 1 2 2 2 4 4 4", "paint 5", "paint 5", "swap p1 red.swap p2")
    say(state, "sake 2", "reroll 2", "roll 4")
    assert last(state)["luck"] == "bad-luck"
    assert look(state)["collections"] == [[], ["red.swap"]]


def test_fictive_fours_count_for_bad_luck():
    state = say(table(five=GOLDS), "roll 1 2 2 3 3 4 4 4", "paint 1")
    assert last(state)["luck"] == "bad-luck"
    assert look(state)["turn"] == 1


def test_four_fictive_fours_without_others_are_bad_luck():
    state = say(table(five=GOLDS, track={1: "four"}), "roll 1 1 1 2 2 2 2 2", "paint 1", "paint 1", "paint 2")
    assert last(state)["luck"] == "bad-luck"
    assert cards(state) == GOLDS


def test_bad_luck_is_looked_at_before_the_end_of_the_turn():
    """The last die is the second eye, and the fictive four it brings is the fourth: the daruma is not taken."""
    state = say(table(five=GOLDS), "roll 1 1 2 2 2 2 4 4", "paint 1", "sake 2", "reroll 2 2", "roll 2 2")
    say(state, "sake 2", "reroll 2 2", "roll 1 1", "paint 4", "paint 4", "paint 1")
    assert last(state)["luck"] == "bad-luck"
    assert "taken" not in last(state)
    assert look(state)["collections"] == [[], []]


# ---- dice ----------------------------------------------------------------------------------


def test_a_one_paints_a_free_eye():
    state = say(table(), "roll 1 2 2 2 3 3 5 6", "paint 5")
    assert eyes(state, 5) == ["die", "none"]
    assert look(state)["dice"] == [2, 2, 2, 3, 3, 5, 6]


def test_only_a_one_paints():
    assert refused(say(table(), "roll 2 2 2 2 3 3 5 6"), "paint 5") == "daruma.no-one-left"


def test_a_daruma_with_two_painted_eyes_has_no_free_one():
    state = say(table(), "roll 1 1 1 2 3 3 5 6", "paint 5", "paint 5")
    assert refused(state, "paint 5") == "daruma.both-eyes-painted"


def test_each_of_the_two_eyes_triggers_the_action():
    state = say(table(five=GOLDS), "roll 1 1 2 2 2 3 3 3", "paint 1")
    assert look(state)["ledger"]["fictive"] == 1
    say(state, "paint 1")
    assert look(state)["ledger"]["fictive"] == 2


def test_the_second_eye_over_a_pupil_token_triggers_the_action_too():
    state = say(table(five=GOLDS), "roll 1 2 2 2 2 3 3 3", "paint 1", "stop")
    say(state, "roll 1 2 2 2 2 3 3 3", "paint 1")
    assert look(state)["ledger"]["fictive"] == 1
    assert eyes(state, 1) == ["pupil", "die"]


def test_pupil_tokens_do_not_add_fictive_fours():
    state = say(table(five=GOLDS), "roll 1 2 2 2 2 3 3 3", "paint 1", "stop", "roll 1 2 2 2 2 3 3 3")
    assert look(state)["ledger"]["fictive"] == 0


@pytest.mark.parametrize("face", [2, 3, 5, 6])
def test_a_2_3_5_or_6_may_go_on_the_sake_bottle(face):
    state = say(table(), "roll 1 1 2 3 5 6 6 6", f"sake {face}")
    assert look(state)["sake"] == [face]
    assert look(state)["ask"] == "sake"


def test_a_one_does_not_go_on_the_sake_bottle():
    assert refused(say(table(), "roll 1 1 2 3 5 6 6 6"), "sake 1") == "daruma.no-sake-for-that"


def test_sake_re_rolls_one_or_more_of_the_remaining_dice_freely_chosen_ones_too():
    state = say(table(), "roll 1 2 2 4 4 4 6 6", "sake 6")
    assert sorted(state.legal()) == sorted(
        f"reroll {faces}" for faces in ("1", "2", "6", "1 2", "1 6", "2 2", "2 6", "1 2 2", "1 2 6", "2 2 6", "1 2 2 6")
    )
    say(state, "reroll 1 2", "roll 3 5")
    assert look(state)["dice"] == [2, 3, 5, 6]


def test_with_no_other_die_left_sake_cannot_be_used():
    state = say(table(), "roll 2 2 2 2 2 2 4 4")
    for _ in range(5):
        say(state, "sake 2", "reroll 2", "roll 2")
    assert state.legal() == ["stop"]
    assert refused(state, "sake 2") == "daruma.sake-needs-another-die"


def test_fours_of_later_rolls_go_to_the_ledger_too():
    state = say(table(), "roll 2 2 2 2 2 2 2 4", "sake 2", "reroll 2 2", "roll 4 5")
    assert look(state)["ledger"]["fours"] == 2
