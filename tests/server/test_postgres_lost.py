"""PostgreSQL closes connections or restarts while people chat and bots move: the server recovers by itself."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from server.live import Live
from server.sockets import QUIET, Coming, around, fresh
from services import Postgres, postgres  # noqa: F401
from tsukimi.client import Refused, Seat, new_id
from tsukimi.server import messages as m
from tsukimi.table import events as e

pytestmark = pytest.mark.compiled
PATIENCE = 60.0
AWAY = {"table-store-away", "table-busy"}


def close_all(server: Postgres) -> None:
    server.sql("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tsukimi'")


def restart(server: Postgres) -> None:
    server.stop_gently()
    server.start()


async def insist(seat: Seat, request: m.Say | m.Play, *refusals: str) -> bool:
    """Whether it was accepted, after as many attempts as it takes."""
    while True:
        try:
            await seat.ask(request)
            return True
        except Refused as refused:
            if refused.code in refusals:
                return False
            assert refused.code in AWAY, refused.code
            await asyncio.sleep(0.02)


async def chat(seat: Seat, said: list[str], enough: asyncio.Event) -> None:
    while not enough.is_set():
        key = new_id()
        await insist(seat, m.Say(key, f"line {len(said)}"))
        said.append(key)
        await asyncio.sleep(0.005)


async def play(seat: Seat, made: list[str], enough: asyncio.Event) -> None:
    while not enough.is_set() and not seat.over:
        question = seat.game.question if seat.game is not None else None
        key = new_id()
        if question is not None and await insist(
            seat, m.Play(key, question.decision, question.moves[0]), "table-stale"
        ):
            made.append(key)
        await asyncio.sleep(0.005)


@pytest.mark.parametrize(("interrupt", "times"), [(close_all, 8), (restart, 2)])
def test_connections_that_postgresql_closes_during_chat_and_bots_turns_cost_nothing(
    tmp_path: Path,
    postgres: Postgres,  # noqa: F811
    interrupt: Callable[[Postgres], None],
    times: int,
) -> None:
    async def work() -> None:
        server = Coming(tmp_path, database=postgres.database())
        live: Live = await server.start()
        try:
            async with around(live, "dojo", *fresh("Ana", "Bruno"), bots=["random"] * 2, settings=QUIET) as seats:
                ana, bruno = seats
                assert ana.table is not None
                table, enough = ana.table.id, asyncio.Event()
                said, made = list[str](), list[str]()
                tasks = [
                    asyncio.create_task(work)
                    for work in (chat(bruno, said, enough), play(ana, made, enough), play(bruno, made, enough))
                ]
                async with asyncio.timeout(PATIENCE):
                    for _ in range(times):
                        await asyncio.sleep(0.1)
                        await asyncio.to_thread(interrupt, postgres)
                        lines, known = len(said), len(ana.events)
                        while len(said) < lines + 3 or (len(ana.events) <= known and not ana.over):
                            await asyncio.sleep(0.01)
                    enough.set()
                    await asyncio.gather(*tasks)
                rows = await asyncio.to_thread(live.run, live.app.state.store.read(table))
                events = [e.decode(row.data) for row in rows]
                keys = Counter(event.key for event in events)
                assert {keys[key] for key in (*said, *made)} == {1}
                assert any(isinstance(event, e.Moved) and event.maker == "bot" for event in events)
        finally:
            await server.stop()

    try:
        asyncio.run(work())
    finally:
        postgres.start()
