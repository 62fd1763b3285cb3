"""What each seat sees: the view, the events, and that nothing hidden shows in either."""

from __future__ import annotations

import json
import random

import pytest

import tsukimi
from games.charuma.charuma_tables import auction, finish, play, tricks
from tsukimi.core.rng import Rng
from tsukimi.games.charuma import SPEC


def test_a_seat_sees_its_hidden_cards_and_how_many_the_others_have() -> None:
    state = tricks("", "", "", hidden=("7b 8r", "9b 9r", ""))
    assert state.view(0)["hands"][0]["hidden"] == ["7b*", "8r*"]
    assert state.view(1)["hands"][1]["hidden"] == ["9b*", "9r*"]
    for seat in (1, 2, None):
        assert "hidden" not in state.view(seat)["hands"][0]
        assert state.view(seat)["hands"][0]["hidden_count"] == 2


def test_everyone_sees_the_groups_and_then_the_face_up_cards() -> None:
    state = auction("Ab 2b 3b 6b 7b 8b", players=3)
    assert state.view(None)["groups"][0]["cards"] == ["Ab", "2b", "3b", "6b", "7b", "8b"]
    play(state, "bid 0 A", "bid 0 B", "bid 0 C")
    assert state.view(None)["hands"][0]["open"] == ["Ab", "2b", "3b", "6b", "7b", "8b"]
    assert state.view(None)["groups"] == []


def test_the_view_shows_the_current_trick_and_who_is_ahead() -> None:
    state = play(tricks("7b", "9b", "8b"), "play 7b", "play 9b")
    assert state.view(None)["trick"] == {
        "leader": 0,
        "led": "blue",
        "plays": [{"seat": 0, "cards": ["7b"]}, {"seat": 1, "cards": ["9b"]}],
        "winning": 1,
    }
    assert state.view(None)["last_trick"] is None


def test_the_view_shows_the_last_trick_until_the_next_lead_and_no_more() -> None:
    state = play(tricks("7b 7r", "9b 9r", "Ab"), "play 7b", "play 9b", "play Ab")
    assert state.view(None)["trick"] is None
    assert state.view(None)["last_trick"] == {
        "leader": 0,
        "plays": [{"seat": 0, "cards": ["7b"]}, {"seat": 1, "cards": ["9b"]}, {"seat": 2, "cards": ["Ab"]}],
        "winner": 1,
        "points": 1,
        "aces": 1,
        "kind": "blue",
        "reason": "highest-card",
    }
    play(state, "play 9r")
    assert state.view(None)["last_trick"] is None
    assert "7b" not in json.dumps(state.view(None)["trick"])


def test_the_last_trick_of_a_round_lies_there_until_the_lead_of_the_next() -> None:
    state = finish(tricks("", "", "", first="p3"))
    last = state.view(0)["last_trick"]
    assert last is not None
    while state.chance:
        state.play(state.legal()[0])
    assert state.view(0)["last_trick"] == last
    assert play(state, state.legal()[0]).view(0)["last_trick"] is None


def test_the_tally_of_tricks_starts_from_zero_each_round() -> None:
    state = finish(tricks("", ""))
    assert state.view(0)["tricks"] == [0, 0]
    assert state.view(0)["trick_points"] == [0, 0]


@pytest.mark.parametrize(
    ("lead", "kind", "cards"),
    [
        ("7b", "blue", ["2b", "3b", "6b", "8b"]),
        ("7r", "red", ["6r"]),
        ("7b 7b", "blue-pair", ["8b", "8b"]),
        ("7b 7r", "two-coloured-pair", ["6b", "6r"]),
    ],
)
def test_the_view_says_who_must_follow_what_and_why(lead: str, kind: str, cards: list[str]) -> None:
    state = tricks("7b 7b 7r 7r 10b 10r", "6b 6r 8b 8b 2b 3b", "", hidden=("", "9b 9r", ""))
    play(state, f"play {lead}")
    duty = state.view(None)["duty"]
    assert duty == {"seat": 1, "kind": kind, "cards": cards}
    assert state.view(None)["ask"] == f"follow-{kind}"


def test_a_red_pair_face_up_is_a_duty_too() -> None:
    state = play(tricks("7r 7r", "8r 8r 9b 9b 10b 6b"), "play 7r 7r")
    assert state.view(0)["duty"] == {"seat": 1, "kind": "red-pair", "cards": ["8r", "8r"]}


def test_whoever_is_free_to_play_anything_has_no_duty() -> None:
    state = play(tricks("7r 7r", "8b 8b 9b 9b 10b 6b"), "play 7r 7r")
    assert state.view(1)["duty"] is None
    assert state.view(1)["ask"] == "play-two"
    state = play(tricks("7r 7r", "8b 8b 9b 9b 10b 6b"), "play 7r")
    assert state.view(1)["ask"] == "play-one"


