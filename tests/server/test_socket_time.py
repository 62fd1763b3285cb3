"""Clocks that are set back, while the server runs and between a crash and the restart."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from server.sockets import Coming, around, fresh, until
from services import Postgres, postgres  # noqa: F401
from tsukimi.server.tables import clock as clocks
from tsukimi.table.settings import Clock, Settings

pytestmark = pytest.mark.compiled
HOUR = 3600 * 10**9


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch):
    """Sets the system's clock to another time, as seen by the server."""
    monkeypatch.setattr(clocks, "_offset", 0, raising=False)

    def set_clock(by: int) -> None:
        shown = SimpleNamespace(time_ns=lambda: time.time_ns() + by, monotonic_ns=time.monotonic_ns)
        monkeypatch.setattr(clocks, "time", shown)

    return set_clock


def test_the_clock_goes_on_when_the_systems_clock_is_set_back_and_follows_it_forward(set_clock) -> None:
    before = clocks.clock()
    set_clock(-HOUR)
    assert before <= clocks.clock() < before + 60_000
    time.sleep(0.02)
    assert clocks.clock() >= before + 20
    set_clock(HOUR)
    assert clocks.clock() >= before + 3_600_000


def test_a_deadline_fires_though_the_systems_clock_is_set_back_meanwhile(tmp_path: Path, set_clock) -> None:
    async def work() -> None:
        server = Coming(tmp_path)
        live = await server.start()
        try:
            clocked = Settings(forced=False, clock=Clock("live", 2, 0))
            async with around(live, "china-moon", *fresh("Ana", "Bruno", "Chloe"), settings=clocked) as (one, *_):
                events = len(one.events)
                set_clock(-HOUR)
                await until(one, lambda: len(one.events) > events, 10)
        finally:
            await server.stop()

    asyncio.run(work())


def test_after_a_crash_and_a_clock_set_back_another_worker_takes_over_bots_and_deadlines(
    tmp_path: Path,
    set_clock,
    monkeypatch: pytest.MonkeyPatch,
    postgres: Postgres,  # noqa: F811
) -> None:
    """The leases of the one that crashed seem to hold for another hour."""

    async def work() -> None:
        crashed, other = (Coming(tmp_path / name, database=database) for name in ("crashed", "other"))
        live = await crashed.start()
        try:

            async def for_ever(*_: object) -> str:
                await asyncio.sleep(3600)
                return ""

            live.app.state.tables.bots.choose = for_ever
            clocked = Settings(forced=False, clock=Clock("live", 0, 2))
            names = fresh("Ana")
            async with around(live, "china-moon", *names, bots=["random"] * 2, settings=clocked) as (one,):
                assert one.table is not None
                table = one.table.id
            await crashed.crash(live)
            monkeypatch.setattr(clocks, "_offset", 0, raising=False)  # another process
            set_clock(-HOUR)
            live = await other.start()

            async def rows() -> int:
                return len(await asyncio.to_thread(live.run, live.app.state.store.read(table)))

            # Nobody connects: bots move, and for Ana, whose time runs out, again and again.
            known, moves = await rows(), 0
            async with asyncio.timeout(30):
                while moves < 3:
                    await asyncio.sleep(0.05)
                    moves, known = (moves + 1, found) if (found := await rows()) > known else (moves, known)
        finally:
            await crashed.stop()
            await other.stop()

    database = postgres.database()
    asyncio.run(work())
