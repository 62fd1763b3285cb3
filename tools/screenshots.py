"""Screenshots of every page and board, in `client/screenshots/`, with a contact sheet in `index.html`.

Bots play games on a temporary server until each of the MOMENTS is reached; each is then captured in a real browser, in all
sizes and both themes. `python tools/screenshots.py [WORD ..]` takes only those with a WORD in their name.
"""

from __future__ import annotations

import asyncio
import html
import itertools
import secrets
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from playwright.sync_api import Browser, sync_playwright  # noqa: E402
from playwright.sync_api import TimeoutError as NotShown  # noqa: E402

from browser.visitor import FLAGS, Visitor, built_client  # noqa: E402
from server.live import Live, serving  # noqa: E402
from tsukimi import bots  # noqa: E402
from tsukimi.core.lesson import lesson  # noqa: E402
from tsukimi.core.puzzle import puzzles  # noqa: E402
from tsukimi.games import spec  # noqa: E402
from tsukimi.server.common import api  # noqa: E402
from tsukimi.store import Person, Rating, RatingChanges, Row, Summary  # noqa: E402
from tsukimi.table import commands  # noqa: E402
from tsukimi.table.settings import Settings  # noqa: E402

OUT = ROOT / "client" / "screenshots"
SIZES = {390: 844, 820: 1180, 1280: 800, 1440: 900, 1920: 1080, 2560: 1440, 3840: 2160}
PAGE_WIDTHS = (390, 820, 1440)
GAMES = ("charuma", "china-moon", "daruma", "dojo")
LESSON_WIDTHS = tuple(SIZES)
ADMIN_TABS = ("stats", "reports", "people", "tables", "bans", "filter", "quarantine", "actions")
NAMES = ["Ana", "Bruno", "Chloé", "Diego", "Eiko"]
END, WAIT, ROUND, ASK = "the end", "another player's turn", "the end of a round", "any question"


class Moment(NamedTuple):
    name: str
    game: str
    until: str
    """The phase of the decision, or one of END, WAIT, ROUND, ASK."""
    after: int = 0
    """The least number of our own moves before it."""
    options: Mapping[str, str] = {}
    chosen: bool = False
    """Whether a move is selected before the screenshot."""
    hint: bool = False
    """Whether a hint is requested before the screenshot."""


# Each is captured with the fewest and with the most players.
MOMENTS = [
    *(Moment(f"{game}-opening", game, ASK) for game in GAMES),
    *(Moment(f"{game}-hint", game, ASK, 3, hint=True) for game in GAMES),
    Moment("daruma-dice", "daruma", "use", 6),
    Moment("daruma-sake", "daruma", "sake", 8),
    Moment("daruma-shift", "daruma", "shift-singles", 4),
    Moment("daruma-swap", "daruma", "swap", 4),
    Moment("daruma-wait", "daruma", WAIT, 12),
    Moment("daruma-end", "daruma", END),
    Moment("charuma-auction", "charuma", "auction"),
    Moment("charuma-tricks", "charuma", "tricks", 3),
    Moment("charuma-chosen", "charuma", "tricks", 2, chosen=True),
    Moment("charuma-wait", "charuma", WAIT, 5),
    Moment("charuma-round", "charuma", ROUND),
    Moment("charuma-end", "charuma", END),
    Moment("dojo-give", "dojo", "give", 6),
    Moment("dojo-challenge", "dojo", "challenge", 4),
    Moment("dojo-throw", "dojo", "throw", 4, {"belt": "black"}),
    Moment("dojo-swap", "dojo", "swap", 4),
    Moment("dojo-place", "dojo", "place", 12),
    Moment("dojo-trophy", "dojo", "trophy", 6),
    Moment("dojo-wait", "dojo", WAIT, 8),
    Moment("dojo-end", "dojo", END),
    Moment("china-moon-start", "china-moon", "move"),
    Moment("china-moon-move", "china-moon", "move", 6),
    Moment("china-moon-trade", "china-moon", "trade", 2),
    Moment("china-moon-drop", "china-moon", "drop", 2),
    Moment("china-moon-wait", "china-moon", WAIT, 8),
    Moment("china-moon-end", "china-moon", END),
]
# Captured in all three languages and both themes.
EVERYWHERE = {"china-moon-move-5"}


