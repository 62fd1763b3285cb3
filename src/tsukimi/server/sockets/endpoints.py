"""The WebSocket at a table and the one of the lobby: who comes, and where they are let in."""

from __future__ import annotations

import asyncio
import contextlib

import msgspec
from starlette.websockets import WebSocket

from tsukimi.server.sockets.connection import NOT_ALLOWED, Connection
from tsukimi.server.sockets.session import Visit, error
from tsukimi.server.tables.live_table import encode
from tsukimi.store import Unavailable
from tsukimi.table.errors import TableError

LOBBY_EVERY = 2.0
NOT_HERE, TRY_AGAIN = 4004, 1013


async def table_socket(socket: WebSocket) -> None:
    """/ws/table/ID"""
    state = socket.app.state
    person = await state.people.authenticate(socket.headers)
    await socket.accept()
    if person is None:
        await socket.close(NOT_ALLOWED)
        return
    try:
        room = await state.rooms.room(socket.path_params["id"])
    except TableError as problem:
        socket.scope["tsukimi.wire"].say(encode(error(None, problem)))
        await socket.close(NOT_HERE)
        return
    except Unavailable:
        await socket.close(TRY_AGAIN)
        return
    await Visit(state.rooms, room, Connection(socket, person), state.config.rate).run()


async def lobby_socket(socket: WebSocket) -> None:
    """/ws/lobby: the lists, told again whenever they change; what the client says is not heard."""
    state = socket.app.state
    person = await state.people.authenticate(socket.headers)
    await socket.accept()

    async def tell() -> None:
        told = b""
        while not state.rooms.stopping:
            try:
                lobby = msgspec.json.encode(await state.rooms.lobby(person))
            except Unavailable:
                lobby = told
            if lobby != told:
                told = lobby
                await socket.send_text(lobby.decode())
            await asyncio.sleep(LOBBY_EVERY)
        await socket.close(1012)

    async def listen() -> None:
        while (await socket.receive())["type"] == "websocket.receive":
            pass

    tasks = [asyncio.create_task(tell()), asyncio.create_task(listen())]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await task
