"""What the documentation shows works: the bot of `examples/`, the small client of docs/protocol.md, the check of docs/fair-chance.md."""

from __future__ import annotations

import asyncio
import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tsukimi
from server.live import Live, serving
from server.sockets import around, fresh, until
from tsukimi.server import messages as m
from tsukimi.table import fair
from tsukimi.table.settings import Settings

pytestmark = pytest.mark.compiled
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with serving(tmp_path_factory.mktemp("examples"), bot_processes=1) as server:
        yield server


@pytest.fixture(scope="module")
def bot() -> Any:
    found = importlib.util.spec_from_file_location("example_bot", ROOT / "examples" / "bot.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.mark.parametrize("game", ["charuma", "china-moon", "daruma", "dojo"])
def test_the_example_bot_plays_every_game_to_its_end(live: Live, bot: Any, game: str) -> None:
    words = [live.url, "--game", game, "--level", "random", "--name", "Robo", "--way", "random"]
    assert asyncio.run(asyncio.wait_for(bot.run(bot.arguments(words)), 60))


def test_the_example_bot_sits_down_at_a_table_and_takes_advice(live: Live, bot: Any) -> None:
    async def work() -> None:
        settings = Settings(forced=True, hints=True)
        async with around(live, "daruma", *fresh("Ana"), players=2, settings=settings, start=False) as (one,):
            assert one.table is not None
            robot = live.client(*fresh("Robo"))
            words = [live.url, "--table", one.table.id, "--token", str(robot.token), "--way", "advice"]
            playing = asyncio.create_task(bot.run(bot.arguments(words)))
            await until(one, lambda: one.table.seats[1].kind == "person")  # type: ignore[union-attr]
            await one.ask(m.Start("go"))
            await until(
                one, lambda: any(event.get("seat") == 1 for event in one.events) or one.game.question is not None
            )  # type: ignore[union-attr]
            await one.ask(m.Resign("enough"))
            assert await asyncio.wait_for(playing, 30) == [1]

    asyncio.run(work())


def test_the_small_client_of_the_protocols_page_plays_a_game(live: Live, tmp_path: Path) -> None:
    code = re.search(r"```python\n(.*?)```", (ROOT / "docs" / "protocol.md").read_text(), re.DOTALL)
    assert code is not None
    file = tmp_path / "small.py"
    file.write_text(code[1])
    done = subprocess.run([sys.executable, file, live.url], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.startswith("scores: ["), done.stderr


def test_every_code_that_the_protocols_page_names_is_in_the_catalogue() -> None:
    text = (ROOT / "docs" / "protocol.md").read_text()
    known = (ROOT / "src" / "tsukimi" / "core" / "messages" / "en.toml").read_text()
    codes = set(re.findall(r"`(table-[a-z-]+)`", text))
    assert len(codes) > 8
    for code in codes - {"table-"}:
        assert f"\n{code} = " in known, code


def test_the_record_of_a_game_proves_its_chance(live: Live) -> None:
    async def work() -> None:
        ana, bruno = fresh("Ana", "Bruno")
        async with around(live, "daruma", ana, bruno, start=False) as (one, two):
            await one.ask(m.GiveNonce("n", "c0ffee"))
            await one.ask(m.Start("s"))
            assert one.table is not None
            promised, nonces = one.table.fairness.commitment, one.table.fairness.nonces
            await one.ask(m.Resign("a"))
            await until(two, lambda: two.over)
            record = await one._client.call("GET", f"/api/tables/{one.table.id}/record")
            state = tsukimi.replay(record, chance="manual")
            assert fair.promised(state) == promised
            assert fair.check(state) > 3
            assert f"verify nonce 1 {nonces[0]}" in record
            with pytest.raises(tsukimi.BadRecord):
                fair.check(tsukimi.replay(record.replace("nonce 1 c0ffee", "nonce 1 c0ffef"), chance="manual"))

    asyncio.run(work())
