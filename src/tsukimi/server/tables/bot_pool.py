"""Bots think in separate low-priority processes, so that they do not affect the event loop and the other tables.

Their time is shared fairly among people, and what others see of it reveals nothing hidden.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import multiprocessing
import os
import pickle
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from random import Random
from typing import Any

from tsukimi.core.errors import BadOptions
from tsukimi.core.state import State
from tsukimi.server.common.components_api import CheckedComponents, Draft
from tsukimi.server.common.networks import NO_NETWORKS, Networks
from tsukimi.server.tables.fair_queue import FairQueue, Owner
from tsukimi.server.tables.pace import Pace
from tsukimi.server.tables.scheduler import STAND_IN
from tsukimi.table.errors import TableError

CACHED_BOTS = 64  # per process, so that they can continue with the search tree of their last move
NICE = 10
LEAST_MS = 40.0
HINT_MS = 500.0
MOST_HINTS = 2  # of one person, waiting or being thought about
MOST_HINTS_OF_ADDRESS = 16
MOST_WAITING = 24  # waiting jobs of one person, at all their tables; with more, no hint is given

random = Random()
_log = logging.getLogger("tsukimi.tables")

Advice = tuple[list[tuple[str, float, float | None]], str]

_bot_cache: OrderedDict[tuple[str, int, str], Any] = OrderedDict()


@dataclass(eq=False)
class Job:
    table: str
    work: Callable[..., Any]
    arguments: tuple[object, ...]
    most_ms: float
    done: asyncio.Future[Answer]
    added: float


@dataclass
class Answer:
    found: Any
    started: float
    seconds: float
    """The time the job was given, not what it took."""


class BotPool:
    """`choose` and `hint`, each outside the event loop. `waited` is called with the seconds a job was queued."""

    def __init__(
        self,
        processes: int,
        ms: float,
        waited: Callable[[float], object] = lambda seconds: None,
        networks: Networks = NO_NETWORKS,
    ) -> None:
        self._ms, self._waited, self._networks = ms, waited, networks
        self._pace = Pace(ms, random)
        self._context = multiprocessing.get_context("spawn")
        self._processes = [self._new() for _ in range(max(1, processes))]
        self._idle = set(range(len(self._processes)))
        self._queue: FairQueue[Job] = FairQueue(lambda: asyncio.get_running_loop().time())
        self._running: dict[asyncio.Task[None], Owner] = {}
        self._hints: Counter[str] = Counter()
        self._home: OrderedDict[str, int] = OrderedDict()
        self._closed = False

    def start(self) -> None:
        """Start the first process, so that the first bot need not wait for it; the others use memory only
        when they are needed."""
        self._processes[0].submit(_import)

    async def choose(self, table: str, state: State, seat: int, level: str, owners: Sequence[Owner]) -> str:
        """The move of a bot of this level in this seat, at the time when it may be seen. Its time is charged to
        one of these owners."""
        loop = asyncio.get_running_loop()
        requested = loop.time()
        frozen = pickle.dumps(state)
        try:
            bot = self._networks.bot(level)
            answer = await self._ask(owners, table, _choose, (table, frozen, seat, bot), self._ms)
        except BadOptions as problem:  # a network that is no longer offered, or whose file has changed
            _log.warning(
                "a network's bot cannot play; another one replaces it", extra={"table": table, "problem": str(problem)}
            )
            answer = await self._ask(owners, table, _choose, (table, frozen, seat, STAND_IN), self._ms)
        move, share = answer.found
        now = loop.time()
        await asyncio.sleep(self._pace.due(requested, answer.started, share, answer.seconds, now) - now)
        return str(move)

    async def hint(self, table: str, state: State, names: dict[int, str], seat: int, lang: str, owner: Owner) -> Advice:
        """The best moves and why."""
        keys = {f"person {owner.person}": MOST_HINTS, f"address {owner.address}": MOST_HINTS_OF_ADDRESS}
        waiting = sum(other.person == owner.person for other in self._queue.owners())
        if waiting >= MOST_WAITING or any(self._hints[key] >= most for key, most in keys.items()):
            raise TableError("table-hints-waiting", status=429)
        self._hints.update(keys.keys())
        try:
            frozen = pickle.dumps(state)
            answer = await self._ask([owner], table, _hint, (frozen, names, seat, lang), min(HINT_MS, self._ms))
        finally:
            self._hints.subtract(keys.keys())
            self._hints = +self._hints
        found: Advice = answer.found
        return found

    async def judge(self, table: str, frozen: bytes, event: int, ms: float, owner: Owner) -> Any:
        """A decision of a game (pickled), for its review."""
        return (await self._ask([owner], table, _judge, (frozen, event, ms), ms)).found

    async def assemble(
        self, table: str, frozen: bytes, judged: Sequence[Any], winners: Sequence[int], owner: Owner
    ) -> bytes:
        """The review of a game all of whose decisions are judged, encoded."""
        answer = await self._ask([owner], table, _assemble, (frozen, judged, winners), LEAST_MS)
        found: bytes = answer.found
        return found

    async def read(self, text: str, owner: Owner) -> State:
        """The game in a record; `BadRecord` if it is not one."""
        found: State = pickle.loads((await self._ask([owner], "", _read, (text,), LEAST_MS)).found)
        return found

    async def balance(self, game: str, players: int, components: dict[str, Any], ms: float, owner: Owner) -> Any:
        """The small balance report of a set of components."""
        return (await self._ask([owner], "", _balance, (game, players, components), ms)).found

    async def check_components(self, game: str, draft: Draft, lang: str, owner: Owner) -> CheckedComponents:
        """Whether a set of components can be played. A bad file may take long to parse: not in the event loop."""
        found: CheckedComponents = (
            await self._ask([owner], "", _check_components, (game, draft, lang), LEAST_MS)
        ).found
        return found

    @property
    def spare(self) -> int:
        """How many processes background work may use, so that one is left for people who wait."""
        return max(1, len(self._processes) - 1)

    @property
    def thinking(self) -> int:
        return len(self._running)

    @property
    def waiting(self) -> int:
        return len(self._queue)

    def close(self) -> None:
        self._closed = True
        for task in self._running:
            task.cancel()
        for process in self._processes:
            process.shutdown(wait=False, cancel_futures=True)

    # ---- from the queue to a process ------------------------------------------------------------------

    async def _ask(
        self, owners: Sequence[Owner], table: str, work: Callable[..., Any], arguments: tuple[object, ...], ms: float
    ) -> Answer:
        loop = asyncio.get_running_loop()
        job = Job(table, work, arguments, ms, loop.create_future(), loop.time())
        owner = self._queue.add(owners, job)
        self._send_next()
        try:
            return await job.done
        finally:
            self._queue.remove(owner, job)  # whoever asked may be gone

    def _send_next(self) -> None:
        """Send jobs to idle processes."""
        while self._idle and len(self._queue) and not self._closed:
            owner, job = self._queue.take()
            self._waited(asyncio.get_running_loop().time() - job.added)
            task = asyncio.create_task(self._run(self._process_for(job.table), owner, job, self._time_for(owner, job)))
            self._running[task] = owner
            task.add_done_callback(self._running.pop)

    async def _run(self, number: int, owner: Owner, job: Job, ms: float) -> None:
        loop = asyncio.get_running_loop()
        started = loop.time()
        try:
            found = await self._execute(number, job.work, *job.arguments, ms)
            if not job.done.done():
                job.done.set_result(Answer(found, started, ms / 1000))
        except Exception as problem:
            if not job.done.done():
                job.done.set_exception(problem)
        except asyncio.CancelledError:
            job.done.cancel()
            raise
        finally:
            # At least what it was given: how soon a search ends depends on what is hidden.
            self._queue.charge(owner, max(ms / 1000, loop.time() - started))
            self._idle.add(number)
            self._send_next()

    async def _execute(self, number: int, work: Callable[..., Any], *arguments: object) -> Any:
        for attempt in (1, 2):
            process = self._processes[number]
            try:
                return await asyncio.get_running_loop().run_in_executor(process, work, *arguments)
            except BrokenProcessPool:
                self._processes[number] = self._new()
                if attempt == 2:
                    raise
        raise AssertionError

    def _time_for(self, owner: Owner, job: Job) -> float:
        """Milliseconds: all of it, or each share when the waiting people share the processes, and the jobs
        of one person share that person's part."""
        pending = [*self._queue.owners(), *self._running.values(), owner]
        people = len({owner.person if owner.attended else "" for owner in pending})
        of_person = sum(other.person == owner.person if owner.attended else not other.attended for other in pending)
        return min(job.most_ms, max(LEAST_MS, self._ms * len(self._processes) / (people * of_person)))

    def _process_for(self, table: str) -> int:
        """An idle process, preferably one that already knows this table."""
        home = self._home.get(table, -1)
        if home not in self._idle:
            home = min(self._idle)
        self._idle.remove(home)
        self._home[table] = home
        self._home.move_to_end(table)
        while len(self._home) > CACHED_BOTS * len(self._processes):
            self._home.popitem(last=False)
        return home

    def _new(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, mp_context=self._context, initializer=_begin)


