"""One chromium and one server for all browser tests of a process; every visitor has a context of their own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.visitor import FLAGS, Visitor
from playwright.sync_api import Browser, sync_playwright
from server.live import Live, serving

import tsukimi.server

ROOT = Path(__file__).parents[2]


def built_client() -> Path | None:
    """The pages: those named by TSUKIMI_WEB, those of the installed package, else those of the checkout."""
    places = [Path(tsukimi.server.__file__).parent / "web", ROOT / "client" / "dist"]
    if "TSUKIMI_WEB" in os.environ:
        places.insert(0, Path(os.environ["TSUKIMI_WEB"]))
    return next((place for place in places if (place / "index.html").exists()), None)


# Not for the whole session: while Playwright runs, no other test of this process may run an event loop.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("NO BROWSER TESTS: there is no chromium on the path (on Debian: apt install chromium)")
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield found
        found.close()


@pytest.fixture(scope="package")
def web() -> Path:
    found = built_client()
    if found is None:
        pytest.skip("NO BROWSER TESTS: the client is not built (python hatch_build.py client)")
    return found


@pytest.fixture(scope="package")
def live(tmp_path_factory: pytest.TempPathFactory, web: Path) -> Iterator[Live]:
    with serving(tmp_path_factory.mktemp("browser"), web=str(web), bot_ms=20.0) as found:
        yield found


@pytest.fixture
def visit(browser: Browser, live: Live) -> Iterator[Callable[..., Visitor]]:
    """Visitors who come and, when the test is done, have seen no error and no page wider than their screen."""
    came: list[Visitor] = []

    def one(name: str = "Ana", **wishes: Any) -> Visitor:
        visitor = Visitor(browser, live.url, name, **wishes)
        came.append(visitor)
        return visitor

    yield one
    problems = [f"{visitor.name}: {problem}" for visitor in came for problem in visitor.problems]
    for visitor in came:
        visitor.close()
    assert not problems, "\n".join(problems)
