"""Daruma's scripted baseline: legal and reproducible in whole games, stronger than greedy, and its rules of thumb as sentences."""

from __future__ import annotations

from itertools import product

import pytest

from games.daruma.daruma_table import FIVE, GOLDS, fortune, say, table
from scripted_bots import chosen, played, standing
from tsukimi.bots.daruma.scripted import chances
from tsukimi.core.state import State

SWAPS = [
    "red.swap",
    "orange.swap",
    "blue.swap",
    "green.swap",
    "yellow.reroll-singles",
]  # p1 likes the first two, hates the fourth


def rolled(roll: str, five: list[str] = SWAPS, *, track: dict[int, str] | None = None) -> State:
    state = table(five=five, track=track)
    return say(state, *(["roll"] if "roll" in state.legal() else []), f"roll {roll}")


# ---- whole games ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "edition"), [(2, "es"), (3, "fr"), (5, "fr")])
def test_it_plays_whole_games_and_the_same_ones_again(players: int, edition: str) -> None:
    assert played("daruma", players, edition=edition) == played("daruma", players, edition=edition)


@pytest.mark.compiled
def test_it_beats_greedy() -> None:
    table = standing("daruma", "greedy", "greedy", games=8)
    assert table["scripted"].share > 0.45
    assert table["scripted"].score > table["greedy"].score + 1


# ---- risk ----------------------------------------------------------------------------------------


def test_with_three_fours_it_drinks_on_if_nothing_is_at_stake_and_stops_if_a_daruma_is() -> None:
    assert chosen(rolled("2 2 3 4 4 4 5 6")).startswith("sake")
    assert chosen(say(rolled("1 1 2 3 4 4 4 5"), "paint 1", "paint 1")) == "stop"


def test_with_one_four_it_drinks_for_another_daruma() -> None:
    assert chosen(say(rolled("1 1 2 2 3 4 5 6"), "paint 1", "paint 1")).startswith("sake")


def test_it_stops_where_the_counter_pays() -> None:
    before = ("paint 1", "paint 1", "paint 2", "sake 5", "reroll 3", "roll 3")
    plain, paid = (say(rolled("1 1 1 2 3 4 4 5", track=track), *before) for track in (None, {3: "daruma"}))
    assert chosen(plain).startswith("sake")
    assert chosen(paid) == "stop"


def test_the_odds_of_a_roll_are_those_of_the_dice_without_good_fortune() -> None:
    for dice in range(1, 6):
        rolls = [roll for roll in product(range(1, 7), repeat=dice) if roll.count(4) < 4]
        counted = {(ones, fours): chance for ones, fours, chance in chances(dice)}
        assert sum(counted.values()) == pytest.approx(1)
        for (ones, fours), chance in counted.items():
            found = sum(roll.count(1) == ones and roll.count(4) == fours for roll in rolls)
            assert chance == pytest.approx(found / len(rolls))


# ---- darumas -------------------------------------------------------------------------------------


def test_it_paints_its_own_colours_and_completes_started_darumas() -> None:
    state = rolled("1 1 2 3 4 4 4 5")
    assert chosen(state) in ("paint 1", "paint 2")
    assert chosen(say(state, "paint 2")) == "paint 2"


def test_it_shifts_dice_to_ones() -> None:
    state = rolled("1 1 2 2 3 5 6 6", [*FIVE[:3], "red.shift-multiples", "blue.swap"])
    say(state, "paint 4")
    assert chosen(state) in ("shift 2- 2-", "shift 6+ 6+")


def test_it_gives_away_what_costs_it_points() -> None:
    state = fortune(say(table(five=SWAPS), "roll"), "green.reroll-all", "red.reroll-all")
    assert chosen(say(state, "roll 1 1 2 3 4 4 4 5")) == "give green.reroll-all p2"


def test_in_an_exchange_it_gets_rid_of_what_costs_it_points() -> None:
    state = fortune(say(table(five=SWAPS), "roll"), "green.reroll-all", "yellow.reroll-all")
    assert chosen(say(state, "roll 1 1 2 2 3 3 5 5", "paint 1", "paint 1")) == "swap p1 green.reroll-all p2"


def test_a_golden_eye_which_costs_a_four_comes_last() -> None:
    golds = [*GOLDS[:2], "red.swap", "yellow.swap", "blue.reroll-singles"]
    assert chosen(rolled("1 1 1 2 2 3 4 5", golds)) not in ("paint 1", "paint 2")
