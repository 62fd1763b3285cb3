"""Load: hundreds of tables with real games on one core, compared with a bare Starlette broadcast of the same bytes.

    python bench/load.py [--tables 500] [--seconds 15] [--parts play,memory,bots,floods,stored,workers] [--out FILE]

The server is pinned to one core, the clients to another. `play`: every table moves as fast as it can (moves a
second) and then at a fixed pace (time from the click until the last of the four clients has its update). The bare
broadcast sends the recorded bytes of those games; the two servers are measured in turn, again and again.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import itertools
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import msgspec
import uvloop

sys.path.insert(0, str(Path(__file__).parent))

import floods
import tsukimi
from clients import GAMES, SEATS, SETTINGS, Socket, Tally, begin, decode, leave, open_socket, people, seated
from servers import Server
from services import Postgres, Redis
from tsukimi.client import Client
from tsukimi.server import messages as m
from tsukimi.store import Row, Summary, connect

HELD = 0.08  # the fraction of a core for each of several workers: the databases need the rest


async def measured(tally: Tally, seconds: float, pace: float) -> list[float]:
    """The time from each click until the last client had its update, with `pace` seconds between two clicks."""
    tally.pace = pace
    await asyncio.sleep(min(3.0, seconds / 3))
    gc.collect()
    gc.disable()
    tally.times, tally.counting = [], True
    await asyncio.sleep(seconds)
    tally.counting = False
    gc.enable()
    return sorted(tally.times)


@contextlib.contextmanager
def awake() -> Iterator[None]:
    """Keep the clients' core from sleeping: waking it would cost the server more, the less the clients have to do."""
    running, loop = True, asyncio.get_running_loop()

    def again() -> None:
        if running:
            loop.call_soon(again)

    again()
    yield
    running = False


def at(times: list[float], share: float) -> float:
    return 1000 * times[min(len(times) - 1, int(share * len(times)))] if times else float("nan")


WINDOWS, WINDOW = 5, 1.0  # how often, and for how many seconds, each of the two servers is measured in turn


async def part_play(folder: Path, tables: int, seconds: float, out: list[str]) -> None:
    server = Server(folder / "play", cores=[0])
    server.start()
    path, record, tally = folder / "bare.json", list[list[list[str]]](), Tally()
    try:
        games = await seated([server], tables, 1, tally, record)
        tally.pace = 1.0
        begin(games)
        await asyncio.sleep(2.0)
        times = await measured(tally, seconds, pace=1.0)
        paced = len(times) / seconds
        tally.held, tally.pace = True, 0.0
        await asyncio.sleep(2.0)
        path.write_text(json.dumps(record), "utf-8")
        async with bare(path, tables) as (other, other_tally, rooms):
            ours, theirs = list[tuple[float, float]](), list[tuple[float, float]]()
            with awake():
                for _ in range(WINDOWS):  # alternating, so that other load on the machine affects both
                    ours.append(await window(server, tally))
                    theirs.append(await window(other, other_tally))
            playing = sum(not game.over for game in games)
            leave([*games, *rooms])  # type: ignore[list-item]
    finally:
        server.stop()
    rate, used = (statistics.median(values) for values in zip(*ours, strict=True))
    bare_rate, bare_used = (statistics.median(values) for values in zip(*theirs, strict=True))
    ratios = sorted(one[0] / two[0] for one, two in zip(ours, theirs, strict=True))
    cost, bare_cost = (statistics.median(1e6 * used / rate for rate, used in windows) for windows in (ours, theirs))
    size = sum(len(text) for step in record for texts in step for text in texts) / max(1, len(record))
    out += [
        f"| {tables} tables x {SEATS} clients, as fast as they can | {rate:,.0f} moves/s ({100 * used:.0f} % of one core, {cost:.0f} us of CPU a move; {playing} still playing at the end) |",
        f"| bare Starlette broadcast of the same messages ({size:,.0f} bytes a move) | {bare_rate:,.0f} moves/s ({100 * bare_used:.0f} % of one core, {bare_cost:.0f} us of CPU a move) |",
        f"| ratio of the rates (aim: at least 0.35), median of {WINDOWS} times in turn (all: {ratios[0]:.2f} to {ratios[-1]:.2f}) | {statistics.median(ratios):.2f} |",
        f"| the same of CPU a move, which says more than the rates where the machine has other work | {bare_cost / cost:.2f} |",
        f"| click to the last client's update at {paced:,.0f} moves/s | p50 {at(times, 0.5):.1f} ms, p99 {at(times, 0.99):.1f} ms |",
    ]


