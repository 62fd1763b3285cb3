"""Dojo: what a card can bring, and what a challenge risks."""

from __future__ import annotations

import random

import pytest

from conftest import COMPILED
from games.random_games import decisions, play_on, the
from tsukimi.core.words import Words

GAMES = 3 if COMPILED else 1
VARIANTS = [(3, "classic"), (4, "white"), (5, "black")]


def most(state, seat):
    """The most that the card before a seat brings at once, now that it is placed."""
    return max(the(stakes, "points")["points"] for stakes in state.stakes(seat).values())


def to_training(state):
    """The round without a (further) challenge."""
    while state.view(None)["phase"] != "place":
        moves = state.legal()
        state.play(next((move for move in ("pass", "keep") if move in moves), moves[0]))


@pytest.mark.parametrize(("players", "belt"), VARIANTS)
def test_a_card_brings_at_most_what_was_said(players, belt):
    checked = 0
    for state, seat, stakes in decisions("dojo", players, GAMES, belt=belt):
        for text, found in stakes.items():
            if text.split()[0] not in ("give", "pass", "swap", "keep"):
                continue
            after = state.copy().play(text, seat)
            to_training(after)
            for stake in found:
                if stake["kind"] in ("fits", "fits-you"):
                    owner = stake.get("to", seat)
                    assert after.view(owner)["held"][owner] == stake["card"]
                    assert most(after, owner) == stake["best"]
                    assert " 0" not in Words("dojo", "en", list("ABCDE")).stake(stake)
                    checked += 1
    assert checked > 50


def test_the_card_that_a_winner_keeps_or_takes_is_said_to_bring_what_it_brings_with_the_trophy():
    checked = more = 0
    for state, seat, stakes in decisions("dojo", 3, GAMES):
        for text in {"keep", "swap"} & set(stakes):
            stake = the(stakes[text], "fits-won")
            after = state.copy().play(text, seat)
            before = after.scores()[seat]
            best = 0
            for place in after.legal(seat):
                placed = after.copy().play(place, seat)
                best = max(best, placed.scores()[seat])
                while placed.view(None)["phase"] == "place":
                    placed.play(placed.legal()[0])
                if placed.view(None)["phase"] == "trophy":
                    best = max(best, *(placed.copy().play(line, seat).scores()[seat] for line in placed.legal(seat)))
            assert stake["best"] == best - before
            more += best - before > most(after, seat)
            checked += 1
    assert checked > 10
    assert more > 0


def test_a_card_is_safe_when_its_owner_passes():
    luck, checked = random.Random(5), 0
    for state, seat, stakes in decisions("dojo", 4, GAMES):
        if "pass" not in stakes:
            continue
        assert the(stakes["pass"], "safe")
        mine = state.view(seat)["held"][seat]
        after = state.copy().play("pass", seat)
        while after.view(None)["phase"] != "place":
            play_on(after, luck)
        assert after.view(seat)["held"][seat] == mine
        checked += 1
    assert checked > 10


@pytest.mark.parametrize("belt", ["classic", "white"])
def test_a_belt_beats_as_many_of_the_unseen_cards_as_was_said(belt):
    """The cards that a seat has not seen are drawn anew: the dealer has each of them as often as the others."""
    draws, checked = 600, 0
    for state, seat, stakes in decisions("dojo", 3, 1, belt=belt):
        if "challenge" not in stakes or checked >= 6:
            continue
        duel = the(stakes["challenge"], "duel")
        won = 0
        for draw in range(draws):
            core = state.core.resample(seat, draw)
            core.apply(state.parse("challenge", seat), seat)
            won += core.winner == seat
        share = duel["beaten"] / duel["total"]
        assert won / draws == pytest.approx(share, abs=4 * (share * (1 - share) / draws) ** 0.5 + 1e-9)
        checked += 1
    assert checked


@pytest.mark.parametrize(("players", "belt"), VARIANTS)
def test_the_winner_of_a_challenge_gets_what_was_said(players, belt):
    checked = 0
    for state, seat, stakes in decisions("dojo", players, GAMES, belt=belt):
        if "challenge" not in stakes:
            continue
        found, before = stakes["challenge"], state.scores()
        after = state.copy().play("challenge", seat)
        while "swap" not in after.legal():
            after.apply(after.actions()[0])
        (winner,) = after.actors
        assert the(found, "lose")["dealer"] == after.view(None)["dealer"]
        if belt == "white":
            assert after.scores()[winner] - before[winner] == the(found, "win-white")["points"] == 3
        else:
            assert after.view(None)["trophy"] == the(found, "win")["trophy"]
        assert (the(found, "throws") is not None) == (belt == "black")
        checked += 1
    assert checked > 5


def test_a_throw_beats_and_loses_as_was_said():
    checked = 0
    for state, seat, stakes in decisions("dojo", 3, GAMES, belt="black"):
        for text, found in stakes.items():
            if not text.startswith("throw"):
                continue
            told, other = (
                the(found, "throw"),
                next(one for one in state.view(None)["challenge"].values() if one != seat),
            )
            challenge = state.view(None)["challenge"]
            other = challenge["dealer"] if seat == challenge["attacker"] else challenge["attacker"]
            if other not in state.actors:
                continue
            side = 0 if seat == challenge["attacker"] else 1
            for hand, gain in ((told["beats"], (1, 0)), (told["beaten_by"], (0, 1))):
                start = state.events_so_far
                after = state.copy().play(text, seat).play(f"throw {hand}", other)
                bonus = after.events(None, start)[1]["bonus"]
                before = challenge["bonus"]
                assert (bonus[side] - before[side], bonus[1 - side] - before[1 - side]) == gain
                checked += 1
    assert checked > 10
