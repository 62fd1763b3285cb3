"""What tables hold about a person: to be exported, or to be removed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence

import msgspec

from tsukimi.server.common.account_api import GameData, SaidLine
from tsukimi.server.tables import listing
from tsukimi.server.tables.committed import Unreadable, read_table
from tsukimi.server.tables.registry import Registry
from tsukimi.store import ENDED, Person, Row, Store, Summary
from tsukimi.table import events as e
from tsukimi.table import leaving
from tsukimi.table.errors import TableError

PAGE = 200


async def _tables_of(store: Store, person: str) -> list[str]:
    """Where they sit or sat, running games first, and then those where they wrote in the chat."""
    tables = list[str]()
    for running in (True, False):
        page: list[Summary] | None = None
        offset = 0
        while page is None or len(page) == PAGE:
            page = await store.tables_of(person, running, PAGE, offset)
            tables += [summary.table for summary in page]
            offset += PAGE
    return list(dict.fromkeys([*tables, *await store.spoken_at(person)]))


# ---- exporting -------------------------------------------------------------------------------------


async def data_of(store: Store, person: Person) -> AsyncIterator[GameData | SaidLine]:
    """Tables where the person sits, and lines that they wrote at others."""
    for table in await _tables_of(store, person.id):
        summary, rows = await store.summary(table), await store.read(table)
        if summary is None:
            continue
        chat = [
            SaidLine(table, row.at, event.text)
            for row in rows
            if isinstance(event := _event(row), e.Said) and event.by == person.id
        ]
        if person.id in summary.people:
            yield await asyncio.to_thread(_game, summary, rows, person.id, chat)
        else:
            for line in chat:
                yield line


def _game(summary: Summary, rows: Sequence[Row], person: str, chat: list[SaidLine]) -> GameData:
    record = None
    if summary.status in ENDED:
        try:
            table = read_table(rows)
            record = table.record() if table.state is not None else None
        except (TableError, Unreadable):  # started under rules that are no longer supported, or damaged
            pass
    return GameData(
        table=summary.table,
        game=summary.game,
        seats=[seat for seat, one in enumerate(summary.people) if one == person],
        status=listing.listed(summary).status,
        created=summary.created,
        record=record,
        chat=chat,
    )


def _event(row: Row) -> e.Event | None:
    try:
        event: e.Event = e.decode(row.data)
    except msgspec.DecodeError:
        return None
    return event


# ---- removing --------------------------------------------------------------------------------------


async def forget(registry: Registry, person: Person) -> None:
    """Leave running games, and remove the name and chat lines from all tables: first from what people see, then
    from the logs. Repeating it changes nothing more."""
    for table in await _tables_of(registry.store, person.id):
        try:
            live = await registry.get(table)
        except TableError:  # it can no longer be loaded
            await _forget_in_list(registry.store, table, person.id)
        else:
            await live.submit(lambda table: leaving.forget(table, person.id))
            await registry.unload_if_idle(live)
        await _forget_in_log(registry.store, table, person.id)


async def _forget_in_list(store: Store, table: str, person: str) -> None:
    summary = await store.summary(table)
    if summary is not None and person in summary.people:
        shown = listing.listing_of(summary)
        names = zip(shown.names, summary.people, strict=True)
        shown.names = ["" if one == person else name for name, one in names]
        await store.append(table, [], msgspec.structs.replace(summary, listing=msgspec.json.encode(shown)))


async def _forget_in_log(store: Store, table: str, person: str) -> None:
    changed = list[Row]()
    seats: dict[int, str] = {}
    for row in await store.read(table):
        event = _event(row)
        if isinstance(event, e.Sat):
            seats[event.seat] = event.person
        after = None if event is None else _without_name(event, person, seats)
        if after is not None and after != event:
            changed.append(row._replace(data=e.encode(after)))
    if changed:
        await store.rewrite(table, changed)


def _without_name(event: e.Event, person: str, seats: Mapping[int, str]) -> e.Event:
    if isinstance(event, e.Sat) and event.person == person:
        return msgspec.structs.replace(event, name="", handle="")
    if isinstance(event, e.Renamed) and seats.get(event.seat) == person:
        return msgspec.structs.replace(event, name="")
    if isinstance(event, e.Said) and event.by == person:
        return msgspec.structs.replace(event, name="", handle="", text="")
    if isinstance(event, e.Back) and event.by == person:
        return msgspec.structs.replace(event, handle="")
    return event
