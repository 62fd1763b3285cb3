"""A round of Dojo: recruitment, challenge, training, and who deals next."""

from __future__ import annotations

import pytest

import tsukimi
from games.dojo.dojo_builders import all_pass, next_cards, place_anywhere, play, quiet_round, recruit, table, won_trophy

FOUR = ("fox1", "bear2", "crane3", "monkey4")


def phase(state):
    return state.view(None)["phase"]


# ---- recruitment -----------------------------------------------------------------------------


def test_first_random_is_a_chance_event_before_all():
    state = table(first="random")
    assert state.outcomes() == [("first p1", 0.25), ("first p2", 0.25), ("first p3", 0.25), ("first p4", 0.25)]
    state.play("first p3")
    play(state, "trophy incense", "draw fox1")
    assert state.actors == (2,)


def test_if_no_trophy_is_face_up_the_top_one_is_turned_before_the_first_draw():
    state = table()
    assert state.legal() == [
        f"trophy {kind}" for kind in ("multicolour-belt", "kimono", "broom", "raccoon", "incense", "assistant")
    ]
    state.play("trophy broom")
    assert state.view(None)["trophy"] == "broom"
    assert all(text.startswith("draw ") for text in state.legal())


def test_there_are_twelve_trophies_two_of_each_kind():
    state = table()
    assert [p for _, p in state.outcomes()] == [2 / 12] * 6
    won_trophy(play(state, "trophy broom"), None, winner=1)
    state.play(state.legal()[0])
    assert dict(state.outcomes())["trophy broom"] == 1 / 11
    assert dict(state.outcomes())["trophy kimono"] == 2 / 11


def test_the_dealer_looks_at_the_top_tatami_unseen_by_the_others():
    state = play(table(), "trophy broom", "draw fox4")
    assert state.actors == (0,)
    assert state.view(0)["looking"] == "fox4"
    assert [state.view(seat)["looking"] for seat in (1, 2, 3, None)] == ["?"] * 4
    assert state.events(0)[-1]["card"] == "fox4"
    assert all("card" not in state.events(seat)[-1] for seat in (1, 2, 3, None))


def test_the_dealer_gives_it_to_a_player_who_has_none_yet_or_keeps_it():
    state = play(table(), "trophy broom", "draw fox4")
    assert state.legal() == ["give p1", "give p2", "give p3", "give p4"]
    play(state, "p1 give p3", "draw bear1")
    assert state.legal() == ["give p1", "give p2", "give p4"]
    play(state, "p1 give p1", "draw bear1")
    assert state.legal() == ["give p2", "give p4"]
    with pytest.raises(tsukimi.IllegalMove) as problem:
        state.play("give p3")
    assert problem.value.code == "dojo.has-card"


def test_the_last_card_is_forced_but_still_a_move():
    state = play(
        table(), "trophy broom", "draw fox4", "p1 give p2", "draw fox3", "p1 give p1", "draw fox2", "p1 give p3"
    )
    play(state, "draw fox1")
    assert state.legal() == ["give p4"]
    assert phase(state.play("give p4")) == "challenge"


def test_a_receiver_sees_the_own_card_and_the_dealer_has_seen_all():
    state = recruit(table(), *FOUR)
    assert state.view(0)["held"] == list(FOUR)
    assert state.view(1)["held"] == ["?", "bear2", "?", "?"]
    assert state.view(3)["held"] == ["?", "?", "?", "monkey4"]
    assert state.view(None)["held"] == ["?"] * 4
    gifts = [event.get("card") for event in state.events(1) if event["type"] == "give"]
    assert gifts == [None, "bear2", None, None]


def test_example_ryu_gives_to_kara_himself_sam_and_lin():
    # Round the table: Ryu p1 deals, Lin p2 sits to his left, then Sam p3 and Kara p4.
    state = play(table(), "trophy broom", "draw fox1", "p1 give p4", "draw fox2", "p1 give p1")
    play(state, "draw fox3", "p1 give p3", "draw fox4", "p1 give p2")
    assert state.view(0)["held"] == ["fox2", "fox4", "fox3", "fox1"]
    assert phase(state) == "challenge"


# ---- challenge -------------------------------------------------------------------------------


def test_from_the_dealers_left_clockwise_each_opponent_challenges_or_passes():
    state = recruit(table(first="p3"), *FOUR)
    for seat in (3, 0, 1):
        assert state.actors == (seat,)
        assert state.legal() == ["challenge", "pass"]
        state.play("pass")
    assert phase(state) == "place"


