"""Clients that play one game after another, whatever happens to the server, and record what it has acknowledged."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import random
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from servers import Server
from tsukimi.client import Client, Refused, Seat, new_id
from tsukimi.server import messages as m
from tsukimi.store import connect

T = TypeVar("T")
GAMES = ["daruma", "charuma", "dojo", "china-moon"]
AWAY = {"table-store-away", "table-busy", "server-unavailable", "server-busy", "http"}
SETTINGS = {"takeover": False, "round_pause": False}


class Tally:
    """What the server acknowledged. Every game has its own table."""

    def __init__(self) -> None:
        self.acknowledged: dict[str, list[str]] = {}
        self.refused: Counter[str] = Counter()
        self.reconnects = self.finished = 0
        self.moves: list[float] = []
        """When each move was acknowledged."""

    def gap(self, since: float) -> float:
        """The time from then until the next move was acknowledged."""
        return min((at for at in self.moves if at > since), default=float("inf")) - since


async def insist(work: Callable[[], Awaitable[T]]) -> T:
    """Retry an HTTP request until it is answered."""
    while True:
        try:
            return await work()
        except Refused as problem:
            if problem.code not in AWAY:
                raise
        except (OSError, http.client.HTTPException):
            pass
        await asyncio.sleep(0.1)


async def person(servers: list[Server], name: str, chance: random.Random) -> Client:
    client = Client(chance.choice(servers).url, name=name)
    return await insist(client.__aenter__)


async def endless(servers: list[Server], number: int, tally: Tally, seed: int, enough: asyncio.Event) -> None:
    """Two people who play one game after another, each connected to any of the servers, until `enough` is set."""
    chance = random.Random(seed)
    people = [await person(servers, f"P{number}{letter}", chance) for letter in "ab"]
    played = number
    while not enough.is_set():
        game, played = GAMES[played % len(GAMES)], played + 1
        bots = ["greedy"] if played % 10 == 0 or game in ("dojo", "china-moon") else []
        body = {"bots": bots, "settings": SETTINGS}
        table = await insist(lambda game=game, body=body: people[0].create(game, 2 + len(body["bots"]), **body))  # type: ignore[misc]
        tally.acknowledged[table] = []
        near = [Client(chance.choice(servers).url, client.token) for client in people]
        await asyncio.gather(*(_play(one, table, tally, chance, one is near[0]) for one in near))
        tally.finished += 1


async def _play(client: Client, table: str, tally: Tally, chance: random.Random, host: bool) -> None:
    async with client.table(table) as seat:
        if not host:
            await _ask(seat, m.Sit(new_id(), None, None, f"{chance.getrandbits(64):x}"), tally)
        else:
            await seat.until(lambda: all(one.kind != "free" for one in seat.table.seats))  # type: ignore[union-attr]
            await _ask(seat, m.Start(new_id()), tally)
        while True:
            await seat.until(lambda: seat.over or _waits(seat))
            if seat.over:
                break
            question = seat.game.question  # type: ignore[union-attr]
            assert question is not None
            play = m.Play(new_id(), question.decision, chance.choice(question.moves))
            if await _ask(seat, play, tally):
                tally.acknowledged[table].append(play.id)
                tally.moves.append(time.monotonic())
            await asyncio.sleep(0.05)  # a click
        tally.reconnects += seat.reconnects


def _waits(seat: Seat) -> bool:
    return seat.table is not None and seat.table.status == "playing" and bool(seat.game and seat.game.question)


async def _ask(seat: Seat, request: Any, tally: Tally) -> bool:
    """Resend with the same id until there is an answer; return whether it was accepted."""
    while True:
        try:
            await seat.ask(request)
            return True
        except Refused as problem:
            tally.refused[problem.code] += 1
            if problem.code not in AWAY:
                return False
            await asyncio.sleep(0.1)


async def under_load(
    servers: list[Server],
    pairs: int,
    seed: int,
    disturb: Callable[[Tally], Awaitable[Any]],
    limit: float = 120.0,
) -> tuple[Tally, Any, int]:
    """That many pairs play while something is disturbed; return the tally, the result of the disturbance, and how many are
    stuck."""
    tally, enough = Tally(), asyncio.Event()
    tasks = [
        asyncio.create_task(endless(servers, number, tally, 1000 * seed + number, enough)) for number in range(pairs)
    ]
    try:
        async with asyncio.timeout(60):
            while len(tally.moves) < 2 * pairs:
                await asyncio.sleep(0.05)
        outcome = await disturb(tally)
        enough.set()
        _, stuck = await asyncio.wait(tasks, timeout=limit)
    finally:
        for task in tasks:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
    for problem in ends:
        if isinstance(problem, Exception):
            raise problem
    return tally, outcome, len(stuck)


async def judge(database: str, tally: Tally) -> dict[str, int]:
    """Compare what was acknowledged with what is stored."""
    store = connect(database)
    await store.open()
    stored = lost = doubled = 0
    try:
        for table, acknowledged in tally.acknowledged.items():
            rows = [json.loads(row.data) for row in await store.read(table)]
            moves = [row for row in rows if row["kind"] == "moved"]
            keys = Counter(row["key"] for row in moves if row.get("key"))
            stored += len(moves)
            lost += sum(keys[key] == 0 for key in acknowledged)
            doubled += sum(number > 1 for number in keys.values())
    finally:
        await store.close()
    return {"acknowledged": len(tally.moves), "stored": stored, "lost": lost, "doubled": doubled}


async def asked_status(url: str) -> int:
    """The HTTP status of a page; 0 if there is no answer."""
    with contextlib.suppress(OSError, urllib.error.URLError):
        return await asyncio.to_thread(_status, url)
    return 0


def _status(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=10) as response:
            return int(response.status)
    except urllib.error.HTTPError as problem:
        problem.close()
        return problem.code
