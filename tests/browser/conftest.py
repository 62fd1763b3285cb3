"""One chromium and one server for all browser tests of a process; every visitor has a context of their own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from browser.visitor import FLAGS, Visitor, built_client
from server.live import Live, serving

# The pages are the same whatever the rules were compiled with: once is enough.
collect_ignore_glob = ["test_*.py"] if os.environ.get("TSUKIMI_BUILD") == "sanitized" else []


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

    def one(name: str = "Ana", **options: Any) -> Visitor:
        visitor = Visitor(browser, live.url, name, **options)
        came.append(visitor)
        return visitor

    yield one
    problems = [f"{visitor.name}: {problem}" for visitor in came for problem in visitor.problems]
    for visitor in came:
        visitor.close()
    assert not problems, "\n".join(problems)
