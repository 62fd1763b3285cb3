"""The auction, and the rounds without one."""

from __future__ import annotations

import random

import pytest

import tsukimi
from games.charuma.charuma_tables import auction, finish, play, tricks


def test_the_auction_goes_from_the_token_holder_clockwise() -> None:
    state = auction(players=4, first="p3")
    order = []
    for group in "ABCD":
        order += state.actors
        state.play(f"bid 0 {group}")
    assert order == [2, 3, 0, 1]


def test_only_a_player_without_a_standing_bid_bids() -> None:
    state = play(auction(players=3), "bid 0 A", "bid 0 B", "bid 1 A")
    assert state.actors == (0,)
    play(state, "bid 1 B")
    assert state.actors == (1,)  # p3 still stands on A


def test_a_player_without_a_standing_bid_must_bid() -> None:
    state = auction(players=2)
    assert all(text.startswith("bid ") for text in state.legal())


def test_a_bid_is_0_to_5_on_any_group_without_a_bid() -> None:
    state = auction(players=3)
    assert set(state.legal()) == {f"bid {amount} {group}" for amount in range(6) for group in "ABC"}


def test_a_bid_is_at_most_what_the_player_owns() -> None:
    poor = 0
    for seed in range(30):
        state, choose = tsukimi.new("charuma", players=2, seed=seed), random.Random(seed)
        while not state.over:
            if state.view(None)["phase"] == "auction":
                owned = state.scores()[state.actors[0]]
                highest = max(int(text.split()[1]) for text in state.legal())
                assert highest == min(owned, 5)
                if owned < 5:
                    poor += 1
                    with pytest.raises(tsukimi.IllegalMove, match="you have"):
                        state.play(f"bid {owned + 1} A")
            state.play(choose.choice(state.legal()))
    assert poor


def test_on_a_group_with_a_bid_one_must_bid_strictly_more() -> None:
    state = play(auction(players=2), "bid 3 A")
    assert set(state.legal()) == {"bid 4 A", "bid 5 A"} | {f"bid {amount} B" for amount in range(6)}


def test_a_group_with_a_bid_of_5_cannot_be_outbid() -> None:
    state = play(auction(players=2), "bid 5 A")
    assert set(state.legal()) == {f"bid {amount} B" for amount in range(6)}


def test_the_player_outbid_takes_the_points_back_and_bids_again_when_the_turn_comes_round() -> None:
    state = play(auction(players=3), "bid 5 B", "bid 0 A")
    assert state.view(None)["points"] == [5, 5, 5]
    state = play(auction(players=3), "bid 4 B", "bid 5 B", "bid 0 A")
    assert state.actors == (0,)
    assert "bid 5 C" in state.legal()


def test_owl_bids_1_in_the_middle_gear_0_on_the_left_coffee_pot_2_in_the_middle_and_owl_bids_again() -> None:
    state = play(auction(players=3), "bid 1 B", "bid 0 A", "bid 2 B")
    assert state.actors == (0,)
    owners = [(group["bid"], group["owner"]) for group in state.view(None)["groups"]]
    assert owners == [(0, 1), (2, 2), (None, None)]
    assert state.scores() == [5, 5, 5]
    assert set(state.legal()) == (
        {f"bid {amount} A" for amount in range(1, 6)}
        | {f"bid {amount} B" for amount in range(3, 6)}
        | {f"bid {amount} C" for amount in range(6)}
    )


def test_the_auction_ends_when_everyone_has_a_standing_bid_the_points_are_spent_and_the_groups_taken() -> None:
    state = auction("10b 10b 10r 10r 9b 9b", "8b 8b 8r 8r 7b 7b", players=2)
    play(state, "bid 2 B", "bid 3 B", "bid 1 A")
    view = state.view(None)
    assert view["phase"] == "tricks"
    assert view["points"] == [4, 2]
    assert [hand["open"] for hand in view["hands"]] == [
        ["9b", "9b", "10b", "10b", "10r", "10r"],
        ["7b", "7b", "8b", "8b", "8r", "8r"],
    ]
    assert state.actors == (0,)


def test_standing_bids_still_belong_to_the_points_owned() -> None:
    assert play(auction(players=2), "bid 4 A").scores() == [5, 5]


def test_the_option_on_is_the_default() -> None:
    assert tsukimi.new("charuma", players=2, seed=1).options["auction"] == "on"
    assert auction(players=2).view(None)["phase"] == "auction"


def test_with_the_option_off_groups_are_dealt_at_random_and_nothing_is_bid() -> None:
    state = tricks("", "")
    assert state.scores() == [5, 5]
    finish(state)
    while state.chance:
        state.play(state.legal()[0])
    assert state.view(None)["round"] == 2
    assert not any(line.split()[1] == "bid" for line in state.lines())


def test_with_the_option_from_second_only_the_first_round_goes_without() -> None:
    state = auction(players=2, auction="from-second")
    assert state.legal() == ["group p1 A", "group p1 B"]
    play(state, "group p1 B", "group p2 A")
    finish(state)
    while state.chance:
        state.play(state.legal()[0])
    assert state.view(None)["phase"] == "auction"
