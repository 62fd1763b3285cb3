"""All tables of this process: opened, woken when somebody comes or a clock calls, put to sleep when nobody is there."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import os
import secrets
import time
from typing import Literal

import msgspec

import tsukimi
from tsukimi.bus import Bus
from tsukimi.core.spec import UNDO, Json
from tsukimi.core.state import State
from tsukimi.server import messages
from tsukimi.server.config import Config
from tsukimi.server.garbage import Garbage
from tsukimi.server.http import api
from tsukimi.server.monitoring.metrics import Metrics
from tsukimi.server.sockets.connection import GOING_AWAY
from tsukimi.server.tables import encoder as tell
from tsukimi.server.tables import listing
from tsukimi.server.tables.bot_pool import Pool
from tsukimi.server.tables.clock import clock
from tsukimi.server.tables.live_table import Room
from tsukimi.store import Conflict, Person, Row, Store, Summary, Unavailable
from tsukimi.table import entries as log
from tsukimi.table import wishes
from tsukimi.table.errors import TableError
from tsukimi.table.settings import Clock, Settings
from tsukimi.table.table import Table

LEASE = 12.0
TICK = 1.0
CALM = 0.01  # seconds by which a calm server is late
SLEEP_AFTER = 60.0
PAGE = 20
RATING_TRIES = 10
QUICK = Settings(public=True, clock=Clock("live", 300, 20), rated=True)

_log = logging.getLogger("tsukimi.rooms")


class _Heard(msgspec.Struct, omit_defaults=True):
    """What workers tell each other about a table."""

    worker: str
    rows: int = 0
    people: list[str] | None = None
    looking: int = 0
    changes: list[float | None] | None = None
    """Of the ratings, by seat, after the end."""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Heard).decode


class Rooms:
    def __init__(self, store: Store, bus: Bus, config: Config, metrics: Metrics) -> None:
        self.store, self.bus, self.config = store, bus, config
        self.garbage = Garbage()
        self.worker = f"{os.getpid()}-{secrets.token_hex(4)}"
        self.pool = Pool(config.bot_processes or max(1, (os.cpu_count() or 2) - 1), config.bot_ms)
        self.stopping = False
        self.shared = bool(config.bus)
        """Whether other workers serve the same tables."""
        self._rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._silent: dict[str, object] = {}
        self._news: dict[str, float] = {}
        """When another worker was last heard of."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._lists: tuple[float, list[Summary], list[Summary]] = (0.0, [], [])
        self.metrics = metrics
        metrics.tables.set_function(lambda: len(self._rooms))
        metrics.connections.set_function(self.connections)
        metrics.bots.set_function(lambda: self.pool.waiting)

    def connections(self) -> int:
        return sum(len(room.connections) for room in self._rooms.values())

    async def start(self) -> None:
        self._spawn(self._tick())

    async def stop(self) -> None:
        """Close all sockets and let go of all tables; their logs have everything."""
        self.stopping = True
        for task in list(self._tasks):
            task.cancel()
        for room in list(self._rooms.values()):
            for connection in list(room.connections):
                connection.close(GOING_AWAY)
            room.close()
        self.pool.close()
        try:
            await self.store.release(self.worker)
        except Unavailable:
            _log.warning("leases could not be given back")

    # ---- rooms ----------------------------------------------------------------------------------

    async def room(self, table: str) -> Room:
        """The table, woken if it sleeps."""
        found = self._rooms.get(table)
        if found is not None:
            return found
        loading = self._loading.get(table)
        if loading is None:
            loading = asyncio.create_task(self._load(table))
            self._loading[table] = loading
            loading.add_done_callback(lambda _: self._loading.pop(table, None))
        return await asyncio.shield(loading)

    async def _load(self, table: str) -> Room:
        topic = f"t:{table}"
        room: Room | None = None
        missed = False

        def hear(message: bytes) -> None:
            nonlocal missed
            if room is None:
                missed = True
            else:
                self._heard(room, message)

        silence = self.bus.subscribe(topic, hear)
        try:
            rows = await self.store.read(table)
            if not rows:
                raise TableError("table-unknown", status=404)
            room = Room(self, Table((row.at, log.decode(row.data)) for row in rows))
            now = clock()
            room.leased = bool(await self.store.lease([table], self.worker, now, now + int(1000 * LEASE)))
            room.ratings = await self._ratings(room.table)
        except BaseException:
            silence()
            raise
        self._rooms[table], self._silent[table] = room, silence
        room.note_absence()
        if missed:
            await room.catch_up()
        self.bus.publish(topic, _encode(_Heard(self.worker)))
        room.attend()
        return room

    def forget(self, room: Room) -> None:
        """Drop a room whose state is not certain; the connections come again by themselves."""
        for connection in list(room.connections):
            connection.close(GOING_AWAY)
        self._drop(room)

    def _drop(self, room: Room) -> None:
        room.close()
        if self._rooms.get(room.id) is room:
            del self._rooms[room.id]
            silence = self._silent.pop(room.id)
            silence()  # type: ignore[operator]

    async def _tick(self) -> None:
        """Once a second: wake tables whose time has come, renew leases, put tables to sleep."""
        renewed = 0.0
        while True:
            due = time.monotonic() + TICK
            await asyncio.sleep(TICK)
            now = time.monotonic()
            self.garbage.tidy(calm=now - due < CALM)
            for room in list(self._rooms.values()):
                for connection in list(room.connections):
                    connection.end_if_silent(now)
            try:
                for table in await self.store.due_tables(clock(), 200):
                    if table not in self._rooms:
                        await self._wake(table)
                if time.monotonic() - renewed > LEASE / 3:
                    renewed = time.monotonic()
                    await self._renew()
                    await self._sleepers()
            except Unavailable:
                _log.warning("the store is not there")
            except Exception:
                _log.exception("housekeeping failed")

    async def _wake(self, table: str) -> None:
        """Only the worker that gets the lease wakes a table that nobody is at."""
        now = clock()
        if await self.store.lease([table], self.worker, now, now + int(1000 * LEASE)):
            try:
                await self.room(table)
            except TableError:
                _log.warning("a table that should wake is not there")

    async def _renew(self) -> None:
        now = clock()
        held = await self.store.lease(list(self._rooms), self.worker, now, now + int(1000 * LEASE))
        for room in list(self._rooms.values()):
            if room.id in held and not room.leased:
                await room.catch_up()
                room.leased = not room.closed
                room.attend()
            room.leased = room.leased and room.id in held
            self.announce(room)
        self._forget_workers()

    def _forget_workers(self) -> None:
        """Whoever was connected at a worker that says nothing any more is not here."""
        now = time.monotonic()
        if not self.bus.healthy:  # it is we who hear nothing
            self._news = dict.fromkeys(self._news, now)
        silent = {worker for worker, at in self._news.items() if now - at > LEASE}
        for worker in silent:
            del self._news[worker]
        for room in list(self._rooms.values()):
            if silent & room.elsewhere.keys():
                room.elsewhere = {worker: who for worker, who in room.elsewhere.items() if worker not in silent}
                room.note_absence()
                room.tell_table()
                room.attend()

    async def _sleepers(self) -> None:
        idle = [room for room in self._rooms.values() if room.idle and time.monotonic() - room.used > SLEEP_AFTER]
        for room in idle:
            self._drop(room)
        if idle:
            await self.store.release(self.worker, [room.id for room in idle])

    # ---- between workers --------------------------------------------------------------------------

    def heard_of(self, room: Room) -> None:
        """After every append at a table of several workers, or of a game that has ended: the others may read on, and
        an end counts for ratings."""
        if self.shared:
            self.bus.publish(f"t:{room.id}", _encode(_Heard(self.worker, room.table.rows)))
        if room.table.status == "over" and room.table.settings.rated and not room.changes:
            room.changes = [None] * room.table.players
            self._spawn(self._rate(room))

    def announce(self, room: Room) -> None:
        """Who is connected here, for the other workers."""
        if not self.shared:
            return
        people = {connection.person.id for connection in room.connections if connection.greeted}
        looking = sum(connection.greeted and connection.look is None for connection in room.connections)
        self.bus.publish(f"t:{room.id}", _encode(_Heard(self.worker, 0, sorted(people), looking)))

    def _heard(self, room: Room, message: bytes) -> None:
        if not message:  # something may have been missed
            self._spawn(self._catch_up(room))
            return
        heard = _decode(message)
        if heard.worker == self.worker:
            return
        self._news[heard.worker] = time.monotonic()
        if heard.changes is not None:
            self._spawn(self._rated(room, heard.changes))
        elif heard.rows > room.table.rows:
            self._spawn(self._catch_up(room))
        elif heard.people is not None:
            now = (frozenset(heard.people), heard.looking)
            if room.elsewhere.get(heard.worker, (frozenset(), 0)) != now:
                room.elsewhere[heard.worker] = now
                room.note_absence()
                room.tell_table()
                room.attend()
        elif not heard.rows:
            self.announce(room)

    async def _catch_up(self, room: Room) -> None:
        try:
            await room.catch_up()
        except Unavailable:
            _log.warning("a table could not be read on")

    def _spawn(self, work: object) -> None:
        task: asyncio.Task[None] = asyncio.create_task(work)  # type: ignore[arg-type]
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ---- opening tables ------------------------------------------------------------------------------

    async def create(self, wish: api.NewTable, person: Person, id: str = "") -> str:
        """A new table, with the creator (and bots, and the names of pass and play) on its seats."""
        local = wish.names is not None
        table, now = Table(), clock()
        entries = wishes.opened(
            id or _new_id(), person.id, wish.game, wish.players, wish.options, wish.settings, local=local
        )
        table.grant(entries[0], now)

        def add(more: list[log.Entry]) -> None:
            entries.extend(wishes.granted(table, more, now))

        for name in wish.names if wish.names is not None else [wish.name or person.name]:
            add(wishes.sit(table, person.id, person.handle, name, None, wish.nonce))
        for seat, level in zip(reversed(range(wish.players)), reversed(wish.bots), strict=False):
            add(wishes.bot(table, person.id, level, seat))
        if wish.start:
            add(wishes.start(table, person.id))
        rows = [Row(seq, now, log.encode(entry)) for seq, entry in enumerate(entries)]
        await self.store.create(listing.summarize(table), rows)
        self.metrics.tables_opened.labels(wish.game).inc()
        if wish.start:
            await self.room(table.id)
        return table.id

    async def match(self, person: Person, game: str, players: int) -> str:
        """A waiting public table of this kind, or a new one; it begins when it is full."""
        if game not in tsukimi.games():
            raise TableError("table-no-game", status=404, game=game[:40])
        for found in await self.store.list_tables("open", True, game):
            if found.players != players or listing.listing_of(found).clock != QUICK.clock.kind:
                continue
            if person.id in found.people:
                return found.table
            try:
                room = await self.room(found.table)
                await room.wish(lambda table: _sit_and_start(table, person))
            except (TableError, Conflict):
                continue
            return found.table
        return await self.create(api.NewTable(game=game, players=players, settings=QUICK), person)

    async def rematch(self, room: Room, person: Person, key: str) -> str:
        """The same game again at another table; whoever asks second finds it."""
        table = room.table
        if not table.ended:
            raise TableError("table-not-ended")
        if table.rematch is not None:
            return table.rematch
        if person.id not in [seat.person for seat in table.seats]:
            raise TableError("table-not-seated", status=403)
        names = [seat.name for seat in table.seats if seat.person == person.id] if table.local else None
        wish = api.NewTable(
            game=table.game, players=table.players, options={**table.options}, settings=table.settings,
            bots=[seat.level for seat in table.seats if seat.level],  # type: ignore[misc]
            names=names, name=next(seat.name for seat in table.seats if seat.person == person.id),
        )  # fmt: skip
        other = _id_after(table)
        with contextlib.suppress(Conflict):  # somebody else asked at the same moment, and sits there already
            await self.create(wish, person, other)
        await room.wish(lambda now: [] if now.rematch else wishes.again(now, person.id, other, key))
        return room.table.rematch or other

    # ---- what the HTTP side asks ------------------------------------------------------------------------

    async def info(self, table: str) -> messages.TableInfo:
        return (await self.room(table)).info()

    async def record(self, table: str) -> str:
        room = await self.room(table)
        if not room.table.ended or room.table.state is None:
            raise TableError("table-not-ended", status=403)
        return room.table.record()

    async def replay(self, table: str, seat: int | Literal["open"] | None, start: int, count: int) -> api.Replay:
        """The steps of a finished game as a seat saw them, or with everything open."""
        found = (await self.room(table)).table
        state = found.state
        if not found.ended or state is None:
            raise TableError("table-not-ended", status=403)
        if isinstance(seat, int) and seat >= found.players:
            raise TableError("table-no-seat", status=404, seat=seat)
        events = state.read_events(
            None if seat == "open" else seat
        )  # here and not in the thread: a state is for one thread at a time
        steps = await asyncio.to_thread(_steps, found, state, events, seat, start, count)
        info = tell.table_info(found)
        return api.Replay(
            total=len(found.step_ends),
            game=found.game,
            names=[one.name for one in found.seats],
            seats=info.seats,
            steps=steps,
        )

    async def lobby(self, person: Person | None) -> messages.Lobby:
        now = time.monotonic()
        if now - self._lists[0] > 1.0:
            waiting = await self.store.list_tables("open", True)
            playing = await self.store.list_tables("playing", True, limit=30)
            self._lists = (now, waiting, playing)
        _, waiting, playing = self._lists
        mine = await self.store.tables_of(person.id, running=True, limit=30) if person else []
        who = person.id if person else ""
        return messages.Lobby(
            open=[listing.listed(found, who) for found in waiting],
            running=[one for found in playing if (one := listing.listed(found, who)).spectators],
            yours=[listing.listed(found, who) for found in mine],
            online=self.connections(),
        )

    async def games_of(self, person: Person, page: int) -> tuple[list[api.PlayedGame], bool]:
        found = await self.store.tables_of(person.id, None, PAGE + 1, PAGE * page)
        return [_played(one, person.id) for one in found[:PAGE]], len(found) > PAGE

    # ---- ratings -----------------------------------------------------------------------------------

    async def _ratings(self, table: Table) -> list[float | None]:
        people = [seat.person for seat in table.seats if seat.person]
        known = await self.store.ratings(table.game, people) if people else {}
        return [api.displayed_rating(known[seat.person]) if seat.person in known else None for seat in table.seats]

    async def _rate(self, room: Room) -> None:
        """New ratings after a game among people; whoever resigned comes last."""
        from tsukimi.server.accounts.rating import new_ratings

        table = room.table
        try:
            people = [seat.person for seat in table.seats if seat.person]
            if len(set(people)) < 2:
                return
            for _ in range(RATING_TRIES):
                before = await self.store.ratings(table.game, people)
                after = new_ratings(table, before)
                try:
                    first = await self.store.rate(table.id, table.game, after, before)
                    break
                except Conflict:  # somebody's other game ended at the same moment
                    continue
            else:
                raise Unavailable
            if first:
                changes = [
                    round(api.displayed_rating(after[seat.person]) - (api.displayed_rating(before[seat.person]) if seat.person in before else 0.0), 1)
                    if seat.person in after else None
                    for seat in table.seats
                ]  # fmt: skip
                if self.shared:
                    self.bus.publish(f"t:{room.id}", _encode(_Heard(self.worker, changes=changes)))
                await self._rated(room, changes)
        except Unavailable:
            _log.warning("a game could not be rated now")

    async def _rated(self, room: Room, changes: list[float | None]) -> None:
        try:
            room.ratings = await self._ratings(room.table)
        except Unavailable:
            _log.warning("ratings could not be read")
        room.changes = changes
        room.tell_table()


