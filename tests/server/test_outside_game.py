"""A game from an installed package, examples/leduc, is there in the commands, in batches and at the server."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

import tsukimi
from cli.typist import process
from server.live import Live, serving
from server.sockets import around, fresh, play_out, until
from tsukimi.core.zones import zones

BATCH = """
import tsukimi
batch = tsukimi.batch("leduc", players=2, games=32, seed=1)
ended = 0
for _ in range(40):
    batch.step(batch.pick())
    ended += int(batch.over.sum())
assert "leduc" in tsukimi.games()
print(ended, batch.observations.shape)
"""


@pytest.fixture(autouse=True, scope="module")
def installed():
    if "leduc" not in tsukimi.games():
        pytest.skip("NO EXAMPLE: pip install --no-deps ./examples/leduc")


@pytest.fixture(scope="module")
def live(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("outside"), bot_processes=1) as server:
        yield server


def test_the_commands_know_the_game():
    simulated = json.loads(process("simulate", "leduc", "--games", "50", "--json").stdout)
    assert simulated["games"] == 50
    arena = json.loads(
        process("arena", "leduc", "--bots", "master,greedy", "--deals", "2", "--playouts", "50", "--json").stdout
    )
    assert "master" in json.dumps(arena)
    assert "Le même joueur parle en premier" in " ".join(process("rules", "leduc", "--lang", "fr").stdout.split())


def test_it_passes_the_conformance_suite():
    done = process("check", "leduc", "--games", "5")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(("lang", "words"), [("en", "hand"), ("fr", "jetons dans le pot"), ("es", "habla primero")])
def test_it_is_played_in_the_terminal(lang, words, tmp_path):
    record = tmp_path / "game.txt"
    typed = "1\n" * 8
    done = process("play", "leduc", "--seed", "3", "--lang", lang, "--names", "Ana", "--save", str(record), typed=typed)
    assert done.returncode == 0, done.stderr
    assert words in " ".join(done.stdout.split())
    assert tsukimi.replay(record.read_text("utf-8")).over


def test_it_is_played_in_batches():
    source = str(Path(tsukimi.__file__).parents[1])
    done = subprocess.run([sys.executable, "-c", BATCH], capture_output=True, text=True, env={"PYTHONPATH": source})
    ended, shape = done.stdout.split(maxsplit=1)
    assert int(ended) > 100, done.stderr
    assert shape.strip() == "(32, 9)"


def test_the_server_lists_it_with_its_words(live: Live):
    async def ask():
        client = live.client(*fresh("Ana"))
        games = await client.call("GET", "/api/games?lang=fr", None)
        messages = await client.call("GET", "/api/games/leduc/messages?lang=es", None)
        return {game["name"]: game for game in games}["leduc"], messages

    game, messages = asyncio.run(ask())
    assert game["title"] == "Poker Leduc"
    assert game["seats"] == [2]
    assert game["board"] == ""
    assert messages["word"]["fold"] == "retirarse"


def test_two_people_play_it_at_a_table(live: Live):
    async def play():
        async with around(live, "leduc", *fresh("Ana", "Bruno"), watching=fresh("Zoe")) as (ana, bruno, zoe):
            assert [sorted(card(seat)) for seat in (ana, bruno)] == [["?", own(ana, 0)], ["?", own(bruno, 1)]]
            assert card(zoe) == ["?", "?"]
            for seat in (ana, bruno, zoe):
                assert seat.game.view["zones"] == zones(seat.game.view), "the board shows what the view does"
            await asyncio.gather(play_out(ana, 1), play_out(bruno, 2))
            await until(zoe, lambda: zoe.over)
            assert sum(zoe.table.result.scores) == 0

    asyncio.run(play())


def test_a_bot_plays_it_at_a_table(live: Live):
    async def play():
        async with around(live, "leduc", *fresh("Ana"), bots=["master"]) as (ana,):
            await play_out(ana)
            assert ana.table.result.winners

    asyncio.run(play())


def card(seat):
    return [one["card"] for one in seat.game.view["seats"]]


def own(seat, place):
    return seat.game.view["seats"][place]["card"]
