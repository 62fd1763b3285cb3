"""Pictures of every page and board: `client/screenshots/`, with a sheet of all of them in `index.html`.

Bots play games on a scratch server until the moments of MOMENTS have come; each is then looked at with a real browser
in three widths, by night and on paper. `python tools/screenshots.py [WORD ..]` takes only those with a WORD in their name.
"""

from __future__ import annotations

import asyncio
import html
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from playwright.sync_api import Browser, sync_playwright  # noqa: E402

from browser.visitor import FLAGS, Visitor, built_client  # noqa: E402
from server.live import Live, serving  # noqa: E402
from tsukimi import bots  # noqa: E402
from tsukimi.core.lesson import lesson  # noqa: E402
from tsukimi.games import spec  # noqa: E402
from tsukimi.server.common import api  # noqa: E402
from tsukimi.store import Person, Rating, RatingChanges, Row, Summary  # noqa: E402
from tsukimi.table import commands  # noqa: E402
from tsukimi.table.settings import Settings  # noqa: E402

OUT = ROOT / "client" / "screenshots"
WIDTHS = {360: 740, 820: 1180, 1440: 900}
LESSONS = ("charuma", "china-moon", "daruma", "dojo")
LESSON_SIZES = {390: 844, 1280: 800}
NAMES = ["Ana", "Bruno", "Chloé", "Diego", "Eiko"]

