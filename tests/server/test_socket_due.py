"""Work that is due is done in the order of its time, however many tables are in memory."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from server.sockets import Coming, fresh
from tsukimi.server.tables import registry
from tsukimi.server.tables.clock import clock
from tsukimi.store import Row, Store, Summary, Unavailable
from tsukimi.table.settings import Clock, Settings

pytestmark = pytest.mark.compiled


def test_many_live_tables_do_not_keep_others_from_their_deadlines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "TICK", 0.05)
    monkeypatch.setattr(registry, "DUE_AT_ONCE", 2)
    live_clock = Settings(clock=Clock("live", 600, 10))

    async def work() -> None:
        server = Coming(tmp_path)
        live = await server.start()
        try:
            client, store = live.client(*fresh("Ana")), live.app.state.store
            for _ in range(5):
                await client.create("daruma", 2, names=["a", "b"], start=True, settings=live_clock)
            late = await client.create("daruma", 2)
            found = await asyncio.to_thread(live.run, store.summary(late))
            await asyncio.to_thread(live.run, _append(store, replace(found, due=clock())))
            async with asyncio.timeout(60):
                while late not in live.app.state.tables.registry._live:
                    await asyncio.sleep(0.02)
        finally:
            await server.stop()

    asyncio.run(work())


async def _append(store: Store, summary: Summary) -> None:
    await store.append(summary.table, [], summary)


def test_a_table_that_cannot_be_read_keeps_no_other_from_its_deadline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "TICK", 0.05)

    async def work() -> None:
        server = Coming(tmp_path)
        live = await server.start()
        try:
            client, store = live.client(*fresh("Ana")), live.app.state.store
            damaged, fine = [await client.create("daruma", 2) for _ in range(2)]
            read = store.read

            async def read_some(table: str, since: int = 0) -> list[Row]:
                if table == damaged:  # as from a disk with a bad sector
                    raise Unavailable
                rows: list[Row] = await read(table, since)
                return rows

            monkeypatch.setattr(store, "read", read_some)
            for table, due in ((damaged, 1), (fine, 2)):
                found = await asyncio.to_thread(live.run, store.summary(table))
                await asyncio.to_thread(live.run, _append(store, replace(found, due=due)))
            async with asyncio.timeout(60):
                while fine not in live.app.state.tables.registry._live:
                    await asyncio.sleep(0.02)
            assert damaged not in live.app.state.tables.registry._live
        finally:
            await server.stop()

    asyncio.run(work())
