"""The outbox of a connection: one writer sends everything in order, and a connection that has ended holds nothing."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.websockets import WebSocketDisconnect, WebSocketState

from tsukimi.server.common.quotas import Quotas
from tsukimi.server.sockets.connection import UNCOUNTED, Connection
from tsukimi.store import Person


class Socket:
    """Records what is sent; `lost` once the peer is gone."""

    application_state = WebSocketState.CONNECTED

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.code: int | None = None
        self.lost = False

    async def send(self, message: dict[str, Any]) -> None:
        await asyncio.sleep(0)
        if self.lost:
            raise WebSocketDisconnect
        self.sent.append(message["text"])

    async def close(self, code: int) -> None:
        self.code = code


def connected() -> tuple[Connection, Socket, Quotas]:
    quotas, socket = Quotas(0, 10, 10, 10**6, 2**20, 60.0), Socket()
    person = Person("id", "handle", "Ana", 0, "en")
    return Connection(socket, person, "127.0.0.1", quotas, quotas.of("127.0.0.1")), socket, quotas  # type: ignore[arg-type]


def test_what_is_sent_at_once_later_and_before_closing_arrives_in_order() -> None:
    async def scene() -> None:
        connection, socket, _ = connected()
        connection.send(b"one")
        connection.send(b"two")
        await asyncio.sleep(0.01)
        writer = connection.writer()
        connection.send(b"three")
        assert connection.writer() is writer
        connection.close(1000)
        connection.send(b"too late")
        await asyncio.wait_for(writer, 1)
        assert socket.sent == ["one", "two", "three"]
        assert socket.code == 1000

    asyncio.run(scene())


def test_a_lost_connection_accepts_nothing_more_and_gives_back_its_part_of_the_queue() -> None:
    async def scene() -> None:
        connection, socket, quotas = connected()
        connection.send(b"one")
        await asyncio.sleep(0.01)
        socket.lost = True
        connection.send(b"x" * 2 * UNCOUNTED)
        assert quotas.queued
        await asyncio.wait_for(connection.writer(), 1)
        assert connection.closing
        assert not quotas.queued
        connection.send(b"x" * 2 * UNCOUNTED)
        assert not quotas.queued
        assert socket.sent == ["one"]
        assert socket.code is None

    asyncio.run(scene())
