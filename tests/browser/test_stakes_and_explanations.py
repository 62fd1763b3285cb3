"""What a move brings is on the screen before it is made, and what lies on the board explains itself."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, WebSocketRoute, expect

from browser.visitor import Visitor

pytestmark = pytest.mark.compiled
Visit = Callable[..., Visitor]


def at_a_decision(visit: Visit, game: str, players: int = 3, **options: object) -> Visitor:
    ana = visit("Ana", at_once=False, **options)
    ana.play_bots(game, players)
    ana.until("ask")
    return ana


def long_press(visitor: Visitor, what: Locator) -> None:
    """A finger that stays for a second."""
    box = what.bounding_box()
    assert box is not None
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    touch = visitor.context.new_cdp_session(visitor.page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    visitor.page.wait_for_timeout(900)
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    visitor.page.wait_for_timeout(200)


@pytest.mark.parametrize(("game", "players"), [("daruma", 2), ("charuma", 3), ("dojo", 3), ("china-moon", 3)])
def test_every_move_says_what_is_at_stake_before_it_is_made(visit: Visit, game: str, players: int) -> None:
    ana = at_a_decision(visit, game, players)
    ana.drawer("moves")
    moves = ana.page.locator("[data-move]")
    expect(moves.locator("small").first).to_be_visible()
    ana.choose_from_list()
    expect(ana.find("stakes")).to_be_visible()
    asked = [message for message in ana.sent if message.get("type") == "stakes"]
    assert len({request["decision"] for request in asked}) == len(asked), "it is asked for once per decision"


def test_a_daruma_explains_itself_to_the_mouse_and_to_the_keyboard(visit: Visit) -> None:
    ana = at_a_decision(visit, "daruma", 2)
    spot = ana.page.locator(".ring .spot[data-explain]").first
    spot.hover()
    card = ana.find("explanation")
    expect(card).to_be_visible()
    assert card.get_attribute("data-key") == spot.get_attribute("data-explain")
    expect(card.locator("svg:not([width='0'])").first).to_be_visible()
    ana.page.mouse.move(2, 2)
    expect(card).to_be_hidden()
    ana.page.keyboard.press("Tab")
    spot.focus()
    expect(card).to_be_visible()
    assert spot.get_attribute("aria-describedby") == card.get_attribute("id")
    ana.page.keyboard.press("Escape")
    expect(card).to_be_hidden()


def test_on_a_large_screen_the_explanation_lies_beside_what_it_explains(visit: Visit) -> None:
    ana = at_a_decision(visit, "daruma", 2)
    ana.page.set_viewport_size({"width": 2560, "height": 1440})
    spot = ana.page.locator(".ring .spot[data-explain]").last
    spot.hover()
    card = ana.find("explanation")
    expect(card).to_be_visible()
    expect(card).to_be_in_viewport(ratio=1)
    thing, shown = spot.bounding_box(), card.bounding_box()
    assert thing is not None
    assert shown is not None
    assert abs(thing["x"] + thing["width"] / 2 - shown["x"] - shown["width"] / 2) < shown["width"]
    gap = max(thing["y"] - shown["y"] - shown["height"], shown["y"] - thing["y"] - thing["height"])
    assert gap < 40


def test_a_long_press_explains_and_chooses_nothing(visit: Visit) -> None:
    ana = at_a_decision(visit, "dojo", 3, phone=True)
    trophy = ana.page.locator(".supplies .trophy[data-explain]").first
    long_press(ana, trophy)
    expect(ana.find("explanation")).to_be_visible()
    cushion = ana.page.locator("button.cushion.legal, button.place, button.option").first
    long_press(ana, cushion)
    assert ana.mode == "ask"
    assert ana.played == 0


def trophy_without_a_place(socket: WebSocketRoute) -> None:
    """What comes late in a game: no line is free for the trophy just won, and both cards bring much."""
    server = socket.connect_to_server()

    def back(text: str | bytes) -> None:
        message = json.loads(text)
        if message.get("type") == "stakes" and "keep" in message["moves"]:
            for stakes in message["moves"].values():
                stakes[0] |= {"kind": "fits-you", "gain": 14}
                stakes[1]["gain"] = 10
                stakes.append({"kind": "boxed", "trophy": "multicolour-belt"})
        socket.send(json.dumps(message))

    server.on_message(back)


@pytest.mark.parametrize("lang", ["en-GB", "fr-FR", "es-ES"])
def test_a_trophy_without_a_place_is_announced_above_the_two_cards(visit: Visit, lang: str) -> None:
    ana = visit("Ana", phone=True, lang=lang)
    ana.page.route_web_socket(re.compile("."), trophy_without_a_place)
    ana.home()
    ana.tap(ana.card("dojo").get_by_test_id("learn"))
    ana.press("coach-next")
    ana.press("coach-next")
    ana.tap(ana.page.locator("button.option.hinted.bold"))
    answers = ana.page.locator("button.option.tall")
    expect(answers).to_have_count(2)
    expect(answers.first).to_contain_text("+14")
    stakes, tray = ana.find("at-stake").bounding_box(), ana.page.locator(".tray").bounding_box()
    assert stakes
    assert tray
    for box in (one.bounding_box() for one in answers.all()):
        assert box
        assert stakes["y"] + stakes["height"] <= box["y"] + 1
        assert box["y"] + box["height"] <= tray["y"] + tray["height"]
    assert answers.evaluate_all("all => all.every((one) => one.scrollWidth <= one.clientWidth)")


@pytest.mark.parametrize("thing", [".ring .spot.open", ".tray .row button.open", "button.sake.open"])
@pytest.mark.parametrize("phone", [True, False], ids=["finger", "mouse"])
def test_a_piece_that_is_held_explains_itself_and_is_not_played(visit: Visit, thing: str, phone: bool) -> None:
    ana = visit("Ana", phone=phone)
    ana.play_bots("daruma", 2)
    ana.until("ask")
    while not ana.page.locator(thing).count():
        ana.play_from_list()
        ana.until("ask")
    played, piece = ana.played, ana.page.locator(thing).first
    if phone:
        long_press(ana, piece)
    else:
        piece.click(delay=1000)
    card = ana.find("explanation")
    expect(card).to_be_visible()
    assert card.get_attribute("data-key") == piece.get_attribute("data-explain")
    assert (ana.mode, ana.played) == ("ask", played)
    # The next press counts again.
    ana.tap(ana.find("ask").locator("p").first)
    expect(card).to_be_hidden()


def test_what_scrolls_meanwhile_does_not_turn_a_long_press_into_a_tap(visit: Visit) -> None:
    ana = at_a_decision(visit, "dojo", 3, phone=True)
    ana.page.evaluate(
        "document.addEventListener('pointerdown', (event) => setTimeout(() => event.target.dispatchEvent(new Event('scroll')), 200), true)"
    )
    long_press(ana, ana.page.locator("button.cushion.legal[data-explain], button.option[data-explain]").first)
    expect(ana.find("explanation")).to_be_visible()
    assert (ana.mode, ana.played) == ("ask", 0)


def test_the_quickest_tap_elsewhere_closes_an_explanation(visit: Visit) -> None:
    ana = at_a_decision(visit, "dojo", 3, phone=True)
    trophy = ana.page.locator(".supplies .trophy[data-explain]").first
    trophy.tap()
    expect(ana.find("explanation")).to_be_visible()
    ana.find("ask").locator("p").first.tap()
    expect(ana.find("explanation")).to_be_hidden()


def test_the_question_mark_explains_the_moment_and_lists_the_keys(visit: Visit) -> None:
    ana = at_a_decision(visit, "china-moon", 3, lang="fr-FR")
    ana.page.keyboard.press("?")
    now = ana.find("help-now")
    expect(now).to_contain_text("grenouille")
    expect(now.locator("li")).to_have_count(0)  # a long list of moves would be no help
    expect(ana.find("shortcuts").locator(".things dt").first).to_be_visible()
    expect(ana.find("shortcuts").locator("kbd").first).to_be_visible()
    bo = at_a_decision(visit, "dojo", 3)
    bo.press("help")
    expect(bo.find("help-now").locator("li").first).to_be_visible()
    expect(bo.find("help-now").locator("small").first).to_be_visible()


@pytest.mark.parametrize("game", ["daruma", "charuma", "dojo", "china-moon"])
def test_the_rules_are_illustrated_with_the_boards_own_drawings(visit: Visit, game: str) -> None:
    ana = visit("Ana", lang="es-ES")
    ana.go(f"/rules/{game}")
    pictures = ana.page.locator(".brief .pictures > span")
    expect(pictures.first).to_be_visible()
    assert pictures.count() > 5
    for place in range(pictures.count()):
        expect(pictures.nth(place).locator("svg:not([width='0']), .face").first).to_be_visible()
        assert pictures.nth(place).inner_text().strip()
    text = ana.page.locator("div.text").inner_text()
    assert not re.search(r"\bp[1-5]\b|TOML|tsukimi play", text)
    ana.check_width()


POND = "() => { const { x, y, width, height } = document.querySelector('.pond').getBoundingClientRect(); return [x, y, width, height]; }"
# The middle of the first pad that lies free and that no frog can reach, and of the first frog that can move.
FREE_PAD = """() => {
  const pads = [...document.querySelectorAll('[data-key][role=img]:not([data-frog])')].filter((one) => one.dataset.key !== 'goal');
  const frogs = [...document.querySelectorAll('[data-frog] .under')].map((one) => one.getBoundingClientRect());
  const middle = (one) => { const box = one.querySelector('g').getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
  const free = ([x, y]) => frogs.every((box) => Math.hypot(x - box.x - box.width / 2, y - box.y - box.height / 2) > 40);
  return pads.map(middle).filter(free).at(-1);
}"""


def test_the_pond_keeps_its_place_on_a_phone_whatever_is_said_below_it(visit: Visit) -> None:
    ana = visit("Ana", phone=True, at_once=False, lang="en-GB")
    ana.play_bots("china-moon", 3, "novice")
    ana.until("ask")
    place = ana.page.evaluate(POND)
    ana.page.touchscreen.tap(*ana.page.evaluate(FREE_PAD))
    expect(ana.find("notice")).to_contain_text("No frog can land here now")
    assert ana.page.evaluate(POND) == place
    ana.press("hint")
    ana.find("advice").wait_for()
    # The frog that is recommended must be in sight: for that the pond may be scrolled, but it keeps its size.
    expect(ana.page.locator("#board .hinted").first).to_be_in_viewport()
    assert ana.page.evaluate(POND)[2:] == place[2:]


# How much of the chosen frog and of its ways' ends the open explanation hides, in square pixels.
HIDDEN = """() => {
  const card = document.querySelector('[data-testid=explanation]').getBoundingClientRect();
  return [...document.querySelectorAll('[data-frog] .ring.bold, .ghost')].map((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return Math.max(0, Math.min(right, card.right) - Math.max(left, card.left)) * Math.max(0, Math.min(bottom, card.bottom) - Math.max(top, card.top));
  });
}"""
# The middle of the free pad beside the chosen frog where it cannot go.
REFUSED = """() => {
  const middle = (one) => { const { x, y, width, height } = one.getBoundingClientRect(); return [x + width / 2, y + height / 2]; };
  const far = ([x, y], [left, top]) => Math.hypot(x - left, y - top);
  const frogs = [...document.querySelectorAll('[data-frog] [data-frame]')].map(middle);
  const chosen = middle(document.querySelector('[data-frog] .ring.bold'));
  const pads = [...document.querySelectorAll('[data-key][role=img] > [data-frame]')].filter((one) => !one.closest('[data-frog], [data-key=goal]')).map(middle);
  return pads.filter((pad) => frogs.every((frog) => far(frog, pad) > 40)).sort((a, b) => far(a, chosen) - far(b, chosen))[0];
}"""


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
def test_a_refused_pad_explains_itself_beside_the_chosen_frog(visit: Visit, phone: bool) -> None:
    ana = at_a_decision(visit, "china-moon", 3, phone=phone)
    ring = ana.page.locator("[data-frog] .ring.bold")
    while ring.count() == 0:  # a step of the turn is played at once where there is only one pad for it
        moved = ana.page.locator("[data-frog] .tick").count()
        ana.tap(ana.page.locator("[data-frog][role=button]").last)
        ana.page.wait_for_function(
            "moved => document.querySelector('[data-frog] .ring.bold') || document.querySelectorAll('[data-frog] .tick').length > moved && document.querySelector('[data-testid=ask][data-mode=ask]')",
            arg=moved,
        )
    point = ana.page.evaluate(REFUSED)
    if phone:
        ana.page.touchscreen.tap(*point)
    else:
        ana.page.mouse.click(*point)
    expect(ana.find("notice")).to_be_visible()
    expect(ana.find("explanation")).to_be_visible()
    hidden = ana.page.evaluate(HIDDEN)
    assert len(hidden) > 1
    assert not any(hidden)
