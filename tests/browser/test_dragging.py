"""Pieces are dragged with a mouse and with a finger: a drop makes the move, without a confirmation."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.drags import PIECES, Hand
from browser.taps import Player
from browser.visitor import Visitor

pytestmark = pytest.mark.compiled
Visit = Callable[..., Visitor]


def dragged(ana: Visitor, game: str, moves: int) -> set[str]:
    """Play by dragging wherever that is possible, until so many moves were made so; gives the kinds of places."""
    hand, taps, kinds = Hand(ana), Player(ana, game), set[str]()
    end = time.monotonic() + 60
    while moves:
        assert time.monotonic() < end, f"{moves} moves could not be dragged; so far {kinds}"
        if ana.mode != "ask":
            taps.act()
            ana.page.wait_for_timeout(20)
            continue
        before = ana.played
        place = hand.drag(game)
        if place is None:
            taps.act()
            continue
        kinds.add(place.partition(":")[0])
        moves -= 1
        if ana.find("confirm").is_visible():  # the move that ends a turn of several
            ana.press("confirm")
        ana.page.wait_for_function("() => document.querySelector('[data-testid=ask]').dataset.mode !== 'sending'")
        assert ana.played == before + 1
    return kinds


@pytest.mark.parametrize("phone", [False, True], ids=["mouse", "finger"])
@pytest.mark.parametrize("game", sorted(PIECES))
def test_a_piece_is_dragged_to_its_place_and_the_log_shows_the_move(game: str, phone: bool, visit: Visit) -> None:
    ana = visit("Ana", phone=phone, at_once=False, pace="instant")
    ana.play_bots(game, 3, "novice")
    ana.until("ask")
    dragged(ana, game, 2)
    ana.page.wait_for_function("() => !document.querySelector('.ghost-piece, [data-lifted], [data-takes]')")
    ana.drawer("log")
    expect(ana.page.locator(f"[data-testid=log] [data-event='{last_own_event(ana)}']")).to_be_visible()


def last_own_event(ana: Visitor) -> int:
    said = [json.loads(text) for text in ana.received]
    seat = next(message["you"]["seats"][0] for message in said if message["type"] == "welcome")
    events = [event for message in said if message["type"] == "game" for event in message["game"]["events"]]
    return int(next(event["index"] for event in reversed(events) if event.get("seat") == seat))
