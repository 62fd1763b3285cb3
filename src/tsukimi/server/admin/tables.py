"""Tables, viewed and changed from outside: through their log, whether or not a server has them loaded.

A running server picks up what was appended here by following the audit log.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

from tsukimi.server.admin.views import QuarantineView, TableDetails, TableView
from tsukimi.server.common.errors import ServerError, not_found
from tsukimi.server.tables import listing
from tsukimi.server.tables.clock import clock
from tsukimi.server.tables.committed import Unreadable, read_table
from tsukimi.server.tables.encoder import chat_line
from tsukimi.store import QUARANTINED, Conflict, Row, Store
from tsukimi.store.moderation import ReportedLine
from tsukimi.table import events as e
from tsukimi.table import moderation
from tsukimi.table.errors import TableError
from tsukimi.table.pending import successor
from tsukimi.table.table import Table

ATTEMPTS = 10


async def view(store: Store, table: str) -> TableView:
    summary = await store.summary(table)
    if summary is None:
        raise not_found()
    people = [await store.person(person) if person is not None else None for person in summary.people]
    return TableView(
        id=summary.table,
        game=summary.game,
        status=summary.status,
        public=summary.public,
        created=summary.created,
        updated=summary.updated,
        names=listing.listing_of(summary).names,
        people=[person.handle if person is not None else None for person in people],
    )


async def show(store: Store, table: str) -> TableDetails:
    shown = await view(store, table)
    rows = await store.read(table)
    chat: list[ReportedLine] = []
    if shown.status != QUARANTINED:
        found = await _read(rows)
        lines = [chat_line(*line) for line in found.chat]
        chat = [ReportedLine(line.number, line.at, line.who, line.name, line.text) for line in lines]
    return TableDetails(shown, len(rows), chat)


async def close(store: Store, table: str) -> None:
    await _change(store, table, moderation.close)


async def rename(store: Store, table: str, person: str, name: str) -> bool:
    """Whether there was a seat with another name."""
    return await _change(store, table, lambda found: moderation.rename(found, person, name))


async def _change(store: Store, table: str, decide: Callable[[Table], list[e.Event]]) -> bool:
    """Append the events decided for a command, and the table's new summary."""
    for _ in range(ATTEMPTS):
        rows = await store.read(table)
        if not rows:
            raise not_found()
        found = await _read(rows)
        events = decide(found)
        if not events:
            return False
        now = max(clock(), found.at)
        pending, complete = successor(found, events, now)
        new = [Row(len(rows) + number, now, e.encode(event)) for number, event in enumerate(complete)]
        try:
            await store.append(table, new, listing.summarize(pending))
            return True
        except Conflict:  # someone moved meanwhile
            continue
    raise ServerError("server-conflict", 409)


async def _read(rows: list[Row]) -> Table:
    try:
        return await asyncio.to_thread(read_table, rows)
    except Unreadable as problem:
        raise TableError("table-unreadable", status=410) from problem


# ---- the quarantine --------------------------------------------------------------------------------


async def quarantined(store: Store) -> list[QuarantineView]:
    return [QuarantineView(*table) for table in await store.quarantined()]


async def retry(store: Store, table: str, at: int, by: str) -> None:
    """Resume a quarantined table if its log can be read now; if not, say why."""
    await _require_quarantined(store, table)
    try:
        found = await asyncio.to_thread(read_table, await store.read(table))
    except Unreadable as problem:
        raise ServerError("server-table-still-unreadable", 409, row=problem.row, problem=problem.reason) from problem
    await store.append(table, [], listing.summarize(found))
    await store.record_action(at, by, "retry", f"table {table}")


async def export(store: Store, table: str) -> str:
    """The log as JSON lines. Data that is not text is in hexadecimal."""
    if await store.summary(table) is None:
        raise not_found()
    return "".join(json.dumps(_exported(row), ensure_ascii=False) + "\n" for row in await store.read(table))


def _exported(row: Row) -> dict[str, object]:
    try:
        return {"seq": row.seq, "at": row.at, "data": row.data.decode()}
    except UnicodeDecodeError:
        return {"seq": row.seq, "at": row.at, "hex": row.data.hex()}


async def drop(store: Store, table: str, at: int, by: str) -> None:
    await _require_quarantined(store, table)
    await store.drop_table(table, at, by)


async def _require_quarantined(store: Store, table: str) -> None:
    summary = await store.summary(table)
    if summary is None:
        raise not_found()
    if summary.status != QUARANTINED:
        raise ServerError("server-table-running", 409)
