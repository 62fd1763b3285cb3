"""Two workers with PostgreSQL and Redis: one table for all, whoever they are connected to."""

from __future__ import annotations

import asyncio
import urllib.request
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from server.live import Live
from server.sockets import QUIET, RATED, Coming, fresh, on_turn, play_one, play_out, until
from services import Postgres, Redis, postgres, redis_server  # noqa: F401
from tsukimi.client import Gone, Refused, Seat
from tsukimi.server import messages as m
from tsukimi.server.tables import registry, scheduler
from tsukimi.table import events as e
from tsukimi.table.settings import Clock, Settings

pytestmark = pytest.mark.compiled


@pytest.fixture
def shared(postgres: Postgres, redis_server: Redis) -> dict[str, object]:  # noqa: F811
    return {"database": postgres.database(), "bus": redis_server.url, "secret": "two workers, one secret" * 2}


@asynccontextmanager
async def two_workers(folder: Path, shared: dict[str, object]) -> AsyncIterator[tuple[Coming, Live, Live]]:
    """The first of them can be made to crash."""
    servers = [Coming(folder / name, **shared) for name in ("one", "two")]
    try:
        yield servers[0], await servers[0].start(), await servers[1].start()
    finally:
        for server in servers:
            await server.stop()


@asynccontextmanager
async def at_workers(
    game: str, *people: tuple[str, Live], settings: Settings = QUIET, bots: int = 0, **more: object
) -> AsyncIterator[list[Seat]]:
    """A table with people who are connected where it is said; the first one opens it, and starts the game."""
    clients = [live.client(name) for name, live in people]
    made = await clients[0].create(game, len(people) + bots, settings=settings, bots=["random"] * bots, **more)
    async with AsyncExitStack() as stack:
        seats = [await stack.enter_async_context(client.table(made)) for client in clients]
        for number, seat in enumerate(seats[1:]):
            await seat.ask(m.Sit(f"sit{number}"))
        await seats[0].ask(m.Start("start"))
        for seat in seats:
            await until(seat, lambda seat=seat: seat.game is not None)
        yield seats


@pytest.mark.parametrize("game", ["daruma", "dojo"])
def test_people_at_different_workers_play_one_game_and_see_every_event_in_order(
    tmp_path: Path, shared: dict[str, object], game: str
) -> None:
    async def work() -> None:
        async with two_workers(tmp_path, shared) as (_, first, second):
            ana, bruno, chloe, zoe, zora = fresh("Ana", "Bruno", "Chloe", "Zoe", "Zora")
            async with at_workers(game, (ana, first), (bruno, second), (chloe, first)) as seats:
                assert seats[0].table is not None
                table = seats[0].table.id
                async with first.client(zoe).table(table) as here, second.client(zora).table(table) as there:
                    for seat in (*seats, here, there):
                        await until(seat, lambda seat=seat: seat.table.spectators == 2)
                        assert all(one.online for one in seat.table.seats)
                    await asyncio.gather(*(play_out(seat, number) for number, seat in enumerate(seats)))
                    for seat in (*seats, here, there):
                        await until(seat, lambda seat=seat: seat.over)
                    assert here.events == there.events
                    assert {len(seat.events) for seat in seats} == {len(here.events)}
                    assert here.table is not None
                    assert there.table is not None
                    assert here.table.result == there.table.result

    asyncio.run(work())


def test_of_two_moves_for_the_same_decision_exactly_one_wins(tmp_path: Path, shared: dict[str, object]) -> None:
    async def work() -> None:
        async with two_workers(tmp_path, shared) as (_, first, second):
            ana, bruno = fresh("Ana", "Bruno")
            async with at_workers("daruma", (ana, first), (bruno, second)) as (one, two):
                assert one.table is not None
                table = one.table.id
                async with (
                    second.client(ana).table(table) as ana_there,
                    first.client(bruno).table(table) as bruno_there,
                ):
                    for number in range(12):
                        mover = await on_turn((one, two))
                        here, there = (one, ana_there) if mover is one else (two, bruno_there)
                        question = here.game.question  # type: ignore[union-attr]
                        assert question is not None
                        moves = question.moves[0], question.moves[-1]
                        answers = await asyncio.gather(
                            here.ask(m.Play(f"a{number}", question.decision, moves[0])),
                            there.ask(m.Play(f"b{number}", question.decision, moves[1])),
                            return_exceptions=True,
                        )
                        refused = [answer for answer in answers if isinstance(answer, Refused)]
                        assert [answer.code for answer in refused] == ["table-stale"]
                        events = max(len(here.events), len(there.events))
                        for seat in (one, two, ana_there, bruno_there):
                            await until(seat, lambda seat=seat, events=events: len(seat.events) >= events)
                        if here.over:
                            break
                    rows = await asyncio.to_thread(first.run, first.app.state.store.read(table))
                    assert [row.seq for row in rows] == list(range(len(rows)))
                    keys = [key for row in rows if (key := e.decode(row.data).key)]
                    assert len(keys) == len(set(keys))

    asyncio.run(work())


