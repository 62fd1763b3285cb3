"""Turns of several moves, playing at once, and whole games by keyboard alone."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.drags import Hand
from browser.taps import BOARDS, Player
from browser.visitor import Visitor

pytestmark = pytest.mark.compiled
Visit = Callable[..., Visitor]
STEP = "[data-testid=undo]:enabled"  # a step of the own turn can be taken back


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
    expect(ana.page.locator(STEP)).to_be_visible()
    assert ana.played == 1
    assert frogs(ana) != start
    ana.press("undo")
    expect(ana.page.locator(STEP)).to_have_count(0)
    assert frogs(ana) == start

    # Step by step until one of them ends the turn: dropped or not, that one waits.
    while ana.until("ask", "chosen") == "ask":
        assert hand.drag("china-moon")
        ana.page.wait_for_selector(f"{STEP}, [data-testid=confirm]")
    waiting = ana.played
    ana.press("take-back")
    expect(ana.page.locator(STEP)).to_be_visible()
    while ana.until("ask", "chosen") == "ask":
        assert hand.drag("china-moon")
        ana.page.wait_for_selector(f"{STEP}, [data-testid=confirm]")
    assert ana.played >= waiting
    ana.press("confirm")
    ana.until("ask", "wait", "show")
    assert ana.played > waiting


def test_a_move_of_the_hint_is_looked_at_before_it_is_played(visit: Visit) -> None:
    ana = visit("Ana", at_once=False)
    ana.play_bots("china-moon", 3, "novice")
    ana.until("ask")
    ana.press("hint")
    other = ana.find("advice").locator("[data-hint]").nth(1)
    other.wait_for()
    ana.tap(other)
    ana.until("chosen")
    assert ana.played == 0
    expect(other).to_have_attribute("aria-pressed", "true")
    ana.press("take-back")
    ana.until("ask")
    assert ana.played == 0
    ana.tap(other)
    play = ana.find("confirm").bounding_box()
    ana.press("confirm")
    ana.page.locator(STEP).wait_for()
    assert ana.played == 1
    # A second click where the first one was must not take the move back.
    back = ana.find("undo").bounding_box()
    assert play and back and back["x"] >= play["x"] + play["width"]
    ana.page.mouse.click(play["x"] + play["width"] / 2, play["y"] + play["height"] / 2)
    expect(ana.page.locator(STEP)).to_be_visible()
    assert [message["type"] for message in ana.sent].count("undo") == 0


def test_a_move_of_the_hint_is_looked_at_even_by_those_who_play_without_confirming(visit: Visit) -> None:
    ana = visit("Ana", at_once=True)
    ana.play_bots("china-moon", 3, "novice")
    ana.until("ask")
    ana.press("hint")
    ana.tap(ana.find("advice").locator("[data-hint]").first)
    ana.until("chosen")
    assert ana.played == 0


def test_the_bar_says_what_a_tap_does(visit: Visit) -> None:
    ana = visit("Ana", at_once=False)
    ana.play_bots("china-moon", 3, "novice")
    ana.until("ask")
    # Before the first tap, even if others have moved; and one rule through the whole turn.
    says = ana.find("taps").inner_text()
    assert "at once" in says and "confirming" in says
    assert Hand(ana).drag("china-moon")
    ana.page.locator(STEP).wait_for()
    expect(ana.find("taps")).to_have_text(says)
    ana.choose_from_list()
    expect(ana.find("final")).to_contain_text("confirm")
    ana.press("take-back")
    ana.until("ask")
    expect(ana.find("taps")).to_have_text(says)


def test_a_row_of_the_list_of_moves_lights_its_move_on_the_board(visit: Visit) -> None:
    ana = visit("Ana", at_once=False)
    ana.play_bots("china-moon", 3, "novice")
    ana.until("ask")
    ana.drawer("moves")
    for row in ana.page.locator("[data-move]").all()[:3]:
        _, frog, pad = (row.get_attribute("data-move") or "").split()
        row.hover()
        expect(ana.page.locator(f"#board [data-frog={frog}].hinted")).to_have_count(1)
        expect(ana.page.locator(f"#board [data-key='{pad}'].hinted")).to_have_count(1)
        expect(ana.page.locator("#board .ghost")).to_have_count(1)
    ana.page.mouse.move(5, 5)
    expect(ana.page.locator("#board .hinted")).to_have_count(0)


@pytest.mark.parametrize("phone", [False, True])
def test_no_frog_stays_selected_when_the_turn_is_over(phone: bool, visit: Visit) -> None:
    ana = visit("Ana", at_once=False, phone=phone, motion=True, pace="quick")
    ana.play_bots("china-moon", 3, "novice")
    player = Player(ana, "china-moon", 3)
    for _ in range(2):
        ana.until("ask")
        while ana.mode in ("ask", "chosen"):
            player.act()
            ana.page.wait_for_timeout(30)
        # The pointer still rests where it was: only a newly pointed component is shown.
        for _ in range(8):
            if ana.mode != "ask":
                assert ana.page.locator(".moon .ghost, .moon [data-frog] > .ring").count() == 0
            ana.page.wait_for_timeout(60)


def test_a_button_of_daruma_that_names_the_move_plays_it_without_a_second_question(visit: Visit) -> None:
    ana = visit("Ana", at_once=False)
    ana.play_bots("daruma", 3, "novice")
    player, end = Player(ana, "daruma"), time.monotonic() + 60
    named = ana.page.locator(".tray .act.primary:not(.closed)")
    while ana.mode != "ask" or named.count() == 0:
        assert time.monotonic() < end, "no button names a move"
        player.act()
        ana.page.wait_for_timeout(15)
    before = ana.played
    ana.tap(named.first)
    ana.page.wait_for_function("() => document.querySelector('[data-testid=ask]').dataset.mode !== 'chosen'")
    assert ana.played == before + 1


HERE = "wanted => document.activeElement?.matches(wanted) ?? false"


def walk_to(ana: Visitor, wanted: str, stops: int = 60) -> bool:
    """Tab from control to control until one is reached that fits."""
    for _ in range(stops):
        if ana.page.evaluate(HERE, wanted):
            return True
        ana.page.keyboard.press("Tab")
    return False


def press_enter(ana: Visitor, wanted: str) -> None:
    assert walk_to(ana, wanted), f"the keyboard does not reach {wanted}"
    ana.page.keyboard.press("Enter")


def play_by_keys(ana: Visitor, game: str, on_board: int = 2) -> None:
    """A whole game: the first moves with Tab and Enter on the board itself, the others as the hints say."""
    keys, end = ana.page.keyboard, time.monotonic() + 120
    pieces = [f"[data-testid=board] :is({group})" for group in BOARDS[game]]
    while time.monotonic() < end:
        mode = ana.until("ask", "round", "over")
        if mode == "over":
            return
        if mode == "round":
            press_enter(ana, "[data-testid=ready]")
            ana.page.wait_for_selector("[data-testid=ready]", state="detached")
        elif ana.played < on_board:
            present = next(group for group in pieces if ana.page.locator(group).count())
            press_enter(ana, present)
            keys.press("Tab")  # a piece that was picked is not picked again
        else:
            asked = ana.played
            keys.press("h")
            ana.page.wait_for_selector("[data-testid=advice] [data-hint]:focus")
            keys.press("Enter")
            ana.until("chosen")
            keys.press("Enter")
            ana.page.wait_for_selector("[data-testid=advice]", state="detached")
            assert ana.played == asked + 1
    raise AssertionError(f"the game is not over; {ana.mode}, {ana.played} moves")


@pytest.mark.parametrize(("game", "players"), [("charuma", 2), ("china-moon", 3), ("daruma", 2), ("dojo", 3)])
def test_a_game_is_won_with_only_the_keyboard(game: str, players: int, visit: Visit) -> None:
    ana = visit("Ana")
    ana.play_bots(game, players, "random")
    for _ in range(4):
        play_by_keys(ana, game)
        ana.find("verdict").wait_for()
        if "You won" in ana.find("verdict").inner_text():
            return
        ana.sent.clear()
        press_enter(ana, "[data-testid=rematch]")
        ana.page.wait_for_selector("[data-testid=ask]:not([data-mode=over])")
    raise AssertionError("no game was won")
