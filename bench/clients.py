"""Clients that cost little compared with the server under load: four at a table, playing real games at random.

They use a minimal WebSocket implementation and read only as much of a message as they need to answer it.
"""

from __future__ import annotations

import asyncio
import base64
import os
import random
import sys
import time
from collections.abc import Callable
from typing import Any

import msgspec

from servers import Server
from tsukimi.client import Client

GAMES = ["daruma", "charuma", "dojo", "china-moon"]
SEATS = 4
STEPS_RECORDED = 5000
SETTINGS = {"round_pause": False, "takeover": False, "clock": {"kind": "live", "reserve": 3000, "extra": 60}}


class Question(msgspec.Struct):
    decision: int
    moves: list[str]


class Status(msgspec.Struct):
    status: str


class Known(msgspec.Struct):
    question: Question | None


class Update(msgspec.Struct):
    """The part of a message that a client needs to play."""

    type: str
    game: Known | None = None
    table: Status | None = None


decode = msgspec.json.Decoder(Update).decode


class Socket(asyncio.Protocol):
    """A minimal WebSocket client: generating the load must cost less than serving it."""

    def __init__(self, receive: Callable[[Socket, bytes], None]) -> None:
        self._receive = receive
        self._buffer = b""
        self._open = False
        self.leaving, self._last = False, b""
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def connection_lost(self, problem: Exception | None) -> None:
        if not self.ready.done():
            self.ready.set_exception(ConnectionError("closed"))
        elif not self.leaving:
            print(f"a connection was lost: {problem}, {self._last}", file=sys.stderr)

    def shake(self, path: str, port: int, token: str) -> None:
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Upgrade: websocket", "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", f"Origin: http://127.0.0.1:{port}",
            f"Cookie: {token}" if token.startswith("tsukimi=") else f"Authorization: Bearer {token}", "", "",
        ]  # fmt: skip
        self.transport.write("\r\n".join(lines).encode())

    def send(self, data: bytes) -> None:
        """One text frame; an all-zero mask is valid."""
        if self.leaving:
            return
        size = len(data)
        head = bytes((0x81, 0x80 | size)) if size < 126 else bytes((0x81, 0xFE, size >> 8, size & 255))
        self.transport.write(head + b"\0\0\0\0" + data)

    def leave(self) -> None:
        self.leaving = True
        self.transport.close()

    def data_received(self, data: bytes) -> None:
        self._buffer = buffer = self._buffer + data if self._buffer else data
        if not self._open:
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            if b" 101 " not in buffer[:40]:
                self.ready.set_exception(ConnectionError(buffer[:200].decode("latin1")))
                return
            self._open = True
            self.ready.set_result(None)
            buffer = buffer[end + 4 :]
        at, length = 0, len(buffer)
        while length - at >= 2:
            size, start = buffer[at + 1], at + 2
            if size == 126:
                if length < at + 4:
                    break
                size, start = int.from_bytes(buffer[at + 2 : at + 4], "big"), at + 4
            elif size == 127:
                if length < at + 10:
                    break
                size, start = int.from_bytes(buffer[at + 2 : at + 10], "big"), at + 10
            if length < start + size:
                break
            if buffer[at] & 15 == 1:
                self._receive(self, buffer[start : start + size])
            elif buffer[at] & 15 == 9:  # a ping, whose payload must be sent back
                self.transport.write(bytes((0x8A, 0x80 | size)) + b"\0\0\0\0" + buffer[start : start + size])
            else:
                self._last = buffer[at : start + size]
            at = start + size
        self._buffer = buffer[at:]


async def open_socket(
    port: int, path: str, token: str, receive: Callable[[Socket, bytes], None], address: str | None = None
) -> Socket:
    """`token`: a token or a cookie; `address`: the source address of the connection."""
    loop = asyncio.get_running_loop()
    source = None if address is None else (address, 0)
    _, socket = await loop.create_connection(lambda: Socket(receive), "127.0.0.1", port, local_addr=source)
    socket.shake(path, port, token)
    await socket.ready
    return socket