async def window(server: Server, tally: Tally) -> tuple[float, float]:
    """Moves per second while everyone clicks as fast as possible, and the fraction of a core the server used."""
    tally.go_on()
    await asyncio.sleep(0.3)
    gc.collect()
    gc.disable()
    tally.moves, tally.counting = 0, True
    cpu, began = server.cpu(), time.perf_counter()
    await asyncio.sleep(WINDOW)
    tally.counting = False
    spent = time.perf_counter() - began
    used = (server.cpu() - cpu) / spent
    gc.enable()
    tally.held = True
    await asyncio.sleep(0.5)  # lets pending moves finish
    return tally.moves / spent, used


@contextlib.asynccontextmanager
async def bare(texts: Path, tables: int) -> AsyncIterator[tuple[Server, Tally, list[Bare]]]:
    """The same clients on a server that only sends."""
    command = [
        sys.executable, "-m", "uvicorn", "bare:app", "--app-dir", str(Path(__file__).parent), "--loop", "uvloop",
        "--http", "httptools", "--ws", "websockets-sansio", "--ws-per-message-deflate", "false", "--log-level", "warning",
    ]  # fmt: skip
    server = Server(texts.parent / "bare", cores=[0])
    server._command = [*command, "--port", str(server.port)]
    server._env["TSUKIMI_BARE"] = str(texts)
    server.start()
    tally, rooms = Tally(), list[Bare]()
    tally.held = True
    try:
        for number in range(tables):
            room = Bare(tally)
            for _ in range(SEATS):
                receive = lambda socket, text, room=room: room.receive(text)  # noqa: E731
                room.sockets.append(await open_socket(server.port, f"/ws/{number}", "-", receive))
            rooms.append(room)
            tally.may(room.click)
        yield server, tally, rooms
    finally:
        server.stop()


class Bare:
    """A room of the bare broadcast; clients decode as many bytes as at a real table."""

    def __init__(self, tally: Tally) -> None:
        self.tally, self.sockets, self.waiting, self.left = tally, list[Socket](), 0, False

    def receive(self, text: bytes) -> None:
        if text.startswith(b'{"type":"done"'):
            return
        decode(text)
        self.waiting -= 1
        if self.waiting == 0:
            self.tally.moves += self.tally.counting
            if not self.left:
                self.tally.may(self.click)

    def click(self) -> None:
        self.waiting = SEATS
        self.sockets[0].send(b'{"type":"play","id":"k123","decision":17,"move":"play 8b 8r"}')


async def part_memory(folder: Path, out: list[str]) -> None:
    """The memory of a connection, and of a table in play."""
    server = Server(folder / "memory", cores=[0])
    server.start()
    number, quiet = 500, lambda socket, text: None
    try:
        clients = await people(server.url)
        table = await clients[0].create("dojo", 4, bots=["random"] * 3, settings=SETTINGS)
        sockets = []

        async def connect_to(table: str) -> None:
            sockets.append(await open_socket(server.port, f"/ws/table/{table}", str(clients[0].token), quiet))
            sockets[-1].send(b'{"type":"hello","v":1}')

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
            socket.leave()
    finally:
        server.stop()
    each = (connected - empty) / number
    out += [
        f"| memory: one table, with {number} more connections, with {number} more tables in play | {empty:.0f}, {connected:.0f}, {full:.0f} MB |",
        f"| memory per connection / per table | {1024 * each:.0f} / {1024 * ((full - connected) / number - each):.0f} kB |",
    ]


async def part_bots(folder: Path, out: list[str]) -> None:
    """Whether others notice ten masters thinking."""
    server = Server(folder / "bots", cores=[])
    server._env |= {"TSUKIMI_BOT_MS": "1000", "TSUKIMI_BOT_PROCESSES": "1"}
    server.start()
    try:
        tally = Tally()
        games = await seated([server], 50, 2, tally, None)
        begin(games)
        calm = await measured(tally, 8.0, pace=0.5)
        host, sockets = (await people(server.url))[1], list[Socket]()
        for _ in range(10):
            table = await host.create("charuma", 4, bots=["master"] * 3, start=True, settings=SETTINGS)
            quiet = lambda socket, text: None  # noqa: E731
            sockets.append(await open_socket(server.port, f"/ws/table/{table}", str(host.token), quiet))
            sockets[-1].send(b'{"type":"hello","v":1}')
        busy = await measured(tally, 8.0, pace=0.5)
        leave(games)
        for socket in sockets:
            socket.leave()
    finally:
        server.stop()
    out += [
        f"| 50 tables, no bots: click to the last update | p50 {at(calm, 0.5):.1f} ms, p99 {at(calm, 0.99):.1f} ms |",
        f"| the same while ten tables of `master` bots think | p50 {at(busy, 0.5):.1f} ms, p99 {at(busy, 0.99):.1f} ms |",
    ]
    await newcomers(folder, out)