def test_what_is_said_at_both_workers_at_once_is_heard_at_both_in_the_same_order(
    tmp_path: Path, shared: dict[str, object]
) -> None:
    async def work() -> None:
        async with two_workers(tmp_path, shared) as (_, first, second):
            ana, bruno = fresh("Ana", "Bruno")
            async with at_workers("daruma", (ana, first), (bruno, second)) as (one, two):
                for number in range(20):
                    await asyncio.gather(one.ask(m.Say(f"{number}", "a")), two.ask(m.Say(f"{number}", "b")))
                for seat in (one, two):
                    await until(seat, lambda seat=seat: len(seat.chat) == 40)
                    assert [line.number for line in seat.chat] == list(range(40))
                assert one.chat == two.chat

    asyncio.run(work())


def test_the_rating_changes_are_sent_by_both_workers(tmp_path: Path, shared: dict[str, object]) -> None:
    async def work() -> None:
        async with two_workers(tmp_path, shared) as (_, first, second):
            ana, bruno = fresh("Ana", "Bruno")
            for _ in range(2):
                async with at_workers("daruma", (ana, first), (bruno, second), settings=RATED) as seats:
                    await seats[0].ask(m.Resign("a"))
                    for seat in seats:
                        await until(seat, lambda seat=seat: seat.over and None not in seat.table.result.ratings)
                    one, two = (seat.table.result.ratings for seat in seats)  # type: ignore[union-attr]
                    assert one == two
                    assert one[0] < one[1]  # type: ignore[operator]

    asyncio.run(work())


def test_people_at_different_workers_meet_in_a_quick_match(tmp_path: Path, shared: dict[str, object]) -> None:
    async def work() -> None:
        async with two_workers(tmp_path, shared) as (_, first, second):
            ana, bruno = (
                worker.client(name) for worker, name in zip((first, second), fresh("Ana", "Bruno"), strict=True)
            )
            wanted = {"game": "daruma", "players": 2}
            table = (await ana.call("POST", "/api/match", wanted))["id"]
            async with ana.table(table) as one:
                assert (await bruno.call("POST", "/api/match", wanted))["id"] == table
                async with bruno.table(table) as two:
                    for seat in (one, two):
                        await until(seat, lambda seat=seat: seat.table.ready_by is not None)
                        await seat.ask(m.Ready("r"))
                    for seat in (one, two):
                        await until(seat, lambda seat=seat: seat.game is not None)

    asyncio.run(work())


def test_when_a_worker_dies_the_other_takes_over_its_bots_its_clocks_and_notices_who_is_gone(
    tmp_path: Path, shared: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "LEASE", 3.0)
    monkeypatch.setattr(registry, "ANNOUNCED_EVERY", 0.5)
    monkeypatch.setattr(registry, "SILENT_AFTER", 1.5)
    monkeypatch.setattr(registry, "TICK", 0.1)
    monkeypatch.setattr(scheduler, "AWAY_AFTER", 500)

    async def work() -> None:
        async with two_workers(tmp_path, shared) as (server, first, second):
            ana, bruno, chloe, diego = fresh("Ana", "Bruno", "Chloe", "Diego")
            clocked = Settings(forced=False, takeover=False, clock=Clock("live", 2, 0))
            # Ana at the first worker, which therefore runs the tables; Bruno at the second.
            async with (
                at_workers("china-moon", (ana, first), (bruno, second), bots=1, options={"first": "p1"}) as (one, two),
                at_workers(
                    "china-moon", (chloe, first), (diego, second), bots=1, settings=clocked, options={"first": "p1"}
                ) as (
                    _,
                    four,
                ),
            ):
                tables = [one.table.id, four.table.id]  # type: ignore[union-attr]
                assert all(first.app.state.tables.registry._live[table].leased for table in tables)
                assert not any(second.app.state.tables.registry._live[table].leased for table in tables)
                await server.crash(first)
                # No bot replaces Ana while she may still be there; then a bot does, the bot of the third seat too.
                await until(two, lambda: two.table.seats[0].away and not two.table.seats[0].online)  # type: ignore[union-attr]
                await until(two, lambda: two.game.question is not None)  # type: ignore[union-attr]
                for _ in range(2):
                    await play_one((two,))
                    await until(two, lambda: two.game.question is not None or two.over)  # type: ignore[union-attr]
                await until(four, lambda: four.game.question is not None)  # type: ignore[union-attr]
                assert all(second.app.state.tables.registry._live[table].leased for table in tables)

    asyncio.run(work())


