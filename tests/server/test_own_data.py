"""What tables hold about a person: taken along, and removed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import apsw
import pytest

from server.live import Live, serving
from server.sockets import around, fresh, play_out, until
from tsukimi.server import messages as m
from tsukimi.server.common.account_api import GameData, SaidLine
from tsukimi.store import Person
from tsukimi.table.settings import Settings

pytestmark = pytest.mark.compiled
FINISHED = Settings(forced=False, public=True)


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with serving(tmp_path_factory.mktemp("own"), bot_processes=1) as server:
        yield server


def person_of(live: Live, name: str) -> Person:
    found: Person = live.run(live.app.state.store.person(f"person-{name.lower()}"))
    return found


def data_of(live: Live, name: str) -> list[GameData | SaidLine]:
    async def gather() -> list[GameData | SaidLine]:
        person = await live.app.state.store.person(f"person-{name.lower()}")
        return [found async for found in live.app.state.tables.data_of(person)]

    found: list[GameData | SaidLine] = live.run(gather())
    return found


def forget(live: Live, name: str) -> None:
    live.run(live.app.state.tables.forget(person_of(live, name)))


def rows_with(live: Live, *words: str) -> list[str]:
    """What is left of these words anywhere in the database."""
    path = live.app.state.config.database.removeprefix("sqlite:///")
    db = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
    try:
        found = []
        for [table] in db.execute("select name from sqlite_master where type = 'table'").fetchall():
            for row in db.execute(f"select * from {table}"):
                text = " ".join(one.decode("utf-8", "replace") if isinstance(one, bytes) else str(one) for one in row)
                found += [f"{table}: {text}" for word in words if word in text]
        return found
    finally:
        db.close()


def test_the_games_of_a_person_come_with_records_when_they_have_ended_and_with_what_they_said(live: Live) -> None:
    async def work() -> None:
        ana, bruno, zoe = fresh("Ana", "Bruno", "Zoe")
        async with around(live, "daruma", ana, bruno, watching=[zoe]) as (one, two, watcher):
            ended = one.table.id  # type: ignore[union-attr]
            await watcher.ask(m.Say("c", "good luck"))
            await one.ask(m.Say("c", "hello"))
            await two.ask(m.Say("c", "hi"))
            await one.ask(m.Resign("r"))
            await until(two, lambda: two.over)
        async with around(live, "daruma", ana, bruno) as (one, two):
            running = one.table.id  # type: ignore[union-attr]
            mine = {
                found.table: found
                for found in await asyncio.to_thread(data_of, live, ana)
                if isinstance(found, GameData)
            }
            assert mine.keys() == {ended, running}
            assert mine[ended].record.startswith("tsukimi ")  # type: ignore[union-attr]
            assert (mine[ended].status, mine[running].status, mine[running].record) == ("over", "playing", None)
            assert [line.text for line in mine[ended].chat] == ["hello"]
            [line] = await asyncio.to_thread(data_of, live, zoe)
            assert isinstance(line, SaidLine) and (line.table, line.text) == (ended, "good luck")

    asyncio.run(work())


def test_a_deleted_person_leaves_running_games_and_their_name_goes_from_all_of_them(live: Live) -> None:
    async def work() -> None:
        [ana, bruno], zoe = fresh("Zorrilla", "Bruno"), fresh("Watcher")[0]
        async with around(live, "daruma", ana, bruno, settings=FINISHED) as (one, two):
            ended = one.table.id  # type: ignore[union-attr]
            await one.ask(m.Say("c", f"a secret of {ana}"))
            await asyncio.gather(play_out(one), play_out(two))
            scores, winners = two.table.result.scores, two.table.result.winners  # type: ignore[union-attr]
        async with around(live, "daruma", ana, bruno, watching=[zoe]) as (_, two, watcher):
            await watcher.ask(m.Say("c", f"says {zoe}"))
            await asyncio.to_thread(forget, live, ana)
            await until(two, lambda: two.table.seats[0].name == "" and two.you.host)  # type: ignore[union-attr]
            seat = two.table.seats[0]  # type: ignore[union-attr]
            assert (seat.kind, seat.who) == ("person", None)
            await play_out(two)  # a bot plays on
            await asyncio.to_thread(forget, live, zoe)
        client = live.client(bruno)
        record = await asyncio.to_thread(live.run, live.app.state.tables.record(ended))
        assert ana not in record and bruno in record
        info = await client.call("GET", f"/api/tables/{ended}")
        assert [seat["name"] for seat in info["seats"]] == ["", bruno]
        assert (info["result"]["scores"], info["result"]["winners"]) == (scores, winners)
        games = (await client.call("GET", "/api/me/games"))["games"]
        assert all(game["names"] == ["", bruno] for game in games) and len(games) == 2
        assert games[-1]["id"] == ended  # the older game is not the newest because of it
        await asyncio.to_thread(forget, live, ana)  # again: nothing more happens
        handles = f"handle-{ana.lower()}", f"handle-{zoe.lower()}"
        left = rows_with(live, ana, zoe, *handles)
        assert {line.partition(":")[0] for line in left} == {"people"}

    asyncio.run(work())


def test_the_name_goes_from_a_table_whose_log_cannot_be_read_any_more(live: Live) -> None:
    async def work() -> None:
        ana, bruno = fresh("Quijana", "Bruno")
        async with around(live, "daruma", ana, bruno, start=False) as (one, _):
            table = one.table.id  # type: ignore[union-attr]
        state = live.app.state
        await asyncio.to_thread(live.run, _damage(state, table))
        await asyncio.to_thread(forget, live, ana)
        games = (await live.client(bruno).call("GET", "/api/me/games"))["games"]
        assert [game["names"] for game in games] == [["", bruno]]
        assert {line.partition(":")[0] for line in rows_with(live, ana)} == {"people"}

    async def _damage(state: Any, table: str) -> None:
        registry = state.tables.registry
        live_table = await registry.get(table)
        rows = await state.store.read(table)
        await state.store.rewrite(table, [rows[-1]._replace(data=b"damaged")])
        registry._unload(live_table)

    asyncio.run(work())