class Tally:
    def __init__(self) -> None:
        self.moves, self.times, self.counting, self.pace = 0, list[float](), False, 0.0
        self.held = False
        """Whether clicks are suspended."""
        self._later: list[Callable[[], None]] = []

    def may(self, click: Callable[[], None]) -> None:
        """Click, now or when clicks are resumed."""
        if self.held:
            self._later.append(click)
        else:
            click()

    def go_on(self) -> None:
        self.held, later, self._later = False, self._later, []
        for click in later:
            click()


class Game:
    """One table with its four clients: the player to move answers once all four have received the last move."""

    def __init__(self, tally: Tally, chance: random.Random, record: list[list[list[str]]] | None = None) -> None:
        self.tally, self.chance, self.record = tally, chance, record
        self.sockets: list[Socket] = []
        self.asked: list[Question | None] = [None] * SEATS
        self.waiting, self.clicked, self.number, self.over = SEATS, 0.0, 0, False
        self.left = False
        self._step: list[list[str]] = [[] for _ in range(SEATS)]

    def receive(self, seat: int, text: bytes) -> None:
        if self.record is not None:
            self._step[seat].append(text.decode())
        if text.startswith(b'{"type":"done"'):
            return
        message = decode(text)
        if message.type == "error":
            raise RuntimeError(text.decode())
        if message.table is not None and message.table.status in ("over", "aborted"):
            self.over = True
        if message.type not in ("welcome", "game"):
            return
        self.asked[seat] = message.game.question if message.game else None
        self.waiting -= 1
        if self.waiting == 0:
            self.all_received()

    def all_received(self) -> None:
        if self.clicked:
            now = time.perf_counter()
            if self.tally.counting:
                self.tally.moves += 1
                self.tally.times.append(now - self.clicked)
        if self.record is not None:
            if self.clicked and len(self.record) < STEPS_RECORDED:
                self.record.append(self._step)
            self._step = [[] for _ in range(SEATS)]
        if self.over:
            return
        if self.tally.pace:
            asyncio.get_running_loop().call_later(self.tally.pace * (0.5 + self.chance.random()), self.click)
        else:
            self.tally.may(self.click)

    def click(self) -> None:
        seats = [seat for seat, question in enumerate(self.asked) if question is not None]
        if not seats or self.over or self.left:
            return
        seat = self.chance.choice(seats)
        question = self.asked[seat]
        assert question is not None
        self.number += 1
        self.waiting, self.clicked = SEATS, time.perf_counter()
        move = self.chance.choice(question.moves)
        self.sockets[seat].send(
            b'{"type":"play","id":"k%d","decision":%d,"move":"%s"}' % (self.number, question.decision, move.encode())
        )


async def people(url: str) -> list[Client]:
    clients = [Client(url, name=f"Load {number}") for number in range(SEATS)]
    for client in clients:
        await client.__aenter__()
    return clients


async def seated(
    servers: list[Server],
    tables: int,
    seed: int,
    tally: Tally,
    record: list[list[list[str]]] | None,
    mixed: bool = False,
) -> list[Game]:
    """Tables with four people each, all connected and started; the same four people sit at every table."""
    chance = random.Random(seed)
    clients = await people(servers[0].url)
    games = []
    for number in range(tables):
        table = await clients[0].create(GAMES[number % len(GAMES)], SEATS, settings=SETTINGS)
        game = Game(tally, random.Random(chance.random()), record if number < 40 else None)
        for seat, client in enumerate(clients):
            server = servers[(number + (seat if mixed else 0)) % len(servers)]
            await sit(game, table, server.port, str(client.token))
        games.append(game)
    await asyncio.sleep(1.0)
    return games


async def sit(game: Game, table: str, port: int, token: str, address: str | None = None) -> None:
    """Connect to the table and take its next seat; the first person opened the table and already has one."""
    seat = len(game.sockets)
    socket = await open_socket(
        port, f"/ws/table/{table}", token, lambda socket, text: game.receive(seat, text), address
    )
    game.sockets.append(socket)
    game.waiting = -1
    socket.send(b'{"type":"hello","v":1}')
    if seat:
        socket.send(b'{"type":"sit","id":"sit","seat":%d}' % seat)


def begin(games: list[Game]) -> None:
    for game in games:
        game.waiting, game.clicked = SEATS, 0.0
        game.sockets[0].send(b'{"type":"start","id":"start"}')


def leave(games: list[Game]) -> None:
    for game in games:
        game.left = True
        for socket in game.sockets:
            socket.leave()
