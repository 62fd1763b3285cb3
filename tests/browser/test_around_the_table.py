"""Languages, looks, one device for all, a second device, the keyboard alone, the replay."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from browser.taps import BOARDS, Player, play_together
from browser.visitor import Visitor

pytestmark = pytest.mark.compiled
Visit = Callable[..., Visitor]


def test_every_text_changes_with_the_language(visit: Visit) -> None:
    ana = visit("Ana", lang="es-MX")
    ana.home()
    root = ana.page.locator("html")
    expect(root).to_have_attribute("lang", "es")
    expect(ana.page.locator("#games")).to_have_text("¿A qué jugamos?")
    ana.find("lang-switch").select_option("fr")
    expect(root).to_have_attribute("lang", "fr")
    expect(ana.page.locator("#games")).to_have_text("À quoi joue-t-on ?")
    ana.page.reload()
    expect(ana.page.locator("#games")).to_have_text("À quoi joue-t-on ?")

    ana.open_table("dojo", 3)
    missing = ana.find("ask")
    expect(missing).to_have_text("Il reste 2 places libres.")
    ana.press("add-bot")
    expect(missing).to_have_text("Il reste 1 place libre.")  # the singular
    ana.press("add-bot")
    ana.start()
    ana.until("ask", "wait")
    french = ana.find("summary").inner_text()
    expect(ana.find("log")).to_contain_text(re.compile("est? le premier donneur"))
    ana.menu()
    ana.find("menu-dialog").get_by_test_id("lang-switch").select_option("en")
    expect(root).to_have_attribute("lang", "en")
    ana.page.keyboard.press("Escape")
    expect(ana.find("log")).to_contain_text(re.compile("(is|are) the first dealer"))
    assert ana.find("summary").inner_text() != french
    expect(ana.page.get_by_label("Your dojo", exact=True)).to_be_visible()  # what the board says, too


def test_no_board_is_shown_before_its_words_are_there(visit: Visit) -> None:
    ana = visit("Ana")
    ana.play_bots("dojo", 3)
    ana.page.add_init_script("""
        window.bare = [];
        const look = () => document.querySelectorAll('[aria-label="your_dojo"]').forEach((one) => window.bare.push(one.outerHTML));
        new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
    """)
    held: list[Route] = []
    words = re.compile(r"/api/games/dojo/messages")
    ana.page.route(words, lambda route: held.append(route))
    with ana.page.expect_request(words):
        ana.page.reload()
    expect(ana.find("seat-0")).to_be_visible()
    expect(ana.page.get_by_label("Your dojo", exact=True)).to_have_count(0)
    for route in held:
        route.continue_()
    expect(ana.page.get_by_label("Your dojo", exact=True)).to_be_visible()
    assert ana.page.evaluate("window.bare") == []


def test_night_and_paper(visit: Visit) -> None:
    ana = visit("Ana", theme="system")
    ana.page.emulate_media(color_scheme="light")
    ana.home()
    root = ana.page.locator("html")
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    expect(root).to_have_attribute("data-theme", "paper")
    paper = ana.page.evaluate(ground)
    ana.press("theme-switch")
    expect(root).to_have_attribute("data-theme", "night")
    assert ana.page.evaluate(ground) != paper
    ana.page.reload()
    expect(root).to_have_attribute("data-theme", "night")


def test_one_device_is_passed_round_with_a_covered_screen_between_the_seats(visit: Visit) -> None:
    ana = visit("Ana", phone=True)
    ana.home()
    ana.tap(ana.card("charuma").get_by_test_id("pass-and-play"))
    ana.find("pass-name-0").fill("Zoé")
    ana.find("pass-name-1").fill("Yann")
    ana.press("pass-start")
    seen = []
    hands: dict[str, set[str]] = {}
    for _ in range(4):
        ana.find("curtain-open").wait_for()
        title = ana.find("curtain").locator("h2").inner_text()
        name = next(one for one in ("Zoé", "Yann") if one in title)
        expect(ana.page.locator("[data-testid=board] [data-card]")).to_have_count(0)
        expect(ana.find("summary")).to_have_count(0)
        ana.press("curtain-open")
        ana.until("ask")
        hands[name] = set(
            ana.page.eval_on_selector_all(".hidden [data-card]", "all => all.map((one) => one.dataset.card)")
        )
        ana.play_from_list()
        seen.append(name)
    assert set(seen) == {"Zoé", "Yann"}
    assert all(hands.values())
    assert hands["Zoé"] != hands["Yann"]


def test_the_curtain_opens_at_the_first_press_also_while_the_cards_are_dealt(visit: Visit) -> None:
    ana = visit("Ana", motion=True, pace="normal")
    ana.home()
    ana.tap(ana.card("charuma").get_by_test_id("pass-and-play"))
    ana.press("pass-start")
    ana.find("curtain-open").wait_for()
    assert ana.mode == "curtain"  # not what is dealt: it cannot be seen yet
    ana.press("curtain-open")
    expect(ana.find("curtain")).to_have_count(0)
    ana.until("ask")


def test_a_personal_link_makes_a_second_device_the_same_person(visit: Visit) -> None:
    ana, phone = visit("Ana"), visit("Phone", phone=True)
    ana.go("/me")
    ana.find("name-input").fill("Ana Luna")
    ana.press("name-save")
    expect(ana.find("me-link")).to_contain_text("Ana Luna")
    ana.play_bots("charuma", 3)
    game = ana.page.url
    ana.go("/me")
    ana.press("make-link")
    link = ana.find("share-link").input_value()
    expect(ana.find("qr")).to_be_visible()

    phone.go(link)
    phone.tap(phone.page.get_by_role("button").first)
    phone.page.wait_for_selector("[data-testid=yours]")
    expect(phone.find("resume").first).to_have_attribute("href", game.removeprefix(phone.url))
    phone.press("resume")
    phone.until("ask", "wait")
    expect(phone.find("undo")).to_be_visible()
    phone.go("/me")
    expect(phone.find("name-input")).to_have_value("Ana Luna")


# ---- the keyboard ---------------------------------------------------------------------------------

FOCUSED = """(choosable) => {
  const at = document.activeElement;
  return { mode: document.querySelector('[data-testid=ask]')?.dataset.mode ?? '', here: at?.matches(choosable) ?? false,
           pressed: at?.matches('[data-testid=board] [aria-pressed=true]') ?? false };
}"""


class Typist:
    """Plays with nothing but keys: Tab to what can be chosen, arrows within a group, Enter."""

    def __init__(self, visitor: Visitor, game: str) -> None:
        self.keys = visitor.page.keyboard
        self.visitor, self.choosable = visitor, ", ".join(BOARDS[game])
        self.chance = random.Random(3)

    def tab_to(self, name: str, within: str = "body") -> None:
        for _ in range(200):
            if self.visitor.page.evaluate(f"document.activeElement.matches('{within} [data-testid={name}]')"):
                return
            self.keys.press("Tab")
        raise AssertionError(f"Tab does not lead to {name}")

    def look(self) -> dict[str, object]:
        found: dict[str, object] = self.visitor.page.evaluate(FOCUSED, self.choosable)
        return found

    def move(self) -> None:
        """Make one move, with as many keys as it takes."""
        played = self.visitor.played
        for _ in range(40):
            seen = self.look()
            if self.visitor.played > played or seen["mode"] not in ("ask", "chosen"):
                return
            if seen["mode"] == "chosen" and not seen["pressed"]:
                self.tab_to("confirm")
            if seen["mode"] == "chosen" or (seen["here"] and self.chance.random() < 0.75):
                self.keys.press("Enter")  # once more on the same piece confirms it
                self.visitor.page.wait_for_timeout(30)
            elif seen["here"] and self.chance.random() < 0.5:
                self.keys.press("ArrowRight")
            else:
                self._tab()
        raise AssertionError("no move came of forty keys")

    def _tab(self) -> None:
        for _ in range(60):
            self.keys.press("Tab")
            if self.look()["here"]:
                return

    def until_asked(self) -> str:
        while True:
            mode = self.visitor.until("ask", "round", "over")
            if mode != "round":
                return mode
            self.tab_to("ready")
            self.keys.press("Enter")
            self.visitor.page.wait_for_timeout(30)


def test_a_whole_game_with_only_the_keyboard(visit: Visit) -> None:
    ana = visit("Ana", at_once=False)
    ana.home()
    typist, card = Typist(ana, "charuma"), "[data-testid=game-charuma]"
    typist.tab_to("players", card)
    typist.keys.press("2")
    typist.tab_to("level", card)
    typist.keys.press("g")
    typist.tab_to("play-bots", card)
    typist.keys.press("Enter")
    ana.page.wait_for_selector("[data-testid=board]")
    while typist.until_asked() == "ask":
        typist.move()
    ana.find("result").wait_for()
    assert ana.played > 4  # a short game, where many a card was the only one
    assert ana.page.evaluate("document.activeElement.closest('[data-testid=result]') !== null")
    typist.keys.press("Escape")
    expect(ana.find("result")).to_have_count(0)


def test_a_first_visitors_click_waits_until_the_server_knows_them(visit: Visit) -> None:
    ana = visit("Ana")
    held: list[Route] = []
    ana.page.route("**/api/me", lambda route: held.append(route))
    ana.home()
    ana.tap(ana.card("daruma").get_by_test_id("play-bots"))
    ana.page.wait_for_timeout(300)
    held[0].continue_()
    ana.page.wait_for_selector("[data-testid=board]")


@pytest.mark.parametrize("game", ["daruma", "dojo", "china-moon"])
def test_moves_on_the_board_by_keyboard(game: str, visit: Visit) -> None:
    ana = visit("Ana", at_once=False)
    ana.play_bots(game, 3)
    typist = Typist(ana, game)
    for _ in range(4):
        if typist.until_asked() == "ask":
            typist.move()
    assert ana.played >= 4


def test_shortcuts_open_what_they_say(visit: Visit) -> None:
    ana = visit("Ana", at_once=False)
    ana.play_bots("daruma", 2)
    ana.until("ask")
    for key, shown in (("m", "moves"), ("c", "chat-input"), ("l", "log"), ("?", "shortcuts")):
        ana.page.keyboard.press(key)
        expect(ana.find(shown)).to_be_visible()
    ana.page.keyboard.press("Escape")
    expect(ana.find("shortcuts")).to_have_count(0)
    ana.page.keyboard.press("h")
    expect(ana.find("advice")).to_be_visible()
    ana.page.keyboard.press("Escape")
    expect(ana.find("advice")).to_have_count(0)


# ---- the replay -----------------------------------------------------------------------------------


def test_a_log_that_was_closed_stays_closed_at_the_next_table(visit: Visit) -> None:
    ana = visit("Ana")
    ana.play_bots("dojo", 3)
    expect(ana.find("drawer")).to_be_visible()  # on a wide screen it lies beside the board
    ana.press("drawer-close")
    ana.play_bots("daruma", 2)
    ana.until("ask", "wait")
    expect(ana.find("drawer")).to_have_count(0)
    ana.drawer("log")
    ana.play_bots("dojo", 3)
    expect(ana.find("drawer")).to_be_visible()


def test_a_finished_game_is_stepped_through_with_each_seats_knowledge(visit: Visit) -> None:
    ana = visit("Ana")
    table = ana.play_bots("charuma", 2)
    play_together([Player(ana, "charuma")])
    ana.find("result").wait_for()
    ana.press("to-replay")
    slider, at = ana.find("replay-slider"), ana.find("replay-at")
    slider.wait_for()
    expect(ana.find("replay-seat")).to_have_value("0")

    ana.press("replay-next")
    expect(at).to_have_text("1 / " + (slider.get_attribute("max") or ""))
    ana.press("replay-next")
    ana.press("replay-back")
    expect(slider).to_have_value("1")
    ana.page.keyboard.press("End")
    expect(slider).to_have_value(slider.get_attribute("max") or "")
    expect(ana.find("replay-line")).not_to_be_empty()
    ana.page.keyboard.press("Home")
    expect(slider).to_have_value("0")
    slider.fill("12")
    expect(at).to_contain_text("12 /")
    ana.find("log").locator(".block .line button").first.click()  # jump to a line of the log
    expect(at).not_to_contain_text("12 /")

    slider.fill("2")  # two bids at most: no card has been played yet
    hidden = "[data-testid=board] .hidden [data-card], [data-testid=board] [data-card$='*']"
    assert ana.page.locator(hidden).count() > 0
    ana.find("replay-seat").select_option("spectator")
    expect(slider).to_have_value("2")
    expect(ana.page.locator("[data-testid=board] .seats section")).to_have_count(2)
    expect(ana.page.locator(hidden)).to_have_count(0)
    before = ana.page.locator("[data-testid=board]").inner_html()
    ana.find("replay-seat").select_option("open")
    expect(ana.page.locator("[data-testid=board] .seats section")).to_have_count(2)
    ana.page.wait_for_function(
        "before => document.querySelector('[data-testid=board]').innerHTML !== before", arg=before
    )

    ana.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ana.press("replay-share")
    link = ana.page.evaluate("navigator.clipboard.readText()")
    assert link == f"{table}/replay?seat=open&at=2"
    bruno = visit("Bruno", phone=True, theme="paper")
    bruno.go(link)
    expect(bruno.find("replay-slider")).to_have_value("2")
    expect(bruno.find("replay-seat")).to_have_value("open")
    bruno.check_width()
    bruno.press("replay-play")
    expect(bruno.find("replay-at")).not_to_have_text(re.compile("^2 /"))


def one_move_and_resign(visitor: Visitor) -> str:
    url = visitor.play_bots("dojo")
    visitor.until("ask")
    visitor.play_from_list()
    expect(visitor.find("offers")).to_have_count(0)  # nothing gets in the way of a game
    visitor.menu()
    visitor.press("resign")
    visitor.press("sure")
    visitor.find("result").wait_for()
    return url


def test_sound_is_offered_once_with_the_first_result_and_never_before_a_yes(visit: Visit) -> None:
    ana = visit("Ana", sound=None)
    ana.page.add_init_script(
        "window.sounds = 0; const Real = window.AudioContext;"
        "window.AudioContext = class extends Real { constructor() { super(); window.sounds += 1; } }"
    )
    url = one_move_and_resign(ana)
    ana.find("offer-sound").wait_for()
    assert ana.page.evaluate("window.sounds") == 0
    ana.press("offer-sound")
    ana.page.wait_for_function("() => window.sounds === 1")
    expect(ana.find("offer-sound")).to_be_checked()  # and stays where it was
    ana.go(url)
    ana.find("result").wait_for()
    expect(ana.find("offers")).to_have_count(0)

    zoe = visit("Zoe", sound=None)
    url = one_move_and_resign(zoe)
    zoe.find("offer-sound").wait_for()
    zoe.go(url)
    zoe.find("result").wait_for()
    expect(zoe.find("offers")).to_have_count(0)
    zoe.page.keyboard.press("Escape")
    zoe.menu()
    expect(zoe.page.get_by_label("Sounds")).not_to_be_checked()


def test_whoever_comes_back_to_the_front_page_resumes_where_it_was_left(visit: Visit) -> None:
    ana = visit("Ana", phone=True)
    ana.home()
    ana.tap(ana.card("dojo").locator("a[href='/rules/dojo']"))
    left = "document.querySelector('[data-testid=game-dojo]').getBoundingClientRect().top"
    ana.page.wait_for_url("**/rules/dojo")
    ana.page.locator("h1").first.wait_for()
    assert ana.page.evaluate("scrollY") == 0
    ana.page.locator("a[href='/']").first.click()
    ana.page.wait_for_function(f"innerHeight > {left}")


def test_escape_closes_a_dialog_also_when_the_button_that_was_pressed_has_gone(visit: Visit) -> None:
    ana = visit("Ana")
    ana.play_bots("charuma", 2)
    ana.menu()
    ana.press("resign")
    expect(ana.find("sure")).to_be_visible()
    ana.page.keyboard.press("Escape")
    expect(ana.find("menu-dialog")).to_have_count(0)
