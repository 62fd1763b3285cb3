"""axe-core finds nothing to complain about, on any page, by night and on paper, on a phone and at a desk."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.taps import BOARDS, Player, play_together
from browser.visitor import Visitor

pytestmark = pytest.mark.compiled
Visit = Callable[..., Visitor]
AXE = Path(__file__).parents[2] / "client" / "node_modules" / "axe-core" / "axe.min.js"
# Letters and numbers that are drawn on a piece are part of its picture; what is written beside them is in its name.
TELL = """async () => {
  const drawn = (node) => {
    const piece = document.querySelector(node.target.at(-1));
    const name = (piece.getAttribute('aria-label') ?? '').toLowerCase();
    const walk = document.createTreeWalker(piece, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const { data, parentElement } = walk.currentNode;
      if (!parentElement.closest('[aria-hidden=true], svg') && !name.includes(data.trim().toLowerCase())) return false;
    }
    return piece.closest('[data-testid=board]') !== null;
  };
  const { violations } = await axe.run(document, { resultTypes: ['violations'] });
  return violations
    .map((one) => ({ ...one, nodes: one.nodes.filter((node) => one.id !== 'label-content-name-mismatch' || !drawn(node)) }))
    .filter((one) => one.nodes.length > 0)
    .map((one) => `${one.id} (${one.impact}): ` + one.nodes.slice(0, 4).map((node) => `${node.html.slice(0, 160)} ${node.failureSummary.slice(0, 240)}`).join(' | '));
}"""
STILL = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, *::before, *::after { transition: none !important; animation: none !important }');
  document.adoptedStyleSheets = [sheet];
}"""


@cache
def axe() -> str:
    if not AXE.exists():
        pytest.skip("NO ACCESSIBILITY TESTS: axe-core is not installed (npm ci in client/)")
    return AXE.read_text("utf-8")


def check(visitor: Visitor, *themes: str) -> None:
    visitor.check_width()
    visitor.page.evaluate(axe())
    visitor.page.evaluate(STILL)
    for theme in themes or ("night", "paper"):
        visitor.page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
        found = visitor.page.evaluate(TELL)
        assert not found, f"{visitor.page.url}, {theme}:\n" + "\n".join(found)


def test_the_pages_around_the_games(visit: Visit) -> None:
    ana = visit("Ana", phone=True)
    ana.home()
    check(ana)
    ana.tap(ana.card("dojo").get_by_test_id("pass-and-play"))
    ana.find("pass-dialog").wait_for()
    check(ana, "night")
    ana.open_table("daruma", 4)
    check(ana)
    ana.go("/me")
    ana.find("make-link").wait_for()
    ana.press("make-link")
    ana.find("qr").wait_for()
    check(ana)
    ana.go("/rules/china-moon")
    ana.page.wait_for_selector("h2")
    check(ana)
    ana.go("/nowhere")
    ana.page.wait_for_selector("main h1")
    ana.forgive("404 (Not Found)")
    check(ana)


def test_an_account_and_its_dialogs(visit: Visit) -> None:
    ana, other = visit("Ana"), visit("Ana", phone=True)
    ana.go("/me")
    ana.find("account-name").fill("ana-axe")
    ana.find("account-password").fill("a password")
    ana.press("register")
    ana.find("codes-dialog").wait_for()
    check(ana)
    ana.press("codes-kept")
    other.go("/me")
    other.find("account-name").fill("ana-axe")
    other.find("account-password").fill("a password")
    other.press("login")
    other.find("session-other").wait_for()
    check(other)
    for opener, dialog in [
        ("change-password", "password-dialog"),
        ("new-codes", "new-codes-dialog"),
        ("sessions-end", "sessions-dialog"),
        ("delete", "delete-dialog"),
        ("totp-begin", "totp-dialog"),
    ]:
        other.press(opener)
        other.find(dialog).wait_for()
        check(other, "night")
        if dialog != "totp-dialog":
            other.page.keyboard.press("Escape")
            expect(other.find(dialog)).to_have_count(0)
    other.find("present-password").fill("a password")
    other.press("ask-send")
    other.find("totp-confirm").wait_for()
    check(other)
    other.go("/reset")
    other.find("reset-name").wait_for()
    check(other)


@pytest.mark.parametrize("game", sorted(BOARDS))
def test_the_board_in_play(game: str, visit: Visit) -> None:
    ana = visit("Ana", phone=game in ("daruma", "dojo"), at_once=False)
    ana.play_bots(game, 4)
    play_together([Player(ana, game)], 3)
    ana.until("ask", "round")
    check(ana)
    if ana.mode == "ask":
        ana.choose_from_list()
        check(ana, "night")


def test_the_end_the_replay_and_a_person(visit: Visit) -> None:
    ana = visit("Ana")
    ana.play_bots("charuma", 2)
    ana.until("ask")
    ana.menu()
    check(ana, "paper")
    ana.press("resign")
    ana.press("sure")
    ana.find("result").wait_for()
    ana.tap(ana.find("fairness").locator("summary"))
    check(ana)
    ana.press("to-replay")
    ana.find("replay-slider").wait_for()
    ana.page.wait_for_selector("[data-testid=board] .seats, [data-testid=board] .board")
    ana.page.keyboard.press("End")
    check(ana)
    ana.go("/me")
    expect(ana.find("history")).to_be_visible()
    check(ana, "night")
    who = ana.page.evaluate("fetch('/api/me').then((answer) => answer.json()).then((me) => me.who)")
    ana.go(f"/people/{who}")
    ana.page.wait_for_selector("main h2")
    check(ana)