def test_a_worker_that_has_crashed_does_not_wait_for_its_own_leases_when_it_is_back(
    tmp_path: Path, shared: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "LEASE", 60.0)

    async def work() -> None:
        server = Coming(tmp_path, **shared)
        live = await server.start()
        try:
            async with at_workers("dojo", (fresh("Ana")[0], live), bots=2) as (one,):
                table = one.table.id  # type: ignore[union-attr]
                await one.ask(m.Stand("stand"))
                await until(one, lambda: len(one.events) > 5)
                await server.crash(live)
            live = await server.start()

            async def rows() -> int:
                return len(await asyncio.to_thread(live.run, live.app.state.store.read(table)))

            known = await rows()
            async with asyncio.timeout(30):
                while await rows() == known:
                    await asyncio.sleep(0.05)
        finally:
            await server.stop()

    asyncio.run(work())


def test_people_of_a_dead_worker_go_on_at_the_other(
    tmp_path: Path, shared: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "LEASE", 1.5)
    monkeypatch.setattr(registry, "ANNOUNCED_EVERY", 0.5)
    monkeypatch.setattr(registry, "SILENT_AFTER", 1.5)

    async def work() -> None:
        async with two_workers(tmp_path, shared) as (server, first, second):
            ana, bruno = fresh("Ana", "Bruno")
            async with at_workers("daruma", (ana, first), (bruno, second), bots=1) as (one, two):
                for _ in range(3):
                    await play_one((one, two))
                await server.crash(first)
                one._client.url = second.url  # as the proxy would do it
                await asyncio.gather(play_out(one), play_out(two))
                await until(two, lambda: two.over)
                assert len(one.events) == len(two.events)
                assert one.reconnects >= 1

    asyncio.run(work())


def test_while_redis_is_away_people_at_different_workers_play_on_and_the_workers_stay_in_service(
    tmp_path: Path,
    shared: dict[str, object],
    redis_server: Redis,  # noqa: F811
) -> None:
    async def work() -> None:
        async with two_workers(tmp_path, shared) as (_, first, second):
            ana, bruno = fresh("Ana", "Bruno")
            async with at_workers("daruma", (ana, first), (bruno, second), bots=1) as (one, two):
                for _ in range(2):
                    await play_one((one, two))
                redis_server.kill()
                for _ in range(4):
                    await play_one((one, two))
                for live in (first, second):
                    for path in ("healthz", "readyz"):
                        answer = await asyncio.to_thread(urllib.request.urlopen, f"{live.url}/{path}", None, 5)
                        assert answer.status == 200
                        answer.close()
                assert not first.app.state.bus.healthy
                redis_server.start()
                await asyncio.gather(play_out(one), play_out(two))
                await until(two, lambda: two.over)
                assert len(one.events) == len(two.events)

    try:
        asyncio.run(work())
    finally:
        redis_server.start()


def test_whoever_is_deleted_at_one_worker_is_gone_at_all(tmp_path: Path, shared: dict[str, object]) -> None:
    async def work() -> None:
        async with two_workers(tmp_path, shared) as (_, first, second):
            ana, bruno, chloe = fresh("Ana", "Bruno", "Chloe")
            async with at_workers("daruma", (ana, first), (bruno, second), (chloe, second)) as (one, gone, other):
                state = first.app.state
                person = await asyncio.to_thread(first.run, state.store.person(f"person-{bruno.lower()}"))
                for step in (state.people.disconnect, state.tables.forget, state.people.delete):
                    await asyncio.to_thread(first.run, step(person))
                with pytest.raises(Gone):
                    await until(gone, lambda: False, 10)
                for seat in (one, other):
                    await until(seat, lambda seat=seat: seat.table.seats[1].name == "")
                await asyncio.gather(play_out(one), play_out(other))

    asyncio.run(work())
