"""The tables loaded in this worker: loaded when someone connects or something is due, unloaded when idle."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import socket
import time
from collections.abc import Callable, Coroutine, Sequence
from functools import cache
from typing import Any

from tsukimi.bus import Bus
from tsukimi.server.common.errors import ServerError
from tsukimi.server.common.networks import Networks
from tsukimi.server.config import Config
from tsukimi.server.monitoring import logs
from tsukimi.server.monitoring.metrics import Metrics
from tsukimi.server.tables import fitting, ratings
from tsukimi.server.tables.bot_pool import BotPool
from tsukimi.server.tables.clock import clock
from tsukimi.server.tables.committed import Unreadable, read_table
from tsukimi.server.tables.expiry import Expiry
from tsukimi.server.tables.live_table import LiveTable
from tsukimi.server.tables.peers import News, Peers
from tsukimi.store import ENDED, Row, Store, Unavailable
from tsukimi.table import events as e
from tsukimi.table.errors import OldRules, TableError
from tsukimi.table.table import Table

LEASE = 1.5  # how long nobody runs the tables of a crashed worker
TICK = 0.5
ANNOUNCED_EVERY = 4.0  # who is connected here, to other workers
SILENT_AFTER = 12.0  # a worker that announces nothing for this long is gone, and so is everyone who was connected to it
UNLOAD_AFTER = 60.0
DUE_AT_ONCE = 200  # tables loaded in one tick
STOPPED_WITHIN = 5.0
GOING_AWAY = 1012
RATINGS_SHOWN = {e.Sat, e.Rated}  # the ratings at the seats change after these
ENDING = {e.Moved, e.Resigned}

_log = logging.getLogger("tsukimi.tables")


class Registry:
    def __init__(self, store: Store, bus: Bus, config: Config, metrics: Metrics, networks: Networks) -> None:
        self.store = store
        processes = config.bot_processes or max(1, (os.cpu_count() or 2) - 1)
        self.bots = BotPool(processes, config.bot_ms, metrics.bot_wait.observe, networks)
        self.stopping = False
        self.worker = f"{os.getpid()}-{secrets.token_hex(4)}"
        self._leaseholder = f"{socket.gethostname()}:{config.port}" if config.port else self.worker
        """The same after a restart, so that a crashed worker does not wait for its own leases to expire."""
        self._shared = bool(config.bus)
        """Whether other workers serve the same tables."""
        self._peers = Peers(bus, self.worker, self._shared)
        self._expiry = Expiry(store, config, metrics)
        self._live: dict[str, LiveTable] = {}
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self._unsubscribe: dict[str, Callable[[], None]] = {}
        self._behind: set[str] = set()
        """Tables whose log has grown but could not be read."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._renewed = self._announced = 0.0
        self._moves, self._quarantined = cache(metrics.moves.labels), metrics.quarantined
        metrics.tables.set_function(lambda: len(self._live))
        metrics.connections.set_function(self.connections)
        metrics.bots.set_function(lambda: self.bots.thinking)
        metrics.bot_queue.set_function(lambda: self.bots.waiting)

    def connections(self) -> int:
        return sum(len(live.presence.viewers) for live in self._live.values())

    def loaded(self) -> list[LiveTable]:
        return list(self._live.values())

    async def start(self) -> None:
        self.bots.start()
        with contextlib.suppress(Unavailable):
            await self.store.release(self._leaseholder)
        self._spawn(self._housekeeping())

    async def stop(self) -> None:
        """Close all sockets and unload all tables; their logs have everything."""
        self.stopping = True
        tasks = [*self._tasks, *self._loading.values()]
        for task in tasks:
            task.cancel()
        for live in self.loaded():
            tasks += live.close(GOING_AWAY)
        self.bots.close()
        if tasks:  # before the store and the bus that they use are closed
            await asyncio.wait(tasks, timeout=STOPPED_WITHIN)
        try:
            await self.store.release(self._leaseholder)
        except Unavailable:
            _log.warning("leases could not be released")

    # ---- loading and unloading -------------------------------------------------------------------

    async def get(self, table: str) -> LiveTable:
        """The live table, loaded if it is not."""
        if self.stopping:
            raise Unavailable("the server is stopping")
        found = self._live.get(table)
        if found is not None:
            return found
        loading = self._loading.get(table)
        if loading is None:
            loading = self._loading[table] = asyncio.create_task(self._load(table))
            loading.add_done_callback(lambda _: self._loading.pop(table, None))
        try:
            return await asyncio.shield(loading)
        except asyncio.CancelledError:
            if loading.cancelled():  # not the caller waiting here
                raise Unavailable("loading was interrupted") from None
            raise

    async def _load(self, table: str) -> LiveTable:
        live: LiveTable | None = None
        missed = False

        def receive(news: News | None) -> None:
            nonlocal missed
            if live is None:
                missed = True
            else:
                self._receive(live, news)

        unsubscribe = self._peers.subscribe(table, receive)
        try:
            rows = await self.store.read(table)
            if not rows:
                raise TableError("table-unknown", status=404)
            live = LiveTable(self.store, await self._read(table, rows), self._shared, self.bots, self)
            leased = await self._lease([table])
            live.ratings = await ratings.ratings_of(self.store, live.table)
            while missed:
                missed = False
                await live.catch_up()
        except BaseException:
            unsubscribe()
            raise
        self._live[table], self._unsubscribe[table] = live, unsubscribe
        self._peers.ask_presence(table)
        live.leased = bool(leased)
        return live

    async def _read(self, table: str, rows: Sequence[Row]) -> Table:
        """The table for a log. One that cannot be read, or was started under other rules, is closed; the others continue."""
        try:
            return read_table(rows)
        except OldRules:
            summary = await self.store.summary(table)
            if summary is not None and summary.status not in ENDED:
                await self.store.close_table(table, "aborted")
            raise
        except Unreadable as problem:
            await self._quarantine(table, problem)
            raise TableError("table-unreadable", status=410) from problem

    async def _quarantine(self, table: str, problem: Unreadable) -> None:
        if await self.store.quarantine(table, problem.row, problem.reason, clock()):
            self._quarantined.inc()
            named = logs.fields(row=problem.row, problem=type(problem.problem).__name__)
            _log.error("a table is quarantined: its log cannot be read", extra=named)

    def _unload(self, live: LiveTable, code: int | None = None) -> None:
        live.close(code)
        if self._live.get(live.id) is live:
            del self._live[live.id]
            self._unsubscribe.pop(live.id)()

    async def unload_if_idle(self, live: LiveTable) -> None:
        """For callers that needed a table for just one command."""
        if live.idle and self._live.get(live.id) is live:
            self._unload(live)
            await self.store.release(self._leaseholder, [live.id])

    async def _lease(self, tables: Sequence[str]) -> set[str]:
        now = clock()
        return await self.store.lease(tables, self._leaseholder, now, now + int(1000 * LEASE))

    # ---- what live tables report -----------------------------------------------------------------

    def committed(self, live: LiveTable, events: Sequence[e.Event]) -> None:
        moves = sum(type(event) is e.Moved for event in events)
        if moves:
            self._moves(live.table.game).inc(moves)
        self._peers.publish_rows(live)
        if any(type(event) in RATINGS_SHOWN for event in events):
            self._spawn(self._show_ratings(live))
        # Every worker that has loaded the table gets here: one of them has the lease.
        if live.leased and live.table.status == "over" and any(type(event) in ENDING for event in events):
            self._spawn(self._fit_bots(live))

    def presence_changed(self, live: LiveTable) -> None:
        self._peers.publish_presence(live)

    def lost(self, live: LiveTable) -> None:
        """The connections come back by themselves, to a freshly loaded table."""
        self._unload(live, GOING_AWAY)

    # ---- twice a second -----------------------------------------------------------------------------

    async def _housekeeping(self) -> None:
        while True:
            # In its own task: whatever ends it, the next one comes.
            tick = asyncio.create_task(self._tick())
            try:
                await asyncio.wait((tick,))
            finally:
                tick.cancel()
                await asyncio.wait((tick,))
            await asyncio.sleep(TICK)

    async def _tick(self) -> None:
        for live in self.loaded():
            live.presence.close_silent(time.monotonic())
        try:
            await self._load_due()
            await self._poll()
            if time.monotonic() - self._renewed > LEASE / 3:
                await self._renew_leases()
                self._renewed = time.monotonic()
                await self._unload_idle()
            if time.monotonic() - self._announced > ANNOUNCED_EVERY:
                self._announced = time.monotonic()
                self._announce_presence()
            await self._expiry.run(self)
        except Unavailable:  # reported where it happened
            pass
        except Exception:
            _log.exception("housekeeping failed")

    async def _load_due(self) -> None:
        """Most urgent first. Tables in memory handle what is due by themselves, and may all be among those found."""
        due = await self.store.due_tables(clock(), len(self._live) + DUE_AT_ONCE)
        missing = [table for table in due if table not in self._live][:DUE_AT_ONCE]
        leased = await self._lease(missing) if missing else set()
        await asyncio.gather(*(self._load_one(table) for table in missing if table in leased))

    async def _load_one(self, table: str) -> None:
        """One that cannot be loaded does not block the others."""
        try:
            await self.get(table)
        except Unavailable:
            pass
        except TableError as problem:
            _log.warning("a table that is due cannot be loaded", extra=logs.fields(problem=problem.code))
        except Exception:
            _log.exception("a table that is due cannot be loaded")

    async def _renew_leases(self) -> None:
        held = await self._lease(list(self._live))
        for live in self.loaded():
            if live.id in held and not live.leased:
                await self._catch_up(live)
            if self._live.get(live.id) is live:  # not unloaded meanwhile
                live.leased = live.id in held

    def _announce_presence(self) -> None:
        """Anyone who was connected to a worker that has gone silent is no longer here."""
        silent = self._peers.silent_workers(SILENT_AFTER)
        for live in self.loaded():
            self._peers.publish_presence(live)
            if silent and live.presence.forget_workers(silent):
                live.update_presence()

    async def _unload_idle(self) -> None:
        before = time.monotonic() - UNLOAD_AFTER
        idle = [live for live in self.loaded() if live.used < before and live.idle]
        for live in idle:
            self._unload(live)
        if idle:
            await self.store.release(self._leaseholder, [live.id for live in idle])

    # ---- other workers ---------------------------------------------------------------------------

    def _receive(self, live: LiveTable, news: News | None) -> None:
        if news is None or news.rows > live.table.rows:
            self._spawn(self._catch_up(live))
        if news is None:
            return
        if news.people is not None:
            if live.presence.set_elsewhere(news.worker, frozenset(news.people), news.spectators):
                live.update_presence()
        elif not news.rows:
            self._peers.publish_presence(live)

    def log_changed(self, table: str) -> None:
        live = self._live.get(table)
        if live is not None:
            self._spawn(self._catch_up(live))

    async def _poll(self) -> None:
        """Ask the store which logs have grown: of all tables while the bus is down, else of those that could not be
        read when there was news."""
        tables = [*self._live] if not self._peers.reachable else [*self._behind]
        lengths = await self.store.log_lengths(tables) if tables else {}
        for table, length in lengths.items():
            live = self._live.get(table)
            if live is not None and length > live.table.rows:
                await self._catch_up(live)
            else:
                self._behind.discard(table)

    async def _catch_up(self, live: LiveTable) -> None:
        self._behind.add(live.id)  # until it has been read, whatever prevents that
        try:
            await live.catch_up()
        except Unavailable:
            return
        except Unreadable as problem:
            self._unload(live, GOING_AWAY)
            await self._quarantine(live.id, problem)
        self._behind.discard(live.id)

    # ---- ratings -----------------------------------------------------------------------------------

    async def _show_ratings(self, live: LiveTable) -> None:
        try:
            found = await ratings.ratings_of(self.store, live.table)
        except Unavailable:
            _log.warning("ratings could not be read", extra={"table": live.id})
            return
        if found != live.ratings:
            live.ratings = found
            live.broadcast_info()

    async def _fit_bots(self, live: LiveTable) -> None:
        try:
            await fitting.learn(self.store, live.table)
        except (Unavailable, ServerError):  # one game less to learn from
            _log.warning("the result against adaptive bots could not be stored", extra={"table": live.id})

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
