"""A table that is awake in this process: its connections, its bots' turns, its clocks.

Every change goes one way: a wish becomes entries, the entries are appended to the log, and only when they are
durable anybody hears of them. Another worker that was quicker (`Conflict`) makes us read on and ask again.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from tsukimi.core.errors import TsukimiError
from tsukimi.server import messages
from tsukimi.server.sockets.connection import NOT_ALLOWED, Connection
from tsukimi.server.sockets.frames import frame
from tsukimi.server.tables import encoder as tell
from tsukimi.server.tables import listing
from tsukimi.server.tables.clock import clock
from tsukimi.server.tables.turns import Turns
from tsukimi.store import Conflict, Row, Summary, Unavailable
from tsukimi.store.threads import Asked
from tsukimi.table import entries as log
from tsukimi.table import wishes
from tsukimi.table.errors import TableError
from tsukimi.table.table import TIMEOUTS_UNTIL_AWAY, Table

if TYPE_CHECKING:
    from tsukimi.server.tables.registry import Rooms

TRIES = 5
STAND_IN = "regular"  # who plays for somebody who is gone or late
AWAY_AFTER = 45_000
HOST_GONE_AFTER = 60_000
THINKING_SHOWN_AFTER = 0.4

STEPS = {
    log.Started, log.Moved, log.Undone,  # the game went on, or back
    log.Paused, log.Ready, log.Given, log.Away, log.Back, log.Resigned, log.Aborted,  # or its clocks did
}  # fmt: skip
SEATED = {log.Sat, log.Left, log.Changed, log.Away, log.Started}
OF_THE_GAME = {log.Moved, log.Said, log.Planned}  # about the table itself they say nothing

_log = logging.getLogger("tsukimi.room")
_encoder = msgspec.json.Encoder()
Make = Callable[[Table], list[log.Entry]]
Answer = tuple[Connection, bytes]
Refuse = Callable[[Exception], None]


def encode(message: messages.Answer) -> bytes:
    """A message as it goes over the wire."""
    return frame(_encoder.encode(message))


def _give(answer: Answer | None) -> None:
    if answer is not None:
        connection, said = answer
        connection.send(said)


class Room:
    def __init__(self, rooms: Rooms, table: Table) -> None:
        self.rooms, self.table = rooms, table
        self.lock = Turns()
        self.connections: set[Connection] = set()
        self.elsewhere: dict[str, tuple[frozenset[str], int]] = {}
        """By other workers: the persons connected there, and how many only look on."""
        self.leased = False
        self.closed = False
        self.ratings: list[float | None] = []
        self.changes: list[float | None] = []
        self.used = time.monotonic()
        self._told = table.state.events_so_far if table.state else 0
        self._lines = table.lines
        """How much of the chat was told."""
        self._status: tuple[object, ...] = ()
        self._facts: tuple[object, ...] = ()
        self._gone: dict[str, int] = {}
        """Since when somebody who sits here is not connected."""
        self._jobs: dict[int, asyncio.Task[None]] = {}
        self._thinking: set[int] = set()
        self._working: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._timed = 0
        """When the timer comes."""
        self._recent: deque[tuple[int, bytes]] = deque(maxlen=2000)

    @property
    def id(self) -> str:
        return self.table.id

    # ---- wishes ---------------------------------------------------------------------------------

    async def wish(self, make: Make, person: str = "", key: str = "", answer: Answer | None = None) -> None:
        """Grant a wish: append its entries, tell everybody, and answer whoever wished. A wish that was granted before
        is not granted again."""
        async with self.lock:
            for _ in range(TRIES):
                if self.closed:  # while this wish waited; what stands here is not what is stored
                    raise Unavailable
                if self.table.granted(person, key):
                    break
                try:
                    entries = make(self.table)
                except TsukimiError:
                    # Nobody is refused for what another worker changed already.
                    if not self.rooms.shared or not await self._read_on():
                        raise
                    continue
                if not entries:
                    break
                try:
                    await self._append(entries, answer)
                except Conflict:
                    await self.reload()
                else:
                    return
            else:
                raise TableError("table-busy", status=503)
        _give(answer)

    def wish_at_once(self, make: Make, person: str, key: str, answer: Answer, refuse: Refuse) -> bool:
        """`wish` for one who waits for nothing, which needs no task. False, and nothing done, if that cannot be now.
        Why the wish is not granted is raised, or told to `refuse` where only the store knows."""
        if self.closed or self.rooms.shared or not self.lock.taken():
            return False
        try:
            entries = [] if self.table.granted(person, key) else make(self.table)
        except BaseException:
            self.lock.release()
            raise
        if not entries:
            self.lock.release()
            _give(answer)
            return True
        errand = _Errand(self, make, person, key, answer, refuse)
        try:
            errand.granted, writing = self._write(entries)
        except Exception as problem:
            errand.fail(problem)
            return True
        if isinstance(writing, Asked):
            writing.then(errand.done)
        else:
            asyncio.ensure_future(writing).add_done_callback(errand.ended)
        return True

    async def _append(self, entries: list[log.Entry], answer: Answer | None) -> None:
        try:
            granted, writing = self._write(entries)
            await writing
        except BaseException as problem:
            await self.mend(problem)
            raise
        self.written(granted, answer)

    def _write(self, entries: list[log.Entry]) -> tuple[list[log.Entry], Awaitable[None]]:
        """The table as it will be, and the store at work on it."""
        now, first = max(clock(), self.table.at), self.table.rows
        granted = wishes.granted(self.table, entries, now)
        rows = [Row(first + i, now, log.encode(entry)) for i, entry in enumerate(granted)]
        return granted, self.rooms.store.append(self.id, rows, self._new_facts(granted))

    def written(self, granted: list[log.Entry], answer: Answer | None) -> None:
        """It is durable: now everybody may hear of it."""
        moves = 0
        for entry in granted:
            if type(entry) is log.Moved:
                moves += 1
        if moves:
            self.rooms.metrics.moves.labels(self.table.game).inc(moves)
        if self.rooms.shared or self.table.ended:
            self.rooms.heard_of(self)
        self._tell(granted, answer)

    async def mend(self, problem: BaseException) -> None:
        """What stands in memory is not what is stored (or nobody knows): read it again before anything else."""
        self._facts = ()
        if not isinstance(problem, Conflict):  # then `wish` does, and asks again
            await self.reload(quietly=True)

    def _new_facts(self, granted: list[log.Entry]) -> Summary | None:
        """The table's facts if they are others than before."""
        table, known = self.table, self._facts
        if known and table.status == "playing" and table.settings.clock.kind == "live":
            if all(type(entry) is log.Moved for entry in granted):  # they say nothing of a live game's moves
                return None
        facts = listing.summarize(table)
        self._facts = (facts.status, facts.due, facts.people, facts.listing)
        return facts if self._facts != known else None

    async def reload(self, quietly: bool = False) -> None:
        """The table as it is stored."""
        try:
            rows = await self.rooms.store.read(self.id)
        except BaseException as problem:
            self.rooms.forget(self)
            if quietly and isinstance(problem, Exception):
                return
            raise
        stale = self.table
        self.table = Table((row.at, log.decode(row.data)) for row in rows)
        if self.table.rows >= stale.rows or self.table.state is None or self.table.state.events_so_far >= self._told:
            self._tell_all()
        else:
            self._greet_again()

    async def catch_up(self) -> None:
        """Read what other workers appended, and tell it here."""
        async with self.lock:
            await self._read_on()

    async def _read_on(self) -> bool:
        """Whether there was anything."""
        if self.closed:
            return False
        rows = await self.rooms.store.read(self.id, self.table.rows)
        entries = [log.decode(row.data) for row in rows]
        for row, entry in zip(rows, entries, strict=True):
            self.table.apply(entry, row.at)
        if entries:
            self._facts = ()
            self._tell(entries)
        return bool(entries)

    # ---- who is here ----------------------------------------------------------------------------

    def present(self) -> set[str]:
        """The persons who are connected, here or at another worker."""
        here = {connection.person.id for connection in self.connections if connection.greeted}
        return here.union(*(people for people, _ in self.elsewhere.values()))

    def spectators(self) -> int:
        mine = sum(connection.greeted and connection.look is None for connection in self.connections)
        return mine + sum(number for _, number in self.elsewhere.values())

    async def join(self, connection: Connection) -> None:
        self.connections.add(connection)

    def leave(self, connection: Connection) -> None:
        self.connections.discard(connection)
        if connection.greeted:
            self.presence_changed()

    def presence_changed(self) -> None:
        self.rooms.announce(self)
        self.note_absence()
        self.tell_table()
        self.attend()

    def note_absence(self) -> None:
        now, present = clock(), self.present()
        people = set(self.table.people()) | {self.table.host}
        self._gone = {person: self._gone.get(person, now) for person in people - present if person}

    # ---- telling --------------------------------------------------------------------------------

    async def greet(self, connection: Connection, hello: messages.Hello) -> None:
        """Everything anew for one connection."""
        async with self.lock:
            connection.look = self._look(connection, hello.look)
            first = not connection.greeted
            connection.forget_later()
            connection.delayed = connection.look is None and self.table.settings.spectators == "delayed"
            table = await self._as_seen(connection)
            seen = hello.seen if table.state and 0 <= hello.seen <= table.state.events_so_far else 0
            connection.greeted = True
            self._welcome(connection, table, 0 if connection.delayed else seen)
        if first:
            self._gone.pop(connection.person.id, None)
            self.presence_changed()
        back = wishes.returned(self.table, connection.person.id) if self.table.running else []
        if back:
            await self.wish(lambda table: wishes.returned(table, connection.person.id))

    def _welcome(self, connection: Connection, table: Table, seen: int) -> None:
        person, now = connection.person, clock()
        game: Any = None
        if table.state is not None:
            game = msgspec.Raw(b"".join(tell.Teller(table, table.state, seen, now).game(connection.look)))
        chat = [tell.chat_line(*one) for one in list(table.chat)[-50:]]
        connection.send(
            encode(
                messages.Welcome(
                    v=messages.PROTOCOL,
                    now=now,
                    you=tell.you(table, person.id, person.handle, person.name, connection.look),
                    table=self.info(table),
                    game=game,
                    chat=chat,
                )
            )
        )

    async def _as_seen(self, connection: Connection) -> Table:
        """The table, or for a delayed spectator the table as it was; the steps since then follow later."""
        if not connection.delayed or self.table.state is None or self.table.ended:
            return self.table
        delay = 1000 * self.table.settings.delay
        until = clock() - delay
        rows = await self.rooms.store.read(self.id)
        for at, text in self._recent:
            if at > until:
                self._later(connection, text, at + delay)
        early = [row for row in rows if row.at <= until or row.seq == 0]
        return Table((row.at, log.decode(row.data)) for row in early)

    def _later(self, connection: Connection, text: bytes, at: int) -> None:
        connection.send_later(text, max(0, at - clock()) / 1000)

    def _look(self, connection: Connection, wanted: int | None = None) -> int | None:
        mine = self.table.seats_of(connection.person.id)
        if not mine:
            if self._among_us:
                raise TableError("table-no-spectators", status=403)
            return None
        if wanted in mine:
            return wanted
        return connection.look if connection.look in mine else mine[0]

    @property
    def _among_us(self) -> bool:
        """Whether nobody may look on now."""
        return self.table.settings.spectators == "closed" and self.table.running

    def info(self, table: Table | None = None) -> messages.TableInfo:
        return tell.table_info(
            table or self.table, self.present(), self.spectators(), self._thinking, self.ratings, self.changes
        )

    def _tell(self, granted: Collection[log.Entry], answer: Answer | None = None) -> None:
        """What happened, to everybody who may know it, and the answer to whoever wished it."""
        self.used = time.monotonic()
        kinds = {type(entry) for entry in granted}
        self._tell_chat()
        for entry in granted:
            if isinstance(entry, log.Planned):
                self._tell_game(only=entry.seat)
        if kinds & SEATED:
            self._look_again()
        before, self._status = self._status, self._now()
        changed = self._status != before or not kinds <= OF_THE_GAME
        if self.table.state is not None and kinds & STEPS:
            answer = self._tell_game(changed, answer=answer)
        elif changed:
            self.tell_table()
        _give(answer)
        self.attend()

    def _tell_all(self) -> None:
        self._look_again()
        self._tell_chat()
        if self.table.state is not None:
            self._tell_game(True)
        else:
            self.tell_table()
        self._status = self._now()
        self.attend()

    def _tell_chat(self) -> None:
        if self._lines < self.table.lines:
            for number, at, said in self.table.chat:
                if number >= self._lines:
                    self._all(encode(messages.Chat(tell.chat_line(number, at, said))))
            self._lines = self.table.lines

    def _greet_again(self) -> None:
        """What was told has been lost by the store: everybody starts from what is there."""
        for connection in self._greeted():
            self._welcome(connection, self.table, 0)
        self._told = self.table.state.events_so_far if self.table.state else 0
        self._lines = self.table.lines
        self.attend()

    def _now(self) -> tuple[object, ...]:
        table = self.table
        return table.status, table.proposal is None, tuple(self._thinking)

    def _look_again(self) -> None:
        for connection in self._greeted():
            mine = self.table.seats_of(connection.person.id)
            if connection.look not in mine:
                connection.look = mine[0] if mine else None
            if not mine and self._among_us:
                connection.greeted = False
                connection.close(NOT_ALLOWED)

    def _greeted(self) -> Iterable[Connection]:
        return [connection for connection in self.connections if connection.greeted]

    def _tell_game(
        self, with_table: bool = False, only: int | None = None, answer: Answer | None = None
    ) -> Answer | None:
        """The game to everybody. The answer goes in one piece with it; if it could not, it comes back."""
        table, now = self.table, clock()
        if table.state is None:
            return answer
        end = b',"table":' + (_encoder.encode(self.info()) if with_table else b"null") + b"}"
        texts: dict[int | None, bytes] = {}
        teller = tell.Teller(table, table.state, self._told, now)

        def text_for(look: int | None) -> bytes:
            """`messages.Game`, written out."""
            found = texts.get(look)
            if found is None:
                found = texts[look] = frame(b"".join((b'{"type":"game","game":', *teller.game(look), end)))
            return found

        late = table.settings.spectators == "delayed"
        delayed = late and not table.ended
        for connection in self._greeted():
            look: int | None = connection.look
            if only is not None and look != only:
                continue
            if late and table.ended and look is None:  # nothing is secret any more: the rest at once
                connection.forget_later()
                self._welcome(connection, table, 0)
                continue
            if delayed and look is None:
                self._later(connection, text_for(look), now + 1000 * table.settings.delay)
            elif answer is not None and connection is answer[0]:
                connection.send(text_for(look) + answer[1])
                answer = None
            else:
                connection.send(text_for(look))
        if delayed and only is None:
            self._recent.append((now, text_for(None)))
        if only is None:
            self._told = table.state.events_so_far
        return answer

    def tell_table(self) -> None:
        info = self.info()
        for connection in self._greeted():
            person = connection.person
            you = tell.you(self.table, person.id, person.handle, person.name, connection.look)
            connection.send(encode(messages.Table(you, info)))

    def _all(self, text: bytes) -> None:
        for connection in self._greeted():
            connection.send(text)

    # ---- what the table does by itself -------------------------------------------------------------

    def attend(self) -> None:
        """Do what is due, now or when its time comes. Only the worker that holds the lease does."""
        if not self.leased or self.rooms.stopping:
            return
        if self._working is not None:
            return
        now = clock()
        due = self._due(now)
        if due is None:
            return
        if due <= now:
            self._working = asyncio.create_task(self._work())
        elif self._timer is None or due < self._timed:  # one that comes too early only looks again
            self._no_timer()
            self._timer = asyncio.get_running_loop().call_later((due - now) / 1000 + 0.002, self._on_time)
            self._timed = due

    def _on_time(self) -> None:
        self._timer = None
        self.attend()

    def _no_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _due(self, now: int) -> int | None:
        """When something is to be done here without anybody asking."""
        table = self.table
        if table.ended:
            return None
        times = self._absence_due() if self._gone else []
        if table.status == "round" and (until := table.looked_until()) is not None:
            times.append(until)
        if table.status == "playing":
            for seat in table.asked:
                if seat not in self._jobs:
                    deadline = table.clocks.deadline(seat)
                    times += [now] if table.seats[seat].by_bot else [] if deadline is None else [deadline]
        return min(times, default=None)

    def _absence_due(self) -> list[int]:
        """When those who are gone have been gone for long enough."""
        table = self.table
        times = [self._gone[table.host] + HOST_GONE_AFTER] if table.host in self._gone and self._heirs() else []
        if table.running and table.settings.takeover and table.settings.clock.kind != "days" and self._others():
            away = [seat.person for seat in table.seats if seat.here and not seat.by_bot]
            times += [self._gone[person] + AWAY_AFTER for person in away if person in self._gone]
        return times

    def _others(self) -> bool:
        """Whether anybody is here to play on with."""
        return any(person in self.present() for person in self.table.people())

    def _heirs(self) -> bool:
        return bool(wishes.host_gone(self.table, list(self.present())))

    async def _work(self) -> None:
        """One round of everything that is due."""
        try:
            now = clock()
            table = self.table
            for seat in list(table.asked) if table.status == "playing" else []:
                if seat not in self._jobs and table.seats[seat].by_bot:
                    level = table.seats[seat].level or STAND_IN
                    self._jobs[seat] = asyncio.create_task(self._bot(seat, level, "bot"))
            for seat in wishes.timed_out(table, now):
                if seat not in self._jobs:
                    self._jobs[seat] = asyncio.create_task(self._bot(seat, STAND_IN, "clock"))
            if wishes.looked(table, now):
                await self.wish(lambda table: wishes.looked(table, now))
            await self._absences(now)
        except Exception:
            _log.exception("a table could not be attended to", extra={"table": self.id})
            await asyncio.sleep(1)
        finally:
            self._working = None
            self.attend()

    async def _absences(self, now: int) -> None:
        table = self.table
        if not table.running or not table.settings.takeover or table.settings.clock.kind == "days":
            pass
        elif self._others():
            for seat, one in enumerate(table.seats):
                if one.here and not one.by_bot and now - self._gone.get(one.person, now) >= AWAY_AFTER:
                    await self.wish(lambda table, seat=seat: wishes.away(table, seat))  # type: ignore[misc]
        if now - self._gone.get(table.host, now) >= HOST_GONE_AFTER:
            present = list(self.present())
            await self.wish(lambda table: wishes.host_gone(table, present))

    async def _bot(self, seat: int, level: str, maker: log.Maker) -> None:
        """A bot decides for a seat, in a process of its own; if the question is gone by then, so is the answer."""
        state, decision = self.table.state, self.table.decisions[seat]
        assert state is not None
        show = asyncio.get_running_loop().call_later(THINKING_SHOWN_AFTER, self._show_thinking, seat)
        try:
            move = await self.rooms.pool.choose(self.id, state, seat, level)

            def make(table: Table) -> list[log.Entry]:
                if seat not in table.asked or table.decisions[seat] != decision or table.status != "playing":
                    return []
                if maker == "bot" and not table.seats[seat].by_bot:
                    return []
                made = wishes.moved(table, seat, move, maker)
                late = table.seats[seat].timeouts + 1 >= TIMEOUTS_UNTIL_AWAY
                return [*made, log.Away(seat=seat)] if maker == "clock" and late else made

            self._thinking.discard(seat)
            await self.wish(make)
        except TsukimiError:
            _log.warning("a bot's move was not possible", extra={"table": self.id}, exc_info=True)
        except Exception:
            _log.exception("a bot failed", extra={"table": self.id})
            await asyncio.sleep(1)
        finally:
            show.cancel()
            self._jobs.pop(seat, None)
            self._thinking.discard(seat)
            self.attend()

    def _show_thinking(self, seat: int) -> None:
        self._thinking.add(seat)
        self.tell_table()

    def close(self) -> None:
        """Let go of the table; its log has everything."""
        self.closed, self.leased = True, False
        self._no_timer()
        for task in self._jobs.values():
            task.cancel()
        if self._working is not None:
            self._working.cancel()

    @property
    def idle(self) -> bool:
        """Whether nobody is here and nothing is due soon."""
        if self.connections or self._jobs or self._working is not None or self.lock.locked():
            return False
        now = clock()
        due = self._due(now)
        return due is None or due > now + 120_000