class Gallery:
    def __init__(self, live: Live, browser: Browser, words: list[str]) -> None:
        self.live, self.browser, self.words = live, browser, words
        self.visitor = Visitor(browser, live.url, at_once=False)
        self.page = self.visitor.page
        self.taken: list[Path] = []
        self.visitor.go("/me")
        self.visitor.find("name-input").fill("Ana")
        self.visitor.press("name-save")
        self.handle = self.page.evaluate("fetch('/api/me').then((answer) => answer.json()).then((me) => me.who)")

    def wanted(self, name: str) -> bool:
        return not self.words or any(word in name for word in self.words)

    # ---- taking screenshots -------------------------------------------------------------------------

    def variants(self, name: str) -> Iterator[tuple[int, str, str]]:
        """Width, theme, language: boards in all sizes, pages in some; plus one in another theme and language, on a phone
        or a tablet."""
        widths = PAGE_WIDTHS if name.startswith("page-") and not name.endswith(GAMES) else tuple(SIZES)
        yield from ((width, "night", "en") for width in widths)
        if name in EVERYWHERE:
            for lang, theme in itertools.product(("en", "fr", "es"), ("night", "paper")):
                if (lang, theme) != ("en", "night"):
                    yield from ((width, theme, lang) for width in PAGE_WIDTHS)
        else:
            yield (390, "paper", "fr") if len(name) % 2 else (820, "paper", "es")

    def take(self, name: str, path: str, before: Callable[[], object]) -> None:
        """Go to a page and capture it in all its variants; what does not appear there in time is reported at the end."""
        try:
            self.visitor.go(path)
            self._take(name, before)
        except NotShown as problem:
            self.visitor.problems.append(f"{name}: {problem.message.splitlines()[0]}")
        print(name, flush=True)

    def _take(self, name: str, before: Callable[[], object]) -> None:
        seen: tuple[str, bool] | None = None
        for width, theme, lang in self.variants(name):
            self.page.set_viewport_size({"width": width, "height": SIZES[width]})
            if seen != (lang, width > 1080):  # on a wide screen a drawer starts open
                self.page.evaluate(
                    "lang => localStorage.setItem('tsukimi.prefs', JSON.stringify({ ...JSON.parse(localStorage.getItem('tsukimi.prefs')), lang }))",
                    lang,
                )
                self.page.reload()
                self.page.wait_for_load_state("networkidle")
                before()
                seen = lang, width > 1080
            self.page.add_style_tag(
                content="* { transition: none !important; }"
            )  # they would still be running when the theme changes
            self.page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
            self.page.wait_for_timeout(350)
            path = OUT / f"{name}.{width}.{theme}.{lang}.png"
            self.page.screenshot(path=path)
            self.taken.append(path)

    # ---- playing up to a moment --------------------------------------------------------------------

    def person(self) -> Any:
        return self.live.run(self.live.app.state.store.person_by_handle(self.handle))

    def table(
        self, game: str, players: int, options: Mapping[str, str], company: bool = False, round_pause: bool = False
    ) -> str:
        """A game between Ana and bots, and Bruno if there is `company`."""
        settings = Settings(hints=True, round_pause=round_pause, takeover=False)
        wanted = api.NewTable(
            game=game, players=players, options=dict(options), settings=settings,
            bots=["greedy"] * (players - 1 - company), name="Ana", start=not company,
        )  # fmt: skip
        id = str(self.live.run(self.live.app.state.tables.create(wanted, self.person())))
        if company:
            self.live.run(self._bring_bruno(id))
        return id

    async def _bring_bruno(self, id: str) -> None:
        store, live_table = self.live.app.state.store, await self.live.app.state.tables.live(id)
        if await store.person_by_handle("bruno") is None:
            await store.add_person(Person("bruno", "bruno", "Bruno", 1))
        nonce = secrets.token_hex(16)
        await live_table.submit(
            partial(commands.sit, person="bruno", handle="bruno", name="Bruno", seat=None, nonce=nonce)
        )
        await live_table.submit(partial(commands.start, person=live_table.table.seats[0].person))

    def play_until(self, id: str, until: str, after: int = 0) -> bool:
        """Let a bot play the people's seats until this moment; whether it was reached."""

        async def play() -> bool:
            live_table = await self.live.app.state.tables.live(id)
            thinker, made = bots.make("greedy", live_table.table.state, 5), 0
            while not live_table.table.ended:
                table, state = live_table.table, live_table.table.state
                people = [seat for seat in table.asked if table.seats[seat].person]
                if table.status == "round":
                    return until == ROUND
                if not people:
                    await asyncio.sleep(0.005)
                    continue
                ours = 0 in people
                if made >= after and (until in (ASK, state.view(0)["phase"]) if ours else until == WAIT):
                    return True
                seat = 0 if ours else people[0]
                made += ours
                command = partial(
                    commands.play, person=table.seats[seat].person, seat=seat,
                    decision=table.decisions[seat], move=state.text(thinker.choose(state, seat), seat),
                )  # fmt: skip
                await live_table.submit(command, table.seats[seat].person)
            return until == END

        return bool(self.live.run(play()))

    def moment(self, moment: Moment, players: int) -> None:
        name = f"{moment.name}-{players}"
        if not self.wanted(name):
            return
        for _ in range(12):
            id = self.table(moment.game, players, moment.options, moment.until == WAIT, moment.until == ROUND)
            if self.play_until(id, moment.until, moment.after):
                break
        else:
            self.visitor.problems.append(f"{name}: not reached in twelve games")
            return
        mode = {WAIT: "wait", ROUND: "round"}.get(moment.until, "ask")

        def before() -> None:
            over = moment.until == END
            self.page.wait_for_selector("[data-testid=result]" if over else f"[data-testid=ask][data-mode={mode}]")
            if moment.hint:
                self._hint()
            if moment.chosen:
                self.visitor.drawer("moves")
                self.page.locator("[data-move]").nth(1).click()
                if self.page.viewport_size and self.page.viewport_size["width"] < 1080:
                    self.visitor.press("drawer-close")

        self.take(name, f"/t/{id}", before)

    def lesson(self, game: str) -> None:
        """Every step of a guided first game, on a phone and on a desktop."""
        found = lesson(spec(game))
        assert found is not None
        for width in LESSON_WIDTHS:
            learner = Visitor(self.browser, self.live.url, phone=width < 1080)
            learner.page.set_viewport_size({"width": width, "height": SIZES[width]})
            learner.home()
            learner.tap(learner.card(game).get_by_test_id("learn"))
            for number, step in enumerate(found.steps, 1):
                learner.page.wait_for_selector(f"[data-testid=coach][data-step='{number}']")
                if step.show:
                    learner.find("spotlight").first.wait_for()
                learner.page.wait_for_timeout(600)
                path = OUT / f"lesson-{game}-{number:02}.{width}.png"
                learner.page.screenshot(path=path)
                self.taken.append(path)
                if step.move is None:
                    learner.press("coach-next")
                else:
                    learner.drawer("moves")
                    learner.tap(learner.page.locator(f"[data-move='{step.move}']"))
            self.visitor.problems += learner.problems
            learner.close()
        print(f"lesson-{game}", flush=True)

    def open_table(self) -> str:
        wanted = api.NewTable(game="dojo", players=4, settings=Settings(public=True), bots=["novice"], name="Ana")
        return str(self.live.run(self.live.app.state.tables.create(wanted, self.person())))

    # ---- pages -------------------------------------------------------------------------------------

    def pages(self) -> None:
        over = self.table("charuma", 3, {})
        self.play_until(over, END)
        open_table = self.open_table()
        running = self.table("china-moon", 4, {})
        self.play_until(running, "move", 3)
        self.live.run(self._rate("china-moon"))
        pages: list[tuple[str, str, Callable[[], object]]] = [
            ("home", "/", lambda: self.page.wait_for_selector("[data-testid=yours]")),
            ("best", "/ratings/china-moon", lambda: self.visitor.find("best-me").wait_for()),
            ("best-none", "/ratings/dojo", lambda: self.visitor.find("best-none").wait_for()),
            ("waiting", f"/t/{open_table}", lambda: self.visitor.find("qr").first.wait_for()),
            ("replay", f"/t/{over}/replay?seat=open&at=30", lambda: self.visitor.find("replay-slider").wait_for()),
            ("me", "/me", lambda: self.visitor.find("history").wait_for()),
            ("tokens", "/me", self._token),
            ("puzzles", "/puzzles", lambda: self.visitor.find("puzzles-standing").wait_for()),
            ("reset", "/reset", lambda: self.page.wait_for_selector("main h2")),
            ("not-found", "/rules/nothing", lambda: self.page.wait_for_selector("main h1")),
            ("rename", f"/t/{open_table}", lambda: self.visitor.press("rename")),
            ("hint", f"/t/{running}", self._hint),
            *(
                (name, f"/t/{running}", partial(self.visitor.drawer, name))
                for name in ("log", "chat", "rules", "moves")
            ),
            ("help", f"/t/{running}", lambda: self.visitor.press("help")),
            ("menu", f"/t/{running}", self.visitor.menu),
            ("person", f"/people/{self.handle}", lambda: self.page.wait_for_selector("main h2")),
        ]
        for game in GAMES:
            pages += self._pages_of(game)
        pages.append(("account", "/me", lambda: self.visitor.find("logout").wait_for()))
        pages += [
            (f"admin-{tab}", f"/admin?tab={tab}", lambda: self.page.wait_for_selector("main nav ~ *"))
            for tab in ADMIN_TABS
        ]
        for name, path, before in pages:
            if self.wanted(f"page-{name}"):
                if name == "account" or name.startswith("admin-"):
                    self._account()
                self.take(f"page-{name}", path, before)

    def _pages_of(self, game: str) -> Iterator[tuple[str, str, Callable[[], object]]]:
        """The lobby, rules, a puzzle and a review of a game, the first and the last with the fewest and the most players."""
        yield f"rules-{game}", f"/rules/{game}", lambda: self.page.wait_for_selector("h2")
        if spec(game).has_components:
            yield f"workshop-{game}", f"/workshop/{game}", lambda: self.visitor.find("preview").wait_for()
        puzzle = next(iter(puzzles(spec(game))))
        yield f"puzzle-{game}", f"/puzzles/{game}/{puzzle}", lambda: self.visitor.find("puzzle-rating").wait_for()
        for players in (min(spec(game).seats), max(spec(game).seats)):
            if self.wanted(f"page-lobby-{players}-{game}"):
                wanted = api.NewTable(game=game, players=players, settings=Settings(public=True), name="Ana")
                lobby = self.live.run(self.live.app.state.tables.create(wanted, self.person()))
                yield f"lobby-{players}-{game}", f"/t/{lobby}", lambda: self.visitor.find("qr").first.wait_for()
            if self.wanted(f"page-review-{players}-{game}"):
                over = self.table(game, players, {})
                self.play_until(over, END)
                yield f"review-{players}-{game}", f"/t/{over}/replay?seat=0&review=now&at=12", self._review

    def _review(self) -> None:
        self.visitor.find("decisions").wait_for(timeout=180_000)  # it is computed first

    async def _rate(self, game: str) -> None:
        """Give Ana and others ratings, as if they had played some games."""
        store = self.live.app.state.store
        rated = {(await store.person_by_handle(self.handle)).id: Rating(29.0, 3.1, 14)}
        for at, name in enumerate([*NAMES[1:], "Maximiliane von Mondhausen"]):
            await store.add_person(Person(f"rated-{at}", f"rated-{at}", name, 1))
            rated[f"rated-{at}"] = Rating(33.0 - 2.5 * at, 1.9 + 0.8 * at, 120 // (at + 1) ** 2)
        listing = b'{"options": {}, "names": [], "clock": "none"}'
        table = Summary(f"rated-{game}", game, 2, "over", False, 1, 1, None, [], listing)
        await store.create(table, [])
        await store.append(table.table, [Row(0, 1, b"")], None, RatingChanges(game, {}, rated))

    def _account(self) -> None:
        """Make Ana an administrator with an account."""
        body = {"name": "ana", "password": "long enough"}
        headers = {"X-Tsukimi": "1", "Origin": self.live.url}
        if self.page.request.post(f"{self.live.url}/api/account", data=body, headers=headers).ok:
            self.live.run(self.live.app.state.store.set_admin(self.person().id, True, 1, "command line"))

    def _token(self) -> None:
        self.visitor.find("history").wait_for()
        self.visitor.find("token-label").fill("moonlight")
        self.visitor.press("token-make")
        self.visitor.find("tokens").wait_for()
        self.page.evaluate("document.querySelector('[data-testid=token-label]').closest('section').scrollIntoView()")

    def _hint(self) -> None:
        self.visitor.until("ask")
        self.visitor.press("hint")
        self.visitor.find("advice").wait_for()

    def sheet(self) -> None:
        """All screenshots on one page, a row for each moment."""
        rows: dict[str, list[Path]] = {}
        for path in sorted(OUT.glob("*.png")):
            rows.setdefault(path.name.split(".")[0], []).append(path)
        body = "".join(
            f"<h2>{html.escape(name)}</h2><div>"
            + "".join(f'<figure><a href="{picture.name}"><img loading="lazy" src="{picture.name}" alt=""></a><figcaption>{picture.stem}</figcaption></figure>' for picture in found)
            + "</div>"
            for name, found in rows.items()
        )  # fmt: skip
        style = "body{font:14px system-ui;background:#777;color:#fff}div{display:flex;gap:12px;overflow-x:auto;align-items:start}figure{margin:0}img{height:420px}"
        OUT.joinpath("index.html").write_text(f"<!doctype html><meta charset=utf-8><title>Tsukimi</title><style>{style}</style>{body}", "utf-8")  # fmt: skip


def main() -> int:
    chromium, web, words = shutil.which("chromium"), built_client(), sys.argv[1:]
    if chromium is None or web is None:
        print(
            "screenshots need chromium on the path and a built client (python hatch_build.py client)", file=sys.stderr
        )
        return 1
    OUT.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), web=str(web), bot_ms=20.0) as live,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        gallery = Gallery(live, browser, words)
        gallery.pages()
        for moment in MOMENTS:
            counts = spec(moment.game).seats
            for players in (min(counts), max(counts)):
                gallery.moment(moment, players)
        for game in GAMES:
            if gallery.wanted(f"lesson-{game}"):
                gallery.lesson(game)
        gallery.sheet()
        print(len(gallery.taken), "screenshots in", OUT)
        print(*gallery.visitor.problems, sep="\n", file=sys.stderr)
        browser.close()
    return 1 if gallery.visitor.problems else 0


if __name__ == "__main__":
    sys.exit(main())
