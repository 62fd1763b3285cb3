"""A game installed by an external package: it is on the front page, and played on the generic board."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.taps import Player, play_together
from browser.test_accessible import check
from browser.visitor import Visitor
from tsukimi.games import names

GAME = "leduc"
Visit = Callable[..., Visitor]
pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(GAME not in names(), reason="NO PLUG-IN TESTS: examples/leduc is not installed"),
]


def test_two_people_play_it_to_the_end_and_watch_the_replay(visit: Visit) -> None:
    ana, bruno = visit("Ana"), visit("Bruno", phone=True, theme="paper")
    bruno.join(ana.open_table(GAME, 2))
    ana.start()
    for visitor in (ana, bruno):
        visitor.page.wait_for_selector("[data-board=generic]")
        visitor.check_width()
    players = [Player(ana, GAME, 1), Player(bruno, GAME, 2)]
    play_together(players)
    assert sum(player.listed for player in players) == 0
    for visitor in (ana, bruno):
        visitor.find("result").wait_for()
        expect(visitor.find("score-sheet").locator("tr.total td")).to_have_count(2)
        visitor.check_width()
    ana.press("to-replay")
    ana.find("replay-slider").wait_for()
    ana.page.wait_for_selector("[data-board=generic]")
    ana.find("replay-seat").select_option("open")
    ana.page.wait_for_selector("[data-board=generic]")
    expect(ana.page.locator("[data-board=generic] section.card")).to_have_count(2)


@pytest.mark.parametrize(
    ("lang", "phone", "ask", "call"),
    [
        ("en-GB", False, "Choose a move.", "Call"),
        ("fr-FR", True, "Choisis un coup.", "Suivre"),
        ("es-ES", True, "Elige una jugada.", "Igualar"),
    ],
)
def test_it_is_played_against_a_bot_by_its_buttons(visit: Visit, lang: str, phone: bool, ask: str, call: str) -> None:
    ana = visit("Ana", phone=phone, lang=lang)
    ana.play_bots(GAME, 2)
    while ana.until("ask", "over") == "ask":
        expect(ana.find("ask")).to_contain_text(ask)
        moves = ana.page.locator("[data-board=generic] .move")
        calls = moves.get_by_text(call, exact=True)
        ana.tap(calls if calls.count() else moves.last)
        ana.check_width()
    ana.find("result").wait_for()
    assert ana.played > 0


@pytest.mark.parametrize(("width", "height"), [(390, 844), (820, 1180), (1280, 800), (1440, 900), (1920, 1080)])
def test_its_buttons_cover_neither_cards_nor_counters(visit: Visit, width: int, height: int) -> None:
    ana = visit("Ana")
    ana.page.set_viewport_size({"width": width, "height": height})
    ana.play_bots(GAME, 2)
    ana.until("ask")
    buttons = ana.page.locator("[data-board=generic] .moves").bounding_box()
    own = ana.page.locator("[data-board=generic] section.own").bounding_box()
    assert buttons is not None
    assert own is not None
    assert own["y"] + own["height"] <= buttons["y"]


def test_nobody_is_shown_the_card_of_the_other(visit: Visit) -> None:
    ana, bruno = visit("Ana"), visit("Bruno", phone=True)
    bruno.join(ana.open_table(GAME, 2))
    ana.start()
    for visitor in (ana, bruno):
        expect(visitor.page.locator("[data-board=generic] section.card:not(.own)")).to_contain_text("face down")
        expect(visitor.page.locator("[data-board=generic] section.own")).to_have_text(re.compile("jack|queen|king"))


def test_its_texts_are_in_the_language_of_the_page(visit: Visit) -> None:
    texts = []
    for lang in ("en-GB", "fr-FR", "es-ES"):
        ana = visit("Ana", lang=lang)
        ana.home()
        expect(ana.card(GAME)).to_contain_text("Leduc")
        summary = ana.card(GAME).inner_text()
        ana.go(f"/rules/{GAME}")
        expect(ana.page.locator("main h1")).to_be_visible()
        texts.append((summary, ana.page.locator("main .card").inner_text()))
    assert len({summary for summary, _ in texts}) == len({rules for _, rules in texts}) == 3


@pytest.mark.parametrize("phone", [False, True])
def test_its_board_is_accessible_and_offers_a_hint(phone: bool, visit: Visit) -> None:
    ana = visit("Ana", phone=phone)
    ana.play_bots(GAME, 2)
    ana.until("ask")
    check(ana)
    ana.press("hint")
    ana.find("advice").wait_for()
    expect(ana.page.locator("[data-board=generic] .move.hinted")).not_to_have_count(0)
    check(ana)
    summary = ana.find("summary").inner_text()
    assert "On the table:" in summary
    assert "face down" in summary
    ana.page.locator("[data-board=generic] .move").first.focus()
    ana.page.keyboard.press("ArrowRight")
    ana.page.keyboard.press("Enter")
    ana.until("ask", "wait", "over", "round")
    assert ana.played == 1
