"""What may be led and played, and who takes the trick."""

from __future__ import annotations

import pytest

import tsukimi
from games.charuma.charuma_tables import finish, play, plays, tricks


def test_the_token_holder_leads_the_first_trick() -> None:
    assert tricks("", "", "", first="p2").actors == (1,)


def test_a_tricks_winner_leads_the_next() -> None:
    state = tricks("7b 7b 7r 7r 6b 6b", "2r 2r 3r 3r 6r 6r", "9b 9b 9r 9r 8r 8r", hidden=("10r 10r", "3b 3b", "8b 8b"))
    play(state, "play 7b", "play 2r", "play 9b")
    assert state.actors == (2,)
    assert state.view(None)["trick"] is None
    assert {"9b", "9r", "9b 9r", "9r 9r", "8b*"} <= plays(state)


def test_a_lead_is_one_card_or_a_pair_of_one_value_blue_red_or_two_coloured() -> None:
    state = tricks("7b 7b 7r 8r 8r 9b", "", hidden=("10b 6r", ""))
    singles = {"7b", "7r", "8r", "9b", "10b*", "6r*"}
    assert plays(state) == singles | {"7b 7b", "8r 8r", "7b 7r"}


def test_hidden_cards_make_pairs_to_lead_with_too() -> None:
    state = tricks("7b 8b 9b 10b 6b 6r", "", hidden=("7r 8b", ""))
    pairs = {text for text in plays(state) if " " in text}
    assert pairs == {"6b 6r", "7b 7r*", "8b 8b*"}
    both_hidden = tricks("7b 8b 9b 10b 6b Ar", "", hidden=("9r 9r", ""))
    assert {text for text in plays(both_hidden) if " " in text} == {"9b 9r*", "9r* 9r*"}


def test_followers_play_the_same_number_of_cards() -> None:
    state = play(tricks("7b 7b", "8r 8r 9r 9r 10r 10r", hidden=("", "Ar Ar")), "play 7b")
    assert all(" " not in text for text in plays(state))
    state = play(tricks("7b 7b", "8r 8r 9r 9r 10r 10r", hidden=("", "Ar Ar")), "play 7b 7b")
    assert all(text.count(" ") == 1 for text in plays(state))


def test_whoever_has_a_face_up_card_of_the_led_colour_must_play_a_card_of_that_colour_a_hidden_one_will_do() -> None:
    state = play(tricks("7b", "8b 9r 9r 10r 10r 8r", hidden=("", "6b 6r")), "play 7b")
    assert plays(state) == {"8b", "6b*"}


def test_only_face_up_cards_oblige() -> None:
    state = play(tricks("7b", "8r 8r 9r 9r 10r 10r", hidden=("", "6b 6r")), "play 7b")
    assert plays(state) == {"8r", "9r", "10r", "6b*", "6r*"}


def test_whoever_has_a_face_up_pair_of_the_led_kind_must_play_a_pair_of_that_kind_hidden_cards_may_help() -> None:
    state = play(tricks("7b 7b", "8b 8b 9b 10r 10r 6r", hidden=("", "9b 6r")), "play 7b 7b")
    assert plays(state) == {"8b 8b", "9b 9b*"}
    state = play(tricks("7r 7r", "8b 8b 9r 10r 10r 6r", hidden=("", "9r 6r")), "play 7r 7r")
    assert plays(state) == {"10r 10r", "9r 9r*", "6r 6r*"}


def test_a_pair_that_needs_a_hidden_card_does_not_oblige() -> None:
    state = play(tricks("7b 7b", "8b 9b 10b 10r 6r Ar", hidden=("", "8b 9b")), "play 7b 7b")
    assert {"8b 8b*", "9b 9b*", "8b 9b", "Ar 6r"} <= plays(state)
    assert len(plays(state)) == 28  # any two of eight different cards


