"""Quick match: a seat with others who want the same game, at tables made only for this."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable

import tsukimi
from tsukimi.server.common import api
from tsukimi.server.tables.listing import MATCHING
from tsukimi.server.tables.registry import Registry
from tsukimi.store import Conflict, Person, Summary
from tsukimi.table import commands, matching
from tsukimi.table.errors import TableError
from tsukimi.table.settings import Clock, Settings

Create = Callable[[api.NewTable, Person], Awaitable[str]]
SETTINGS = Settings(public=True, clock=Clock("live", 300, 20), rated=True)


async def find(registry: Registry, create: Create, person: Person, game: str, players: int) -> str:
    """The table where the person waits now. Repeated, it may be another one where more people are waiting."""
    if game not in tsukimi.games():
        raise TableError("table-no-game", status=404, game=game[:40])
    waiting = await registry.store.list_tables(MATCHING, SETTINGS.public, game)
    mine = [one for one in waiting if person.id in one.people]
    suitable = [one for one in waiting if one.players == players and (one in mine or None in one.people)]
    for found in sorted(
        suitable,
        key=lambda one: (one not in mine or None in one.people, one.people.count(None), one.created, one.table),
    ):
        if found not in mine:
            try:
                live = await registry.get(found.table)
                await live.submit(lambda table: matching.join(table, person.id, person.handle, person.name))
            except (TableError, Conflict):
                continue
        await _leave(registry, person, [one for one in mine if one is not found])
        return found.table
    await _leave(registry, person, mine)
    return await create(api.NewTable(game=game, players=players, settings=SETTINGS), person)


async def _leave(registry: Registry, person: Person, tables: list[Summary]) -> None:
    for one in tables:
        with contextlib.suppress(TableError, Conflict):  # it has started, or the seat is already lost
            live = await registry.get(one.table)
            await live.submit(lambda table: commands.stand(table, person.id) if table.status == "open" else [])
