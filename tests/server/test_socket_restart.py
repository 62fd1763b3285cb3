"""The server ends in the middle of games and comes again on the same database: nothing is lost, nobody has to do anything."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from server.live import Live
from server.sockets import RATED, Coming, around, fresh, play_one, play_out, refusal, until
from tsukimi.client import Refused
from tsukimi.server import app as application
from tsukimi.server import config as configuration
from tsukimi.server import messages as m
from tsukimi.server.common.api import NewTable
from tsukimi.server.tables import registry
from tsukimi.store import Person, Rating, Unavailable
from tsukimi.table import events as e
from tsukimi.table.settings import Clock, Settings

pytestmark = pytest.mark.compiled


def keys(live: Live, table: str) -> list[str]:
    return [key for row in live.run(live.app.state.store.read(table)) if (key := e.decode(row.data).key)]


def in_turn(folder: Path, work: Callable[[Coming], Awaitable[None]]) -> None:
    async def both() -> None:
        server = Coming(folder)
        try:
            await work(server)
        finally:
            await server.stop()

    asyncio.run(both())


@pytest.mark.parametrize("gently", [True, False])
def test_people_reconnect_by_themselves_and_finish_the_game(
    tmp_path: Path, gently: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "LEASE", 1.0)

    async def work(server: Coming) -> None:
        live = await server.start()
        ana, bruno, zoe = fresh("Ana", "Bruno", "Zoe")
        async with around(live, "daruma", ana, bruno, watching=[zoe], bots=["random"]) as seats:
            one, two, watcher = seats
            for _ in range(3):
                await play_one((one, two))
            events = list(watcher.events)
            await (server.stop() if gently else server.crash(live))
            waiting = [asyncio.create_task(play_out(seat)) for seat in (one, two)]
            await server.start()
            await asyncio.gather(*waiting)
            await until(watcher, lambda: watcher.over)
            assert watcher.events[: len(events)] == events
            assert len(watcher.events) == len(one.events) == len(two.events)
            assert min(seat.reconnects for seat in seats) >= 1

    in_turn(tmp_path, work)


def test_a_server_that_stops_while_it_loads_a_table_leaves_no_task_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "TICK", 60.0)  # nothing but this test loads the table
    clock = Settings(clock=Clock("live", 0, 0))
    config = configuration.load({"database": f"sqlite:///{tmp_path}/t.db", "data": str(tmp_path)}, env={})
    app = application.build(config)

    async def work() -> None:
        before = asyncio.all_tasks()
        async with application.lifespan(app):
            store, tables = app.state.store, app.state.tables
            ana = Person("ana", "handle-ana", "Ana", 1)
            await store.add_person(ana)
            reading, read = asyncio.Event(), store.read

            async def slow_read(*words: Any) -> Any:
                reading.set()
                await asyncio.sleep(0.1)
                return await read(*words)

            async def slow_release(*_: Any) -> None:
                await asyncio.wait((opening,))

            store.read, store.release = slow_read, slow_release
            wanted = NewTable("daruma", 2, settings=clock, bots=["random"], start=True)
            opening = asyncio.create_task(tables.create(wanted, ana))
            await asyncio.wait_for(reading.wait(), 20)
        with pytest.raises(Unavailable):
            await opening
        assert asyncio.all_tasks() == before
        with pytest.raises(Unavailable):
            await tables.live("another")

    asyncio.run(work())


def test_a_move_that_was_stored_but_not_acknowledged_counts_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "LEASE", 1.0)

    async def work(server: Coming) -> None:
        live = await server.start()
        async with around(live, "china-moon", *fresh("Ana", "Bruno", "Chloe"), options={"first": "p1"}) as (
            one,
            two,
            _,
        ):
            assert one.table is not None
            assert one.game is not None
            assert one.game.question is not None
            question, events = one.game.question, len(two.events)
            store, stored = live.app.state.store, asyncio.Event()
            append, loop = store.append, asyncio.get_running_loop()

            async def and_silence(*words: Any, **more: Any) -> None:
                await append(*words, **more)
                loop.call_soon_threadsafe(stored.set)
                await asyncio.sleep(3600)

            monkeypatch.setattr(store, "append", and_silence)
            asking = asyncio.create_task(one.ask(m.Play("once", question.decision, question.moves[0])))
            await asyncio.wait_for(stored.wait(), 20)
            assert not asking.done()
            assert len(two.events) == events
            await server.crash(live)
            live = await server.start()
            assert await asyncio.wait_for(asking, 20) == m.Done("once")
            await until(two, lambda: len(two.events) > events)
            assert keys(live, one.table.id).count("once") == 1

    in_turn(tmp_path, work)


def test_a_bot_that_was_thinking_moves_after_the_restart_though_nobody_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "LEASE", 1.0)
    monkeypatch.setattr(registry, "TICK", 0.1)

    async def work(server: Coming) -> None:
        live = await server.start()

        async def for_ever(*_: object) -> str:
            await asyncio.sleep(3600)
            return ""

        monkeypatch.setattr(live.app.state.tables.bots, "choose", for_ever)
        async with around(live, "china-moon", *fresh("Ana"), bots=["random"] * 2, options={"first": "p2"}) as (one,):
            assert one.table is not None
            table = one.table.id
            rows = len(await asyncio.to_thread(live.run, live.app.state.store.read(table)))
        await server.crash(live)
        live = await server.start()
        async with asyncio.timeout(20):
            while len(await asyncio.to_thread(live.run, live.app.state.store.read(table))) <= rows:
                await asyncio.sleep(0.05)

    in_turn(tmp_path, work)


def test_a_table_that_sleeps_wakes_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "LEASE", 0.3)
    monkeypatch.setattr(registry, "TICK", 0.05)
    monkeypatch.setattr(registry, "UNLOAD_AFTER", 0.1)

    async def work(server: Coming) -> None:
        live = await server.start()
        ana, bruno = fresh("Ana", "Bruno")
        async with around(live, "daruma", ana, bruno, settings=Settings(forced=False)) as (one, two):
            for _ in range(3):
                await play_one((one, two))
            await two.ask(m.Say("a", "good night"))
            await until(one, lambda: one.chat)
            assert one.table is not None
            table, events, question = one.table.id, list(one.events), one.game.question  # type: ignore[union-attr]
        awake = live.app.state.tables.registry._live
        async with asyncio.timeout(20):
            while table in awake:
                await asyncio.sleep(0.02)
        async with live.client(ana).table(table) as again:
            assert table in awake
            assert again.events == events
            assert again.game is not None
            assert again.game.question == question
            assert [line.text for line in again.chat] == ["good night"]

    in_turn(tmp_path, work)


def test_requests_that_came_while_the_database_was_away_are_refused_and_nothing_is_half_done(tmp_path: Path) -> None:
    async def work(server: Coming) -> None:
        live = await server.start()
        async with around(live, "china-moon", *fresh("Ana", "Bruno", "Chloe"), options={"first": "p1"}) as seats:
            one, two, _ = seats
            store = live.app.state.store
            append, read = store.append, store.read

            async def away(*_: object, **__: object) -> None:
                raise Unavailable

            store.append = away
            assert one.game is not None
            assert one.game.question is not None
            question, events = one.game.question, len(one.events)
            assert await refusal(one, m.Play("a", question.decision, question.moves[0])) == "table-store-away"
            store.read = away  # now not even that can be known; everyone reconnects by themselves
            asking = asyncio.create_task(one.ask(m.Play("b", question.decision, question.moves[0])))
            await asyncio.sleep(0.3)
            store.append, store.read = append, read
            assert await asyncio.wait_for(asking, 20) == m.Done("b")
            await until(two, lambda: len(two.events) > events)
            await play_one(seats)

    in_turn(tmp_path, work)


def test_a_kill_at_the_end_of_a_rated_game_loses_neither_its_end_nor_its_ratings(tmp_path: Path) -> None:
    async def work(server: Coming) -> None:
        live = await server.start()

        async def ratings() -> list[Rating]:
            found = live.app.state.store.ratings("daruma", [f"person-{name.lower()}" for name in names])
            return list((await asyncio.to_thread(live.run, found)).values())

        names = fresh("Ana", "Bruno")
        async with around(live, "daruma", *names, settings=RATED) as (one, _):
            await one.ask(m.Resign("a"))
            await server.crash(live)
        live = await server.start()
        assert [rating.games for rating in await ratings()] == [1, 1]
        assert one.table is not None
        async with live.client(names[0]).table(one.table.id) as again:
            await until(again, lambda: again.over)
            assert again.table is not None
            assert again.table.result is not None
            changes = again.table.result.ratings
            assert changes[0] is not None
            assert changes[1] is not None
            assert changes[0] < changes[1]
            assert [seat.rating for seat in again.table.seats] == [0.0, changes[1]]

    in_turn(tmp_path, work)


def test_a_rated_game_whose_ratings_cannot_be_written_has_not_ended(tmp_path: Path) -> None:
    async def work(server: Coming) -> None:
        live = await server.start()
        store = live.app.state.store
        append = store.append

        async def fails(table: str, rows: object, summary: object = None, ratings: object = None) -> None:
            raise Unavailable("the disk is full")

        async with around(live, "daruma", *fresh("Ana", "Bruno"), settings=RATED) as (one, two):
            store.append = fails
            with pytest.raises(Refused, match="cannot save"):
                await one.ask(m.Resign("a"))
            store.append = append
            assert two.table is not None
            assert two.table.status == "playing"
            await one.ask(m.Resign("a"))
            await until(two, lambda: two.over)
            assert two.table.result is not None
            assert None not in two.table.result.ratings

    in_turn(tmp_path, work)


def test_two_games_of_one_person_that_end_at_the_same_moment_both_count(tmp_path: Path) -> None:
    async def work(server: Coming) -> None:
        live = await server.start()
        ana, bruno, chloe = fresh("Ana", "Bruno", "Chloe")
        async with (
            around(live, "daruma", ana, bruno, settings=RATED) as (one, _),
            around(live, "daruma", ana, chloe, settings=RATED) as (two, _),
        ):
            await asyncio.gather(one.ask(m.Resign("a")), two.ask(m.Resign("b")))
        found = live.app.state.store.ratings("daruma", [f"person-{ana.lower()}"])
        [rating] = (await asyncio.to_thread(live.run, found)).values()
        assert rating.games == 2

    in_turn(tmp_path, work)