class _Errand:
    """A wish whose rows are on their way to the disk; the table's lock is held for it."""

    def __init__(self, room: Room, make: Make, person: str, key: str, answer: Answer, refuse: Refuse) -> None:
        self._room, self._make, self._person, self._key = room, make, person, key
        self._answer, self._refuse = answer, refuse
        self.granted: list[log.Entry] = []
        self._failing: asyncio.Task[None] | None = None

    def ended(self, writing: asyncio.Future[None]) -> None:
        self.done(Unavailable() if writing.cancelled() else writing.exception())

    def done(self, problem: BaseException | None) -> None:
        if problem is not None:
            self.fail(problem)
            return
        try:
            self._room.written(self.granted, self._answer)
        except Exception as wrong:
            self._refuse(wrong)
        finally:
            self._room.lock.release()

    def fail(self, problem: BaseException) -> None:
        self._failing = asyncio.create_task(self._failed(problem))

    async def _failed(self, problem: BaseException) -> None:
        """As `Room.wish` does: who was only slower than another asks again, who met a broken store is told."""
        room = self._room
        try:
            try:
                await room.mend(problem)
                if not isinstance(problem, Conflict):
                    raise problem
                await room.reload()
            finally:
                room.lock.release()
            await room.wish(self._make, self._person, self._key, self._answer)
        except Exception as found:
            self._refuse(found)
