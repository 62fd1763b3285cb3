"""Nothing lost or doubled, nobody stuck, no crash: games continue while everything a server depends on fails.

    python bench/chaos.py [--parts faults,kills,restarts,redis,disk,clock] [--small] [--out FILE]

faults    every call to the store and the bus during whole games fails, in every way (`tests/server/faulty_games.py`)
kills     servers, PostgreSQL and Redis are killed with -9, 200 times in all
restarts  PostgreSQL is restarted 20 times, as an operator would
redis     Redis is down for a minute
disk      the disk is full for a while
clock     the clock is set back an hour under a running server, and stays back when it is killed (needs libfaketime)

Every client records the `id` of each move the server acknowledged. At the end the log of every table is read: it must
contain each of them exactly once, and every game must have ended. `--small` is a quick version for development.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import tsukimi
from endless import Tally, asked_status, judge, under_load
from servers import Server
from services import Postgres, Redis, Service
from tsukimi.client import Client

HOUR = 3600
FULL_S, CALM_S = 8.0, 3.0
FAKETIME = ["/usr/lib/*/faketime/libfaketimeMT.so.1", "/usr/lib/faketime/libfaketimeMT.so.1"]


@dataclass
class Size:
    pairs: int = 40
    kills: tuple[int, int] = (90, 110)  # with SQLite, with PostgreSQL
    restarts: int = 20
    redis_away: float = 60.0
    every_fault: bool = True  # or one of each kind


SMALL = Size(pairs=6, kills=(4, 6), restarts=3, redis_away=6.0, every_fault=False)


@dataclass
class Result:
    """One row of the report."""

    part: str
    what: str
    acknowledged: int = 0
    stored: int = 0
    lost: int = 0
    doubled: int = 0
    stuck: int = 0
    crashes: int = 0
    kills: int = 0
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)

    @property
    def bad(self) -> int:
        return self.lost + self.doubled + self.stuck + self.crashes


@dataclass
class World:
    """Workers on one database, and the services they depend on."""

    folder: Path
    database: str
    servers: list[Server]
    services: list[Service]

    def run(self, part: str, what: str, pairs: int, disturb: Callable[[Tally], Awaitable[Any]]) -> Result:
        """Disturb this world while people are playing."""
        began = time.monotonic()
        tally, noted, stuck = asyncio.run(under_load(self.servers, pairs, len(part), disturb))
        for server in self.servers:
            server.stop()
        found = asyncio.run(judge(self.database, tally))
        crashes = sum(server.crashes for server in self.servers)
        notes = [*(noted or []), f"{tally.finished} games, {tally.reconnects} reconnects"]
        return Result(part, what, stuck=stuck, crashes=crashes, seconds=time.monotonic() - began, notes=notes, **found)


@contextmanager
def world(kind: str, folder: Path | None = None, env: dict[str, str] | None = None) -> Iterator[World]:
    """`sqlite`: one worker; `postgres`: two, with Redis between them."""
    with ExitStack() as stack:
        folder = folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tsukimi-chaos-")))
        services: list[Service] = []
        if kind == "sqlite":
            database = f"sqlite:///{folder}/tsukimi.db"
            servers = [Server(folder / "0", database, env=env)]
        else:
            postgres, redis = stack.enter_context(Postgres()), stack.enter_context(Redis())
            services, database = [postgres, redis], postgres.database()
            servers = [Server(folder / str(number), database, redis.url, env=env) for number in range(2)]
        for server in servers:
            server.start()
            stack.callback(server.stop)
        yield World(folder, database, servers, services)


# ---- the parts ------------------------------------------------------------------------------------------


def kills(size: Size) -> Iterator[Result]:
    for kind, number in zip(("sqlite", "postgres"), size.kills, strict=True):
        with world(kind) as here:
            result = here.run("kills", f"kill -9, {kind}", size.pairs, lambda _: _kill(here, number))  # noqa: B023
            result.kills = number
            yield result


async def _kill(here: World, number: int) -> list[str]:
    chance, killed = random.Random(number), Counter[str]()
    for turn in range(number):
        await asyncio.sleep(0.1 + 0.4 * chance.random())
        victims: list[Any] = here.services if here.services and turn % 3 == 2 else here.servers
        victim = chance.choice(victims)
        await asyncio.to_thread(victim.kill)
        await asyncio.sleep(0.3 * chance.random())
        await asyncio.to_thread(victim.start)
        killed[type(victim).__name__.lower()] += 1
    return [", ".join(f"{name} {times}" for name, times in killed.items())]


def restarts(size: Size) -> Iterator[Result]:
    with world("postgres") as here:
        postgres: Any = here.services[0]

        async def disturb(tally: Tally) -> list[str]:
            gaps = []
            for _ in range(size.restarts):
                await asyncio.sleep(1.0)
                await asyncio.to_thread(postgres.stop_gently)
                await asyncio.to_thread(postgres.start)
                back = time.monotonic()
                gaps.append(await _next_move(tally, back))
            return [f"play went on {max(gaps):.1f} s after it was back, at most"]

        yield here.run("restarts", f"PostgreSQL restarted {size.restarts} times", size.pairs, disturb)


def redis(size: Size) -> Iterator[Result]:
    with world("postgres") as here:
        service: Any = here.services[1]

        async def disturb(tally: Tally) -> list[str]:
            await asyncio.to_thread(service.kill)
            away, moves, ready = time.monotonic(), len(tally.moves), list[int]()
            while time.monotonic() - away < size.redis_away:
                ready += [await asked_status(f"{server.url}/readyz") for server in here.servers]
                await asyncio.sleep(1.0)
            made = len(tally.moves) - moves
            await asyncio.to_thread(service.start)
            await asyncio.sleep(CALM_S)
            well = sum(status == 200 for status in ready)
            return [f"{made} moves meanwhile", f"{well} of {len(ready)} answers of /readyz were 200"]

        yield here.run("redis", f"Redis away for {size.redis_away:.0f} s", size.pairs, disturb)


def disk(size: Size) -> Iterator[Result]:
    with (
        tempfile.TemporaryDirectory(prefix="tsukimi-chaos-") as name,
        small_disk(Path(name)) as (means, fill, free),
        world("sqlite", Path(name)) as here,
    ):
        [server] = here.servers

        async def disturb(tally: Tally) -> list[str]:
            fill(server)
            await asyncio.sleep(1.0)  # moves fill the remaining space
            moves = len(tally.moves)
            statuses = set[int]()
            until = time.monotonic() + FULL_S
            while time.monotonic() < until:
                statuses.add(await asked_status(f"{server.url}/readyz"))
                await asyncio.sleep(0.5)
            alive = await asked_status(f"{server.url}/healthz")
            made = len(tally.moves) - moves
            free(server)
            gap = await _next_move(tally, time.monotonic())
            logged = "the database failed" in server.log()
            return [
                f"{means}: {made} moves in {FULL_S:.0f} s, /readyz {sorted(statuses)}, /healthz {alive}",
                f"{'an' if logged else 'NO'} error in the log, play went on {gap:.1f} s after",
            ]

        yield here.run("disk", "disk full", max(4, size.pairs // 4), disturb)


def clock(size: Size) -> Iterator[Result]:
    library = next((str(path) for place in _faketime_places() for path in sorted(Path("/").glob(place))), None)
    if library is None:
        tests = str(Path(__file__).parents[1] / "tests/server/test_socket_time.py")
        began = time.monotonic()
        code = subprocess.run([sys.executable, "-m", "pytest", "-q", tests], check=False, stdout=sys.stderr).returncode
        note = "libfaketime is NOT INSTALLED (Debian: libfaketime): ran the tests that have their own clock instead"
        yield Result("clock", "clock set back", stuck=int(code != 0), seconds=time.monotonic() - began, notes=[note])
        return
    with tempfile.TemporaryDirectory(prefix="tsukimi-chaos-") as name:
        offset = Path(name) / "offset"
        offset.write_text("+0\n")
        env = {
            "LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": str(offset), "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_FORCE_MONOTONIC_FIX": "0",  # which aborts every wait for the GIL
        }  # fmt: skip
        with world("sqlite", Path(name), env) as here:
            [server] = here.servers

            async def disturb(tally: Tally) -> list[str]:
                table = await _against_the_clock(server)
                offset.write_text(f"-{HOUR}\n")
                await asyncio.sleep(1.5)  # the library checks once a second
                fired = await _moves_made(table, 3, 20.0)
                gap = await _next_move(tally, time.monotonic())
                await asyncio.to_thread(server.kill)
                await asyncio.to_thread(server.start)
                back = time.monotonic()
                again = await _moves_made(table, 1, 20.0)
                await _next_move(tally, back)
                return [
                    f"after it was set back: a move after {gap:.1f} s, {fired:.1f} s for three deadlines of 1 s",
                    f"after kill -9 too: the next deadline after {again:.1f} s",
                ]

            yield here.run("clock", "clock set back an hour", max(4, size.pairs // 4), disturb)


def faults(size: Size) -> Iterator[Result]:
    """Each game on each kind of store, in separate processes, which mostly wait."""
    from server.faulty_games import GAMES

    began, jobs = time.monotonic(), [(kind, game) for kind in ("postgres", "sqlite") for game in GAMES]
    with ProcessPoolExecutor(3) as processes:
        parts = list(processes.map(_sweep, *zip(*jobs, strict=True), [size.every_fault] * len(jobs)))
    result = total([part for part, _ in parts])
    result.part, result.what, result.seconds = "faults", "every call broken", time.monotonic() - began
    broken = {kind: sum(number for one, number in parts if one.what == kind) for kind, _ in jobs}
    result.notes = [f"{number} calls with {kind}" for kind, number in broken.items()]
    yield replace(result, notes=result.notes + [note for part, _ in parts for note in part.notes])


def _sweep(kind: str, game: str, every: bool) -> tuple[Result, int]:
    """What went wrong, and how many calls were made to fail."""
    from faults import Faults
    from server.faulty_games import ACCOUNTS, GAMES, every_fault, play, sample, servers

    result, injected, broken = Result("faults", kind), Faults(), 0
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tsukimi-chaos-")))
        workers: list[dict[str, object]] = [{}]
        if kind == "postgres":
            postgres, redis = stack.enter_context(Postgres()), stack.enter_context(Redis())
            workers = [{"database": postgres.database(), "bus": redis.url, "secret": "chaos" * 12}] * 2
        lives = stack.enter_context(servers(folder, injected, *workers))
        found = every_fault(asyncio.run(play(game, lives, injected, None)))
        accounts = kind == "sqlite" and game == next(iter(GAMES))  # the same in all games
        for fault in found if every else sample(found):
            if fault.call in ACCOUNTS and not accounts:
                continue
            try:
                broken += asyncio.run(play(game, lives, injected, fault))["fired"]
            except Exception as problem:
                name = next((one for one in ("lost", "doubled") if _is(one, str(problem))), "stuck")
                setattr(result, name, getattr(result, name) + 1)
                result.notes.append(f"{game}, {fault}: {problem!r}"[:300])
    return result, broken


def _is(kind: str, problem: str) -> bool:
    return problem.startswith({"lost": "acknowledged", "doubled": "stored twice"}[kind])


# ---- helpers ----------------------------------------------------------------------------------------------


async def _next_move(tally: Tally, since: float, limit: float = 60.0) -> float:
    """Seconds until the next move is acknowledged."""
    while tally.gap(since) == float("inf"):
        if time.monotonic() - since > limit:
            raise RuntimeError("no move was acknowledged for a minute")
        await asyncio.sleep(0.02)
    return tally.gap(since)


async def _against_the_clock(server: Server) -> tuple[Client, str]:
    """A table with nobody connected: each move is made when its one-second clock runs out."""
    client = await Client(server.url, name="Nobody").__aenter__()
    settings = {"clock": {"kind": "live", "reserve": 0, "extra": 1}, "forced": False, "takeover": False}
    table = await client.create("china-moon", 3, names=["a", "b", "c"], start=True, settings=settings)
    return client, table


async def _moves_made(found: tuple[Client, str], more: int, limit: float) -> float:
    """Seconds until that many more moves were made there."""
    client, table = found
    began = time.monotonic()
    async with client.table(table) as seat:
        await seat.until(lambda: seat.game is not None, limit)
        for _ in range(more):
            events = len(seat.events)
            try:
                await seat.until(lambda: len(seat.events) > events, limit)  # noqa: B023
            except TimeoutError:
                raise RuntimeError(f"a deadline did not fire within {limit:.0f} s") from None
    return time.monotonic() - began


@contextmanager
def small_disk(folder: Path) -> Iterator[tuple[str, Callable[[Server], None], Callable[[Server], None]]]:
    """The method used, and functions that fill the disk and free it: a separate file system or, without the root rights to
    mount one, a limit on file sizes."""
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", str(folder)], check=False, capture_output=True
    )
    if mounted.returncode:
        import resource

        limits = lambda size: lambda server: resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (size, -1))  # noqa: E731
        yield "a limit on the size of files", limits(4096), limits(resource.RLIM_INFINITY)
        return
    filler = folder / "filler"

    def fill(server: Server) -> None:
        with filler.open("wb", 0) as file:
            for piece in (2**20, 4096):
                try:
                    while True:
                        file.write(b"x" * piece)
                except OSError:
                    pass

    try:
        yield "a small file system", fill, lambda server: filler.unlink()
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def _faketime_places() -> list[str]:
    return [place.lstrip("/") for place in [os.environ.get("LIBFAKETIME", ""), *FAKETIME] if place]


# ---- the report -----------------------------------------------------------------------------------------

PARTS: dict[str, Callable[[Size], Iterator[Result]]] = {
    scenario.__name__: scenario for scenario in (faults, kills, restarts, redis, disk, clock)
}


def table(results: list[Result], parts: str, small: bool) -> str:
    options = "".join([f" --parts {parts}" if parts != ",".join(PARTS) else "", " --small" if small else ""])
    lines = [
        "# Nothing lost",
        "",
        f"`python bench/chaos.py{options}` (tsukimi {tsukimi.__version__}): pairs of people (and bots) play one game after",
        "another and reconnect by themselves, while what the server depends on fails.",
        "",
        "| | moves acknowledged | moves stored | lost | doubled | stuck | crashes | seconds | |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for result in [*results, total(results)]:
        notes = "; ".join(result.notes).replace("|", "/").replace("\n", " ")
        lines.append(
            f"| {result.what} | {result.acknowledged or ''} | {result.stored or ''} | {result.lost} | {result.doubled} | {result.stuck} "
            f"| {result.crashes} | {result.seconds:.0f} | {notes} |"
        )
    return "\n".join(lines) + "\n"


def total(results: list[Result]) -> Result:
    names = ("acknowledged", "stored", "lost", "doubled", "stuck", "crashes", "kills", "seconds")
    sums = {name: sum(getattr(result, name) for result in results) for name in names}
    return Result("total", "**in all**", **sums, notes=[f"{sums['kills']} kills"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", default=",".join(PARTS))
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    size, results = SMALL if args.small else Size(), list[Result]()
    for part in args.parts.split(","):
        for result in PARTS[part](size):
            results.append(result)
            print(json.dumps(result.__dict__), flush=True)
    text = table(results, args.parts, args.small)
    print(text)
    if args.out:
        args.out.write_text(text, "utf-8")
    return int(any(result.bad for result in results))


if __name__ == "__main__":
    sys.exit(main())
