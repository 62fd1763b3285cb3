"""Daruma: the set-up, as described in docs/games/daruma.md."""

from __future__ import annotations

from collections import Counter

import pytest

import tsukimi
from games.daruma.daruma_table import FIVE, default_components, look, say, table


@pytest.mark.parametrize(("players", "tokens"), [(2, 6), (3, 7), (4, 8), (5, 9)])
def test_the_track_has_6_7_8_9_tokens_for_2_3_4_5_players(players, tokens):
    state = tsukimi.new("daruma", players=players, seed=1)
    assert len(look(state)["track"]) == tokens


def test_the_first_player_is_random():
    state = tsukimi.new("daruma", players=3, chance="manual")
    assert state.outcomes() == [("first p1", 1 / 3), ("first p2", 1 / 3), ("first p3", 1 / 3)]
    say(state, "first p3")
    assert look(state)["turn"] == 2


def test_or_an_option_says_who_begins():
    state = tsukimi.new("daruma", players=3, chance="manual", first="p2")
    assert state.legal()[0].startswith("track ")
    assert look(state)["turn"] == 1


def test_the_track_is_drawn_at_random_from_the_12_tokens():
    state = tsukimi.new("daruma", players=2, chance="manual", first="p1")
    chances = dict(state.outcomes())
    assert chances["track blank blank blank blank blank blank"] == pytest.approx(720 / (12 * 11 * 10 * 9 * 8 * 7))
    assert chances["track four daruma blank four four daruma"] == pytest.approx(
        3 * 3 * 6 * 2 * 1 * 2 / (12 * 11 * 10 * 9 * 8 * 7)
    )
    assert all(text.count("four") <= 3 and text.count("daruma") <= 3 for text in chances)


def test_one_objective_to_each_player_p1_first_out_of_the_six_and_the_rest_stay_unseen():
    state = tsukimi.new("daruma", players=2, chance="manual", first="p1")
    say(state, "track blank blank blank blank blank blank")
    assert state.legal() == [f"objective p1 {number}" for number in range(1, 7)]
    say(state, "objective p1 3")
    assert state.outcomes() == [(f"objective p2 {number}", 1 / 5) for number in (1, 2, 4, 5, 6)]
    say(state, "objective p2 1")
    assert state.legal()[0].startswith("draw ")


def test_all_six_objectives_are_public_knowledge_but_who_has_which_is_not():
    state = table(3)
    worth = {"red": 2, "orange": 1, "yellow": -3, "green": 1, "blue": 1, "purple": 2, "gold": 2}
    assert look(state)["objectives"][5] == {"number": 6, "good": ["purple", "red"], "bad": "yellow", "worth": worth}
    assert look(state)["held"] == [None, None, None]
    assert state.view(1)["held"] == [None, 2, None]
    assert state.events(1)[1] == {"index": 1, "type": "objective", "to": 0}
    assert state.events(1)[2]["number"] == 2
    assert state.events(1)[2]["good"] == ["orange", "yellow"]


def test_five_face_up_darumas_from_a_pile_of_60():
    state = table()
    assert [place["card"] for place in look(state)["places"]] == FIVE
    assert look(state)["pile"] == 55


def test_a_card_comes_by_how_many_of_it_are_left():
    state = tsukimi.new("daruma", players=2, chance="manual", first="p1")
    say(state, "track blank blank blank blank blank blank", "objective p1 1", "objective p2 2")
    assert dict(state.outcomes())["draw gold.fictive-four"] == pytest.approx(6 / 60)
    say(state, "draw gold.fictive-four")
    assert dict(state.outcomes())["draw gold.fictive-four"] == pytest.approx(5 / 59)
    say(state, "draw red.shift-multiples")
    assert "draw red.shift-multiples" not in state.legal()


def test_nine_cards_of_each_colour_and_of_each_action_and_six_golden_ones():
    cards = default_components()["daruma"]
    colours, actions = Counter(), Counter()
    for card in cards:
        colours[card["colour"]] += card["count"]
        actions[card["action"]] += card["count"]
    assert colours == {"gold": 6} | dict.fromkeys(("red", "orange", "yellow", "green", "blue", "purple"), 9)
    assert actions.pop("fictive-four") == 6
    assert set(actions.values()) == {9}
    assert len(actions) == 6


def test_colour_i_carries_action_j_on_two_cards_if_j_minus_i_mod_6_is_below_3():
    data = default_components()
    order = ["reroll-all", "reroll-multiples", "reroll-singles", "shift-multiples", "shift-singles", "swap"]
    for card in data["daruma"][:-1]:
        i, j = data["colours"].index(card["colour"]), order.index(card["action"])
        assert card["count"] == (2 if (j - i) % 6 < 3 else 1)


def test_objective_i_is_for_colours_i_and_i_plus_1_and_against_colour_i_plus_3():
    data = default_components()
    assert len(data["objective"]) == 6
    for i, objective in enumerate(data["objective"]):
        assert objective["good"] == [data["colours"][i], data["colours"][(i + 1) % 6]]
        assert objective["bad"] == data["colours"][(i + 3) % 6]


def test_twelve_tokens_6_blank_3_daruma_3_four():
    assert {token["kind"]: token["count"] for token in default_components()["token"]} == {
        "blank": 6,
        "daruma": 3,
        "four": 3,
    }
