"""Puzzles: the puzzle of the day from the front page, answered and played on from; the page of puzzles, by keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.test_accessible import check
from browser.visitor import Visitor
from tsukimi.core.puzzle import Puzzle, puzzles
from tsukimi.games import spec

Visit = Callable[..., Visitor]


def here(visitor: Visitor) -> Puzzle:
    """The puzzle on the page."""
    [game, id] = re.search(r"/puzzles/([^/]+)/(\w+)", visitor.page.url).groups()  # type: ignore[union-attr]
    return puzzles(spec(game))[id]


def answer(visitor: Visitor, move: str) -> None:
    visitor.press("drawer-moves")
    visitor.tap(visitor.find("moves").locator(f"[data-move={move!r}]"))
    visitor.press("confirm")


@pytest.mark.parametrize("phone", [False, True])
def test_the_puzzle_of_the_day_is_answered_explained_and_played_on_from(visit: Visit, phone: bool) -> None:
    ana = visit("Ana", phone=phone, lang="fr" if phone else "en-GB")
    ana.home()
    ana.press("puzzle-of-the-day")
    expect(ana.find("ask")).to_have_attribute("data-mode", "ask")
    expect(ana.find("puzzle-answer")).to_have_count(0)
    one = here(ana)
    answer(ana, one.answer)
    expect(ana.find("puzzle-answer")).to_have_attribute("data-right", "true")
    expect(ana.find("puzzle-why")).not_to_be_empty()
    best = ana.find("puzzle-values").locator("li").first
    expect(best).to_contain_text(re.compile(rf"{round(100 * max(one.shares))}.?%"))
    expect(ana.find("puzzle-standing")).to_contain_text("+")
    check(ana)
    ana.press("puzzle-play-on")
    ana.page.wait_for_url(re.compile(r"/t/[^/]+$"))
    ana.until("ask")
    ana.home()
    expect(ana.find("puzzle-of-the-day")).to_contain_text("Un autre" if phone else "Another one")


def test_puzzles_of_one_game_are_solved_by_keyboard_one_after_the_other(visit: Visit) -> None:
    ana = visit("Ana")
    ana.go(f"{ana.url}/puzzles")
    ana.press("puzzles-dojo")
    ana.find("puzzles-theme").select_option("row")
    check(ana)
    ana.press("puzzles-start")
    ana.page.wait_for_url(re.compile(r"/puzzles/dojo/\w+\?game=dojo&theme=row"))
    expect(ana.find("ask")).to_have_attribute("data-mode", "ask")
    first = here(ana)
    assert "row" in first.themes
    ana.page.locator("#board").focus()
    ana.page.keyboard.press("m")
    expect(ana.find("moves").locator("button").first).to_be_focused()
    state = first.state(spec("dojo"))
    legal = state.legal(first.seat)
    wrong = next(place for place, move in enumerate(legal) if move != first.answer)
    for _ in range(wrong):
        ana.page.keyboard.press("Tab")
    ana.page.keyboard.press("Enter")
    expect(ana.find("ask")).to_have_attribute("data-mode", "chosen")
    ana.page.keyboard.press("Enter")  # the same move again confirms it
    expect(ana.find("puzzle-answer")).to_have_attribute("data-right", "false")
    expect(ana.find("puzzle-answer")).to_be_focused()
    expect(ana.find("puzzle-values")).to_contain_text("your move")
    ana.press("puzzle-next")
    expect(ana.find("puzzle-answer")).to_have_count(0)
    expect(ana.find("ask")).to_have_attribute("data-mode", "ask")
    assert here(ana).id != first.id
