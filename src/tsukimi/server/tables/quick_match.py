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
    mine = [summary for summary in waiting if person.id in summary.people]
    suitable = [
        summary for summary in waiting if summary.players == players and (summary in mine or None in summary.people)
    ]
    for best in sorted(
        suitable,
        key=lambda summary: (
            summary not in mine or None in summary.people,
            summary.people.count(None),
            summary.created,
            summary.table,
        ),
    ):
        if best not in mine:
            try:
                live = await registry.get(best.table)
                await live.submit(lambda table: matching.join(table, person.id, person.handle, person.name))
            except (TableError, Conflict):
                continue
        await _leave(registry, person, [summary for summary in mine if summary is not best])
        return best.table
    await _leave(registry, person, mine)
    return await create(api.NewTable(game=game, players=players, settings=SETTINGS), person)


async def _leave(registry: Registry, person: Person, tables: list[Summary]) -> None:
    for summary in tables:
        with contextlib.suppress(TableError, Conflict):  # it has started, or the seat is already lost
            live = await registry.get(summary.table)
            await live.submit(lambda table: commands.stand(table, person.id) if table.status == "open" else [])