def _new_id() -> str:
    """A name for a table that nobody can guess."""
    return secrets.token_urlsafe(12).replace("-", "x").replace("_", "y")


def _id_after(table: Table) -> str:
    """The name of the rematch's table: the same whoever asks, and hard to guess until the secret is told."""
    return hmac.digest(bytes.fromhex(table.opened.secret), b"rematch", "sha256").hex()[:24]


def _sit_and_start(table: Table, person: Person) -> list[log.Entry]:
    entries = wishes.sit(table, person.id, person.handle, person.name, None, "")
    full = sum(not seat.taken for seat in table.seats) == 1
    return [*entries, log.Started(by=table.host)] if full else entries


def _played(found: Summary, person: str) -> api.PlayedGame:
    listed, summary = listing.listed(found, person), listing.listing_of(found)
    return api.PlayedGame(
        **{name: getattr(listed, name) for name in listed.__struct_fields__},
        ended=summary.ended,
        scores=summary.scores,
        winners=summary.winners,
        seat=found.people.index(person) if person in found.people else 0,
    )


def _open_events(state: State) -> list[Json]:
    """All that happened: every event with what each seat knew of it."""
    seen = [state.read_events(seat) for seat in range(state.players)]
    return [{key: value for event in one for key, value in event.items()} for one in zip(*seen, strict=True)]


def _steps(
    table: Table, state: State, events: list[Json], seat: int | Literal["open"] | None, start: int, count: int
) -> list[api.Step]:
    """The wanted steps: the game is played again up to each of them."""
    look = None if seat == "open" else seat
    history = state.history
    fresh = tsukimi.new(
        state.game, players=state.players, chance="manual", components=state.components, **state.options
    )
    done, steps = 0, []
    for number, until in enumerate(table.step_ends[: start + count]):
        for mover, move in history[done:until]:
            if mover == UNDO:
                fresh.undo(move)
            else:
                fresh._do(mover, move)
        if number >= start:
            first = history[done][0] if number and until > done else -1
            steps.append(
                api.Step(
                    at=table.step_times[number],
                    events=events[done:until],
                    view=fresh.view(look),
                    views=[fresh.view(one) for one in range(state.players)] if seat == "open" else None,
                    mover=first if first >= 0 else None,
                )
            )
        done = until
    return steps