# Game, players, options, what is asked, after how many own moves at least, and what is done before the picture is taken.
Moment = tuple[str, str, int, dict[str, str], str, int, str]
MOMENTS: list[Moment] = [
    ("daruma-dice", "daruma", 3, {}, "use", 6, ""),
    ("daruma-sake", "daruma", 3, {}, "sake", 8, ""),
    ("daruma-shift", "daruma", 4, {}, "shift-singles", 4, ""),
    ("daruma-swap", "daruma", 5, {}, "swap", 4, ""),
    ("daruma-end", "daruma", 3, {}, "", 0, ""),
    ("charuma-auction", "charuma", 4, {}, "auction", 0, ""),
    ("charuma-tricks", "charuma", 4, {}, "tricks", 3, ""),
    ("charuma-chosen", "charuma", 3, {}, "tricks", 2, "chosen"),
    ("charuma-end", "charuma", 3, {}, "", 0, ""),
    ("dojo-give", "dojo", 4, {}, "give", 6, ""),
    ("dojo-challenge", "dojo", 3, {}, "challenge", 4, ""),
    ("dojo-throw", "dojo", 3, {"belt": "black"}, "throw", 4, ""),
    ("dojo-place", "dojo", 5, {}, "place", 12, ""),
    ("dojo-trophy", "dojo", 3, {}, "trophy", 6, ""),
    ("dojo-end", "dojo", 3, {}, "", 0, ""),
    ("china-moon-start", "china-moon", 3, {}, "move", 0, ""),
    ("china-moon-move", "china-moon", 5, {}, "move", 6, ""),
    ("china-moon-trade", "china-moon", 4, {}, "trade", 2, ""),
    ("china-moon-drop", "china-moon", 4, {}, "drop", 2, ""),
    ("china-moon-end", "china-moon", 3, {}, "", 0, ""),
]
# In all three languages and both themes, at every width; the others in one more look, by turns on a phone and on a tablet.
EVERYWHERE = {"china-moon-move"}


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

    # ---- taking pictures -------------------------------------------------------------------------

    def looks(self, name: str) -> Iterator[tuple[int, str, str]]:
        """Width, theme, language."""
        if name in EVERYWHERE:
            yield from (
                (width, theme, lang) for lang in ("en", "fr", "es") for theme in ("night", "paper") for width in WIDTHS
            )
            return
        yield from ((width, "night", "en") for width in WIDTHS)
        yield (360, "paper", "fr") if len(name) % 2 else (820, "paper", "es")

    def take(self, name: str, before: Callable[[], object] = lambda: None) -> None:
        seen: tuple[str, bool] | None = None
        for width, theme, lang in self.looks(name):
            self.page.set_viewport_size({"width": width, "height": WIDTHS[width]})
            if seen != (lang, width > 1080):  # a wide screen begins with a drawer open
                self.page.evaluate(
                    "lang => localStorage.setItem('tsukimi.prefs', JSON.stringify({ ...JSON.parse(localStorage.getItem('tsukimi.prefs')), lang }))",
                    lang,
                )
                self.page.reload()
                self.page.wait_for_load_state("networkidle")
                before()
                seen = lang, width > 1080
            self.page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
            self.page.wait_for_timeout(350)
            path = OUT / f"{name}.{width}.{theme}.{lang}.png"
            self.page.screenshot(path=path)
            self.taken.append(path)
        print(name, flush=True)

    # ---- games until a moment --------------------------------------------------------------------

    def person(self) -> Any:
        return self.live.run(self.live.app.state.store.person_by_handle(self.handle))

    def table(self, game: str, players: int, options: dict[str, str], start: bool = True) -> str:
        wanted = api.NewTable(
            game=game, players=players, options=options, settings=Settings(hints=True, round_pause=False, takeover=False, public=not start),
            bots=["greedy"] * (players - 1) if start else ["novice"], name="Ana", start=start,
        )  # fmt: skip
        return str(self.live.run(self.live.app.state.tables.create(wanted, self.person())))

    def play_until(self, id: str, phase: str, after: int) -> bool:
        """Our seat is played by a bot until this is asked of it; `phase` empty: until the end."""

        async def play() -> bool:
            live_table = await self.live.app.state.tables.live(id)
            thinker, made = bots.make("greedy", live_table.table.state, 5), 0
            while not live_table.table.ended:
                table, state = live_table.table, live_table.table.state
                if 0 not in table.asked:
                    await asyncio.sleep(0.005)
                    continue
                if phase and state.view(0)["phase"] == phase and made >= after:
                    return True
                person, decision, move = (
                    table.seats[0].person,
                    table.decisions[0],
                    state.text(thinker.choose(state, 0), 0),
                )
                made += 1
                command = partial(commands.play, person=person, seat=0, decision=decision, move=move)
                await live_table.submit(command, person)
            return phase == ""

        return bool(self.live.run(play()))

    def moment(self, moment: Moment) -> None:
        name, game, players, options, phase, after, action = moment
        for _ in range(12):
            id = self.table(game, players, options)
            if self.play_until(id, phase, after):
                break
        else:
            print(f"{name}: did not come in twelve games", file=sys.stderr)
            return
        self.visitor.go(f"/t/{id}")

        def before() -> None:
            self.page.wait_for_selector("[data-testid=result]" if phase == "" else "[data-testid=ask][data-mode=ask]")
            if action == "chosen":
                self.visitor.drawer("moves")
                self.page.locator("[data-move]").nth(1).click()
                if self.page.viewport_size and self.page.viewport_size["width"] < 1080:
                    self.visitor.press("drawer-close")

        self.take(name, before)

    def lesson(self, game: str) -> None:
        """Every step of a guided first game, on a phone and on a desk."""
        found = lesson(spec(game))
        assert found is not None
        for width, height in LESSON_SIZES.items():
            learner = Visitor(self.browser, self.live.url, phone=width < 1080)
            learner.page.set_viewport_size({"width": width, "height": height})
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

    # ---- pages -------------------------------------------------------------------------------------

    def pages(self) -> None:
        over = self.table("charuma", 3, {})
        self.play_until(over, "", 0)
        open_table = self.table("dojo", 4, {}, start=False)
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
            ("rename", f"/t/{open_table}", lambda: self.visitor.press("rename")),
            ("rules", "/rules/daruma", lambda: self.page.wait_for_selector("h2")),
            ("hint", f"/t/{running}", self._hint),
            ("moves", f"/t/{running}", lambda: self.visitor.drawer("moves")),
            ("menu", f"/t/{running}", self.visitor.menu),
            ("person", f"/people/{self.handle}", lambda: self.page.wait_for_selector("main h2")),
        ]
        for name, path, before in pages:
            if self.wanted(f"page-{name}"):
                self.visitor.go(path)
                self.take(f"page-{name}", before)

    async def _rate(self, game: str) -> None:
        """Ratings of Ana and others, as after some games among them."""
        store = self.live.app.state.store
        rated = {(await store.person_by_handle(self.handle)).id: Rating(29.0, 3.1, 14)}
        for at, name in enumerate([*NAMES[1:], "Maximiliane von Mondhausen"]):
            await store.add_person(Person(f"rated-{at}", f"rated-{at}", name, 1))
            rated[f"rated-{at}"] = Rating(33.0 - 2.5 * at, 1.9 + 0.8 * at, 120 // (at + 1) ** 2)
        table = Summary(f"rated-{game}", game, 2, "over", False, 1, 1, None, [], b"{}")
        await store.create(table, [])
        await store.append(table.table, [Row(0, 1, b"")], None, RatingChanges(game, {}, rated))

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
        """All pictures on one page, a line for each moment."""
        rows: dict[str, list[Path]] = {}
        for path in sorted(OUT.glob("*.png")):
            rows.setdefault(path.name.split(".")[0], []).append(path)
        body = "".join(
            f"<h2>{html.escape(name)}</h2><div>"
            + "".join(f'<figure><a href="{one.name}"><img loading="lazy" src="{one.name}" alt=""></a><figcaption>{one.stem}</figcaption></figure>' for one in found)
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
            if gallery.wanted(moment[0]):
                gallery.moment(moment)
        for game in LESSONS:
            if gallery.wanted(f"lesson-{game}"):
                gallery.lesson(game)
        gallery.sheet()
        print(len(gallery.taken), "pictures in", OUT)
        print(*gallery.visitor.problems, sep="\n")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
