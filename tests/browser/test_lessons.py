"""A guided first game, from the front page to free play: what the coach says, points at, and does after a different move."""

from __future__ import annotations

import secrets
from collections.abc import Callable

import pytest
from playwright.sync_api import TimeoutError, expect

import tsukimi
from browser.test_accessible import check
from browser.test_accounts import PASSWORD, login, register
from browser.visitor import Visitor
from tsukimi.core.lesson import Lesson, Step, lesson
from tsukimi.games import spec

pytestmark = pytest.mark.compiled
GAMES = [name for name in ("charuma", "china-moon", "daruma", "dojo") if spec(name).has_lesson]
SIZES = [{"width": 390, "height": 844}, {"width": 1280, "height": 800}]
# What the step points at or asks for and the person cannot see: it lies under the coach, or out of the board's window.
HIDDEN = """() => {
  const [board, coach] = ['[data-testid=board]', '[data-testid=coach]'].map((one) => document.querySelector(one).getBoundingClientRect());
  const shown = [...document.querySelectorAll('[data-testid=spotlight]')];
  const pressed = [...document.querySelectorAll('#board .hinted, [data-testid=confirm], [data-testid=coach-next]')];
  return [...shown, ...pressed].filter((one) => one.getClientRects().length > 0).flatMap((one) => {
    const box = one.getBoundingClientRect();
    const inside = !one.closest('[data-testid=coach]') && box.left < coach.right - 1 && coach.left < box.right - 1 && box.top < coach.bottom - 1 && coach.top < box.bottom - 1;
    const outside = one.closest('#board') && (box.bottom > board.bottom + 1 || box.top < board.top - 1);
    return inside || outside ? [`${one.dataset.testid ?? one.className}: ${Math.round(box.top)} to ${Math.round(box.bottom)}`] : [];
  });
}"""

# The areas of seats that the step points into, if they and all it points at have room beside the coach, and are cut off all the same.
CUT = """(shown) => {
  const [board, coach] = ['[data-testid=board]', '[data-testid=coach]'].map((one) => document.querySelector(one).getBoundingClientRect());
  const over = coach.left < board.right - 1;
  const areas = new Set(shown.flatMap((one) => {
    const [key, seat] = one.split(' ');
    const things = [...document.querySelectorAll(`#board [data-explain="${key}"]`)].filter((thing) => thing.getClientRects().length > 0);
    return things.map((thing) => thing.closest('[data-area]')).filter((area) => area && (!seat || area.dataset.area === seat));
  }));
  const boxes = [...areas].map((area) => area.getBoundingClientRect());
  const all = [...boxes, ...[...document.querySelectorAll('[data-testid=spotlight]')].map((ring) => ring.getBoundingClientRect())];
  const [top, bottom] = [Math.min(...all.map((box) => box.top)), Math.max(...all.map((box) => box.bottom))];
  if (bottom - top + (over ? coach.height : 0) > board.height - 20) return [];
  const cut = (box) => (over && box.top < coach.bottom - 1 && coach.top < box.bottom - 1) || box.bottom > board.bottom + 1 || box.top < board.top - 1;
  return boxes.filter(cut).map((box) => `an area from ${Math.round(box.top)} to ${Math.round(box.bottom)}`);
}"""
# Words on the board that lie under something else on it (a drawing may be transparent there).
COVERED = """() => {
  const [board, coach] = ['#board', '[data-testid=coach]'].map((one) => document.querySelector(one));
  const inside = (x, y, { left, right, top, bottom }) => x > left && x < right && y > top && y < bottom;
  const texts = document.createTreeWalker(board, NodeFilter.SHOW_TEXT, (node) => (node.nodeValue.trim().length > 2 ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT));
  const found = [];
  while (texts.nextNode()) {
    const [holder, range] = [texts.currentNode.parentElement, document.createRange()];
    if (holder instanceof SVGElement || holder.closest('.visually-hidden') || !holder.checkVisibility({ opacityProperty: true })) continue;
    range.selectNodeContents(texts.currentNode);
    for (const { left, right, top, bottom } of range.getClientRects()) {
      for (const x of [0.1, 0.5, 0.9].map((share) => left + share * (right - left))) {
        const y = (top + bottom) / 2;
        if (!inside(x, y, board.getBoundingClientRect()) || inside(x, y, coach.getBoundingClientRect())) continue;
        const front = document.elementFromPoint(x, y);
        if (front instanceof HTMLElement && board.contains(front) && !front.contains(holder) && !holder.contains(front)) found.push(`${texts.currentNode.nodeValue.trim()} under ${front.className}`);
      }
    }
  }
  return found;
}"""

# Labels of a chance that the edge of a ring runs through.
CROSSED = """() => {
  const boxes = (what) => [...document.querySelectorAll(what)].filter((one) => one.getClientRects().length > 0).map((one) => one.getBoundingClientRect());
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const within = (a, b) => a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;
  return boxes('#board .risk').flatMap((label) => boxes('[data-testid=spotlight]').filter((ring) => meet(label, ring) && !within(label, ring)).map(() => `a label at ${Math.round(label.left)}, ${Math.round(label.top)}`));
}"""


