"""What must be conserved is: cards, lilies and points neither appear nor vanish."""

from __future__ import annotations

from collections import Counter

import pytest

from conformance.variants import ALL, name, played, random_game
from conftest import COMPILED

GAMES = 2 if COMPILED else 1
STEP = 4


def of(game):
    variants = [variant for variant in ALL if variant[0] == game]
    return pytest.mark.parametrize("variant", variants, ids=[name(variant) for variant in variants])


def views(variant):
    for seed in range(GAMES):
        for decision, state in enumerate(random_game(variant, 600 + seed)):
            if decision % STEP and not state.over:
                continue
            yield state, [state.view(seat) for seat in range(state.players)]


@of("charuma")
def test_every_card_of_charuma_is_where_the_deal_or_a_play_put_it(variant):
    players = variant[1]
    per_hand = 7 if players == 5 else 8
    for state, seen in views(variant):
        if state.over:
            continue
        held = Counter(_played_this_round(state))
        for group in seen[0]["groups"]:
            held.update(group["cards"])
        for seat, view in enumerate(seen):
            assert view["hands"][seat]["hidden_count"] == len(view["hands"][seat]["hidden"])
            held.update(card.rstrip("*") for card in view["hands"][seat]["hidden"])
            held.update(view["hands"][seat]["open"])
        assert sum(held.values()) == per_hand * players
        assert max(held.values()) <= 2


def _played_this_round(state):
    for line in reversed(state.lines()):
        if line.startswith("deal"):
            return
        if " play " in line:
            yield from (card.rstrip("*") for card in line.split()[2:])


@of("charuma")
def test_a_round_of_charuma_gives_its_points_out_exactly_once(variant):
    for seed in range(GAMES):
        state = played(variant, 600 + seed)
        assert sum(state.scores()) == _charuma_total(state)


def _charuma_total(state):
    """5 points each; per round a point per trick and card in it, its aces, 2 for the last trick; less the bids."""
    total = 5 * state.players
    bids: dict[str, int] = {}
    cards = aces = 0
    for line in state.lines():
        words = line.split()
        if words[0] == "deal" and cards:
            total += cards // state.players + aces + 2
            cards = aces = 0
        if "bid" in words:
            bids[words[3]] = int(words[2])
        if "play" in words:
            total -= sum(bids.values())
            bids = {}
            cards += len(words) - 2
            aces += sum(word.startswith("A") for word in words[2:])
    return total + cards // state.players + aces + 2


@of("china-moon")
def test_all_seventeen_lilies_of_china_moon_are_somewhere(variant):
    for _, seen in views(variant):
        view = seen[0]
        lilies = Counter(view["lilies"].values())
        for held in view["held"]:
            lilies.update(held)
        lilies.update(place["lily"] for place in view["goal"] if place["frog"] is None)
        assert +lilies == {"pink": 5, "white": 5, "yellow": 5, "blue": 1, "black": 1}
        pads = [frog["pad"] for frogs in view["frogs"] for frog in frogs]
        crowded = [pad for pad, count in Counter(pads).items() if count > 1]
        assert set(crowded) <= {"start", "goal"}
        assert len(pads) == 3 * variant[1]


@of("daruma")
def test_all_sixty_darumas_and_eight_dice_are_somewhere(variant):
    for state, seen in views(variant):
        view = seen[0]
        cards = Counter(place["card"] for place in view["places"] if place)
        for collection in view["collections"]:
            cards.update(collection)
        assert sum(cards.values()) + view["pile"] == 60
        assert max(cards.values()) <= 6
        if view["phase"] == "start" or state.over:
            continue
        on_eyes = sum(eye == "die" for place in view["places"] for eye in place["eyes"])
        dice = len(view["dice"]) + view["ledger"]["fours"] + len(view["sake"]) + on_eyes
        assert dice == 8


@of("dojo")
def test_all_tatamis_and_trophies_are_somewhere(variant):
    for _, seen in views(variant):
        view = seen[0]
        on_mats = Counter(cell["card"] for dojo in view["dojos"] for cell in dojo["cards"])
        face_down = sum(card is not None for card in view["held"])
        looking = int(view["looking"] is not None)
        assert max(on_mats.values(), default=0) <= 2
        assert sum(on_mats.values()) + _held(seen) + looking + view["tatamis_left"] == 60
        assert face_down <= variant[1]
        for dojo in view["dojos"]:
            places = {(cell["row"], cell["column"]) for cell in dojo["cards"]}
            assert len(places) == len(dojo["cards"])
            if places:
                rows, columns = zip(*places, strict=True)
                assert max(rows) - min(rows) < 3
                assert max(columns) - min(columns) < 4
        if view["over"]:
            assert all(len(dojo["cards"]) == 12 for dojo in view["dojos"])


def _held(seen):
    """How many seats hold a card: each knows its own."""
    return sum(view["held"][seat] is not None for seat, view in enumerate(seen))
