"""At the table: bans close sockets, words are masked, the host's changes arrive."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from server.live import Live
from server.sockets import Coming, around, fresh, raw_socket, refusal, until
from server.test_socket_workers import shared, two_workers  # noqa: F401
from services import Redis, postgres, redis_server  # noqa: F401
from tsukimi.client import new_id
from tsukimi.server import messages as m
from tsukimi.server.admin.operations import Admin
from tsukimi.server.moderation import follower
from tsukimi.store import connect as open_store

pytestmark = pytest.mark.compiled


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follower, "POLL_S", 0.05)


async def beside(folder: Path, work) -> object:
    """What another process does to the database of the running server."""
    store = open_store(f"sqlite:///{folder}/t.db", beside=True)
    await store.open()
    try:
        return await work(Admin(store, "command line"))
    finally:
        await store.close()


def test_a_ban_from_the_command_line_closes_the_sockets_of_the_person_and_no_others(tmp_path: Path) -> None:
    async def work() -> None:
        server = Coming(tmp_path)
        live = await server.start()
        try:
            ana, bob = fresh("Ana", "Bob")
            client, other = live.client(ana), live.client(bob)
            table = await other.create("daruma", 2)
            lobby_url = f"{live.url.replace('http', 'ws')}/ws/lobby"
            async with (
                raw_socket(live, client, table) as banned,
                raw_socket(live, other, table) as stays,
                connect(lobby_url, additional_headers=client.headers()) as lobby,
            ):
                await lobby.recv()
                await beside(tmp_path, lambda admin: admin.ban_person(ana, "insults"))
                said = await banned.receive("error")
                assert (said["code"], said["params"]) == ("server-banned", {"reason": "insults"})
                assert await banned.ends() == 4003
                async with asyncio.timeout(60):
                    await lobby.wait_closed()
                assert (await stays.ask({"type": "ping", "t": 1}))["type"] == "pong"
                with pytest.raises(Exception, match="403"):
                    async with raw_socket(live, client, table):
                        pass
        finally:
            await server.stop()

    asyncio.run(work())


def test_filtered_words_are_masked_in_chat_and_refused_as_names_at_the_table(tmp_path: Path) -> None:
    async def work() -> None:
        server = Coming(tmp_path)
        live = await server.start()
        try:
            await beside(tmp_path, lambda admin: admin.change_words(["tonto"]))
            await asyncio.sleep(0.3)
            async with around(live, "daruma", *fresh("Ana", "Bob"), start=False) as (ana, bob):
                await ana.ask(m.Say(new_id(), "eres t0nt0, ¡no tontería!"))
                await until(bob, lambda: bob.chat)
                assert bob.chat[-1].text == "eres *****, ¡no tontería!"
                assert await refusal(bob, m.Sit(new_id(), 1, "Tonto")) == "server-name-filtered"
        finally:
            await server.stop()

    asyncio.run(work())


def test_a_table_that_the_host_closes_ends_for_everyone_there_and_play_is_refused(tmp_path: Path) -> None:
    async def work() -> None:
        server = Coming(tmp_path)
        live = await server.start()
        try:
            async with around(live, "daruma", *fresh("Ana", "Bob")) as (ana, bob):
                table = ana.table.id
                closed = await beside(tmp_path, lambda admin: admin.close_table(table))
                assert closed.status == "aborted"
                for seat in (ana, bob):
                    await until(seat, lambda seat=seat: seat.table.status == "aborted")
                assert await _status(live, table) == "aborted"
                assert await refusal(ana, m.Resign(new_id())) in ("table-ended", "table-is-aborted")
        finally:
            await server.stop()

    asyncio.run(work())


def test_a_name_that_the_host_changes_changes_on_the_seats_of_running_games(tmp_path: Path) -> None:
    async def work() -> None:
        server = Coming(tmp_path)
        live = await server.start()
        try:
            names = fresh("Ana", "Bob")
            async with around(live, "daruma", *names) as (ana, bob):
                await beside(tmp_path, lambda admin: admin.rename(names[1], "Robert"))
                await until(ana, lambda: ana.table.seats[1].name == "Robert")
                question = next(seat for seat in (ana, bob) if seat.game.question)
                await question.play(question.game.question.moves[0], question.game.question)
        finally:
            await server.stop()

    asyncio.run(work())


def test_a_ban_at_one_worker_closes_sockets_at_another_also_while_redis_is_away(
    tmp_path: Path,
    shared: dict[str, object],  # noqa: F811
    redis_server: Redis,  # noqa: F811
) -> None:
    async def work() -> None:
        async with two_workers(tmp_path, shared) as (_, first, second):
            ana, bob = fresh("Ana", "Bob")
            client, other = second.client(ana), first.client(bob)
            table = await other.create("daruma", 2)
            async with raw_socket(second, client, table) as banned, raw_socket(second, other, table) as stays:
                await asyncio.to_thread(redis_server.kill)
                admin = Admin(first.app.state.store, "Hana")
                await asyncio.to_thread(first.run, admin.ban_person(ana))
                assert await banned.ends() == 4003
                assert (await stays.ask({"type": "ping", "t": 1}))["type"] == "pong"

    try:
        asyncio.run(work())
    finally:
        redis_server.start()


async def _status(live: Live, table: str) -> str:
    found = await asyncio.to_thread(live.run, live.app.state.store.summary(table))
    return found.status
