"""The committed table, and the only way to change it: a command is decided, its events are appended to the log, and
only then does the table with these events replace the previous one. Readers see only what is durable."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence

from tsukimi.core.errors import TsukimiError
from tsukimi.server.tables import listing, ratings
from tsukimi.server.tables.clock import clock
from tsukimi.store import Conflict, RatingChanges, Row, StaleRatings, Store, Summary, Unavailable
from tsukimi.table import events as e
from tsukimi.table.errors import OldRules, TableError
from tsukimi.table.pending import successor
from tsukimi.table.table import Table
from tsukimi.table.transitions import apply

ATTEMPTS = 5

_log = logging.getLogger("tsukimi.tables")

Decide = Callable[[Table], list[e.Event]]
Listener = Callable[[Table, Table, Sequence[e.Event]], None]
"""Called with the table before, the table after, and the events in between; no events: everything was read again."""


class Unreadable(Exception):
    """A log that cannot be read from a certain row on: damaged, or with rules or events of another version."""

    def __init__(self, row: int, problem: Exception) -> None:
        super().__init__(f"row {row}: {type(problem).__name__}")
        self.row, self.problem = row, problem

    @property
    def reason(self) -> str:
        """For the host; not for the server's log, since it may quote what was played."""
        return f"{type(self.problem).__name__}: {self.problem}"[:300]


def read_table(rows: Sequence[Row]) -> Table:
    """The table for a log; `Unreadable` or `OldRules`."""
    table = Table()
    read_rows(table, rows)
    return table


def read_rows(table: Table, rows: Sequence[Row]) -> list[e.Event]:
    """Change a table by more rows of its log; returns their events."""
    events = []
    for row in rows:
        try:
            event = e.decode(row.data)
            apply(table, event, row.at)
        except OldRules:
            raise
        except Exception as problem:
            raise Unreadable(row.seq, problem) from problem
        events.append(event)
    return events


class CommittedTable:
    def __init__(self, store: Store, table: Table, shared: bool, listener: Listener) -> None:
        self.table = table
        """Never changed: replaced."""
        self.closed = False
        """Whether nothing is accepted any more: unloaded, or the store could not say what is durable."""
        self._ahead = 0
        self._store, self._shared, self._listener = store, shared, listener
        self._lock = asyncio.Lock()
        self._summary: tuple[object, ...] = ()

    @property
    def busy(self) -> bool:
        return self._lock.locked()

    def now(self) -> int:
        """The time at this table: never before its last event, whatever the clock of the process that wrote it."""
        now = clock()
        self._ahead = max(self._ahead, self.table.at - now)
        return now + self._ahead

    async def submit(self, decide: Decide, person: str = "", key: str = "") -> None:
        """Execute a command; one that was accepted before is not executed again. Refusals are raised."""
        async with self._lock:
            for _ in range(ATTEMPTS):
                if self.closed:
                    raise Unavailable
                if self.table.accepted(person, key):
                    return
                try:
                    events = decide(self.table)
                except TsukimiError:
                    # Nobody is refused because of what another worker has changed since.
                    if self._shared and await self._read_on():
                        continue
                    raise
                if not events:
                    return
                try:
                    await self._commit(events)
                except Conflict:  # another worker was faster: decide again on what it wrote
                    if not await self._read_on():
                        await self._read_again()
                else:
                    return
            raise TableError("table-busy", status=503)

    async def _commit(self, events: list[e.Event]) -> None:
        before = self.table
        now = self.now()
        pending, complete = successor(before, events, now)
        if pending.changes_ratings and not before.ended:
            await self._commit_rated(pending, complete, now)
        else:
            await self._append(pending, complete, now)

    async def _commit_rated(self, ended: Table, events: list[e.Event], now: int) -> None:
        """The end of a game and the resulting ratings, all or nothing."""
        for _ in range(ATTEMPTS):
            changes, event = await ratings.changes(self._store, ended)
            pending, [rated] = successor(ended, [event], now)
            try:
                return await self._append(pending, [*events, rated], now, changes)
            except StaleRatings:  # another game of one of them ended at the same moment
                continue
        raise TableError("table-busy", status=503)

    async def _append(
        self, pending: Table, complete: list[e.Event], now: int, changes: RatingChanges | None = None
    ) -> None:
        before = self.table
        rows = [Row(before.rows + number, now, e.encode(event)) for number, event in enumerate(complete)]
        try:
            await self._store.append(before.id, rows, self._new_summary(pending, complete), changes)
        except Conflict:
            self._summary = ()
            raise
        except BaseException:  # it is not known whether the events are durable
            self._summary = ()
            await self._recover()
            raise
        self._replace(pending, complete)

    def _replace(self, table: Table, events: Sequence[e.Event]) -> None:
        before, self.table = self.table, table
        try:
            self._listener(before, table, events)
        except Exception:  # durable, but not everyone received it: they reconnect, to a freshly loaded table
            _log.exception("a change could not be broadcast")
            self.closed = True

    async def _recover(self) -> None:
        try:
            await self._read_on()
        except Exception:
            self.closed = True

    async def catch_up(self) -> None:
        """Read what other workers have appended."""
        async with self._lock:
            await self._read_on()

    async def _read_on(self) -> bool:
        """Whether there was anything."""
        if self.closed:
            return False
        rows = await self._store.read(self.table.id, self.table.rows)
        if not rows:
            return False
        table = self.table.copy()
        events = read_rows(table, rows)
        self._summary = ()
        self._replace(table, events)
        return True

    async def _read_again(self) -> None:
        """The log is not the one we know (a backup was restored, for instance): start with what is there."""
        self._summary = ()
        try:
            self._replace(read_table(await self._store.read(self.table.id)), ())
        except BaseException:
            self.closed = True
            raise

    def _new_summary(self, table: Table, events: Sequence[e.Event]) -> Summary | None:
        """The table's summary if it differs from the stored one."""
        known = self._summary
        live = table.status == "playing" and table.settings.clock.kind == "live"
        if known and live and all(type(event) is e.Moved for event in events):  # none of these appear in a summary
            return None
        summary = listing.summarize(table)
        self._summary = (summary.status, summary.due, summary.people, summary.listing)
        return summary if self._summary != known else None
