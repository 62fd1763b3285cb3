"""`kill -9` of a worker, a process of its own: its bots play on within three seconds, at another worker or after the restart."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager, suppress
from pathlib import Path

import pytest

from server.sockets import PATIENCE, fresh, until
from services import Postgres, Redis, free_port, postgres, redis_server  # noqa: F401
from tsukimi.client import Client, Seat
from tsukimi.server import messages as m
from tsukimi.table.settings import Settings

pytestmark = pytest.mark.compiled
QUIET_START = 1.5  # seconds


class Worker:
    """`tsukimi serve`, again on the same port after every start. `slowness`: how many times as long as on a quiet
    machine the last start took; what is to be there within seconds may take as many times as long too."""

    def __init__(self, folder: Path, database: str, bus: str = "") -> None:
        self._port = free_port()
        self.url = f"http://127.0.0.1:{self._port}"
        kept = {name: value for name, value in os.environ.items() if not name.startswith("TSUKIMI_")}
        self._env = kept | {
            "TSUKIMI_DATA": str(folder), "TSUKIMI_PORT": str(self._port), "TSUKIMI_DATABASE": database,
            "TSUKIMI_BUS": bus, "TSUKIMI_SECRET": "one secret for all workers" * 2, "TSUKIMI_RATE": "0",
            "TSUKIMI_BOT_PROCESSES": "1",
        }  # fmt: skip

    def start(self) -> None:
        """Return when it answers."""
        command = [sys.executable, "-m", "tsukimi.cli", "serve"]
        self._process = subprocess.Popen(command, env=self._env, stdout=subprocess.DEVNULL, start_new_session=True)
        began = time.monotonic()
        end = began + PATIENCE
        while True:
            try:
                with urllib.request.urlopen(f"{self.url}/healthz", timeout=5):
                    self.slowness = max(1.0, (time.monotonic() - began) / QUIET_START)
                    return
            except OSError:
                assert time.monotonic() < end and self._process.poll() is None, "the server did not start"
                time.sleep(0.02)

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


@contextmanager
def started(*workers: Worker) -> Iterator[None]:
    with ExitStack() as stack:
        for worker in workers:
            worker.start()
            stack.callback(worker.kill)
        yield


@asynccontextmanager
async def bots_alone(opened_at: Worker, watched_at: Worker) -> AsyncIterator[Seat]:
    """A game that only bots play, since its host has stood up, and a spectator."""
    ana, zoe = (
        Client(one.url, name=name) for one, name in zip((opened_at, watched_at), fresh("Ana", "Zoe"), strict=True)
    )
    async with ana, zoe:
        settings = Settings(forced=False, round_pause=False)
        table = await ana.create("dojo", 3, bots=["random"] * 2, start=True, settings=settings)
        async with ana.table(table) as seat:
            await seat.ask(m.Stand("stand"))
        async with zoe.table(table) as watching:
            yield watching


async def next_move(seat: Seat) -> None:
    events = len(seat.events)
    await until(seat, lambda: len(seat.events) > events)


def test_a_worker_that_was_killed_goes_on_with_its_bots_as_soon_as_it_is_back(tmp_path: Path) -> None:
    worker = Worker(tmp_path, f"sqlite:///{tmp_path}/t.db")

    def rows() -> int:
        with closing(sqlite3.connect(f"file:{tmp_path}/t.db?mode=ro", uri=True)) as database:
            return int(database.execute("select count(*) from log").fetchone()[0])

    async def play() -> None:
        async with bots_alone(worker, worker) as watching:
            await next_move(watching)

    with started(worker):
        asyncio.run(play())
        worker.kill()
        known = rows()
        worker.start()
        back = time.monotonic()
        while rows() == known:  # nobody is connected
            assert time.monotonic() < back + 2.0 * worker.slowness
            time.sleep(0.02)


def test_when_a_worker_is_killed_another_goes_on_with_its_bots_within_three_seconds(
    tmp_path: Path,
    postgres: Postgres,  # noqa: F811
    redis_server: Redis,  # noqa: F811
) -> None:
    database = postgres.database()
    first, second = (Worker(tmp_path / name, database, redis_server.url) for name in ("first", "second"))

    async def play() -> None:
        async with bots_alone(first, second) as watching:
            await next_move(watching)
            first.kill()
            killed = time.monotonic()
            await asyncio.sleep(0.2)  # what was on its way has come
            await next_move(watching)
            assert time.monotonic() < killed + 3.0 * second.slowness

    with started(first, second):
        asyncio.run(play())