def test_a_pair_of_another_kind_does_not_oblige() -> None:
    state = play(tricks("7b 7b", "8r 8r 9b 9r 10b 6b", hidden=("", "Ab 6r")), "play 7b 7b")
    assert {"8r 8r", "9b 9r", "10b 6r*", "Ab* 6r*"} <= plays(state)


def test_owl_leads_a_two_coloured_pair_of_8s_and_gear_must_play_a_two_coloured_pair() -> None:
    state = play(tricks("8b 8r", "6b 6r 9b 10r 10r 2b", "", hidden=("", "9r 2b", "")), "play 8b 8r")
    assert plays(state) == {"6b 6r", "9b 9r*"}


def test_coffee_pot_has_no_two_coloured_pair_face_up_and_plays_any_two_cards_or_a_hidden_pair() -> None:
    state = play(tricks("8b 8r", "9b 9b 10b 10b 2r 3r", "", hidden=("", "9r 6r", "")), "play 8b 8r")
    assert {"9b 9b", "9b 10b", "2r 6r*", "9b 9r*", "6r* 9r*"} <= plays(state)


def test_two_equal_cards_one_hidden_and_one_face_up_are_different_choices_two_face_up_ones_are_one() -> None:
    state = play(tricks("7b", "8b 8b 9b 10b 6b Ar", hidden=("", "9b 6r")), "play 7b")
    assert plays(state) == {"8b", "9b", "10b", "6b", "9b*"}
    played = play(state.copy(), "play 9b*").view(None)["hands"][1]
    assert (played["open"], played["hidden_count"]) == (["6b", "8b", "8b", "9b", "10b", "Ar"], 1)
    played = play(state.copy(), "play 9b").view(None)["hands"][1]
    assert (played["open"], played["hidden_count"]) == (["6b", "8b", "8b", "10b", "Ar"], 2)


def test_there_is_no_duty_to_play_higher() -> None:
    state = play(tricks("8b", "6b 10b 9r 9r 10r 10r", hidden=("", "Ar Ar")), "play 8b")
    assert plays(state) == {"6b", "10b"}


def winner(*hands: str, lead: str, follow: list[str], hidden: tuple[str, ...] = ()) -> int:
    state = play(tricks(*hands, hidden=hidden), f"play {lead}", *[f"play {cards}" for cards in follow])
    return state.view(None)["last_trick"]["winner"]


def test_the_highest_card_of_the_led_colour_wins() -> None:
    assert winner("7b", "9b", "8b", lead="7b", follow=["9b", "8b"]) == 1


def test_off_colour_cards_cannot_win() -> None:
    red = "10r 10r 9r 9r 8r 8r"
    assert winner("7b", red, "2b", lead="7b", follow=["10r", "2b"], hidden=("", "Ar Ar", "")) == 0


def test_the_highest_pair_of_the_led_kind_wins() -> None:
    assert winner("7b 7b", "8b 8b", "6b 6b", lead="7b 7b", follow=["8b 8b", "6b 6b"]) == 1


def test_off_kind_pairs_and_loose_cards_cannot_win() -> None:
    reds = "10r 10r 9r 9r 8r 8r"
    mixed = "10b 9b 8b 7r 7r 6r"
    assert winner("3b 3b", reds, mixed, lead="3b 3b", follow=["10r 10r", "9b 10b"], hidden=("", "Ar Ar", "2r 2r")) == 0


def test_a_hidden_pair_of_the_led_kind_wins_too() -> None:
    reds, others = "2b 9r 9r 8r 8r 7r", "2b 6b 7b Ar Ar 6r"
    hidden = ("", "9b 9b", "2r 2r")
    assert winner("3b 3b", reds, others, lead="3b 3b", follow=["9b* 9b*", "2b Ar"], hidden=hidden) == 1


def test_among_equals_the_last_played_wins() -> None:
    assert winner("9b 8b", "9b 7b", lead="9b", follow=["9b"]) == 1
    assert winner("9b 9r", "9b 9r", lead="9b 9r", follow=["9b 9r"]) == 1


