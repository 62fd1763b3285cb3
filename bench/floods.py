"""Tables in play, each from its own address, while one other address floods the server.

`python bench/floods.py PORT ENDED SECONDS` is that address: control frames, hints, replays of the table ENDED that are
never read, and new tables, all at once. `bench/load.py --parts floods` runs it alongside the tables and prints figures.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import random
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from clients import GAMES, SEATS, SETTINGS, Game, Socket, Tally, open_socket, sit
from servers import Server

FLOODER = "127.0.0.9"
PINGS, HINTS, REPLAYS, OPENERS = 20, 10, 300, 5  # sockets, sockets, connections, people
PING = b"\x89\x80abcd" * 1000


def address(number: int) -> str:
    """The address of a table: all of 127.0.0.0/8 is this machine."""
    return f"127.1.{number // 250}.{number % 250 + 1}"


def call(port: int, source: str, method: str, path: str, body: object = None, cookie: str = "") -> tuple[Any, str]:
    """A request from an address; returns the answer and the cookie that was set."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=(source, 0))
    headers = {"X-Tsukimi": "1", "Origin": f"http://127.0.0.1:{port}", "Content-Type": "application/json"}
    try:
        data = None if body is None else json.dumps(body)
        connection.request(method, path, data, headers | ({"Cookie": cookie} if cookie else {}))
        answer = connection.getresponse()
        text = answer.read()
        given = (answer.headers.get("Set-Cookie") or "").partition(";")[0]
        return (json.loads(text) if answer.status < 300 else None), given
    finally:
        connection.close()


def guest(port: int, source: str) -> str:
    """The cookie of a new guest."""
    return call(port, source, "GET", "/api/me")[1]


async def seated(server: Server, tables: int, tally: Tally) -> list[Game]:
    """Tables with four people each, who share an address, as a household would."""
    chance, games = random.Random(5), list[Game]()
    for number in range(tables):
        source, game = address(number), Game(tally, random.Random(chance.random()))
        cookies = [guest(server.port, source) for _ in range(SEATS)]
        new = {"game": GAMES[number % len(GAMES)], "players": SEATS, "settings": SETTINGS}
        table = call(server.port, source, "POST", "/api/tables", new, cookies[0])[0]["id"]
        for cookie in cookies:
            await sit(game, table, server.port, cookie, source)
        games.append(game)
    await asyncio.sleep(1.0)
    return games


async def ended_game(server: Server) -> str:
    """A table whose game has ended, with large steps."""
    cookie, asked = guest(server.port, "127.0.0.1"), asyncio.Queue[dict[str, Any]]()
    new = {
        "game": "china-moon",
        "players": 3,
        "names": ["A", "B", "C"],
        "start": True,
        "settings": {"round_pause": False},
    }
    table = str(call(server.port, "127.0.0.1", "POST", "/api/tables", new, cookie)[0]["id"])
    receive = lambda socket, text: asked.put_nowait(json.loads(text))  # noqa: E731
    socket = await open_socket(server.port, f"/ws/table/{table}", cookie, receive)
    looks_at, moves = 0, 0
    socket.send(b'{"type":"hello","v":1,"look":0}')
    while moves < 30:
        game = (await asked.get()).get("game")
        if not game or not game["asked"]:
            continue
        if game["asked"][0] != looks_at:
            looks_at = game["asked"][0]
            socket.send(b'{"type":"hello","v":1,"look":%d}' % looks_at)
        elif game["question"]:
            moves += 1
            play = {"type": "play", "id": f"k{moves}", "decision": game["question"]["decision"], "seat": looks_at}
            socket.send(json.dumps(play | {"move": game["question"]["moves"][0]}).encode())
            await asyncio.sleep(0.1)
    socket.send(b'{"type":"abort","id":"end"}')
    await asyncio.sleep(0.5)
    socket.leave()
    return table


# ---- the address that floods -------------------------------------------------------------------------------


class Unread(asyncio.Protocol):
    """A connection that sends requests and never reads the answers."""

    def __init__(self, request: bytes) -> None:
        self._request, self.lost = request, asyncio.Event()

    def connection_made(self, transport: Any) -> None:
        transport.write(self._request)
        transport.pause_reading()

    def connection_lost(self, problem: Exception | None) -> None:
        self.lost.set()


async def pings(port: int, table: str) -> None:
    socket = await open_socket(port, f"/ws/table/{table}", guest(port, FLOODER), _quiet, FLOODER)
    socket.leaving = True
    while not socket.transport.is_closing():
        if socket.transport.get_write_buffer_size() < 2**18:
            socket.transport.write(PING)
        await asyncio.sleep(0.001)


async def hints(port: int) -> None:
    cookie = guest(port, FLOODER)
    new = {"game": "charuma", "players": 3, "bots": ["random", "random"], "start": True, "options": {}}
    made = call(port, FLOODER, "POST", "/api/tables", new, cookie)[0]
    socket = await open_socket(port, f"/ws/table/{made['id']}", cookie, _quiet, FLOODER)
    socket.leaving = False
    socket.send(b'{"type":"hello","v":1}')
    for number in range(1_000_000):
        socket.send(b'{"type":"hint","id":"h%d"}' % number)
        if socket.transport.is_closing():
            return
        await asyncio.sleep(0.02)


async def replays(port: int, table: str) -> None:
    path = f"GET /api/tables/{table}/replay?seat=open&count=200 HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    loop = asyncio.get_running_loop()
    _, connection = await loop.create_connection(lambda: Unread(path), "127.0.0.1", port, local_addr=(FLOODER, 0))
    await connection.lost.wait()


async def openings(port: int) -> None:
    cookie = await asyncio.to_thread(guest, port, FLOODER)
    new = {"game": "daruma", "players": 2, "settings": {"public": True}}
    while True:
        await asyncio.to_thread(call, port, FLOODER, "POST", "/api/tables", new, cookie)


def _quiet(socket: Socket, text: bytes) -> None:
    """Ignore what is received."""


async def again(work: Any) -> None:
    """Start over whenever it is refused or dropped."""
    while True:
        try:
            await work()
        except (OSError, http.client.HTTPException, TypeError, ValueError):  # no answer, or a refusal instead of one
            pass
        await asyncio.sleep(0.05)


async def flood(port: int, table: str, seconds: float) -> None:
    kinds = {
        "pings": (PINGS, lambda: pings(port, table)),
        "hints": (HINTS, lambda: hints(port)),
        "replays": (REPLAYS, lambda: replays(port, table)),
        "tables": (OPENERS, lambda: openings(port)),
    }
    chosen = os.environ.get("FLOODS", ",".join(kinds)).split(",")  # a single kind, to measure its cost
    tasks = [asyncio.create_task(again(kinds[kind][1])) for kind in chosen for _ in range(kinds[kind][0])]
    await asyncio.sleep(seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


if __name__ == "__main__":
    print(f"floods begin at {time.time():.0f}", flush=True)
    asyncio.run(flood(int(sys.argv[1]), sys.argv[2], float(sys.argv[3])))