def test_a_deal_shows_a_hidden_card_only_to_its_owner_and_a_group_card_to_all() -> None:
    state = auction("Ab", players=2, hidden=("7b", ""))
    mine, yours, nobodys = state.events(0)[0], state.events(1)[0], state.events(None)[0]
    assert mine == {"index": 0, "type": "deal", "round": 1, "to": 0, "card": "7b*"}
    assert yours == nobodys == {"index": 0, "type": "deal", "round": 1, "to": 0}
    assert state.events(1)[4] == {"index": 4, "type": "deal", "round": 1, "group": "A", "card": "Ab"}


def test_the_last_bid_event_has_the_result_of_the_auction() -> None:
    state = play(auction(players=2, first="p2"), "bid 2 A", "bid 3 A", "bid 1 B")
    assert {key: value for key, value in state.events(0)[-2].items() if key != "index"} == {
        "type": "bid",
        "seat": 0,
        "group": "A",
        "amount": 3,
        "outbid_seat": 1,
    }
    assert {key: value for key, value in state.events(0)[-1].items() if key != "index"} == {
        "type": "bid",
        "seat": 1,
        "group": "B",
        "amount": 1,
        "groups": ["A", "B"],
        "spent": [3, 1],
        "totals": [2, 4],
        "lead_seat": 1,
    }


def test_randomly_given_groups_end_with_who_leads() -> None:
    state = tricks("", "", first="p2")
    first, last = state.events(0)[-2:]
    assert (first["to"], first["group"], "lead_seat" in first) == (0, "A", False)
    assert (last["to"], last["group"], last["lead_seat"]) == (1, "B", 1)


def test_a_play_event_has_the_trick_it_completes() -> None:
    state = play(tricks("8b 8r", "Ab Ar 9b 9r"), "play 8b 8r", "play Ab Ar")
    lead, last = state.events(1)[-2:]
    assert (lead["cards"], lead["text"], lead["lead"], "winner" in lead) == (["8b", "8r"], "8b 8r", True, False)
    assert (last["lead"], last["winner"], last["points"], last["aces"]) == (False, 0, 2, 2)


def test_the_last_play_of_the_game_names_the_champion() -> None:
    state = tsukimi.new("charuma", players=2, seed=2)
    while not state.over:
        state.play(state.legal()[0])
    last = state.events(None)[-1]
    assert [last["champion_seat"]] == state.winners()
    assert last["totals"] == state.scores()
    assert state.view(0)["ask"] is None


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_after_resampling_an_observer_sees_the_same(players: int) -> None:
    option = ["on", "off", "from-second"][players % 3]
    state, choose, rng = tsukimi.new("charuma", players=players, seed=players, auction=option), random.Random(1), Rng(1)
    for decision in range(45):
        if state.over:
            break
        for seat in (*range(players), None):
            observer = -1 if seat is None else seat
            core = state.core.copy()
            core = core.resample(observer, rng)
            assert SPEC.view(core, observer) == SPEC.view(state.core, observer)
            assert core.actions(observer) == state.core.actions(observer)
            assert core.observation(observer) == state.core.observation(observer)
            if decision % 9 == 0:
                other = state.resample(seat, decision)
                assert other.view(seat) == state.view(seat)
                assert other.events(seat) == state.events(seat)
                assert seat is None or other.legal(seat) == state.legal(seat)
        if decision in (11, 30):
            state.undo(3)
        state.play(choose.choice(state.legal()))


def test_the_observation_encodes_what_the_seat_knows() -> None:
    state = play(tricks("7b 7b", "9b", "8b", hidden=("10r 10r", "", "")), "play 7b")
    numbers = state.core.observation(0)
    assert len(numbers) == state.core.observation_size == 48 + 50 * 3
    assert numbers[8 + 19] == 2  # two red tens, hidden
    assert sum(numbers[28:48]) == 32 - 2 - 18  # unseen
    assert numbers[48 + 6] == 1  # one blue seven left face up
    assert numbers[48 + 47] == 7  # the blue seven in the trick
    spectator = state.core.observation(-1)
    assert sum(spectator[8:28]) == 0
    assert sum(spectator[28:48]) == 32 - 18
    assert state.core.observation(1)[48 + 46] == 2


def test_the_view_counts_the_aces_that_were_won_beside_the_points_of_the_tricks() -> None:
    state = play(tricks("Ab 7r", "9b 9r", "Ab 8r"), "play Ab", "play 9b", "play Ab")
    assert state.view(None)["trick_points"] == [0, 1, 0]
    assert state.view(None)["ace_points"] == [0, 2, 0]


def test_an_event_says_that_the_token_stays_where_it_is() -> None:
    kept = moved = 0
    for seed in range(12):
        state = tsukimi.new("charuma", 3, seed=seed)
        while not state.over:
            holder, start = state.view(None)["token"], state.events_so_far
            state.apply(state.actions(state.actors[0])[0], state.actors[0])
            for event in state.events(None, start):
                if event["type"] == "play" and "token_seat" in event:
                    assert event.get("keeper_seat") == (holder if event["token_seat"] == holder else None)
                    kept, moved = kept + ("keeper_seat" in event), moved + ("keeper_seat" not in event)
    assert kept
    assert moved
