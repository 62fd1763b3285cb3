"""How a table is created: opened by a person, or as a rematch."""

from __future__ import annotations

import contextlib
import hmac
import secrets
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from tsukimi.core.lesson import lesson as lesson_of
from tsukimi.games import spec
from tsukimi.server.common import api
from tsukimi.server.common.networks import Networks
from tsukimi.server.tables import listing
from tsukimi.server.tables.clock import clock
from tsukimi.server.tables.fitting import fitted, shown
from tsukimi.server.tables.live_table import LiveTable
from tsukimi.server.tables.scheduler import STAND_IN
from tsukimi.store import Conflict, Opening, Person, Row, Store
from tsukimi.table import commands, matching
from tsukimi.table import events as e
from tsukimi.table.errors import TableError
from tsukimi.table.pending import successor
from tsukimi.table.settings import Settings
from tsukimi.table.table import Table

Create = Callable[[api.NewTable, Person, str, Table], Awaitable[str]]


async def create(
    store: Store,
    networks: Networks,
    wanted: api.NewTable,
    person: Person,
    id: str = "",
    match: bool = False,
    opening: Opening | None = None,
    again: Table | None = None,
    lesson: bool = False,
) -> Table:
    """A new table, with the creator (and bots, and the names of pass and play) in its seats; in a rematch of another
    table, in those that they had there."""
    now, events = clock(), list[e.Event]()
    table = Table()

    def add(more: list[e.Event]) -> None:
        nonlocal table
        table, complete = successor(table, more, now)
        events.extend(complete)

    fit = partial(fitted, store, person.id, wanted.game, wanted.players)
    local = wanted.names is not None
    add(
        commands.open_table(
            id or new_id(),
            person.id,
            wanted.game,
            wanted.players,
            wanted.options,
            wanted.settings,
            wanted.components,
            local,
            match,
            lesson,
        )
    )
    if match:
        add(matching.join(table, person.id, person.handle, person.name))
    elif again is None:
        for name in wanted.names if wanted.names is not None else [wanted.name or person.name]:
            add(commands.sit(table, person.id, person.handle, name, None, ""))
    for seat, one in enumerate(again.seats if again is not None else ()):
        if one.person == person.id:
            add(commands.sit(table, person.id, person.handle, one.name, seat, ""))
        elif one.level:
            level = shown(one.level)
            if not networks.plays(level, table.game, table.players, table.options, wanted.components):
                level = STAND_IN
            add(commands.bot(table, person.id, await fit(level), seat, name=one.name))
    for seat, level in zip(reversed(range(wanted.players)), reversed(wanted.bots), strict=False):
        networks.require(level, table.game, table.players, table.options, wanted.components)
        add(commands.bot(table, person.id, await fit(level), seat))
    if wanted.start:
        add(commands.start(table, person.id))
    await write(store, table, events, now, opening)
    return table


async def write(store: Store, table: Table, events: Sequence[e.Event], now: int, opening: Opening | None) -> None:
    """Store a new table: the first rows of its log."""
    rows = [Row(seq, now, e.encode(event)) for seq, event in enumerate(events)]
    summary = listing.summarize(table)
    if opening is None:
        await store.create(summary, rows)
    else:
        await store.create_for(opening, summary, rows)


def lesson_table(game: str) -> api.NewTable:
    """The table of a game's lesson: the learner in the first seat, novices in the others."""
    found = lesson_of(spec(game))
    if found is None:
        raise TableError("no-lesson", 404, game=game)
    return api.NewTable(
        game=game,
        players=found.players,
        options=dict(found.options),
        settings=Settings(spectators="closed", hints=True),
        bots=["novice"] * (found.players - 1),
        start=True,
    )


async def rematch(create: Create, live: LiveTable, person: Person, key: str) -> str:
    """The same game again at another table, with a seat for everyone; whoever asks second finds it."""
    table = live.table
    if not table.ended:
        raise TableError("table-not-ended")
    if table.rematch is not None:
        return table.rematch
    names = [seat.name for seat in table.seats if seat.person == person.id]
    if not names:
        raise TableError("table-not-seated", status=403)
    wanted = api.NewTable(
        game=table.game,
        players=table.players,
        options={**table.options},
        settings=table.settings,
        names=names if table.local else None,
        components=table.opened.components,
    )
    other = _rematch_id(table)
    with contextlib.suppress(Conflict):  # someone else asked at the same moment, and already sits there
        await create(wanted, person, other, table)
    await live.submit(lambda now: [] if now.rematch else commands.rematch(now, person.id, other, key))
    return live.table.rematch or other


def new_id() -> str:
    """An id that nobody can guess."""
    return secrets.token_urlsafe(12).replace("-", "x").replace("_", "y")


def _rematch_id(table: Table) -> str:
    """The same whoever asks, and hard to guess until the secret is revealed."""
    return hmac.digest(bytes.fromhex(table.opened.secret), b"rematch", "sha256").hex()[:24]