BOT_TABLES, NEWCOMERS, HINTS_EVERY = 60, 40, 0.02


async def newcomers(folder: Path, out: list[str]) -> None:
    """How long newcomers wait for a `master`'s first move while one guest runs many tables of bots (playing at half of
    them) and another floods hint requests. Everyone shares one address."""
    server = Server(folder / "newcomers", cores=[0])
    server._env |= {"TSUKIMI_BOT_MS": "1000", "TSUKIMI_BOT_PROCESSES": "1"}
    server.start()
    try:
        async with Client(server.url, name="Tables") as owner, Client(server.url, name="Hints") as flooder:
            crowd = [asyncio.create_task(bot_table(server, owner, number)) for number in range(BOT_TABLES)]
            crowd.append(asyncio.create_task(flood_hints(server, flooder)))
            await asyncio.sleep(5.0)
            times = sorted([await first_turn(server, number) for number in range(NEWCOMERS)])
            for task in crowd:
                if task.done():
                    task.result()
                task.cancel()
            await asyncio.gather(*crowd, return_exceptions=True)
    finally:
        server.stop()
    out += [
        f"| {BOT_TABLES} tables of `master` bots of one guest, hints asked for by another every {1000 * HINTS_EVERY:.0f} ms, 1 bot process: {NEWCOMERS} newcomers' wait for their first bot's move | p50 {at(times, 0.5):,.0f} ms, p95 {at(times, 0.95):,.0f} ms, longest {1000 * times[-1]:,.0f} ms |",
    ]


async def bot_table(server: Server, owner: Client, number: int) -> None:
    """Three bots and the owner, who plays at random or has left the seat to a fourth; one game after another."""
    chance, game = random.Random(number), GAMES[number % len(GAMES)]
    while True:
        over = asyncio.Event()
        table = await owner.create(game, 4, bots=["master"] * 3, start=True, settings={"round_pause": False})

        def receive(socket: Socket, text: bytes, over: asyncio.Event = over) -> None:
            message = decode(text)
            if message.table is not None and message.table.status == "over":
                over.set()
            elif number % 2 and message.game is not None and message.game.question is not None:
                question = message.game.question
                move = chance.choice(question.moves)
                socket.send(b'{"type":"play","id":"p","decision":%d,"move":"%s"}' % (question.decision, move.encode()))

        socket = await open_socket(server.port, f"/ws/table/{table}", str(owner.token), receive)
        socket.send(b'{"type":"hello","v":1}')
        if number % 2 == 0:
            socket.send(b'{"type":"stand","id":"stand"}')
        try:
            while not over.is_set() and not socket.transport.is_closing():
                await asyncio.sleep(0.1)
        finally:
            socket.leave()


async def flood_hints(server: Server, flooder: Client) -> None:
    table = await flooder.create("charuma", 3, bots=["master"] * 2, start=True, options={"first": "p1"})
    while True:
        socket = await open_socket(server.port, f"/ws/table/{table}", str(flooder.token), lambda socket, text: None)
        socket.send(b'{"type":"hello","v":1}')
        try:
            while not socket.transport.is_closing():  # slow readers are dropped
                socket.send(b'{"type":"hint","id":"h"}')
                await asyncio.sleep(HINTS_EVERY)
        finally:
            socket.leave()


async def first_turn(server: Server, number: int) -> float:
    """Seconds from the start of a game until the first bot has moved."""
    async with Client(server.url, name=f"Newcomer {number}") as client:
        table = await client.create(GAMES[number % len(GAMES)], 3, bots=["master"] * 2, options={"first": "p2"})
        async with client.table(table) as seat:
            await seat.ask(m.Start("start"))
            began, events = time.perf_counter(), len(seat.events)
            await seat.until(lambda: len(seat.events) > events, 60.0)
            return time.perf_counter() - began


PEOPLE = 4.0  # seconds between two moves at a table; real people take longer


