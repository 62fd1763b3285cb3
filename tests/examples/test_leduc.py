"""Leduc poker, the example of a game from outside: its rules, its secrets, and the length of its package."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import tsukimi
from tsukimi.core.rng import Rng

PACKAGE = Path(__file__).parents[2] / "examples" / "leduc"


def hand(*texts, first="p1"):
    """A game in which this happened."""
    state = tsukimi.new("leduc", players=2, chance="manual", first=first)
    for text in texts:
        state.play(text)
    return state


def dealt(one, other, *texts, first="p1"):
    return hand(f"deal p1 {one}", f"deal p2 {other}", *texts, first=first)


def test_the_deck_has_two_cards_of_each_rank():
    assert [chance for _, chance in hand().outcomes()] == pytest.approx([2 / 6] * 3)
    assert dict(hand("deal p1 K").outcomes())["deal p2 K"] == pytest.approx(1 / 5)
    assert dict(dealt("K", "Q", "check", "check").outcomes()) == pytest.approx(
        {"public J": 2 / 4, "public Q": 1 / 4, "public K": 1 / 4}
    )


def test_a_rank_that_is_used_up_cannot_come_again():
    assert dealt("K", "K", "check", "check").legal() == ["public J", "public Q"]


@pytest.mark.parametrize("first", ["p1", "p2"])
def test_the_same_player_acts_first_in_both_rounds(first):
    state = dealt("J", "Q", first=first)
    seat = int(first[1]) - 1
    assert state.actors == (seat,)
    state.play("check").play("bet").play("call").play("public J")
    assert state.actors == (seat,)


def test_without_a_bet_one_may_check_or_bet():
    assert dealt("J", "Q").legal() == ["check", "bet"]
    assert dealt("J", "Q", "check").legal() == ["check", "bet"]


def test_a_bet_may_be_raised_once_in_each_round():
    assert dealt("J", "Q", "bet").legal() == ["fold", "call", "raise"]
    assert dealt("J", "Q", "bet", "raise").legal() == ["fold", "call"]
    second = dealt("J", "Q", "bet", "raise", "call", "public K", "check", "bet")
    assert second.legal() == ["fold", "call", "raise"]
    assert second.play("raise").legal() == ["fold", "call"]


def test_bets_are_two_chips_in_the_first_round_and_four_in_the_second():
    first = dealt("J", "Q", "bet", "raise")
    assert list(first.core.chips) == [3, 5]
    assert list(first.play("call").play("public K").play("bet").core.chips) == [9, 5]


def test_two_checks_or_a_call_end_a_round():
    assert dealt("J", "Q", "check", "check").chance
    assert dealt("J", "Q", "bet", "call").chance
    assert dealt("J", "Q", "check", "check", "public K", "check", "check").over
    assert dealt("J", "Q", "check", "check", "public K", "bet", "call").over


@pytest.mark.parametrize(
    ("one", "other", "public", "scores"),
    [
        ("K", "Q", "J", [1, -1]),
        ("J", "Q", "K", [-1, 1]),
        ("J", "K", "J", [1, -1]),
        ("K", "Q", "Q", [-1, 1]),
        ("Q", "Q", "K", [0, 0]),
    ],
)
def test_a_pair_wins_then_the_higher_card_and_equal_cards_split_the_pot(one, other, public, scores):
    state = dealt(one, other, "check", "check", f"public {public}", "check", "check")
    assert state.scores() == scores
    assert state.winners() == [seat for seat in (0, 1) if scores[seat] == max(scores)]


def test_whoever_folds_loses_what_they_have_put_in():
    assert dealt("K", "J", "bet", "raise", "fold").scores() == [-3, 3]
    assert dealt("K", "J", "bet", "raise", "call", "public K", "bet", "fold").scores() == [5, -5]


def test_thirteen_chips_are_the_most_one_can_lose():
    both = ("bet", "raise", "call")
    assert dealt("K", "J", *both, "public Q", *both).scores() == [13, -13]


def test_each_player_sees_their_own_card_and_a_spectator_none():
    state = dealt("K", "J")
    assert [state.view(seat)["seats"][0]["card"] for seat in (0, 1, None)] == ["K", "?", "?"]
    assert [state.events(seat)[0].get("text") for seat in (0, 1, None)] == ["deal p1 K", None, None]


def test_the_cards_are_shown_after_a_showdown_but_not_after_a_fold():
    shown = dealt("K", "J", "check", "check", "public Q", "bet", "call")
    folded = dealt("K", "J", "check", "check", "public Q", "bet", "fold")
    for observer, known in ((0, ["K", "?"]), (1, ["?", "J"]), (None, ["?", "?"])):
        assert [seat["card"] for seat in shown.view(observer)["seats"]] == ["K", "J"]
        assert [seat["card"] for seat in folded.view(observer)["seats"]] == known


def test_what_a_player_cannot_see_is_resampled_as_the_deck_allows():
    state, rng = dealt("K", "J", "check", "check", "public K"), Rng(4)
    positions = [state.core.resample(0, rng) for _ in range(600)]
    found = Counter(position.card[1] for position in positions)
    assert all(position.card[0] == 2 for position in positions)
    assert set(found) == {0, 1}, "both kings are in sight"
    assert 240 < found[0] < 360
    assert {state.resample(0, seed).lines()[1] for seed in range(20)} == {"deal p2 J", "deal p2 Q"}


def test_the_package_is_small():
    files = [file for file in PACKAGE.rglob("*") if file.suffix in (".py", ".toml", ".md")]
    assert sum(len(file.read_text("utf-8").splitlines()) for file in files) <= 302
