"""A table loaded in this worker: the committed table with its presence, its scheduler and its broadcaster."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Protocol

from tsukimi.server import messages
from tsukimi.server.tables.broadcaster import Broadcaster, viewpoint
from tsukimi.server.tables.committed import CommittedTable, Decide, read_table
from tsukimi.server.tables.encoder import chat_line, table_info
from tsukimi.server.tables.presence import Presence, Viewer
from tsukimi.server.tables.scheduler import Chooser, Scheduler
from tsukimi.store import Store
from tsukimi.table import commands
from tsukimi.table import events as e
from tsukimi.table.table import Table

COMING_AND_GOING = {e.Sat, e.Left, e.Hosted}  # after these, the set of people who belong here changes
UNLOAD_MARGIN = 120_000  # ms before something is due, in which a table is not unloaded


class Owner(Protocol):
    """What the live table reports to its owner."""

    def committed(self, live: LiveTable, events: Sequence[e.Event]) -> None: ...
    def presence_changed(self, live: LiveTable) -> None: ...
    def lost(self, live: LiveTable) -> None:
        """The store could not say what is durable: the table must be reloaded."""


class LiveTable:
    def __init__(self, store: Store, table: Table, shared: bool, bots: Chooser, owner: Owner) -> None:
        self.ratings: list[float | None] = []
        self.presence = Presence()
        self.used = time.monotonic()
        self._store, self._owner = store, owner
        self._committed = CommittedTable(store, table, shared, self._on_commit)
        self._thinking: set[int] = set()
        self._broadcaster = Broadcaster(self.presence, self.info, self._thinking, self._committed.now)
        self._scheduler = Scheduler(
            lambda: self.table,
            self.presence,
            bots,
            self.submit,
            self._thinking,
            self.broadcast_info,
            self._committed.now,
        )
        self.presence.update_absences(table, self._committed.now())

    @property
    def table(self) -> Table:
        """What is committed; never changed."""
        return self._committed.table

    @property
    def id(self) -> str:
        return self.table.id

    def info(self, table: Table | None = None) -> messages.TableInfo:
        """The table's public state."""
        return table_info(
            table or self.table,
            self.presence.people(),
            self.presence.spectators(),
            self._thinking,
            self.ratings,
        )

    def chat(self) -> list[messages.ChatLine]:
        return [chat_line(*line) for line in self.table.chat]

    # ---- changes --------------------------------------------------------------------------------

    async def submit(self, decide: Decide, person: str = "", key: str = "") -> None:
        """Execute a command: when this returns, it is durable and everyone has been sent what it changed."""
        try:
            await self._committed.submit(decide, person, key)
        finally:
            if self._committed.closed:
                self._owner.lost(self)

    async def catch_up(self) -> None:
        """Read what other workers have appended."""
        await self._committed.catch_up()

    def _on_commit(self, before: Table, after: Table, events: Sequence[e.Event]) -> None:
        self.used = time.monotonic()
        if any(type(event) in COMING_AND_GOING for event in events):
            self.presence.update_absences(after, self._committed.now())
        self._owner.committed(self, events)
        self._broadcaster.committed(before, after, events)
        self._scheduler.wake()

    def broadcast_info(self) -> None:
        """Something about the table changed that is not in its log: presence, ratings, thinking bots."""
        self._broadcaster.table_changed(self.table)

    # ---- viewers --------------------------------------------------------------------------------

    async def greet(self, viewer: Viewer, hello: messages.Hello) -> None:
        """Send everything to a viewer that says hello, and all changes from then on."""
        table = self.table
        viewer.viewpoint = viewpoint(table, viewer.person.id, hello.look, viewer.viewpoint)
        if viewer.viewpoint is None and table.settings.spectators == "delayed" and table.running:
            await self._greet_delayed(viewer)
        else:
            seen = hello.seen if table.state is not None and 0 <= hello.seen <= len(table.events) else 0
            viewer.cancel_later()
            self._broadcaster.welcome(viewer, table, seen)
        first, viewer.greeted = not viewer.greeted, True
        if first:
            self.presence_changed()
        if self.table.running and commands.come_back(self.table, viewer.person.id):
            await self.submit(lambda table: commands.come_back(table, viewer.person.id))

    async def _greet_delayed(self, viewer: Viewer) -> None:
        """The table as it was a while ago; the steps since then follow, each at its time."""
        until = self._committed.now() - 1000 * self.table.settings.delay
        rows = await self._store.read(self.id)
        early = [row for row in rows if row.at <= until or row.seq == 0]
        viewer.cancel_later()
        if self.table.ended:  # meanwhile: nothing is secret any more
            self._broadcaster.welcome(viewer, self.table, 0)
        else:
            self._broadcaster.welcome(viewer, read_table(early), 0)
            self._broadcaster.send_missed(viewer, self.table, until)

    def join(self, viewer: Viewer) -> None:
        self.presence.viewers.add(viewer)

    def leave(self, viewer: Viewer) -> None:
        self.presence.viewers.discard(viewer)
        if viewer.greeted:
            self.presence_changed()

    def presence_changed(self) -> None:
        """Someone connected to this worker or left it."""
        self._owner.presence_changed(self)
        self.update_presence()

    def update_presence(self) -> None:
        """Someone came or went, here or elsewhere."""
        self.presence.update_absences(self.table, self._committed.now())
        self.broadcast_info()
        self._scheduler.wake()

    # ---- loaded and unloaded --------------------------------------------------------------------

    @property
    def leased(self) -> bool:
        """Whether this worker does what the table does automatically."""
        return self._scheduler.active

    @leased.setter
    def leased(self, on: bool) -> None:
        if on != self._scheduler.active:
            self._scheduler.active = on
            self._scheduler.wake()

    @property
    def idle(self) -> bool:
        """Whether nobody is here and nothing is due soon."""
        if self.presence.viewers or self._committed.busy:
            return False
        return self._scheduler.idle(self._committed.now() + UNLOAD_MARGIN)

    def close(self, code: int | None = None) -> list[asyncio.Task[None]]:
        """Unload; the log has everything. With a code, the connections are closed too. The tasks are about to end."""
        self._committed.closed = True
        if code is not None:
            for viewer in list(self.presence.viewers):
                viewer.close(code)
        return self._scheduler.close()
