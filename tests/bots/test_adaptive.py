"""The adaptive opponent: whoever plays wins every second game, and it changes only between games."""

from __future__ import annotations

import random

import pytest

import tsukimi
from adaptive_season import season
from tsukimi import bots
from tsukimi.bots import Fit
from tsukimi.bots.adaptive import LADDER, mixture, strength_of


@pytest.mark.compiled
def test_people_of_three_strengths_win_about_every_second_game_and_meet_bots_of_three_strengths() -> None:
    met = []
    for person in ("adaptive-8", "novice", "master"):
        shares, strengths = season("charuma", 2, person, 24, 12, "season")
        assert 8 <= sum(shares) <= 16, (person, shares)
        met.append(sum(strengths[12:]) / 12)
    assert met[0] + 5 < met[1] and met[1] + 10 < met[2], met


def test_the_share_comes_to_a_half_wherever_the_odds_cross_it() -> None:
    """The strengths are bounded, so that wins and losses after the first games must balance."""
    for even in (15, 40, 60, 90):  # the strength against which this person wins every second game
        fit, chance, wins = Fit(), random.Random(even), 0.0
        for number in range(300):
            share = float(chance.random() < 1 / (1 + 10 ** ((fit.strength - even) / 25)))
            fit = fit.after(share)
            wins += share if number >= 20 else 0
        assert abs(wins / 280 - 0.5) < 0.05
        assert abs(fit.strength - even) < 25


def test_a_tie_of_two_changes_nothing_and_the_strength_stays_within_its_bounds() -> None:
    assert Fit(50.0, 9).after(0.5) == Fit(50.0, 10)
    for share, bound in ((1.0, 100.0), (0.0, 0.0)):
        fit = Fit()
        for _ in range(40):
            fit = fit.after(share)
        assert fit.strength == bound and strength_of(fit.bot) == bound


def test_every_strength_mixes_two_neighbouring_levels_and_invalid_names_are_refused() -> None:
    for strength in range(101):
        weak, strong, part = mixture(strength)
        assert LADDER[weak] < LADDER[strong] and 0 <= part <= 1
        assert LADDER[weak] + part * (LADDER[strong] - LADDER[weak]) == pytest.approx(strength)
    assert strength_of("adaptive") == LADDER["novice"] and strength_of("master") is None
    state = tsukimi.new("daruma", 2, seed=1)
    for name in ("adaptive-101", "adaptive-", "adaptive--5", "adaptive-7x"):
        with pytest.raises(tsukimi.BadOptions):
            bots.make(name, state, 1)


def test_how_long_it_may_think_depends_on_its_strength_and_not_on_the_move() -> None:
    state = tsukimi.new("daruma", 2, seed=1)
    shares = [bots.make(f"adaptive-{strength}", state, 1).share for strength in (10, 40, 70)]  # type: ignore[attr-defined]
    wanted = [bots.make(level, state, 1).share for level in ("novice", "regular", "master")]  # type: ignore[attr-defined]
    assert shares == wanted
