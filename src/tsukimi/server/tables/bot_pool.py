"""Bots think in processes of their own, at low priority: the event loop and the other tables do not notice them."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import pickle
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from tsukimi.core.state import State

KEPT_BOTS = 64  # per process, so that they go on with the search tree of their last move
NICE = 10
LEAST_MS = 40.0

Advice = tuple[list[tuple[str, float, float | None]], str]

_bots_kept: OrderedDict[tuple[str, int, str], object] = OrderedDict()


class BotPool:
    """`choose` and `advise`, each outside the event loop. When many wait, everybody thinks a little shorter."""

    def __init__(self, processes: int, ms: float) -> None:
        self._ms = ms
        self._context = multiprocessing.get_context("spawn")
        self._workers = [self._new() for _ in range(max(1, processes))]
        self._busy = [0] * len(self._workers)
        self._home: OrderedDict[str, int] = OrderedDict()

    async def choose(self, table: str, state: State, seat: int, level: str) -> str:
        """The move that a bot of this level makes on this seat."""
        return str(await self._ask(table, _choose, table, pickle.dumps(state), seat, level, self._time()))

    async def advise(self, table: str, state: State, names: dict[int, str], seat: int, lang: str) -> Advice:
        """The best moves and why."""
        time = min(500.0, self._time())
        found: Advice = await self._ask(table, _advise, pickle.dumps(state), names, seat, lang, time)
        return found

    @property
    def waiting(self) -> int:
        return sum(self._busy)

    def close(self) -> None:
        for worker in self._workers:
            worker.shutdown(wait=False, cancel_futures=True)

    def _new(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, mp_context=self._context, initializer=_begin)

    def _time(self) -> float:
        return max(LEAST_MS, self._ms / max(1.0, self.waiting / len(self._workers)))

    async def _ask(self, table: str, job: Callable[..., Any], *arguments: object) -> Any:
        for attempt in (1, 2):
            number = self._worker(table)
            worker = self._workers[number]
            self._busy[number] += 1
            try:
                return await asyncio.get_running_loop().run_in_executor(worker, job, *arguments)
            except BrokenProcessPool:
                if self._workers[number] is worker:
                    self._workers[number] = self._new()
                if attempt == 2:
                    raise
            finally:
                self._busy[number] -= 1
        raise AssertionError

    def _worker(self, table: str) -> int:
        """The process that knows this table already, unless another one has much less to do."""
        idle = min(range(len(self._workers)), key=self._busy.__getitem__)
        home = self._home.get(table, idle)
        if self._busy[home] > self._busy[idle] + 1:
            home = idle
        self._home[table] = home
        self._home.move_to_end(table)
        while len(self._home) > KEPT_BOTS * len(self._workers):
            self._home.popitem(last=False)
        return home


def _begin() -> None:
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICE)
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _choose(table: str, frozen: bytes, seat: int, level: str, ms: float) -> str:
    from tsukimi import bots

    state: State = pickle.loads(frozen)
    key = (table, seat, level)
    bot = _bots_kept.pop(key, None) or bots.make(level, state, None, bots.Budget(ms))
    _bots_kept[key] = bot
    while len(_bots_kept) > KEPT_BOTS:
        _bots_kept.popitem(last=False)
    move = bot.choose(state, seat)  # type: ignore[attr-defined]
    return state.text(move, seat)


def _advise(frozen: bytes, names: dict[int, str], seat: int, lang: str, ms: float) -> Advice:
    from tsukimi import bots

    state: State = pickle.loads(frozen)
    state.names = names
    advice = bots.explain(state, seat, lang, bots.Budget(ms), None)
    return advice.moves[:5], advice.sentence
