"""How much a first visit has to load, and how long that takes on a slow phone."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from browser.speed import first_page, slow_down
from browser.taps import BOARDS
from browser.visitor import Visitor

pytestmark = pytest.mark.compiled
FIRST_PAGE = 150_000


def size(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 9))


def test_the_first_page_is_small_and_holds_no_game(web: Path, visit: Callable[..., Visitor]) -> None:
    ana = visit("Ana", lang="fr-FR")
    asked: list[str] = []
    ana.page.on("request", lambda request: asked.append(request.url.removeprefix(ana.url)))
    ana.home()
    ana.steady()
    files = [web / path.lstrip("/") for path in asked if path.startswith("/assets/")]
    code = {web / "index.html", *(file for file in files if file.suffix in (".js", ".css"))}
    assert any(re.match(r"fr-", file.name) for file in code)
    total = sum(map(size, code))
    assert total <= FIRST_PAGE, f"{total} bytes: {sorted((size(file), file.name) for file in code)}"
    names = [file.name for file in files]
    for game in BOARDS:
        assert not any(name.startswith((f"{game}-", f"{game}.")) for name in names), names
        assert any(file.name.startswith(f"{game}-") for file in (web / "assets").glob("*.js"))


def test_each_game_is_loaded_when_it_is_played(visit: Callable[..., Visitor]) -> None:
    ana = visit("Ana")
    ana.home()
    asked: list[str] = []
    ana.page.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[-1]))
    ana.play_bots("dojo", 3)
    ana.until("ask", "wait")
    assert any(name.startswith("dojo-") and name.endswith(".js") for name in asked)
    for game in {*BOARDS} - {"dojo"}:
        assert not any(name.startswith((f"{game}-", f"{game}.")) for name in asked), asked


def test_on_a_slow_phone_the_first_page_is_soon_ready(visit: Callable[..., Visitor]) -> None:
    """Generous, since the machine that runs the tests is busy: tools/browser_speed.py measures precisely."""
    ana = visit("Ana", phone=True)
    slow_down(ana)
    found = first_page(ana)
    assert found["interactive, ms"] < 10_000, found
