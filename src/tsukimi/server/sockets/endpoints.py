"""The WebSockets of a table and of the lobby: who connects, and whether they are let in."""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial

from starlette.websockets import WebSocket

from tsukimi.server.common.errors import ServerError
from tsukimi.server.common.limits import RateLimiter
from tsukimi.server.http.security import caller
from tsukimi.server.sockets.connection import LOST, Connection
from tsukimi.server.sockets.session import TOO_MANY, Session, error
from tsukimi.server.tables.broadcaster import NOT_ALLOWED
from tsukimi.server.tables.encoder import encode
from tsukimi.server.tables.registry import GOING_AWAY
from tsukimi.server.tables.service import TableService
from tsukimi.store import Unavailable
from tsukimi.table.errors import TableError

LOBBY_EVERY = 2.0
NOT_HERE, TRY_AGAIN = 4004, 1013


async def table_socket(socket: WebSocket) -> None:
    """/ws/table/ID"""
    state = socket.app.state
    person = await state.people.authenticate(socket.headers)
    if person is None:
        await socket.accept()
        await socket.close(NOT_ALLOWED)
        return
    with state.quotas.socket(person.id, person=True) as quota:
        if (transport := socket.scope.get("state", {}).get("connection")) is not None:
            transport.counts_for(quota)
        await socket.accept()
        await _play(socket, Connection(socket, person, caller(socket.scope).key, state.quotas, quota))


async def _play(socket: WebSocket, connection: Connection) -> None:
    state = socket.app.state
    tables: TableService = state.tables
    try:
        live = await tables.live(socket.path_params["id"])
    except TableError as problem:
        with contextlib.suppress(*LOST):
            await socket.send_text(encode(error(None, problem)).decode())
        await _close(socket, NOT_HERE)
        return
    except Unavailable:
        await _close(socket, TRY_AGAIN)
        return
    limit = partial(_limit, state.limiter, connection.person.id, connection.address)
    session = Session(tables, live, socket, connection, limit)
    credentials, used = state.people.sessions.credentials, state.people.credential(socket.headers)
    address = caller(socket.scope).address
    with (
        credentials.in_use(used, lambda: session.close(NOT_ALLOWED)),
        state.moderation.bans.watching(connection.person.id, address, session.refuse),
    ):
        if await still_valid(socket):
            await session.run()


async def still_valid(socket: WebSocket) -> bool:
    """Whether the credential was not revoked just before its revocation would have been noticed here."""
    try:
        valid = await socket.app.state.people.authenticate(socket.headers) is not None
    except ServerError:
        valid = False
    except Unavailable:
        await _close(socket, TRY_AGAIN)
        return False
    if not valid:
        await _close(socket, NOT_ALLOWED)
    return valid


async def _close(socket: WebSocket, code: int) -> None:
    """The client may have disconnected meanwhile."""
    with contextlib.suppress(*LOST):
        await socket.close(code)


def _limit(limiter: RateLimiter, person: str, address: str, kind: str) -> float:
    return limiter.acquire_for(kind, person, address)


async def lobby_socket(socket: WebSocket) -> None:
    """/ws/lobby: the lists, sent again whenever they change; what the client sends is ignored."""
    state = socket.app.state
    tables: TableService = state.tables
    person = await state.people.authenticate(socket.headers)
    await socket.accept()
    revoked = asyncio.Event()

    async def end() -> None:
        await revoked.wait()
        await socket.close(NOT_ALLOWED)

    async def send() -> None:
        sent = b""
        while not tables.stopping:
            try:
                lobby = encode(await tables.lobby(person))
            except Unavailable:
                lobby = sent
            if lobby != sent:
                sent = lobby
                await socket.send_text(lobby.decode())
            await asyncio.sleep(LOBBY_EVERY)
        await socket.close(GOING_AWAY)

    async def receive() -> None:
        address = caller(socket.scope).key
        while (await socket.receive())["type"] == "websocket.receive":
            if state.limiter.acquire("message-address", address):
                await socket.close(TOO_MANY)
                return

    tasks = [asyncio.create_task(send()), asyncio.create_task(receive()), asyncio.create_task(end())]
    try:
        address, id = caller(socket.scope).address, person.id if person is not None else ""
        with (
            state.people.sessions.credentials.in_use(state.people.credential(socket.headers), revoked.set),
            state.moderation.bans.watching(id, address, lambda _: revoked.set()),
        ):
            if person is None or await still_valid(socket):
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await task
