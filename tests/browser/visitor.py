"""A person in front of a browser: a context of their own, on a phone or at a desk, and what they do at a table."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Error, Locator, Page, WebSocket, expect

import tsukimi.server

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
PATIENCE = 45_000.0  # ms; only a test that fails takes so long
PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 900}
ROOT = Path(__file__).parents[2]
expect.set_options(timeout=PATIENCE)


def built_client() -> Path | None:
    """The pages: those named by TSUKIMI_WEB, those of the installed package, else those of the checkout."""
    places = [Path(tsukimi.server.__file__).parent / "web", ROOT / "client" / "dist"]
    if "TSUKIMI_WEB" in os.environ:
        places.insert(0, Path(os.environ["TSUKIMI_WEB"]))
    return next((place for place in places if (place / "index.html").exists()), None)


class Visitor:
    """`problems` collects what must not happen: errors of the page or the console, a page wider than the screen."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        name: str = "Ana",
        *,
        phone: bool = False,
        theme: str = "night",
        lang: str = "en-GB",
        at_once: bool = True,
        motion: bool = False,
        pace: str = "instant",
        sound: bool | None = False,
        offered: bool = True,
        offline_noise: bool = False,
    ) -> None:
        self.url, self.name, self.phone = url, name, phone
        self.problems: list[str] = []
        self.sent: list[dict[str, Any]] = []
        """What the page sent to its table."""
        self.received: list[str] = []
        """What the page received from its table."""
        self._noise = offline_noise
        self.context = browser.new_context(
            viewport=PHONE if phone else DESK,  # type: ignore[arg-type]
            has_touch=phone,
            is_mobile=phone,
            locale=lang,
            timezone_id="Europe/Paris",
            reduced_motion="no-preference" if motion else "reduce",
            accept_downloads=True,
        )
        self.context.set_default_timeout(PATIENCE)
        prefs = json.dumps(
            {"theme": theme, "atOnce": at_once, "motion": motion, "pace": pace, "sound": sound}
            | ({"offered": ["at-once"]} if offered else {})
        )
        self.context.add_init_script(
            f"localStorage.getItem('tsukimi.prefs') ?? localStorage.setItem('tsukimi.prefs', '{prefs}')"
        )
        self.page = self.watch(self.context.new_page())

    def watch(self, page: Page) -> Page:
        page.on("pageerror", lambda problem: self.problems.append(f"page error: {problem}"))
        page.on("console", self._console)
        page.on("websocket", self._socket)
        return page

    def close(self) -> None:
        self.context.close()

    def forgive(self, words: str) -> None:
        """What was wanted is no problem."""
        self.problems = [problem for problem in self.problems if words not in problem]

    def _console(self, message: ConsoleMessage) -> None:
        if message.type not in ("error", "warning"):
            return
        if self._noise and "ERR_INTERNET_DISCONNECTED" in message.text:
            return  # the browser's own words about the broken network
        self.problems.append(f"console {message.type}: {message.text} {message.location}")

    def _socket(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda text: self.sent.append(json.loads(text)))
        socket.on("framereceived", lambda text: self.received.append(str(text)))

    # ---- finding ---------------------------------------------------------------------------------

    def find(self, name: str) -> Locator:
        return self.page.get_by_test_id(name)

    def press(self, name: str) -> None:
        self.tap(self.find(name).first)

    def tap(self, what: Locator) -> None:
        if self.phone:
            what.tap()
        else:
            what.click()

    def go(self, path: str) -> None:
        self.page.goto(path if path.startswith("http") else self.url + path)

    @property
    def mode(self) -> str:
        """The status in the bar of the table."""
        found: str = self.page.evaluate("document.querySelector('[data-testid=ask]')?.dataset.mode ?? ''")
        return found

    def until(self, *modes: str) -> str:
        wanted = ",".join(f"[data-testid=ask][data-mode={mode}]" for mode in modes)
        return self.page.wait_for_selector(wanted).get_attribute("data-mode") or ""  # type: ignore[union-attr]

    @property
    def played(self) -> int:
        return sum(message.get("type") == "play" for message in self.sent)

    def check_width(self) -> None:
        wide = self.page.evaluate("document.documentElement.scrollWidth")
        screen = self.page.viewport_size["width"]  # type: ignore[index]  # a phone's innerWidth grows with the page
        if wide > screen:
            self.problems.append(f"{self.page.url} is {wide} px wide on a screen of {screen}")

    # ---- tables ----------------------------------------------------------------------------------

    def home(self) -> None:
        self.go("/")
        expect(self.find("play-bots").first).to_be_enabled()

    def card(self, game: str) -> Locator:
        return self.find(f"game-{game}")

    def play_bots(self, game: str, players: int = 3, level: str = "greedy") -> str:
        """Two clicks from the front page to a game; gives its address."""
        self.home()
        card = self.card(game)
        card.get_by_test_id("players").select_option(str(players))
        card.get_by_test_id("level").select_option(level)
        self.tap(card.get_by_test_id("play-bots"))
        self.page.wait_for_selector("[data-testid=board]")
        return self.page.url

    def open_table(self, game: str, players: int = 3) -> str:
        """Open a table, and give the link to invite others by."""
        self.home()
        card = self.card(game)
        card.get_by_test_id("players").select_option(str(players))
        self.tap(card.get_by_test_id("open-table"))
        return self.find("share-link").first.input_value()

    def join(self, link: str) -> None:
        self.go(link)
        self.find("my-name").fill(self.name)
        self.press("join")
        self.find("leave-seat").wait_for()

    def fill_with_bots(self, level: str = "greedy") -> None:
        while self.find("add-bot").count():
            left = self.find("add-bot").count()
            self.press("add-bot")
            expect(self.find("add-bot")).to_have_count(left - 1)
        for choice in self.page.locator("[data-testid^=seat-] select").all():
            choice.select_option(level)

    def start(self) -> None:
        self.press("start")
        self.page.wait_for_selector("[data-testid=board]")

    def menu(self) -> None:
        self.press("menu")
        self.find("menu-dialog").wait_for()

    def drawer(self, name: str) -> None:
        if self.find(f"drawer-{name}").get_attribute("aria-expanded") != "true":
            self.press(f"drawer-{name}")
        self.find("drawer").wait_for()

    def play_from_list(self, number: int = 0) -> str:
        """Play a move out of the list of all moves, and give its text."""
        self.drawer("moves")
        moves = self.page.locator("[data-move]")
        one = moves.nth(number % max(1, moves.count()))
        text = one.get_attribute("data-move") or ""
        self.tap(one)
        if self.find("confirm").is_visible():
            self.press("confirm")
        return text

    def choose_from_list(self) -> None:
        """Choose a move that waits to be confirmed; the steps of a turn before it are played at once."""
        self.drawer("moves")
        while self.until("ask", "chosen") == "ask":
            asked = self.page.locator("[data-move]").all_inner_texts()
            self.tap(self.page.locator("[data-move]").first)
            other = "asked => document.querySelector('[data-testid=ask][data-mode=chosen]') || [...document.querySelectorAll('[data-move]')].map((one) => one.innerText).join() !== asked"
            self.page.wait_for_function(other, arg=",".join(asked))

    def steady(self) -> bool:
        try:
            self.page.wait_for_load_state("networkidle", timeout=3000)
        except Error:
            return False
        return True