def begin(visitor: Visitor, game: str) -> Lesson:
    found = lesson(spec(game))
    assert found is not None
    visitor.home()
    visitor.tap(visitor.card(game).get_by_test_id("learn"))
    visitor.find("coach").wait_for()
    return found


def at_step(visitor: Visitor, number: int) -> None:
    visitor.page.wait_for_selector(f"[data-testid=coach][data-step='{number}']")
    expect(visitor.find("coach-says").locator("p").first).not_to_be_empty()


def play(visitor: Visitor, move: str) -> None:
    """Out of the list of all moves."""
    visitor.drawer("moves")
    visitor.tap(visitor.page.locator(f"[data-move='{move}']"))


def is_pointed_at(visitor: Visitor, step: Step, heights: dict[int, float]) -> None:
    """What the step is about and the move that it asks for are in sight, on a phone and on a desk; the board keeps its size."""
    if step.move is not None:
        visitor.page.wait_for_selector("#board .hinted")
    for size in SIZES:
        visitor.page.set_viewport_size(size)  # type: ignore[arg-type]
        if step.show:
            visitor.find("spotlight").first.wait_for()
        for found in (HIDDEN, CUT, COVERED, CROSSED):
            try:
                visitor.page.wait_for_function(f"shown => ({found})(shown).length === 0", arg=list(step.show))
            except TimeoutError as problem:
                what = visitor.page.evaluate(found, list(step.show))
                raise AssertionError(f"{step.say} at {size}: {what}") from problem
        box = visitor.find("board").bounding_box()
        assert box
        assert heights.setdefault(size["width"], box["height"]) == box["height"], step.say


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_leads_from_the_front_page_to_free_play(visit: Callable[..., Visitor], game: str) -> None:
    ana = visit("Ana")
    found = begin(ana, game)
    state = tsukimi.new(game, found.players, chance="manual", **found.options)
    tried = 0
    heights: dict[int, float] = {}
    for number, step in enumerate(found.steps, 1):
        at_step(ana, number)
        is_pointed_at(ana, step, heights)
        while state.events_so_far < step.at:
            state.make(*found.line[state.events_so_far])
        if step.move is None:
            ana.press("coach-next")
            continue
        others = [move for move in state.legal(0) if move != step.move]
        if others and tried < 2:
            tried += 1
            play(ana, others[0])
            ana.find("coach-anyway").wait_for()
            if tried == 1:  # another move is answered, and taken back before it is played
                ana.press("coach-back")
            else:  # or played all the same: then the way back is open
                ana.press("coach-anyway")
                ana.find("coach-return").wait_for()
                ana.press("coach-return")
            at_step(ana, number)
        play(ana, step.move)
    expect(ana.find("coach")).to_have_count(0)
    ana.until("ask")
    ana.press("hint")
    ana.find("advice").wait_for()
    ana.home()
    expect(ana.card(game).get_by_test_id("learn")).to_have_text("Do the lesson again")
    expect(ana.card(game).get_by_test_id("go-on")).to_have_text("Go on with your game")


def test_a_lesson_resumes_where_it_was_left(visit: Callable[..., Visitor]) -> None:
    bo = visit("Bo", phone=True)
    begin(bo, "dojo")
    address = bo.page.url
    bo.find("coach-next").press("Enter")
    at_step(bo, 2)
    check(bo)
    expect(bo.find("coach-next")).to_be_focused()
    bo.page.keyboard.press("Enter")
    at_step(bo, 3)
    expect(bo.find("coach")).to_be_focused()  # it asks for a move: the button is gone
    bo.home()
    learn = bo.card("dojo").get_by_test_id("learn")
    expect(learn).to_contain_text("step 3 of")
    bo.tap(learn)
    at_step(bo, 3)
    assert bo.page.url == address
    # With an account the lesson continues on another device, with the same look, and nobody else sees it there.
    account = f"bo-{secrets.token_hex(4)}"
    register(bo, account)
    bo.press("theme-switch")
    theme = bo.page.locator("html").get_attribute("data-theme")
    other = visit("Bo at home")
    login(other, account, PASSWORD)
    expect(other.page.locator("html")).to_have_attribute("data-theme", theme or "")
    other.home()
    expect(other.card("dojo").get_by_test_id("learn")).to_contain_text("step 3 of")
    other.tap(other.card("dojo").get_by_test_id("learn"))
    at_step(other, 3)
    assert other.page.url == address
    other.press("coach-leave")
    expect(other.find("coach")).to_have_count(0)
    other.check_width()
    other.go("/me")
    other.press("logout")
    other.find("account-name").wait_for()
    other.home()
    expect(other.card("dojo").get_by_test_id("learn")).to_contain_text("New to Dojo?")
    bo.home()
    expect(bo.card("dojo").get_by_test_id("learn")).to_have_text("Do the lesson again")
