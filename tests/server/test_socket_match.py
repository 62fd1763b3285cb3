"""Quick match: tables of its own, people who are there, and a start that everyone agrees to."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from server.live import Live, serving
from server.sockets import fresh, pass_time, refusal, until
from tsukimi.client import Client, Seat
from tsukimi.server import messages as m
from tsukimi.server.tables import scheduler
from tsukimi.table import matching
from tsukimi.table.settings import Settings

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with serving(tmp_path_factory.mktemp("match"), bot_processes=1) as server:
        yield server


GONE_AFTER, ANSWER_WITHIN = scheduler.MATCH_GONE_AFTER / 1000, matching.ANSWER_WITHIN / 1000


async def ask(client: Client, game: str = "daruma", players: int = 2) -> str:
    answer = await client.call("POST", "/api/match", {"game": game, "players": players})
    return str(answer["id"])


async def checked(*seats: Seat) -> None:
    for seat in seats:
        await until(seat, lambda seat=seat: seat.table is not None and seat.table.ready_by is not None)


async def status(live: Live, table: str) -> str:
    found = await asyncio.to_thread(live.run, live.app.state.store.summary(table))
    return str(found.status)


def test_two_people_who_are_there_meet_and_the_game_begins_when_both_are_ready(live: Live) -> None:
    async def work() -> None:
        ana, bruno = (live.client(name) for name in fresh("Ana", "Bruno"))
        table = await ask(ana)
        async with ana.table(table) as one:
            assert one.table is not None
            assert one.table.match
            assert one.table.settings.rated
            assert one.table.ready_by is None
            assert await ask(bruno) == table
            async with bruno.table(table) as two:
                await checked(one, two)
                assert [seat.ready for seat in one.table.seats] == [False, False]
                await one.ask(m.Ready("r"))
                await until(two, lambda: [seat.ready for seat in two.table.seats] == [True, False])  # type: ignore[union-attr]
                assert two.table is not None
                assert two.table.status == "open"
                await two.ask(m.Ready("r"))
                await until(one, lambda: one.game is not None)
                assert one.table.status == "playing"
                assert one.table.ready_by is None
                await one.ask(m.Resign("x"))

    asyncio.run(work())


def test_whoever_does_not_answer_loses_the_place_and_the_other_goes_on_looking(live: Live) -> None:
    async def work() -> None:
        ana, bruno, chloe = (live.client(name) for name in fresh("Ana", "Bruno", "Chloe"))
        table = await ask(ana)
        async with ana.table(table) as one:
            await ask(bruno)
            async with bruno.table(table) as two:
                await checked(one, two)
                await one.ask(m.Ready("r"))
                await pass_time(live, table, ANSWER_WITHIN)
                await until(two, lambda: two.you is not None and not two.you.seats)
                await until(one, lambda: one.table is not None and one.table.ready_by is None)
                assert one.you is not None
                assert one.you.seats == [0]
            assert await ask(chloe) == table
            async with chloe.table(table) as three:
                await checked(one, three)
                await asyncio.gather(one.ask(m.Ready("s")), three.ask(m.Ready("s")))
                await until(three, lambda: three.game is not None)

    asyncio.run(work())


def test_whoever_is_not_connected_is_not_matched(live: Live) -> None:
    async def work() -> None:
        ghost, ana, bruno = (live.client(name) for name in fresh("Ghost", "Ana", "Bruno"))
        table = await ask(ghost, "dojo", 3)
        assert await ask(ana, "dojo", 3) == table
        async with ana.table(table) as one:
            assert await ask(bruno, "dojo", 3) == table
            async with bruno.table(table) as two:
                await pass_time(live, table, GONE_AFTER)
                await until(one, lambda: [seat.kind for seat in one.table.seats] == ["free", "person", "person"])  # type: ignore[union-attr]
                assert one.table is not None
                assert one.table.ready_by is None
                await two.ask(m.Stand("x"))
                await one.ask(m.Stand("x"))
        assert await status(live, table) == "aborted"

    asyncio.run(work())


def test_a_table_that_everyone_has_left_is_gone(live: Live) -> None:
    async def work() -> None:
        ghost, ana = (live.client(name) for name in fresh("Ghost", "Ana"))
        table = await ask(ghost, "charuma", 4)
        await pass_time(live, table, GONE_AFTER)
        async with asyncio.timeout(20):
            while await status(live, table) != "aborted":
                await asyncio.sleep(0.05)
        assert await ask(ana, "charuma", 4) != table

    asyncio.run(work())


def test_an_ordinary_public_table_is_never_taken_for_a_quick_match_nor_shown_as_one(live: Live) -> None:
    async def work() -> None:
        host, ana = (live.client(name) for name in fresh("Host", "Ana"))
        public = await host.create("charuma", 2, settings=Settings(public=True))
        table = await ask(ana, "charuma", 2)
        assert table != public
        lobby = await ana.call("GET", "/api/lobby")
        assert table not in [item["id"] for item in lobby["open"] + lobby["yours"]]

    asyncio.run(work())


def test_the_settings_are_fixed_and_the_seats_are_given_by_the_server(live: Live) -> None:
    async def work() -> None:
        ana, zoe = (live.client(name) for name in fresh("Ana", "Zoe"))
        table = await ask(ana, "china-moon", 3)
        async with ana.table(table) as one, zoe.table(table) as stranger:
            assert await refusal(one, m.Change("a", settings=Settings())) == "table-host-only"
            assert await refusal(one, m.Bot("b", "master")) == "table-host-only"
            assert await refusal(one, m.Start("c")) == "table-host-only"
            assert await refusal(one, m.Ready("d")) == "table-is-open"
            assert await refusal(stranger, m.Sit("e")) == "table-match-seats"

    asyncio.run(work())


def test_people_who_wait_at_different_tables_are_brought_together_when_they_ask_again(live: Live) -> None:
    async def work() -> None:
        one, two, three, four = (live.client(name) for name in fresh("Ana", "Bruno", "Chloe", "Diego"))
        async with AsyncExitStack() as stack:
            full = await ask(one, "daruma", 3)
            first = await stack.enter_async_context(one.table(full))
            for client in (two, three):
                assert await ask(client, "daruma", 3) == full
            second = await stack.enter_async_context(two.table(full))
            third = await stack.enter_async_context(three.table(full))
            await checked(first, second, third)
            other = await ask(four, "daruma", 3)
            assert other != full
            fourth = await stack.enter_async_context(four.table(other))
            await asyncio.gather(first.ask(m.Ready("r")), second.ask(m.Ready("r")))
            await pass_time(live, full, ANSWER_WITHIN)
            await until(third, lambda: third.you is not None and not third.you.seats)
            assert await ask(one, "daruma", 3) == full
            assert await ask(four, "daruma", 3) == full
            await until(fourth, lambda: fourth.table is not None and fourth.table.status == "aborted")

    asyncio.run(work())


def test_the_commitment_is_known_before_anybody_adds_a_nonce(live: Live) -> None:
    async def work() -> None:
        ana, bruno = (live.client(name) for name in fresh("Ana", "Bruno"))
        table = await ask(ana, "dojo", 4)
        async with ana.table(table) as one:
            assert one.table is not None
            assert one.table.fairness.commitment
            assert one.table.fairness.nonces == ["", "", "", ""]
            await one.ask(m.GiveNonce("n", "c0ffee"))
            assert one.table.fairness.nonces[0] == "c0ffee"
            assert await refusal(one, m.GiveNonce("o", "beef")) == "table-nonce-given"
        own = await bruno.create("daruma", 2, bots=["random"])
        async with bruno.table(own) as seat:
            await seat.ask(m.GiveNonce("n", "beef"))
            await seat.ask(m.Start("s"))
            assert seat.table is not None
            assert seat.table.fairness.nonces == ["beef", ""]
            assert await refusal(seat, m.GiveNonce("o", "c0ffee")) == "table-is-playing"

    asyncio.run(work())


def test_the_match_of_people_whose_server_crashed_is_swept_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from server.sockets import Coming

    monkeypatch.setattr(scheduler, "MATCH_GONE_AFTER", 100)

    async def work() -> None:
        server = Coming(tmp_path)
        try:
            running = await server.start()
            table = await ask(running.client("Ana"))
            await server.crash(running)
            running = await server.start()
            async with asyncio.timeout(30):
                while await status(running, table) != "aborted":
                    await asyncio.sleep(0.1)
        finally:
            await server.stop()

    asyncio.run(work())
