"""Deck and deal: which cards there are, where they go, and by which law."""

from __future__ import annotations

from collections import Counter

import pytest

import tsukimi
from games.charuma.charuma_tables import auction, deck, finish, play, tricks
from tsukimi.core.rng import Rng
from tsukimi.games.charuma import SPEC

PLAYERS = [2, 3, 4, 5]


def start(players: int, auction: str = "on", first: str = "p1"):
    return SPEC.start(SPEC.load({}, players), players, {"first": first, "auction": auction})


@pytest.mark.parametrize("players", [4, 5])
def test_there_are_40_cards_blue_and_red_a_to_10_two_of_each(players: int) -> None:
    state = tsukimi.new("charuma", players=players, chance="manual", first="p1")
    names = [f"deal {value}{colour}" for colour in "br" for value in ["A", *range(2, 11)]]
    assert state.outcomes() == [(name, pytest.approx(2 / 40)) for name in names]


@pytest.mark.parametrize(("players", "missing"), [(2, "2 3 4 5"), (3, "4 5")])
def test_two_play_without_2_to_5_and_three_without_4_and_5(players: int, missing: str) -> None:
    state = tsukimi.new("charuma", players=players, chance="manual", first="p1")
    values = {text.split()[1][:-1] for text in state.legal()}
    assert values == {"A", *map(str, range(2, 11))} - set(missing.split())
    assert len(deck(players)) == {2: 24, 3: 32}[players]


@pytest.mark.parametrize("players", PLAYERS)
def test_each_player_starts_with_5_points(players: int) -> None:
    assert tsukimi.new("charuma", players=players, seed=1).scores() == [5] * players


def test_who_begins_is_drawn_evenly() -> None:
    state = tsukimi.new("charuma", players=3, chance="manual")
    assert state.outcomes() == [(f"first p{seat}", pytest.approx(1 / 3)) for seat in (1, 2, 3)]
    assert state.play("first p3").view(None)["token"] == 2


@pytest.mark.parametrize("players", PLAYERS)
def test_each_round_2_hidden_cards_each_and_one_face_up_group_per_player(players: int) -> None:
    state = tsukimi.new("charuma", players=players, chance="manual", first="p1")
    size = 5 if players == 5 else 6
    drawn = []
    for _ in range(players * (2 + size)):
        drawn.append(state.legal()[0].split()[1])
        state.play("deal " + drawn[-1])
    assert not state.chance
    for seat in range(players):
        assert state.view(seat)["hands"][seat]["hidden"] == [card + "*" for card in drawn[2 * seat : 2 * seat + 2]]
        group = drawn[2 * players + size * seat :][:size]
        assert Counter(state.view(None)["groups"][seat]["cards"]) == Counter(group)


def test_a_card_is_gone_from_the_deck_once_both_are_dealt() -> None:
    state = tsukimi.new("charuma", players=2, chance="manual", first="p1")
    state.play("deal 7b")
    assert dict(state.outcomes())["deal 7b"] == pytest.approx(1 / 23)
    state.play("deal 7b")
    assert "deal 7b" not in state.legal()
    with pytest.raises(tsukimi.IllegalMove):
        state.play("deal 7b")


def test_the_other_cards_stay_unseen_until_the_next_round() -> None:
    state = finish(tricks("", "", hidden=("Ab Ab", "Ar Ar")))
    assert state.chance
    assert state.view(None)["round"] == 2
    assert [p for _, p in state.outcomes()] == [pytest.approx(2 / 24)] * 12


def test_in_a_round_without_auction_a_free_group_at_random_goes_to_each_seat_in_turn() -> None:
    state = auction(players=3, auction="off")
    assert state.outcomes() == [(f"group p1 {name}", pytest.approx(1 / 3)) for name in "ABC"]
    assert play(state, "group p1 B").outcomes() == [("group p2 A", 0.5), ("group p2 C", 0.5)]
    assert play(state, "group p2 C").outcomes() == [("group p3 A", 1.0)]
    assert play(state, "group p3 A").view(None)["phase"] == "tricks"


def chi_square(counts: Counter, odds: dict) -> float:
    """Standard deviations of the statistic above its mean."""
    total = sum(counts.values())
    assert set(counts) <= {key for key, p in odds.items() if p}
    statistic = sum((counts[key] - total * p) ** 2 / (total * p) for key, p in odds.items() if p)
    freedom = max(1, len([p for p in odds.values() if p]) - 1)
    return (statistic - freedom) / (2 * freedom) ** 0.5


@pytest.mark.parametrize("auction", ["on", "off"])
def test_draws_follow_the_probabilities_of_the_outcomes(auction: str) -> None:
    game, rng = start(3, auction, first="random"), Rng(5)
    while game.chance:
        odds = dict(SPEC.outcomes(game))
        assert sum(odds.values()) == pytest.approx(1)
        counts = Counter(game.sample_outcome(rng) for _ in range(400))
        assert chi_square(counts, odds) < 6
        game.apply(game.sample_outcome(rng))


@pytest.mark.parametrize("players", PLAYERS)
def test_a_whole_deal_at_once_has_the_same_distribution(players: int) -> None:
    """Every place sees every kind equally often, and two places hold equal cards as often as they should."""
    game, rng = start(players), Rng(6)
    deals = 1200
    kinds = sorted(set(deck(players)))
    places = {name: Counter() for name in ("first hidden", "last hidden", "first group", "last group")}
    equal = 0
    for _ in range(deals):
        fresh = game.copy()
        fresh.sample_chance(rng)
        views = [SPEC.view(fresh, seat) for seat in (0, players - 1)]
        hidden = [views[0]["hands"][0]["hidden"], views[1]["hands"][players - 1]["hidden"]]
        places["first hidden"].update(card[:-1] for card in hidden[0])
        places["last hidden"].update(card[:-1] for card in hidden[1])
        places["first group"].update(views[0]["groups"][0]["cards"])
        places["last group"].update(views[0]["groups"][-1]["cards"])
        equal += hidden[0][0] == hidden[0][1]
    for counts in places.values():
        assert chi_square(counts, {kind: 1 / len(kinds) for kind in kinds}) < 6
    expected = deals / (len(deck(players)) - 1)
    assert abs(equal - expected) < 5 * expected**0.5


def test_a_whole_deal_at_once_uses_each_card_once() -> None:
    game = start(2)
    game.sample_chance(Rng(1))
    views = [SPEC.view(game, seat) for seat in (0, 1)]
    seen = Counter(card[:-1] for seat in (0, 1) for card in views[seat]["hands"][seat]["hidden"])
    seen += Counter(card for group in views[0]["groups"] for card in group["cards"])
    assert seen.total() == 16
    assert seen <= Counter(deck(2))
    left_over = Counter(deck(2)) - seen
    assert sum(game.observation(-1)[28:48]) == left_over.total() + 4  # and everyone's hidden cards are unseen
