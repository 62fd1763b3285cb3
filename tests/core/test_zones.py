"""Zones: what lies where, from a view alone, for boards that know no game."""

from __future__ import annotations

import json
import random

import pytest

import tsukimi
from tsukimi.core.zones import zones
from tsukimi.games import spec

POKER = {
    "game": "leduc",
    "players": 2,
    "options": {"first": "random"},
    "over": False,
    "actors": [0],
    "winners": [],
    "seat": 0,
    "phase": "bet",
    "ask": "bet",
    "round": 2,
    "board": ["K"],
    "pot": 6,
    "seats": [{"card": "Q", "chips": 3, "folded": False}, {"card": "?", "chips": 3, "folded": True}],
}


def found(**parts):
    return zones({"players": 3, **parts})


def cards(name, faces, seat=None):
    return {"name": name, "seat": seat, "cards": faces}


def counter(name, value, seat=None):
    return {"name": name, "seat": seat, "value": value}


def test_a_small_poker_table():
    assert zones(POKER) == [
        counter("round", 2),
        cards("board", ["K"]),
        counter("pot", 6),
        cards("card", ["Q"], 0),
        counter("chips", 3, 0),
        cards("card", [None], 1),
        counter("chips", 3, 1),
        counter("folded", True, 1),
    ]


def test_lists_of_texts_are_cards_however_many_there_are():
    for faces in ([], ["K"], ["K", "Q", "J"]):
        assert found(row=faces) == [cards("row", faces)]
    assert found(dice=[6, 0]) == [cards("dice", ["6", "0"])]


def test_a_question_mark_is_a_card_face_down_and_none_an_empty_place():
    assert found(row=["K", None, "?"]) == [cards("row", ["K", "", None])]
    assert found(card="?", public_card=None) == [cards("card", [None]), cards("public_card", [])]


def test_lists_with_one_item_per_player_belong_to_the_seats():
    assert found(points=[1, 2, 3]) == [counter("points", seat + 1, seat) for seat in range(3)]
    assert found(known=[None, 4, None]) == [counter("known", 4, 1)]
    assert found(hands=[["A"], ["?"], []]) == [
        cards("hands", ["A"], 0),
        cards("hands", [None], 1),
        cards("hands", [], 2),
    ]


def test_a_single_card_is_face_up_face_down_or_not_there():
    assert [found(public_card=card) for card in ("K", "?", None)] == [
        [cards("public_card", faces)] for faces in (["K"], [None], [])
    ]


def test_a_number_that_names_a_seat_marks_it():
    assert found(dealer=2, lead_seat=0) == [counter("dealer", True, 2), counter("lead_seat", True, 0)]
    assert found(dealer=None) == []


def test_what_is_false_unknown_or_long_is_left_out():
    assert found(swept=False, bid=None, story="x" * 100, empty="") == []
    assert found(swept=True, trump="hearts") == [counter("swept", True), counter("trump", "hearts")]


def test_nested_parts_are_named_by_their_path():
    assert found(trick={"led": "blue"}, groups=[{"bid": 2, "cards": ["7b"]}]) == [
        counter("trick led", "blue"),
        counter("groups 1 bid", 2),
        cards("groups 1 cards", ["7b"]),
    ]


def leaves(part):
    """Every text and number of a view."""
    if isinstance(part, dict):
        part = part.values()
    elif not isinstance(part, list):
        return {str(part)}
    return {leaf for one in part for leaf in leaves(one)}


@pytest.mark.parametrize("game", tsukimi.games())
def test_every_view_of_a_random_game_has_zones(game):
    for players in spec(game).seats:
        state, luck = tsukimi.new(game, players=players, seed=players), random.Random(players)
        for step in range(120):
            for seat in (None, *range(players)) if step % 4 == 0 or state.over else ():
                view = json.loads(json.dumps(state.view(seat)))
                shown = zones(view)
                assert json.loads(json.dumps(shown)) == shown == zones(state.view(seat))
                assert {zone["seat"] for zone in shown} <= {None, *range(players)}
                assert all(("cards" in zone) != ("value" in zone) for zone in shown)
                texts = {str(one) for zone in shown for one in (*zone.get("cards", ()), zone.get("value", True))}
                assert texts <= leaves(view) | {"None", "True", ""}, "zones show what the view does"
            if state.over:
                break
            seat = luck.choice(state.actors)
            state.apply(luck.choice(state.actions(seat)), seat)