async def part_floods(folder: Path, tables: int, seconds: float, out: list[str]) -> None:
    """Whether others notice one flooding address, with the default limits."""
    server = Server(folder / "floods", cores=[0])
    server._env["TSUKIMI_RATE"] = "1"
    server.start()
    flooder: asyncio.subprocess.Process | None = None
    try:
        tally = Tally()
        ended = await floods.ended_game(server)
        games = await floods.seated(server, tables, tally)
        tally.pace = PEOPLE
        begin(games)
        await asyncio.sleep(2.0)
        used = [server.cpu()]
        calm, before = await measured(tally, seconds, pace=PEOPLE), server.memory()
        used.append(server.cpu())
        command = ["nice", sys.executable, floods.__file__, str(server.port), ended, str(3 * seconds)]
        flooder = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.DEVNULL)
        await asyncio.sleep(2.0)
        sizes = [before]
        sampling = asyncio.create_task(sample_memory(server, sizes))
        used.append(server.cpu())
        busy = await measured(tally, seconds, pace=PEOPLE)
        used.append(server.cpu())
        sampling.cancel()
        refused = server.metrics("tsukimi_refused_total"), server.metrics("tsukimi_dropped_total")
        leave(games)
    finally:
        if flooder is not None and flooder.returncode is None:
            flooder.kill()
            await flooder.wait()
        server.stop()
    out += [
        f"| {tables} tables at {len(calm) / seconds:,.0f} moves/s, each from its own address: click to the last update | p50 {at(calm, 0.5):.1f} ms, p99 {at(calm, 0.99):.1f} ms |",
        f"| the same ({len(busy) / seconds:,.0f} moves/s) while one address floods control frames, hints, unread replays and tables | p50 {at(busy, 0.5):.1f} ms, p99 {at(busy, 0.99):.1f} ms |",
        f"| p99 with and without (aim: at most 2) | {at(busy, 0.99) / at(calm, 0.99):.2f} |",
        f"| CPU seconds of the server in the two periods | {used[1] - used[0]:.1f}, {used[3] - used[2]:.1f} |",
        f"| memory before, and at most during the floods | {before:.0f}, {max(sizes):.0f} MB |",
        f"| refused by a limit, connections dropped | {refused[0]:,.0f}, {refused[1]:,.0f} |",
    ]


async def sample_memory(server: Server, sizes: list[float]) -> None:
    while True:
        sizes.append(server.memory())
        await asyncio.sleep(0.1)


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
    rows, summary = await store.read(known), await store.summary(known)
    assert summary is not None

    async def copies(first: int) -> None:
        for n in range(first, number, 64):
            name = f"stored{n:07d}"
            over = Summary(
                name, summary.game, 2, "over" if n % 2 else "playing", True, n, n, None, summary.people, summary.listing
            )
            first_row = msgspec.json.decode(rows[0].data) | {"table": name}
            await store.create(over, [Row(0, rows[0].at, msgspec.json.encode(first_row)), *rows[1:]])

    await asyncio.gather(*(copies(first) for first in range(64)))
    await store.close()
    server.start()
    start_time, times = server.starts[-1], []
    for n in random.Random(1).sample(range(number), 50):
        received: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        began = time.perf_counter()
        receive = lambda socket, text, received=received: None if received.done() else received.set_result(None)  # noqa: E731
        socket = await open_socket(server.port, f"/ws/table/stored{n:07d}", str(clients[0].token), receive)
        socket.send(b'{"type":"hello","v":1}')
        await received
        times.append(time.perf_counter() - began)
        socket.transport.close()
    full = server.memory()
    server.stop()
    times.sort()
    out += [
        f"| {number:,} stored tables: from start to the first answer | {start_time:.2f} s |",
        f"| opening one of them: p50, worst of 50 | {at(times, 0.5):.1f}, {1000 * times[-1]:.1f} ms |",
        f"| memory: nearly empty store, this store with 50 opened | {empty:.0f}, {full:.0f} MB |",
    ]


async def part_workers(folder: Path, seconds: float, out: list[str]) -> None:
    """One and two workers on PostgreSQL and Redis, each limited to a fraction of a core so that both fit on the machine."""
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
        f"| 2 workers, each table's people at both (every move is processed twice) | {rates[2]:,.0f} moves/s ({costs[2]:,.0f} us) |",
    ]


async def brake(pid: int, share: float, phase: float, period: float = 0.05) -> None:
    """Let a process run only part of the time; different phases keep two processes from running at the same time."""
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
            elif part == "floods":
                await part_floods(folder, args.flooded, args.seconds, out)
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
    parser.add_argument("--flooded", type=int, default=1000, help="tables beside the floods")
    parser.add_argument("--stored", type=int, default=100_000)
    parser.add_argument("--parts", default="play,memory,bots,floods,stored,workers")
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
