"""Nothing lost: games at hundreds of tables while servers, PostgreSQL and Redis are killed with -9 again and again.

    python bench/chaos.py [--tables 200] [--kills 20] [--stores sqlite,postgres] [--out FILE]

Every client keeps the `id` of each move that the server acknowledged. At the end the log of every table is
read: each of those must stand there exactly once, and every game must have come to its end.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import tsukimi
from servers import Server
from services import Postgres, Redis
from tsukimi.client import Client, Refused, Seat, new_id
from tsukimi.server import messages as m
from tsukimi.store import connect

GAMES = ["daruma", "charuma", "dojo", "china-moon"]
PEOPLE = 2


class Tally:
    def __init__(self) -> None:
        self.acknowledged: dict[str, list[str]] = {}
        self.refused: Counter[str] = Counter()
        self.reconnects = 0
        self.kills: Counter[str] = Counter()
        self.finished = 0


async def player(client: Client, table: str, tally: Tally, chance: random.Random, host: bool) -> None:
    """Play a game to its end, whatever happens to the server."""
    async with client.table(table) as seat:
        if not host and not (seat.you and seat.you.seats):
            await _insist(seat, lambda key: m.Sit(key, None, None, f"{chance.getrandbits(64):x}"), tally)
        if host:
            await seat.until(lambda: all(one.kind != "free" for one in seat.table.seats) or seat.table.status != "open")
            await _insist(seat, m.Start, tally)
        while not seat.over:
            await seat.until(lambda: seat.over or _waits(seat))
            if seat.over:
                break
            if seat.table.status == "round":
                await _insist(seat, m.Ready, tally)
                await asyncio.sleep(0.02)
                continue
            question, key = seat.game.question, new_id()
            try:
                await seat.ask(m.Play(key, question.decision, chance.choice(question.moves)))
                tally.acknowledged.setdefault(table, []).append(key)
            except Refused as problem:
                tally.refused[problem.code] += 1
                await asyncio.sleep(0.05)
        tally.finished += 1
        tally.reconnects += seat.reconnects


def _waits(seat: Seat) -> bool:
    mine = [seat.table.seats[one] for one in seat.you.seats] if seat.you else []
    if seat.table.status == "round":
        return any(not one.ready for one in mine)
    return seat.table.status == "playing" and seat.game is not None and seat.game.question is not None


async def _insist(seat: Seat, make, tally: Tally) -> None:
    try:
        await seat.ask(make(new_id()))
    except Refused as problem:
        tally.refused[problem.code] += 1


async def kill_now_and_then(
    servers: list[Server], services: list, kills: int, tally: Tally, chance: random.Random
) -> None:
    loop = asyncio.get_running_loop()
    for number in range(kills):
        await asyncio.sleep(1.0 + 1.5 * chance.random())
        if services and number % 3 == 2:
            service = chance.choice(services)
            await loop.run_in_executor(None, service.kill)
            await asyncio.sleep(chance.random())
            await loop.run_in_executor(None, service.start)
            tally.kills[type(service).__name__.lower()] += 1
            continue
        server = chance.choice(servers)
        await loop.run_in_executor(None, server.kill)
        await asyncio.sleep(0.3 * chance.random())
        await loop.run_in_executor(None, server.start)
        tally.kills["server"] += 1


async def play(
    servers: list[Server], services: list, tables: int, kills: int, seed: int, limit: float
) -> tuple[Tally, list[str]]:
    tally, chance = Tally(), random.Random(seed)
    people = [Client(chance.choice(servers).url, name=f"P{number}") for number in range(PEOPLE)]
    for client in people:
        await client.__aenter__()
    made: list[str] = []
    for number in range(tables):
        game = GAMES[number % len(GAMES)]
        bots = ["greedy"] if number % 10 == 0 or game in ("dojo", "china-moon") else []
        made.append(await people[0].create(game, PEOPLE + len(bots), bots=bots, settings={"takeover": False}))
    tasks = []
    for table in made:
        for number, client in enumerate(people):
            # Each connection of a person may go to another worker.
            near = Client(chance.choice(servers).url, client.token)
            tasks.append(player(near, table, tally, random.Random(chance.random()), number == 0))
    killer = asyncio.create_task(kill_now_and_then(servers, services, kills, tally, chance))
    async with asyncio.timeout(limit):
        await asyncio.gather(*tasks)
        await killer
    return tally, made


async def judge(database: str, tally: Tally, tables: list[str]) -> dict[str, int]:
    """Compare what was acknowledged with what is stored."""
    store = connect(database)
    await store.open()
    moves = lost = twice = unfinished = 0
    try:
        for table in tables:
            rows = [json.loads(row.data) for row in await store.read(table)]
            keys = Counter(row["key"] for row in rows if row["kind"] == "moved" and row.get("key"))
            moves += sum(row["kind"] == "moved" for row in rows)
            lost += sum(keys[key] == 0 for key in tally.acknowledged.get(table, []))
            twice += sum(number > 1 for number in keys.values())
            summary = await store.summary(table)
            unfinished += summary is None or summary.status != "over"
    finally:
        await store.close()
    acknowledged = sum(len(keys) for keys in tally.acknowledged.values())
    return {"stored": moves, "acknowledged": acknowledged, "lost": lost, "twice": twice, "unfinished": unfinished}


def one(name: str, tables: int, kills: int, seed: int, limit: float) -> dict[str, object]:
    """A whole run on one kind of store."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tsukimi-chaos-")))
        services: list = []
        if name == "sqlite":
            database, workers = f"sqlite:///{folder}/tsukimi.db", 1
            servers = [Server(folder / "0", database)]
        else:
            postgres, redis = stack.enter_context(Postgres()), stack.enter_context(Redis())
            services = [postgres, redis]
            database, workers = postgres.database(), 2
            servers = [Server(folder / str(number), database, redis.url) for number in range(workers)]
        for server in servers:
            server.start()
            stack.callback(server.stop)
        began = time.perf_counter()
        tally, made = asyncio.run(play(servers, services, tables, kills, seed, limit))
        seconds = time.perf_counter() - began
        for server in servers:
            server.stop()
        found = asyncio.run(judge(database, tally, made))
        return {
            "store": name, "workers": workers, "tables": tables, "kills": dict(tally.kills), **found,
            "reconnects": tally.reconnects, "finished": tally.finished, "clients": PEOPLE * tables,
            "refused": dict(tally.refused), "seconds": round(seconds, 1),
        }  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--stores", default="sqlite,postgres")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=900.0)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    results = [one(name, args.tables, args.kills, args.seed, args.limit) for name in args.stores.split(",")]
    lines = [
        "# Nothing lost",
        "",
        f"`python bench/chaos.py --tables {args.tables} --kills {args.kills}` (tsukimi {tsukimi.__version__}): two people a",
        "table (and bots), who come back by themselves; servers killed with -9, with PostgreSQL also the database and Redis.",
        "",
        "| store | workers | tables | kills | moves acknowledged | moves stored | lost | counted twice | games not ended | reconnects | seconds |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for r in results:
        kills = ", ".join(f"{kind} {number}" for kind, number in r["kills"].items())  # type: ignore[attr-defined]
        lines.append(
            f"| {r['store']} | {r['workers']} | {r['tables']} | {kills} | {r['acknowledged']} | {r['stored']} | {r['lost']} "
            f"| {r['twice']} | {r['unfinished']} | {r['reconnects']} | {r['seconds']} |"
        )
        print(json.dumps(r))
    text = "\n".join(lines) + "\n"
    print(text)
    if args.out:
        args.out.write_text(text, "utf-8")
    return int(any(r["lost"] or r["twice"] or r["unfinished"] for r in results))


if __name__ == "__main__":
    sys.exit(main())
