"""Turns of several moves, playing at once, and whole games by keyboard alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.drags import Hand
from browser.visitor import Visitor

pytestmark = pytest.mark.compiled
Visit = Callable[..., Visitor]


def frogs(ana: Visitor) -> list[str]:
    """Where every frog is drawn."""
    found: list[str] = ana.page.eval_on_selector_all("[data-frog]", "all => all.map((one) => one.style.transform)")
    return found


def test_a_turn_of_china_moon_is_confirmed_once_and_its_steps_are_taken_back_before(visit: Visit) -> None:
    ana = visit("Ana", at_once=False)
    ana.play_bots("china-moon", 3, "novice")
    ana.until("ask")
    start, hand = frogs(ana), Hand(ana)
    assert hand.drag("china-moon")
    expect(ana.find("step-back")).to_be_visible()
    assert ana.played == 1
    assert frogs(ana) != start
    ana.press("step-back")
    expect(ana.find("step-back")).to_have_count(0)
    assert frogs(ana) == start

    # Step by step until one of them ends the turn: dropped or not, that one waits.
    while ana.until("ask", "chosen") == "ask":
        assert hand.drag("china-moon")
        ana.page.wait_for_selector("[data-testid=step-back], [data-testid=confirm]")
    waiting = ana.played
    ana.press("take-back")
    expect(ana.find("step-back")).to_be_visible()
    while ana.until("ask", "chosen") == "ask":
        assert hand.drag("china-moon")
        ana.page.wait_for_selector("[data-testid=step-back], [data-testid=confirm]")
    assert ana.played >= waiting
    ana.press("confirm")
    ana.until("ask", "wait", "show")
    assert ana.played > waiting


def test_playing_at_once_is_offered_after_the_first_confirmation_and_never_again(visit: Visit) -> None:
    ana = visit("Ana", at_once=False, offered=False, phone=True)
    ana.play_bots("charuma", 3, "novice")
    ana.until("ask")
    expect(ana.find("offer-at-once")).to_have_count(0)
    ana.play_from_list()
    ana.press("offer-yes")
    expect(ana.find("offer-at-once")).to_have_count(0)
    ana.until("ask", "over")
    ana.drawer("moves")
    before = ana.played
    ana.tap(ana.page.locator("[data-move]").first)
    expect(ana.find("confirm")).to_have_count(0)
    ana.page.wait_for_function("() => document.querySelector('[data-testid=ask]').dataset.mode !== 'sending'")
    assert ana.played == before + 1
    expect(ana.find("offer-at-once")).to_have_count(0)
