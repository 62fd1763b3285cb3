"""Load: hundreds of tables with real games on one core, beside a bare Starlette broadcast of the same bytes.

    python bench/load.py [--tables 500] [--seconds 15] [--parts play,idle,stored,workers,bots] [--out FILE]

The server is pinned to one core, the clients to another. `play`: every table moves as fast as it can (moves a
second) and then at a fixed pace (time from the click until the last of the four clients has its update). The bare
broadcast sends the recorded bytes of those games in the same run.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import gc
import itertools
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import uvloop

sys.path.insert(0, str(Path(__file__).parent))

import tsukimi
from servers import Server
from services import Postgres, Redis
from tsukimi.client import Client
from tsukimi.server import messages as m
from tsukimi.store import Facts, Row, connect

GAMES = ["daruma", "charuma", "dojo", "china-moon"]
SEATS = 4
STEPS_RECORDED = 5000
HELD = 0.08  # the part of a core that each of several workers gets: the databases need the rest
SETTINGS = {"round_pause": False, "takeover": False, "clock": {"kind": "live", "reserve": 3000, "extra": 60}}


class _Question(msgspec.Struct):
    decision: int
    moves: list[str]


class _Status(msgspec.Struct):
    status: str


class _Game(msgspec.Struct):
    question: _Question | None


class _Said(msgspec.Struct):
    """As much of a message as a client needs that only plays."""

    type: str
    game: _Game | None = None
    table: _Status | None = None


_decode = msgspec.json.Decoder(_Said).decode


class Socket(asyncio.Protocol):
    """A WebSocket client with nothing to spare: the load must cost less than what is loaded."""

    def __init__(self, hear: Callable[[Socket, bytes], None]) -> None:
        self._hear = hear
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
            f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", f"Authorization: Bearer {token}", "", "",
        ]  # fmt: skip
        self.transport.write("\r\n".join(lines).encode())

    def say(self, data: bytes) -> None:
        """One text frame; a mask of zeros is a mask."""
        if self.leaving:
            return
        size = len(data)
        head = bytes((0x81, 0x80 | size)) if size < 126 else bytes((0x81, 0xFE, size >> 8, size & 255))
        self.transport.write(head + b"\0\0\0\0" + data)

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
                self._hear(self, buffer[start : start + size])
            else:
                self._last = buffer[at : start + size]
            at = start + size
        self._buffer = buffer[at:]


async def open_socket(port: int, path: str, token: str, hear: Callable[[Socket, bytes], None]) -> Socket:
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(lambda: Socket(hear), "127.0.0.1", port)
    socket.shake(path, port, token)
    await socket.ready
    return socket


class Tally:
    def __init__(self) -> None:
        self.moves, self.times, self.counting, self.pace = 0, list[float](), False, 0.0


class Game:
    """One table with its four clients: the asked one answers when all four have heard of the last move."""

    def __init__(self, tally: Tally, chance: random.Random, record: list[list[list[str]]] | None = None) -> None:
        self.tally, self.chance, self.record = tally, chance, record
        self.sockets: list[Socket] = []
        self.asked: list[_Question | None] = [None] * SEATS
        self.waiting, self.clicked, self.number, self.over = SEATS, 0.0, 0, False
        self.left = False
        self._step: list[list[str]] = [[] for _ in range(SEATS)]

    def hear(self, seat: int, text: bytes) -> None:
        if self.record is not None:
            self._step[seat].append(text.decode())
        if text.startswith(b'{"type":"done"'):
            return
        said = _decode(text)
        if said.type == "error":
            raise RuntimeError(text.decode())
        if said.table is not None and said.table.status in ("over", "aborted"):
            self.over = True
        if said.type not in ("welcome", "game"):
            return
        self.asked[seat] = said.game.question if said.game else None
        self.waiting -= 1
        if self.waiting == 0:
            self.all_heard()

    def all_heard(self) -> None:
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
            self.click()

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
        self.sockets[seat].say(
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
    """Tables with four people each, all connected and started. The same four people sit at all of them."""
    chance = random.Random(seed)
    clients = await people(servers[0].url)
    games = []
    for number in range(tables):
        table = await clients[0].create(GAMES[number % len(GAMES)], SEATS, settings=SETTINGS)
        game = Game(tally, random.Random(chance.random()), record if number < 40 else None)
        for seat, client in enumerate(clients):
            server = servers[(number + (seat if mixed else 0)) % len(servers)]
            hear = lambda socket, text, game=game, seat=seat: game.hear(seat, text)  # noqa: E731
            socket = await open_socket(server.port, f"/ws/table/{table}", str(client.token), hear)
            game.sockets.append(socket)
            game.waiting = -1
            socket.say(b'{"type":"hello","v":1}')
            if seat:
                socket.say(b'{"type":"sit","id":"sit","seat":%d}' % seat)
        games.append(game)
    await asyncio.sleep(1.0)
    return games


def begin(games: list[Game]) -> None:
    for game in games:
        game.waiting, game.clicked = SEATS, 0.0
        game.sockets[0].say(b'{"type":"start","id":"start"}')


def leave(games: list[Game]) -> None:
    for game in games:
        game.left = True
        for socket in game.sockets:
            socket.leaving = True
            socket.transport.close()


async def measured(
    tally: Tally, seconds: float, pace: float = 0.0, warm: float | None = None
) -> tuple[float, list[float]]:
    tally.pace = pace
    await asyncio.sleep(min(3.0, seconds / 3) if warm is None else warm)
    gc.collect()
    gc.disable()
    tally.moves, tally.times, tally.counting = 0, [], True
    began = time.perf_counter()
    if os.environ.get("TSUKIMI_LOAD_TRACE"):
        for _ in range(int(seconds)):
            before = tally.moves
            await asyncio.sleep(1)
            print(tally.moves - before, end=" ", flush=True)
        print()
    else:
        await asyncio.sleep(seconds)
    tally.counting = False
    gc.enable()
    return tally.moves / (time.perf_counter() - began), sorted(tally.times)


@contextlib.contextmanager
def awake() -> Iterator[None]:
    """Meanwhile the clients never sleep: waking them up would cost the server more, the less they have to do."""
    running, loop = True, asyncio.get_running_loop()

    def again() -> None:
        if running:
            loop.call_soon(again)

    again()
    yield
    running = False


def at(times: list[float], share: float) -> float:
    return 1000 * times[min(len(times) - 1, int(share * len(times)))] if times else float("nan")


async def part_play(folder: Path, tables: int, seconds: float, out: list[str]) -> None:
    server = Server(folder / "play", cores=[0])
    server.start()
    try:
        tally, record = Tally(), list[list[list[str]]]()
        games = await seated([server], tables, 1, tally, record)
        tally.pace = 1.0
        begin(games)
        await asyncio.sleep(2.0)
        _, times = await measured(tally, seconds, pace=1.0)
        paced = len(times) / seconds
        quick = min(seconds, 5.0)  # so that most games have not ended yet
        tally.pace = 0.0
        await asyncio.sleep(1.5)
        cpu, wall = server.cpu(), time.perf_counter()
        with awake():
            rate, _ = await measured(tally, quick, warm=0.5)
        used = (server.cpu() - cpu) / (time.perf_counter() - wall)
        playing = sum(not game.over for game in games)
        leave(games)
    finally:
        server.stop()
    path = folder / "bare.json"
    path.write_text(json.dumps(record), "utf-8")
    bare_rate, bare_used = await bare(path, tables, seconds)
    size = sum(len(text) for step in record for texts in step for text in texts) / max(1, len(record))
    out += [
        f"| {tables} tables x {SEATS} clients, as fast as they can | {rate:,.0f} moves/s ({100 * used:.0f} % of one core; {playing} still playing at the end) |",
        f"| bare Starlette broadcast of the same messages ({size:,.0f} bytes a move) | {bare_rate:,.0f} moves/s ({100 * bare_used:.0f} % of one core) |",
        f"| ratio of the rates (aim: at least 0.5) | {rate / bare_rate:.2f} |",
        f"| ratio of the moves per second of CPU | {rate / used / (bare_rate / bare_used):.2f} |",
        f"| click to the last client's update at {paced:,.0f} moves/s | p50 {at(times, 0.5):.1f} ms, p99 {at(times, 0.99):.1f} ms |",
    ]


async def bare(texts: Path, tables: int, seconds: float) -> tuple[float, float]:
    """The same clients and clicks at a server that does nothing but send."""
    command = [
        sys.executable, "-m", "uvicorn", "bare:app", "--app-dir", str(Path(__file__).parent), "--loop", "uvloop",
        "--http", "httptools", "--ws", "websockets-sansio", "--ws-per-message-deflate", "false", "--log-level", "warning",
    ]  # fmt: skip
    server = Server(texts.parent / "bare", cores=[0])
    server._command = [*command, "--port", str(server.port)]
    server._env["TSUKIMI_BARE"] = str(texts)
    server.start()
    tally = Tally()
    try:
        rooms = []
        for number in range(tables):
            room = Bare(tally)
            for _ in range(SEATS):
                hear = lambda socket, text, room=room: room.hear(text)  # noqa: E731
                room.sockets.append(await open_socket(server.port, f"/ws/{number}", "-", hear))
            rooms.append(room)
        for room in rooms:
            room.click()
        cpu, wall = server.cpu(), time.perf_counter()
        with awake():
            rate, _ = await measured(tally, seconds)
        used = (server.cpu() - cpu) / (time.perf_counter() - wall)
        for room in rooms:
            room.over = True
        leave(rooms)  # type: ignore[arg-type]
        return rate, used
    finally:
        server.stop()


class Bare:
    """A room of the bare broadcast: as many bytes are decoded as at a real table."""

    def __init__(self, tally: Tally) -> None:
        self.tally, self.sockets, self.waiting, self.over = tally, list[Socket](), 0, False

    def hear(self, text: bytes) -> None:
        if text.startswith(b'{"type":"done"'):
            return
        _decode(text)
        self.waiting -= 1
        if self.waiting == 0:
            self.tally.moves += self.tally.counting
            if not self.over:
                self.click()

    def click(self) -> None:
        self.waiting = SEATS
        self.sockets[0].say(b'{"type":"play","id":"k123","decision":17,"move":"play 8b 8r"}')


async def part_memory(folder: Path, out: list[str]) -> None:
    """What a connection costs, and a table in play."""
    server = Server(folder / "memory", cores=[0])
    server.start()
    number, quiet = 500, lambda socket, text: None
    try:
        clients = await people(server.url)
        table = await clients[0].create("dojo", 4, bots=["random"] * 3, settings=SETTINGS)
        sockets = []

        async def connect_to(table: str) -> None:
            sockets.append(await open_socket(server.port, f"/ws/table/{table}", str(clients[0].token), quiet))
            sockets[-1].say(b'{"type":"hello","v":1}')

        await connect_to(table)
        empty = server.memory()
        for _ in range(number):
            await connect_to(table)
        await asyncio.sleep(1.0)
        connected = server.memory()
        for n in range(number):
            game = GAMES[n % len(GAMES)]
            await connect_to(await clients[0].create(game, 4, bots=["random"] * 3, start=True, settings=SETTINGS))
        await asyncio.sleep(3.0)
        full = server.memory()
        for socket in sockets:
            socket.leaving = True
            socket.transport.close()
    finally:
        server.stop()
    each = (connected - empty) / number
    out += [
        f"| memory: one table, with {number} connections more, with {number} tables more in play | {empty:.0f}, {connected:.0f}, {full:.0f} MB |",
        f"| memory per connection / per table | {1024 * each:.0f} / {1024 * ((full - connected) / number - each):.0f} kB |",
    ]


async def part_bots(folder: Path, out: list[str]) -> None:
    """Whether others notice ten masters that think."""
    server = Server(folder / "bots", cores=[])
    server._env |= {"TSUKIMI_BOT_MS": "1000", "TSUKIMI_BOT_PROCESSES": "1"}
    server.start()
    try:
        tally = Tally()
        games = await seated([server], 50, 2, tally, None)
        begin(games)
        _, calm = await measured(tally, 8.0, pace=0.5)
        clients = await people(server.url)
        for _ in range(10):
            table = await clients[1].create("charuma", 4, bots=["master"] * 3, start=True, settings=SETTINGS)
            socket = await open_socket(
                server.port, f"/ws/table/{table}", str(clients[1].token), lambda socket, text: None
            )
            socket.say(b'{"type":"hello","v":1}')
        _, busy = await measured(tally, 8.0, pace=0.5)
        leave(games)
    finally:
        server.stop()
    out += [
        f"| 50 tables, no bots: click to the last update | p50 {at(calm, 0.5):.1f} ms, p99 {at(calm, 0.99):.1f} ms |",
        f"| the same while ten tables of `master` bots think | p50 {at(busy, 0.5):.1f} ms, p99 {at(busy, 0.99):.1f} ms |",
    ]


async def part_stored(folder: Path, number: int, out: list[str]) -> None:
    """A server with very many stored tables."""
    place = folder / "stored"
    place.mkdir()
    database = f"sqlite:///{place}/tsukimi.db"
    server = Server(place, database, cores=[0])
    server.start()
    clients = await people(server.url)
    empty = server.memory()
    known = await clients[0].create("charuma", 2, bots=["greedy"], start=True)
    await asyncio.sleep(2.0)
    server.stop()
    store = connect(database)
    await store.open()
    rows, facts = await store.read(known), await store.facts(known)
    assert facts is not None

    async def copies(first: int) -> None:
        for n in range(first, number, 64):
            name = f"stored{n:07d}"
            over = Facts(
                name, facts.game, 2, "over" if n % 2 else "playing", True, n, n, None, facts.people, facts.summary
            )
            first_row = msgspec.json.decode(rows[0].data) | {"table": name}
            await store.create(over, [Row(0, rows[0].at, msgspec.json.encode(first_row)), *rows[1:]])

    await asyncio.gather(*(copies(first) for first in range(64)))
    await store.close()
    server.start()
    begun, times = server.starts[-1], []
    for n in random.Random(1).sample(range(number), 50):
        heard: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        began = time.perf_counter()
        hear = lambda socket, text, heard=heard: None if heard.done() else heard.set_result(None)  # noqa: E731
        socket = await open_socket(server.port, f"/ws/table/stored{n:07d}", str(clients[0].token), hear)
        socket.say(b'{"type":"hello","v":1}')
        await heard
        times.append(time.perf_counter() - began)
        socket.transport.close()
    full = server.memory()
    server.stop()
    times.sort()
    out += [
        f"| {number:,} stored tables: from start to the first answer | {begun:.2f} s |",
        f"| opening one of them: p50, worst of 50 | {at(times, 0.5):.1f}, {1000 * times[-1]:.1f} ms |",
        f"| memory: nearly empty store, this store with 50 opened | {empty:.0f}, {full:.0f} MB |",
    ]


async def part_workers(folder: Path, seconds: float, out: list[str]) -> None:
    """One and two workers on PostgreSQL and Redis, each held to a part of a core so that the machine suffices for both."""
    rates, costs = [], []
    with Postgres() as postgres, Redis() as redis:
        for workers, mixed in ((1, False), (2, False), (2, True)):
            database = postgres.database()
            name = f"w{len(rates)}"
            servers = [Server(folder / f"{name}-{n}", database, redis.url, cores=[0]) for n in range(workers)]
            for server in servers:
                server.start()
            tally = Tally()
            games = await seated(servers, 40 * workers, 3, tally, None, mixed)
            begin(games)
            brakes = [asyncio.create_task(brake(server.pid, HELD, n / workers)) for n, server in enumerate(servers)]
            await asyncio.sleep(3.0)
            cpu = sum(server.cpu() for server in servers)
            began = time.perf_counter()
            tally.moves, tally.counting = 0, True
            await asyncio.sleep(seconds)
            rates.append(tally.moves / (time.perf_counter() - began))
            costs.append(1e6 * (sum(server.cpu() for server in servers) - cpu) / max(1, tally.moves))
            for task in brakes:
                task.cancel()
            await asyncio.gather(*brakes, return_exceptions=True)
            leave(games)
            for server in servers:
                server.stop()
    out += [
        f"| PostgreSQL + Redis, 1 worker held to {100 * HELD:.0f} % of a core | {rates[0]:,.0f} moves/s ({costs[0]:,.0f} us of CPU a move) |",
        f"| 2 workers, each held to {100 * HELD:.0f} %, a table's people at the same one | {rates[1]:,.0f} moves/s ({costs[1]:,.0f} us) |",
        f"| growth | {rates[1] / rates[0]:.2f} |",
        f"| 2 workers, each table's people at both (every move is worked on twice) | {rates[2]:,.0f} moves/s ({costs[2]:,.0f} us) |",
    ]


async def brake(pid: int, share: float, phase: float, period: float = 0.05) -> None:
    """Let a process run only a part of the time; with different phases, not at the same time as another."""
    import signal

    begin = time.perf_counter() + phase * period
    try:
        for turn in itertools.count():
            await asyncio.sleep(begin + turn * period - time.perf_counter())
            os.kill(pid, signal.SIGCONT)
            await asyncio.sleep(begin + (turn + share) * period - time.perf_counter())
            os.kill(pid, signal.SIGSTOP)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


async def run(args: argparse.Namespace) -> list[str]:
    out: list[str] = []
    with tempfile.TemporaryDirectory(prefix="tsukimi-load-") as name:
        folder = Path(name)
        for part in args.parts.split(","):
            if part == "play":
                await part_play(folder, args.tables, args.seconds, out)
            elif part == "memory":
                await part_memory(folder, out)
            elif part == "bots":
                await part_bots(folder, out)
            elif part == "stored":
                await part_stored(folder, args.stored, out)
            elif part == "workers":
                await part_workers(folder, args.seconds, out)
            print(*out, sep="\n", flush=True)
    return out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--stored", type=int, default=100_000)
    parser.add_argument("--parts", default="play,memory,bots,stored,workers")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    if (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(0, {1})
    uvloop.install()
    rows = asyncio.run(run(args))
    text = "\n".join(
        [
            "# Load", "",
            f"`python bench/load.py --tables {args.tables} --seconds {args.seconds:g}` (tsukimi {tsukimi.__version__}), server on one core,",
            "clients on another, real games with random legal moves (a quarter of the tables each), SQLite flushed to disk.",
            "", "| what | figure |", "|---|---|", *rows, "",
        ]
    )  # fmt: skip
    if args.out:
        args.out.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    assert m.PROTOCOL == 1
    sys.exit(main())
