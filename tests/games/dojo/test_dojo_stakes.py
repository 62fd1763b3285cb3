"""Dojo: what a card can bring, and what a challenge risks."""

from __future__ import annotations

import random

import pytest

from conftest import COMPILED
from games.dojo.dojo_builders import next_cards, play, recruit, table, won_trophy
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
def test_a_card_brings_at_most_what_the_stakes_say(players, belt):
    checked = 0
    for state, seat, stakes in decisions("dojo", players, GAMES, belt=belt):
        for text, found in stakes.items():
            if text.split()[0] not in ("give", "pass", "swap", "keep"):
                continue
            after = state.copy().play(text, seat)
            to_training(after)
            for stake in found:
                if stake["kind"] in ("fits", "fits-you", "fits-held"):
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
            stake = the(stakes[text], "fits-won") or the(stakes[text], "fits-you")
            after = state.copy().play(text, seat)
            before = after.scores()[seat]
            best, boxed = 0, []
            places = after.stakes(seat)
            for place in after.legal(seat):
                placed = after.copy().play(place, seat)
                best = max(best, placed.scores()[seat])
                while placed.view(None)["phase"] == "place":
                    placed.play(placed.legal()[0])
                boxed.append(placed.view(None)["phase"] != "trophy")
                assert boxed[-1] == (the(places[place], "boxed") is not None)
                if not boxed[-1]:
                    best = max(best, *(placed.copy().play(line, seat).scores()[seat] for line in placed.legal(seat)))
            assert all(boxed) == (the(stakes[text], "boxed") is not None)
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
def test_a_belt_beats_as_many_of_the_unseen_cards_as_the_stakes_say(belt):
    """The cards that a seat has not seen are resampled: the dealer has each of them as often as the others."""
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
def test_the_winner_of_a_challenge_gets_what_its_stakes_say(players, belt):
    checked = 0
    for state, seat, stakes in decisions("dojo", players, GAMES, belt=belt):
        if "challenge" not in stakes:
            continue
        found, before = stakes["challenge"], state.scores()
        after = state.copy().play("challenge", seat)
        while "swap" not in after.legal():
            after.apply(after.actions()[0])
        (winner,) = after.actors
        lost = the(found, "lose") or the(found, "lose-box")
        assert lost is None or lost["dealer"] == after.view(None)["dealer"]
        assert lost or the(found, "win-box") is None
        if belt == "white":
            assert after.scores()[winner] - before[winner] == the(found, "win-white")["points"] == 3
        else:
            assert after.view(None)["trophy"] == (the(found, "win") or the(found, "win-box"))["trophy"]
        assert (the(found, "throws") is not None) == (belt == "black")
        checked += 1
    assert checked > 5


def with_column_trophies(winner, trophies=("kimono", "broom", "kimono", "broom")):
    """A game in which a seat has won these, one a round, each on a column of its own: four columns, no more are possible."""
    state = table(3)
    for number, trophy in enumerate(trophies):
        won_trophy(state, trophy, winner, place=False)
        while state.view(None)["phase"] == "place":
            seat = state.actors[0]
            state.play(f"place 0 {number}", seat)
        state.play(f"trophy column {number}", winner)
    return state


def at_a_challenge(state, seat, trophy):
    """The next round, where this seat is asked whether it challenges."""
    recruit(state, *next_cards(state), trophy=trophy)
    while state.actors[0] != seat:
        state.play("pass")
    return state


def test_a_trophy_that_will_find_no_free_line_is_not_said_to_be_won():
    state = at_a_challenge(with_column_trophies(winner=2), 2, "multicolour-belt")
    stakes = state.stakes(2)["challenge"]
    assert the(stakes, "win") is None
    assert the(stakes, "win-box")["trophy"] == "multicolour-belt"
    words = Words("dojo", "en", list("ABC"))
    assert "box" in words.stake(the(stakes, "win-box"))
    # A row is still free, and so are the columns of others.
    state = at_a_challenge(with_column_trophies(winner=2), 2, "incense")
    assert the(state.stakes(2)["challenge"], "win")
    state = at_a_challenge(with_column_trophies(winner=2), 0, "multicolour-belt")
    assert the(state.stakes(0)["challenge"], "win")


def test_a_dealer_without_a_free_line_does_not_get_the_trophy():
    state = at_a_challenge(with_column_trophies(winner=1), 2, "multicolour-belt")
    assert state.core.dealer == 1
    assert the(state.stakes(2)["challenge"], "lose-box")["dealer"] == 1


def test_a_trophy_is_said_to_bring_what_it_brings_with_the_card_in_hand():
    checked = more = 0
    for state, seat, stakes in decisions("dojo", 3, GAMES):
        stake = the(stakes.get("challenge", []), "win")
        if stake is None:
            continue
        for draw in range(40):
            after = state.resample(seat, seed=draw).play("challenge", seat)
            if after.view(None)["challenge"]["winner"] == seat:
                checked += 1
                plain = max(the(found, "points")["points"] for found in state_in_training(state, seat))
                assert stake["best"] == the(after.stakes(seat)["keep"], "fits-won")["best"] - plain
                more += stake["best"] > 0
                break
    assert checked > 10
    assert more > 0


def state_in_training(state, seat):
    after = state.copy()
    to_training(after)
    return after.stakes(seat).values()


def test_a_place_says_that_two_belts_of_its_column_are_equal():
    checked = 0
    for state, seat, stakes in decisions("dojo", 3, GAMES):
        for text, found in stakes.items():
            if not text.startswith("place"):
                continue
            column = text.split()[2]
            cards = state.copy().play(text, seat).view(seat)["dojos"][seat]["cards"]
            belts = [card["card"][-1] for card in cards if str(card["column"]) == column]
            stake = the(found, "column")
            assert (stake is not None) == (len(belts) == 2 and belts[0] == belts[1])
            checked += stake is not None
    assert checked


def test_a_dealer_is_shown_who_could_win_a_challenge():
    state = table(3)
    play(state, "trophy incense", "draw fox4", "give p2", "draw bear3")
    assert the(state.stakes(0)["give p1"], "exposed")["seats"] == [1]
    assert the(state.stakes(0)["give p3"], "threat") is None  # the dealer has no card yet
    play(state, "give p1", "draw crane3")
    assert the(state.stakes(0)["give p3"], "threat")["to"] == 2


def test_a_throw_beats_and_loses_as_its_stakes_say():
    checked = 0
    for state, seat, stakes in decisions("dojo", 3, GAMES, belt="black"):
        for text, found in stakes.items():
            if not text.startswith("throw"):
                continue
            throw, other = (
                the(found, "throw"),
                next(one for one in state.view(None)["challenge"].values() if one != seat),
            )
            challenge = state.view(None)["challenge"]
            other = challenge["dealer"] if seat == challenge["attacker"] else challenge["attacker"]
            if other not in state.actors:
                continue
            side = 0 if seat == challenge["attacker"] else 1
            for hand, gain in ((throw["beats"], (1, 0)), (throw["beaten_by"], (0, 1))):
                start = state.events_so_far
                after = state.copy().play(text, seat).play(f"throw {hand}", other)
                bonus = after.events(None, start)[1]["bonus"]
                before = challenge["bonus"]
                assert (bonus[side] - before[side], bonus[1 - side] - before[1 - side]) == gain
                checked += 1
    assert checked > 10