def test_example_lin_passes_sam_challenges_and_wins_the_tie_kara_is_not_asked():
    state = recruit(table(), "fox3", "bear1", "monkey3", "crane5")
    play(state, "p2 pass", "p3 challenge")
    event = state.events(None)[-1]
    assert (event["card"], event["dealer_card"], event["winner"], event["loser"]) == ("monkey3", "fox3", 2, 0)
    assert state.actors == (2,)
    # Sam exchanges the two cards, and has won the trophy that was in play.
    play(state, "p3 swap")
    assert state.view(0)["held"][0] == "monkey3"
    assert state.view(2)["held"][2] == "fox3"
    assert state.view(None)["dojos"][2]["won"] == 1


@pytest.mark.parametrize(("attack", "defence", "winner"), [(4, 3, 1), (3, 4, 0), (3, 3, 1), (1, 5, 0), (5, 1, 1)])
def test_the_higher_belt_wins_and_the_attacker_wins_a_tie(attack, defence, winner):
    state = recruit(table(), f"fox{defence}", f"bear{attack}", "monkey3", "crane5")
    play(state, "p2 challenge")
    assert state.view(None)["challenge"]["winner"] == winner
    assert state.actors == (winner,)
    assert state.legal() == ["swap", "keep"]
    assert state.events(None)[-1]["decided_by"] == ("tie" if attack == defence else "belt")


def test_both_reveal_their_card_to_all_and_nobody_else_does():
    state = recruit(table(), *FOUR)
    play(state, "p2 challenge")
    assert state.view(None)["held"] == ["fox1", "bear2", "?", "?"]
    assert state.view(2)["held"] == ["fox1", "bear2", "crane3", "?"]
    assert state.view(None)["challenge"]["cards"] == ["bear2", "fox1"]


def test_the_winner_may_also_keep_the_own_card():
    state = recruit(table(), *FOUR)
    play(state, "p2 challenge", "p2 keep")
    assert state.view(None)["held"][:2] == ["fox1", "bear2"]
    assert state.view(None)["challenge"]["swapped"] is False


def test_the_dealer_too_may_win_the_trophy_and_swap():
    state = recruit(table(), "fox5", "bear2", "crane3", "monkey4", trophy="raccoon")
    play(state, "p2 challenge", "p1 swap")
    assert state.view(None)["held"][:2] == ["bear2", "fox5"]
    place_anywhere(state)
    assert state.actors == (0,)
    assert state.legal() == ["trophy row 0"]


def test_without_a_challenge_the_trophy_stays_for_the_next_round():
    state = quiet_round(play(table(), "trophy kimono"))
    assert state.view(None)["trophy"] == "kimono"
    assert phase(state) == "draw"
    assert [dojo["won"] for dojo in state.view(None)["dojos"]] == [0, 0, 0, 0]


# ---- training --------------------------------------------------------------------------------


def test_all_may_place_at_once_in_any_order_each_placement_public_as_it_is_made():
    state = all_pass(recruit(table(), *FOUR))
    assert state.actors == (0, 1, 2, 3)
    play(state, "p3 place 0 0")
    assert state.actors == (0, 1, 3)
    for seat in (0, 1, None):
        assert state.view(seat)["dojos"][2]["cards"] == [{"row": 0, "column": 0, "card": "crane3"}]
    assert state.events(None)[-1]["card"] == "crane3"
    with pytest.raises(tsukimi.NotYourTurn):
        state.play("place 0 1", 2)


def test_when_all_have_placed_the_winner_of_the_challenge_places_the_trophy():
    state = won_trophy(play(table(), "trophy incense"), None, winner=2)
    assert phase(state) == "trophy"
    assert state.actors == (2,)
    play(state, "p3 trophy row 0")
    assert state.view(None)["dojos"][2]["trophies"] == [{"line": "row", "at": 0, "trophy": "incense"}]
    assert phase(state) == "turn"


@pytest.mark.parametrize("players", [3, 4])
def test_the_next_dealer_sits_to_the_left(players):
    state = table(players, first="p2")
    for number in range(12):
        assert state.view(None)["round"] == number + 1
        assert state.view(None)["dealer"] == (1 + number) % players
        quiet_round(state)
    assert state.over


def test_the_game_has_twelve_rounds_and_every_dojo_ends_with_twelve_tatamis():
    state = table(3)
    for _ in range(12):
        assert not state.over
        quiet_round(state)
    assert state.over
    assert state.actors == ()
    for seat in range(3):
        cards = state.view(None)["dojos"][seat]["cards"]
        assert len(cards) == 12
        assert len({card["row"] for card in cards}) == 3
        assert len({card["column"] for card in cards}) == 4


# ---- five players ----------------------------------------------------------------------------


def test_with_five_players_the_first_and_last_cards_are_dealt_at_random_p1_first_and_each_deals_twice():
    state = table(5, first="p4")
    dealers = []
    for number in range(1, 13):
        view = state.view(None)
        dealers.append(view["dealer"])
        if number in (1, 12):
            assert view["phase"] == "deal"
            for seat, card in enumerate(next_cards(state)):
                assert all(text.startswith(f"deal p{seat + 1} ") for text in state.legal())
                state.play(f"deal p{seat + 1} {card}")
            assert phase(state) == "place"
            assert state.actors == (0, 1, 2, 3, 4)
            place_anywhere(state)
        else:
            quiet_round(state)
    assert dealers == [None, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, None]
    assert state.over