# ---- in the processes ----------------------------------------------------------------------------------


def _begin() -> None:
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICE)
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _import() -> None:
    import tsukimi.bots  # noqa: F401


def _choose(table: str, frozen: bytes, seat: int, level: str, ms: float) -> tuple[str, float]:
    """A move, and the part of the time that such a bot gets for it, whether it needs it or not."""
    from tsukimi import bots

    state: State = pickle.loads(frozen)
    key, budget = (table, seat, level), bots.Budget(ms)
    cached = _bot_cache.pop(key, None)
    if state.components is not None:
        cached = None  # its components are read again with every move: its search was for another table object
    bot = cached or bots.make(level, state, None, budget)
    _bot_cache[key] = bot
    while len(_bot_cache) > CACHED_BOTS:
        _bot_cache.popitem(last=False)
    share = 0.0
    if isinstance(bot, bots.SearchBot | bots.AdaptiveBot):
        bot.set_budget(budget)
        share = bot.share
    return state.text(bot.choose(state, seat), seat), share


def _hint(frozen: bytes, names: dict[int, str], seat: int, lang: str, ms: float) -> Advice:
    from tsukimi import bots

    state: State = pickle.loads(frozen)
    state.names = names
    advice = bots.explain(state, seat, lang, bots.Budget(ms), None)
    return advice.moves[:5], advice.sentence


def _judge(frozen: bytes, event: int, budget: float, ms: float) -> Any:
    """A review is stored: its searches get the same time however many people are waiting."""
    from tsukimi import analysis, bots

    return analysis.judge(pickle.loads(frozen), event, bots.Budget(budget, clock="cpu"))


def _assemble(frozen: bytes, judged: Sequence[Any], winners: Sequence[int], ms: float) -> bytes:
    import msgspec

    from tsukimi import analysis

    return msgspec.json.encode(analysis.data(analysis.assemble(pickle.loads(frozen), judged, winners)))


def _read(text: str, ms: float) -> bytes:
    import tsukimi

    return pickle.dumps(tsukimi.replay(text, chance="manual"))


def _balance(game: str, players: int, components: dict[str, Any], ms: float) -> Any:
    from tsukimi.lab.balance import balance

    return balance(game, players, components, ms)


def _check_components(game: str, draft: Draft, lang: str, ms: float) -> CheckedComponents:
    from tsukimi.server.http import component_sets

    return component_sets.check(game, draft, lang)
