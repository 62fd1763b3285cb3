"""Charuma's scripted baseline: legal and reproducible in whole games, stronger than greedy, and its rules of thumb as sentences."""

from __future__ import annotations

import pytest

import tsukimi
from games.charuma.charuma_tables import auction, play, tricks
from scripted_bots import chosen, played, standing, text_of
from tsukimi import State
from tsukimi.bots.charuma.greedy import beats
from tsukimi.bots.charuma.scripted import ACE, TEN, beaten, group_worth, result, sensible
from tsukimi.games.charuma.notation import position


def expected(state: State) -> str:
    """By the rules that it expects everyone to follow."""
    here = position(state.core)
    return text_of(state, sensible(here, [group_worth(here, group) for group in range(state.players)]))


# ---- whole games ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "rounds"), [(2, "on"), (3, "from-second"), (5, "off")])
def test_it_plays_a_round_and_the_same_one_again(players: int, rounds: str) -> None:
    assert played("charuma", players, rounds=2, auction=rounds) == played("charuma", players, rounds=2, auction=rounds)


@pytest.mark.compiled
def test_it_beats_greedy() -> None:
    table = standing("charuma", "greedy", games=12)
    assert table["scripted"].share > 0.6


# ---- the auction ---------------------------------------------------------------------------------


def test_it_bids_for_the_group_that_wins_more_tricks() -> None:
    strong, weak = "10b 10b 10r 9b 9r 9r", "6b 6r 6r 7b 7r 8b"
    state = auction(weak, strong, players=2)
    assert chosen(state).endswith("B")
    assert expected(state) == "bid 0 B"


def test_it_leaves_a_group_to_others_when_the_price_is_too_high() -> None:
    even = "10b 9b 8r 7r 6b Ar", "10r 9r 8b 7b 6r Ab"
    state = play(auction(*even, players=2), "bid 5 A")
    assert chosen(state) == "bid 0 B"


def test_to_have_won_counts_beside_the_points() -> None:
    state = tsukimi.new("charuma", players=2, seed=3)
    while not state.over:
        state.apply(state.actions()[0], state.actors[0])
    here = position(state.core)
    [winner] = state.winners()
    lead = state.scores()[winner] - state.scores()[1 - winner]
    assert result(here, winner) > lead > 0 > -lead > result(here, 1 - winner)


# ---- tricks --------------------------------------------------------------------------------------


def test_it_leads_what_face_up_cards_cannot_beat_and_a_pair_before_a_card() -> None:
    others = "9b 9b 8r 8r 7b 6b"
    assert expected(tricks("10b 6r 6r 7r 9r 8b", others, hidden=("Ar 7b", "6b 7r"))) != "play 6r 6r"
    assert expected(tricks("10b 10b 6r 6r 7r 8b", others, hidden=("Ar 7b", "6b 7r"))) == "play 10b 10b"


def test_without_such_a_lead_it_leads_the_card_worth_least() -> None:
    state = tricks("6b 7b 8b 6r 7r 8r", "10b 10b 9b 10r 10r 9r", hidden=("9b 9r", "Ab Ar"))
    assert expected(state) in ("play 6b", "play 6r")


def test_it_takes_a_trick_with_the_lowest_card_that_holds() -> None:
    hands = "7b 6b 6r 6r 7r 7r", "8b 10b 8r 8r 3b 2r", "9b 6b 3r 3r 2r 2b"
    two = tricks("7b 6b 6r 6r 7r 7r", "8b 10b 8r 8r 9r 9b", hidden=("Ab Ar", "6b 9r"))
    assert expected(play(two, "play 7b")) == "play 8b"
    three = tricks(*hands, hidden=("Ab Ar", "9r 10r", "9r 10r"))
    assert expected(play(three, "play 7b")) == "play 10b"  # the third has a 9


def test_it_gives_away_what_is_worth_least_and_no_ace() -> None:
    state = play(tricks("10r 6b 6b 7b 7b 8b", "Ab 8b 9b 9b 10b 10b", hidden=("6r 7r", "Ab 9r")), "play 10r")
    assert expected(state) == "play 8b"
    assert not chosen(state).startswith("play A")


def test_it_beats_a_ten_with_an_ace() -> None:
    state = play(tricks("10b 6b 6r 7b 7r 8b", "Ab 8b 9b 9r 6r 7r", hidden=("8r 10r", "8r 9r")), "play 10b")
    assert chosen(state) == expected(state) == "play Ab"


def test_what_beats_a_trick_agrees_with_greedy() -> None:
    tricks = [(best, ace) for best in range(10) for ace in (False, True) if ace or best != ACE]
    for value in range(10):
        for best, ace in tricks:
            assert beaten(1 << value, best, ace) == beats(value, best, ace), (value, best, ace)
    assert beaten(1 << 3 | 1 << TEN, 5, False)
    assert not beaten(1 << 3 | 1 << ACE, 5, False)
