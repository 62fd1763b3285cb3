"""A log that cannot be read, or was played under other rules, concerns its own table alone."""

from __future__ import annotations

import asyncio
import logging
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from server.live import Live
from server.sockets import Coming, around, fresh, raw_socket, until
from tsukimi.server.tables import registry
from tsukimi.table import events as e
from tsukimi.table.settings import Settings

pytestmark = pytest.mark.compiled


async def _two_tables(live: Live) -> list[str]:
    """Each waits for a bot, so that it is due after the restart."""
    tables = []
    for name in fresh("Ana", "Bruno"):
        async with around(live, "daruma", name, bots=["random"], settings=Settings()) as (seat,):
            assert seat.table is not None
            tables.append(seat.table.id)
    return tables


def _write(folder: Path, table: str, seq: int, data: bytes) -> None:
    """While the server is stopped."""
    with closing(apsw.Connection(str(folder / "t.db"))) as db:
        db.execute("update log set data = ? where table_id = ? and seq = ?", (data, table, seq))
        db.execute("update tables set wake = 1, status = 'playing', running = 1")
        db.execute("update tables set wake = 0 where id = ?", (table,))


async def _summary(live: Live, table: str) -> tuple[object, ...]:
    found = await asyncio.to_thread(live.run, live.app.state.store.summary(table))
    return found.status, found.due


async def _loaded(live: Live, table: str) -> None:
    async with asyncio.timeout(60):
        while table not in live.app.state.tables.registry._live:
            await asyncio.sleep(0.02)


def test_an_unreadable_log_is_set_aside_and_reported_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(registry, "TICK", 0.05)

    async def work() -> None:
        server = Coming(tmp_path)
        try:
            broken, fine = await _two_tables(await server.start())
            await server.stop()
            _write(tmp_path, broken, 2, b"{nonsense")
            caplog.clear()
            live = await server.start()
            await _loaded(live, fine)
            await asyncio.sleep(0.5)
            assert await _summary(live, broken) == ("quarantined", None)
            reports = [record for record in caplog.records if record.levelno >= logging.ERROR]
            assert len(reports) == 1, reports
            assert reports[0].fields == {"row": 2, "problem": "DecodeError"}  # type: ignore[attr-defined]
            assert b"tsukimi_tables_quarantined_total 1.0" in live.app.state.metrics.render()
            client = live.client("Zoe")
            async with raw_socket(live, client, broken, hello=False) as socket:
                assert (await socket.receive())["code"] == "table-unreadable"
            async with client.table(fine) as seat:
                await until(seat, lambda: seat.game is not None)
        finally:
            await server.stop()

    asyncio.run(work())


def test_a_game_under_old_rules_is_closed_with_a_clear_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "TICK", 0.05)

    async def work() -> None:
        server = Coming(tmp_path)
        try:
            live = await server.start()
            old, fine = await _two_tables(live)
            opened = e.decode((await asyncio.to_thread(live.run, live.app.state.store.read(old)))[0].data)
            await server.stop()
            _write(tmp_path, old, 0, e.encode(opened).replace(b'"rules":1', b'"rules":7'))
            live = await server.start()
            await _loaded(live, fine)
            async with asyncio.timeout(60):
                while await _summary(live, old) != ("aborted", None):
                    await asyncio.sleep(0.02)
            async with raw_socket(live, live.client("Zoe"), old, hello=False) as socket:
                said = await socket.receive()
                assert said["code"] == "table-old-rules"
                assert "version 7" in said["message"]
        finally:
            await server.stop()

    asyncio.run(work())
