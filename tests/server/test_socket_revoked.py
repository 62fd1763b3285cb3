"""Sockets end with the credential that opened them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.datastructures import Headers
from websockets.asyncio.client import connect

from server.live import Live
from server.sockets import Coming, RawSocket, fresh, raw_socket
from tsukimi.server.accounts import people
from tsukimi.server.accounts.sessions import digest, token_id
from tsukimi.store import Person

pytestmark = pytest.mark.compiled


def test_a_revoked_token_closes_its_sockets_and_no_others(tmp_path: Path) -> None:
    async def work() -> None:
        server = Coming(tmp_path)
        live = await server.start()
        try:
            [name] = fresh("Ana")
            client, state = live.client(name), live.app.state
            other = type(client)(client.url, "another-token-of-ana-0123456789")
            await asyncio.to_thread(live.run, _add(state, f"person-{name.lower()}"))
            table = await client.create("daruma", 2)
            lobby_url = f"{live.url.replace('http', 'ws')}/ws/lobby"
            async with (
                raw_socket(live, client, table) as gone,
                raw_socket(live, other, table) as stays,
                connect(lobby_url, additional_headers=client.headers()) as lobby,
            ):
                await lobby.recv()
                await asyncio.to_thread(live.run, _revoke(state, f"person-{name.lower()}"))
                assert await gone.ends() == 4003
                async with asyncio.timeout(60):
                    await lobby.wait_closed()
                assert (await stays.ask({"type": "ping", "t": 1}))["type"] == "pong"
        finally:
            await server.stop()

    async def _add(state, person) -> None:
        await state.store.add_token(digest("another-token-of-ana-0123456789"), person, people.TOKEN, "another", 2)

    async def _revoke(state, person) -> None:
        who = await state.store.person(person)
        [token] = [token for token in await state.people.tokens(who) if token.label == "test"]
        await state.people.delete_token(who, token_id(token))

    asyncio.run(work())


def test_sessions_that_end_close_their_sockets_and_the_one_that_changed_the_password_stays(tmp_path: Path) -> None:
    async def work() -> None:
        server = Coming(tmp_path)
        live = await server.start()
        try:
            name = fresh("Ana")[0]
            table, state = await live.client(name).create("daruma", 2), live.app.state
            person = await run(live, _account(state, f"person-{name.lower()}"))
            cookies = [await run(live, _session(state, person)) for _ in range(4)]
            async with AsyncExitStack() as stack:
                here, other, third, program = [
                    await stack.enter_async_context(_socket(live, table, headers))
                    for headers in (
                        *(_with_cookie(live, cookie) for cookie in cookies[:3]),
                        live.client(name).headers(),
                    )
                ]
                await run(live, state.people.sessions.end_current(Headers({"cookie": cookies[1]})))
                assert await other.ends() == 4003
                kept = Headers({"cookie": cookies[0]})
                await run(live, state.accounts.change_password(person, "password 1", "password 2", kept))
                assert await third.ends() == 4003
                for still in (here, program):
                    assert (await still.ask({"type": "ping", "t": 1}))["type"] == "pong"
                person = await run(live, state.store.person(person.id))
                await run(live, state.people.sessions.end_all(person))
                assert await here.ends() == 4003
                await run(live, state.people.disconnect(person))
                assert await program.ends() == 4003
        finally:
            await server.stop()

    asyncio.run(work())


def test_a_session_that_ends_while_its_socket_is_being_opened_gets_no_socket(tmp_path: Path) -> None:
    async def work() -> None:
        server = Coming(tmp_path)
        live = await server.start()
        try:
            name = fresh("Ana")[0]
            table, state = await live.client(name).create("daruma", 2), live.app.state
            cookie = await run(live, _session(state, await run(live, state.store.person(f"person-{name.lower()}"))))
            load = state.tables.live

            async def ends_meanwhile(id: str) -> object:
                await state.people.sessions.end_current(Headers({"cookie": cookie}))
                return await load(id)

            state.tables.live = ends_meanwhile
            headers = _with_cookie(live, cookie)
            async with connect(f"{live.url.replace('http', 'ws')}/ws/table/{table}", additional_headers=headers) as one:
                assert await RawSocket(one).ends() == 4003
        finally:
            await server.stop()

    asyncio.run(work())


async def run(live: Live, work: Any) -> Any:
    return await asyncio.to_thread(live.run, work)


async def _account(state: Any, id: str) -> Person:
    person, _ = await state.accounts.register(await state.store.person(id), id[-20:], "password 1")
    return person  # type: ignore[no-any-return]


async def _session(state: Any, person: Person) -> str:
    session = await state.people.sessions.start(person, Headers({}))
    return f"tsukimi={state.people.sessions.cookies.sign(person.id, session=session)}"


def _with_cookie(live: Live, cookie: str) -> dict[str, str]:
    return {"Cookie": cookie, "Origin": live.url}


@asynccontextmanager
async def _socket(live: Live, table: str, headers: dict[str, str]) -> AsyncIterator[RawSocket]:
    async with connect(f"{live.url.replace('http', 'ws')}/ws/table/{table}", additional_headers=headers) as socket:
        one = RawSocket(socket)
        assert (await one.ask({"type": "hello", "v": 1}))["type"] == "welcome"
        yield one
