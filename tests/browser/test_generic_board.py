"""A game from an installed package, examples/leduc, on the generic board: its buttons are all that it takes to play."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

import tsukimi
from browser.visitor import Visitor

pytestmark = pytest.mark.compiled
Visit = Callable[..., Visitor]


@pytest.fixture(autouse=True)
def installed() -> None:
    if "leduc" not in tsukimi.games():
        pytest.skip("NO EXAMPLE: pip install --no-deps ./examples/leduc")


@pytest.mark.parametrize(
    ("phone", "lang", "theme", "title", "call", "hand"),
    [
        (False, "en-GB", "night", "Leduc poker", "Call", "Hand"),
        (True, "fr-FR", "paper", "Poker Leduc", "Suivre", "Main"),
        (True, "es-ES", "night", "Póquer Leduc", "Igualar", "Mano"),
    ],
)
def test_a_game_from_outside_is_played_by_its_buttons(
    visit: Visit, phone: bool, lang: str, theme: str, title: str, call: str, hand: str
) -> None:
    ana = visit("Ana", phone=phone, lang=lang, theme=theme)
    ana.home()
    expect(ana.card("leduc")).to_contain_text(title)
    ana.play_bots("leduc", players=2)
    board = ana.page.locator("[data-board=generic]")
    expect(board.locator(".own")).to_contain_text(hand)
    ana.check_width()
    while ana.until("ask", "over") == "ask":
        moves = board.locator(".move")
        calls = moves.get_by_text(call, exact=True)
        ana.tap(calls if calls.count() else moves.last)
        ana.check_width()
    ana.find("result").wait_for()
    ana.check_width()
    assert ana.played > 0
