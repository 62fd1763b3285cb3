"""Charuma: what a bid leaves, and what a play wins or cannot win, whatever is hidden."""

from __future__ import annotations

import random

import pytest

from games.random_games import decisions, of_kind, play_on, the
from tsukimi.games.charuma.notation import card_name, cards_of, position

GAMES = 3
PLAYERS = (2, 3, 5)
TRICK = ("won", "lost", "sure", "ahead", "cannot-win", "needs-ten")


@pytest.mark.parametrize("players", PLAYERS)
def test_a_bid_that_stands_leaves_what_its_stakes_say(players):
    luck, checked = random.Random(1), 0
    for state, seat, stakes in decisions("charuma", players, 1, auction="on"):
        for text, found in stakes.items():
            if not text.startswith("bid"):
                continue
            _, amount, group = text.split()
            after = state.copy().play(text, seat)
            round_number = state.view(None)["round"]
            while after.view(None)["phase"] == "auction":
                play_on(after, luck)
            here = position(after.core)
            if "ABCDE"[here.group_of[seat]] == group and here.bid[here.group_of[seat]] == int(amount):
                assert after.view(None)["round"] == round_number
                assert here.owned[seat] == the(found, "left")["left"]
                checked += 1
            standing = next(item for item in state.view(None)["groups"] if item["name"] == group)
            assert (the(found, "outbid") or {"owner": None})["owner"] == standing["owner"]
    assert checked > 5


def finish_trick(state, luck):
    """Play on until the trick is complete; its winner, and what it brought."""
    while state.view(None)["trick"]:
        play_on(state, luck)
    played = [event for event in state.events(None) if event["type"] == "play"][-1]
    return played["winner"], played["points"] + played["aces"] + (2 if "round" in played else 0)


@pytest.mark.parametrize("players", PLAYERS)
def test_what_is_certain_about_a_trick_holds_however_the_hidden_cards_lie(players):
    """Every play is tried on several deals that look the same, followed by several ways to play on."""
    luck, seen = random.Random(2), dict.fromkeys(TRICK, 0)
    for number, (state, seat, stakes) in enumerate(decisions("charuma", players, GAMES, auction="off")):
        for text, found in stakes.items():
            if not text.startswith("play"):
                continue
            (stake,) = of_kind(found, *TRICK)
            seen[stake["kind"]] += 1
            if stake["kind"] == "cannot-win":
                assert stake.get("aces", 0) == text.count("A")  # what is given away with it
            if stake["kind"] == "ahead" or (number + len(text)) % 3:
                continue
            for draw in range(2):
                winner, points = finish_trick(state.resample(seat, draw).play(text, seat), luck)
                if stake["kind"] in ("won", "sure"):
                    assert winner == seat
                if stake["kind"] in ("cannot-win", "lost"):
                    assert winner != seat
                if stake["kind"] == "lost":
                    assert winner == stake["winner"]
                if stake["kind"] in ("won", "lost"):
                    assert points == stake["trick"]
                if stake["kind"] == "sure":
                    assert points >= stake["trick"]
    if players == 2:  # the second play ends the trick
        del seen["cannot-win"], seen["needs-ten"]
    assert all(seen.values()), seen


@pytest.mark.parametrize("players", PLAYERS)
def test_only_what_is_named_can_beat_a_play_that_is_ahead(players):
    luck, threats = random.Random(3), {"open-threat": 0, "hidden-threat": 0}
    for number, (state, seat, stakes) in enumerate(decisions("charuma", players, GAMES, auction="off")):
        for text, found in stakes.items():
            if the(found, "ahead") is None or number % 2:
                continue
            (threat,) = of_kind(found, *threats)
            threats[threat["kind"]] += 1
            after = state.resample(seat, number).play(text, seat)
            plays = len(after.view(None)["trick"]["plays"])
            winner, _ = finish_trick(after, luck)
            if winner == seat or threat["kind"] == "open-threat":
                continue
            later = [event["cards"] for event in after.events(None) if event["type"] == "play"][plays - players :]
            hidden = {card.rstrip("*") for cards in later for card in cards if card.endswith("*")}
            assert hidden & set(threat.get("cards", hidden)), "it was beaten without a hidden card that was named"
    assert all(threats.values()), threats


def can_be_beaten(state, seat):
    """Whether some way to complete the trick takes it from this seat."""
    if not state.view(None)["trick"]:
        return state.view(None)["last_trick"]["winner"] != seat
    mover = state.actors[0]
    return any(can_be_beaten(state.copy().apply(move, mover), seat) for move in state.actions(mover))


@pytest.mark.parametrize(("players", "cards", "least"), [(2, 7, 20), (3, 4, 20)])
def test_the_chance_of_a_play_is_that_of_the_deals_in_which_nobody_can_beat_it(players, cards, least):
    """Over deals that look the same, in each of which all ways to complete the trick are tried: those are few for small hands."""
    draws, checked = 100, {"likely": 0, "unlikely": 0}
    for state, seat, stakes in decisions("charuma", players, 2, auction="off"):
        hand = state.view(seat)["hands"][seat]
        for text, found in stakes.items():
            threat = the(found, "hidden-threat")
            if threat is None or len(hand["open"] + hand["hidden"]) > cards or sum(checked.values()) > 2 * least:
                continue
            safe = sum(not can_be_beaten(state.resample(seat, draw).play(text, seat), seat) for draw in range(draws))
            assert safe / draws == pytest.approx(threat["chance"] / 100, abs=0.16), text
            checked["likely" if threat["chance"] >= 50 else "unlikely"] += 1
    assert min(checked.values()) > 0 and sum(checked.values()) >= least, checked


def test_the_threats_that_are_named_do_beat_the_play():
    """Each card that is named takes the trick in some deal in which a player still to play has it."""
    luck, checked = random.Random(4), 0
    for state, seat, stakes in decisions("charuma", 3, GAMES):
        for text, found in stakes.items():
            threat = the(found, "hidden-threat")
            if threat is None or "cards" not in threat or checked >= 12:
                continue
            beaten = set()
            for draw in range(300):
                dealt = state.resample(seat, draw).play(text, seat)
                while dealt.view(None)["trick"]:
                    mover = dealt.actors[0]
                    named = [
                        move
                        for move in dealt.actions(mover)
                        if card_name(cards_of(move)[0]).rstrip("*") in set(threat["cards"]) - beaten
                    ]
                    dealt.apply(luck.choice(named or dealt.actions(mover)), mover)
                last = [event for event in dealt.events(None) if event["type"] == "play"][-3:]
                winner = last[-1]["winner"]
                if winner != seat:
                    beaten |= {card.rstrip("*") for event in last if event["seat"] == winner for card in event["cards"]}
                if set(threat["cards"]) <= beaten:
                    break
            assert set(threat["cards"]) & beaten
            checked += 1
    assert checked
