"""Sockets end with the credential that opened them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from server.sockets import Coming, fresh, raw_socket
from tsukimi.server.accounts import people

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
                async with asyncio.timeout(10):
                    await lobby.wait_closed()
                assert (await stays.ask({"type": "ping", "t": 1}))["type"] == "pong"
        finally:
            await server.stop()

    async def _add(state, person) -> None:
        await state.store.add_token(
            people.digest("another-token-of-ana-0123456789"), person, people.TOKEN, "another", 2
        )

    async def _revoke(state, person) -> None:
        who = await state.store.person(person)
        [token] = [token for token in await state.people.tokens(who) if token.label == "test"]
        await state.people.delete_token(who, people.token_id(token))

    asyncio.run(work())