def test_with_five_players_no_trophy_is_turned_in_the_random_rounds():
    state = table(5)
    assert phase(state) == "deal"
    assert state.view(None)["trophy"] is None
    recruit(state, "fox1", "fox2", "fox3", "fox4", "fox5")
    place_anywhere(state)
    assert phase(state) == "turn"


def test_in_a_random_round_each_player_sees_only_the_own_card_until_it_is_placed():
    state = recruit(table(5), "fox1", "fox2", "fox3", "fox4", "fox5")
    assert state.view(1)["held"] == ["?", "fox2", "?", "?", "?"]
    assert state.view(None)["held"] == ["?"] * 5
    assert [e.get("card") for e in state.events(1) if e["type"] == "deal"] == [None, "fox2", None, None, None]


# ---- variants --------------------------------------------------------------------------------


def test_white_belt_trophies_are_not_drawn_nor_placed_and_count_three_points_each():
    state = table(belt="white")
    assert phase(state) == "draw"
    recruit(state, *FOUR)
    play(state, "p2 challenge", "p2 keep")
    place_anywhere(state)
    assert phase(state) == "draw"
    assert state.scores() == [1, 4, 1, 1]
    assert state.view(None)["dojos"][1]["count"]["trophies"] == 3


def throws(state, *hands):
    """Pairs of hands, attacker's first."""
    attacker, dealer = state.view(None)["challenge"]["attacker"], state.view(None)["challenge"]["dealer"]
    for attack, defence in hands:
        state.play(f"throw {attack}", attacker)
        state.play(f"throw {defence}", dealer)
    return state.view(None)["challenge"]


def black_challenge(attack, defence):
    return play(recruit(table(belt="black"), f"fox{defence}", f"bear{attack}", "monkey1", "crane1"), "p2 challenge")


def test_black_belt_after_the_reveal_attacker_and_dealer_throw_at_the_same_time():
    state = black_challenge(2, 4)
    assert state.view(None)["held"][:2] == ["fox4", "bear2"]
    assert state.actors == (0, 1)
    assert state.legal(0) == state.legal(1) == ["throw rock", "throw paper", "throw scissors"]
    play(state, "p1 throw rock")
    assert state.actors == (1,)
    assert state.view(0)["challenge"]["own_throw"] == "rock"
    for seat in (1, 2, None):
        assert state.view(seat)["challenge"]["own_throw"] is None
        assert state.view(seat)["challenge"]["thrown"] == [0]
        assert "hand" not in state.events(seat)[-1]
    play(state, "p2 throw paper")
    assert state.view(None)["challenge"]["throws"] == [["paper", "rock"]]
    assert state.view(None)["challenge"]["bonus"] == [1, 0]
    event = state.events(None)[-1]
    assert (event["hand"], event["other_seat"], event["other_hand"]) == ("paper", 0, "rock")


@pytest.mark.parametrize(("winner", "loser"), [("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")])
def test_black_belt_each_win_adds_one_to_the_own_belt(winner, loser):
    assert throws(black_challenge(3, 3), (winner, loser))["bonus"] == [1, 0]
    assert throws(black_challenge(3, 3), (loser, winner))["bonus"] == [0, 1]
    assert throws(black_challenge(3, 3), (winner, winner))["bonus"] == [0, 0]


def test_black_belt_always_three_rounds_then_the_sum_decides_and_the_attacker_wins_a_tie():
    win, lose, equal = ("rock", "scissors"), ("scissors", "rock"), ("paper", "paper")
    assert throws(black_challenge(2, 4), win, win)["winner"] is None
    assert throws(black_challenge(2, 4), win, win, equal)["winner"] == 1
    assert throws(black_challenge(2, 4), win, win, lose)["winner"] == 0
    assert throws(black_challenge(5, 1), lose, lose, lose)["winner"] == 1
    assert throws(black_challenge(4, 2), lose, lose, lose)["winner"] == 0
    assert throws(black_challenge(1, 5), win, win, win)["winner"] == 0


def test_black_belt_the_bonus_counts_for_the_challenge_only():
    state = black_challenge(4, 4)
    throws(state, ("rock", "scissors"), ("rock", "scissors"), ("rock", "scissors"))
    assert state.view(None)["held"][1] == "bear4"
    assert phase(state) == "swap"


def test_the_default_belt_is_classic():
    assert tsukimi.new("dojo", players=3, seed=1).options["belt"] == "classic"
    state = recruit(table(), *FOUR)
    assert phase(play(state, "p2 challenge")) == "swap"