def test_an_ace_is_the_lowest_card() -> None:
    assert winner("2b", "Ab", "3b", lead="2b", follow=["Ab", "3b"]) == 2
    assert winner("Ab", "2b", "3r 3r 2r 2r 6r 6r", lead="Ab", follow=["2b", "3r"], hidden=("", "", "7r 7r")) == 1


def test_an_ace_beats_everything_when_a_10_of_its_colour_is_in_the_trick() -> None:
    assert winner("Ab", "10b", "9b", lead="Ab", follow=["10b", "9b"]) == 0
    assert winner("9b", "10b", "Ab", lead="9b", follow=["10b", "Ab"]) == 2
    assert winner("10b", "Ab", "9b", lead="10b", follow=["Ab", "9b"]) == 1


def test_a_10_of_the_other_colour_does_not_raise_an_ace() -> None:
    reds = "10r 10r 9r 9r 8r 8r"
    assert winner("Ab", reds, "2b", lead="Ab", follow=["10r", "2b"], hidden=("", "7r 7r", "")) == 2


def test_an_off_colour_ace_wins_nothing_even_with_its_10() -> None:
    reds = "Ar 10r 9r 9r 8r 8r"
    other_reds = "10r Ar 7r 7r 6r 6r"
    assert winner("2b", reds, other_reds, lead="2b", follow=["Ar", "10r"], hidden=("", "3r 3r", "2r 2r")) == 0


def test_of_two_aces_raised_by_a_10_the_last_played_wins() -> None:
    assert winner("Ab", "10b", "Ab", lead="Ab", follow=["10b", "Ab"]) == 2
    assert winner("Ab", "Ab", "10b", lead="Ab", follow=["Ab", "10b"]) == 1


def test_of_two_aces_without_others_the_last_played_wins() -> None:
    assert winner("Ab 9b", "Ab 8b", lead="Ab", follow=["Ab"]) == 1


def test_gear_plays_a_red_5_coffee_pot_the_red_ace_owl_the_red_10_and_coffee_pot_wins() -> None:
    hands = ("5r", "Ar", "10r 2r", "3r")
    assert winner(*hands, lead="5r", follow=["Ar", "10r", "3r"]) == 1


def test_had_owl_played_the_red_2_gear_would_have_won_with_the_5() -> None:
    hands = ("5r", "Ar", "10r 2r", "3r")
    assert winner(*hands, lead="5r", follow=["Ar", "2r", "3r"]) == 0


@pytest.mark.parametrize(
    ("ten", "ace", "low"), [("10b 10b", "Ab Ab", "2b 2b"), ("10r 10r", "Ar Ar", "2r 2r"), ("10b 10r", "Ab Ar", "2b 2r")]
)
def test_a_pair_of_aces_beats_a_pair_of_10s_of_its_kind(ten: str, ace: str, low: str) -> None:
    assert winner(low, ace, ten, lead=low, follow=[ace, ten]) == 1
    assert winner(ten, low, ace, lead=ten, follow=[low, ace]) == 2


def test_loose_10s_thrown_off_do_not_raise_a_pair_of_aces() -> None:
    loose = "10b 10b 9b 8b 7b 6b"
    state_hidden = ("", "9r 8r", "")
    assert winner("Ab Ar", loose, "2b 2r", lead="Ab Ar", follow=["10b 9r*", "2b 2r"], hidden=state_hidden) == 2


def test_a_pair_of_10s_of_another_kind_does_not_raise_a_pair_of_aces() -> None:
    loose = "10b 10b 9b 8b 7b 6b"
    assert winner("Ab Ar", loose, "2b 2r", lead="Ab Ar", follow=["10b 10b", "2b 2r"], hidden=("", "9b 8b", "")) == 2


