"""Tables that nobody comes to any more, and what one person's tables do to the lobby."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from server.live import Live, serving
from server.sockets import fresh, until
from tsukimi.client import Client, Refused
from tsukimi.server import messages as m
from tsukimi.server.tables import expiry, listing
from tsukimi.table.settings import Settings

pytestmark = pytest.mark.compiled
PUBLIC = Settings(public=True)


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Housekeeping does at every turn what it does now and then."""
    monkeypatch.setattr(expiry, "NOTED_EVERY", 0.1)
    monkeypatch.setattr(expiry, "CLOSED_EVERY", 0.1)
    monkeypatch.setattr(listing, "PUBLIC_FOR", 0.0)


async def status(live: Live, table: str) -> str:
    found = await asyncio.to_thread(live.run, live.app.state.store.summary(table))
    return str(found.status)


async def lobby(client: Client) -> list[str]:
    found: Any = await client.call("GET", "/api/lobby")
    return [table["id"] for table in found["open"]]


def test_public_tables_that_nobody_comes_to_are_closed_and_others_are_not(tmp_path: Path, often: None) -> None:
    async def work() -> None:
        with serving(tmp_path, bot_processes=1, expire_waiting=2 / 3600) as live:
            ana, bruno = (live.client(name) for name in fresh("Ana", "Bruno"))
            alone = await ana.create("daruma", 2, settings=PUBLIC)
            private = await ana.create("daruma", 2)
            begun = await ana.create("daruma", 2, settings=PUBLIC, names=["A", "B"], start=True)
            attended = await bruno.create("daruma", 2, settings=PUBLIC)
            async with bruno.table(attended) as seat:
                assert alone in await lobby(ana)
                async with asyncio.timeout(20):
                    while await status(live, alone) != "aborted":
                        await asyncio.sleep(0.1)
                assert alone not in await lobby(ana)
                assert seat.table is not None and seat.table.status == "open"
                assert [await status(live, one) for one in (private, begun, attended)] == ["open", "playing", "open"]
                async with ana.table(alone) as late:
                    await until(late, lambda: late.over)

    asyncio.run(work())


def test_a_table_that_nobody_plays_at_any_more_is_closed_after_a_long_time(tmp_path: Path, often: None) -> None:
    async def work() -> None:
        with serving(tmp_path, bot_processes=1, expire_abandoned=2 / 86400) as live:
            ana = live.client(*fresh("Ana"))
            table = await ana.create("daruma", 2, names=["A", "B"], start=True)
            async with asyncio.timeout(20):
                while await status(live, table) != "aborted":
                    await asyncio.sleep(0.1)

    asyncio.run(work())


def test_the_lobby_shows_tables_with_people_first_and_few_of_each_person(tmp_path: Path, often: None) -> None:
    async def work() -> None:
        with serving(tmp_path, bot_processes=1) as live:
            ana, greedy = (live.client(name) for name in fresh("Ana", "Greedy"))
            honest = await ana.create("daruma", 2, settings=PUBLIC)
            async with ana.table(honest):
                many = [await greedy.create("daruma", 2, settings=PUBLIC) for _ in range(12)]
                async with asyncio.timeout(20):
                    while (await lobby(ana))[0] != honest:
                        await asyncio.sleep(0.1)
                assert sorted(await lobby(ana)) == sorted([honest, *many[-listing.OF_PERSON :]])

    asyncio.run(work())


def test_a_person_opens_so_many_tables_until_some_have_ended(tmp_path: Path) -> None:
    async def work() -> None:
        with serving(tmp_path, bot_processes=1, rate=1.0, tables_per_person=2, tables_per_address=3) as live:
            ana, bruno, chloe = (live.client(name) for name in fresh("Ana", "Bruno", "Chloe"))
            first = await ana.create("daruma", 2)
            await ana.create("daruma", 2)
            with pytest.raises(Refused) as refused:
                await ana.create("daruma", 2)
            assert refused.value.code == "server-tables" and "2" in refused.value.text
            await bruno.create("daruma", 2)
            with pytest.raises(Refused) as refused:
                await chloe.create("daruma", 2)
            assert refused.value.code == "server-tables-address"
            async with ana.table(first) as seat:
                await seat.ask(m.Abort("a"))
            await ana.create("daruma", 2)
            metrics = live.app.state.metrics.render().decode()
            assert 'tsukimi_refused_total{limit="tables-of-person"} 1.0' in metrics

    asyncio.run(work())