def test_of_equal_pairs_of_aces_the_last_played_wins() -> None:
    hands = ("Ab Ar", "10b 10r", "Ab Ar")
    assert winner(*hands, lead="Ab Ar", follow=["10b 10r", "Ab Ar"]) == 2
    assert winner("Ab Ar", "Ab Ar", lead="Ab Ar", follow=["Ab Ar"]) == 1


def test_the_round_lasts_until_all_hands_are_empty() -> None:
    state = tricks("", "", "")
    finish(state)
    played = [line for line in state.lines() if " play " in line]
    assert sum(len(line.split()) - 2 for line in played) == 24
    assert state.view(None)["hands"] == [{"open": [], "hidden_count": 0}] * 3


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("play 9b", "charuma.card-not-held"),
        ("play 8b 8b", "charuma.only-one-held"),
        ("play 8b 10b", "charuma.lead-no-pair"),
        ("bid 1 A", "charuma.no-auction-now"),
    ],
)
def test_a_lead_that_is_not_allowed_is_refused_with_the_reason(text: str, code: str) -> None:
    state = tricks("8b 10b 6b 6r 7b Ar", "", hidden=("Ar Ab", ""))
    with pytest.raises(tsukimi.IllegalMove) as refused:
        state.play(text)
    assert refused.value.code == code
    assert refused.value.legal == state.legal()


@pytest.mark.parametrize(
    ("lead", "text", "code"),
    [
        ("7b", "play 9r", "charuma.follow-blue"),
        ("7r", "play 9b", "charuma.follow-red"),
        ("7b", "play 9b 9b", "charuma.play-one"),
        ("7b 7b", "play 9b", "charuma.play-two"),
        ("7b 7b", "play 9r 9r", "charuma.follow-blue-pair"),
        ("7r 7r", "play 9b 9b", "charuma.follow-red-pair"),
        ("7b 7r", "play 9b 9b", "charuma.follow-two-coloured-pair"),
    ],
)
def test_a_follower_who_breaks_a_rule_learns_which_one(lead: str, text: str, code: str) -> None:
    state = play(tricks("7b 7b 7r 7r", "9b 9b 9r 9r 8b 8r"), f"play {lead}")
    with pytest.raises(tsukimi.IllegalMove) as refused:
        state.play(text)
    assert refused.value.code == code


def reason(*hands: str, lead: str, follow: list[str], hidden: tuple[str, ...] = ()) -> str:
    state = play(tricks(*hands, hidden=hidden), f"play {lead}", *[f"play {cards}" for cards in follow])
    last = state.view(None)["last_trick"]
    event = [event for event in state.events(None) if event["type"] == "play"][-1]
    assert (event["reason"], event["kind"]) == (last["reason"], last["kind"])
    assert event["best_cards"] == next(one["cards"] for one in last["plays"] if one["seat"] == last["winner"])
    return last["reason"]


def test_a_complete_trick_says_why_it_was_won() -> None:
    assert reason("7b", "9b", "8b", lead="7b", follow=["9b", "8b"]) == "highest-card"
    assert reason("7b 7b", "8b 8b", "6b 6b", lead="7b 7b", follow=["8b 8b", "6b 6b"]) == "highest-pair"
    assert reason("10b", "Ab", lead="10b", follow=["Ab"]) == "ace-beats-ten"
    assert reason("Ab 9r", "10b 9r", lead="Ab", follow=["10b"]) == "ace-beats-ten"
    assert reason("9b 8b", "9b 7b", lead="9b", follow=["9b"]) == "last-of-equals"
    red = "10r 10r 9r 9r 8r 8r"
    assert reason("7b", red, lead="7b", follow=["10r"], hidden=("", "Ar Ar")) == "alone"


def test_a_pair_of_aces_beats_a_pair_of_tens_and_the_trick_says_so() -> None:
    assert reason("10b 10b", "Ab Ab", lead="10b 10b", follow=["Ab Ab"]) == "aces-beat-tens"
