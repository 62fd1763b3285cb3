"""One person at one table over a WebSocket: messages in, wishes to the room, answers out."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from tsukimi.core.errors import IllegalMove, TsukimiError
from tsukimi.server import messages as m
from tsukimi.server.accounts.names import clean_name
from tsukimi.server.sockets.connection import GOING_AWAY, NOT_ALLOWED, Connection
from tsukimi.server.tables.clock import clock
from tsukimi.server.tables.live_table import Answer, Room, encode
from tsukimi.server.tables.registry import Rooms
from tsukimi.store import Unavailable
from tsukimi.table import wishes
from tsukimi.table.entries import Entry
from tsukimi.table.errors import TableError
from tsukimi.table.table import Table

BURST, PER_SECOND = 60.0, 20.0
CHAT_BURST, CHAT_PER_SECOND = 5.0, 0.5
HINT_BURST, HINT_PER_SECOND = 3.0, 0.5
MOST_FAULTS = 20
MANY_WAITING = 8
FINISH_WITHIN = 10.0
BAD_MESSAGES, TOO_MANY = 4000, 4029

_log = logging.getLogger("tsukimi.socket")
_decode = msgspec.json.Decoder(m.Request).decode


class Bucket:
    """So much at once, and so much a second."""

    __slots__ = ("_at", "_left", "_most", "_rate")

    def __init__(self, most: float, rate: float) -> None:
        self._most, self._rate, self._left, self._at = most, rate, most, time.monotonic()

    def take(self) -> bool:
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Visit:
    """One person at one table, from hello to the end of the connection."""

    def __init__(self, rooms: Rooms, room: Room, connection: Connection, rate: float) -> None:
        self.rooms, self.room, self.connection = rooms, room, connection
        self.person = connection.person
        self._limited = rate > 0
        rate = rate or 1.0
        self._bucket = Bucket(BURST, PER_SECOND * rate)
        self._chat = Bucket(CHAT_BURST, CHAT_PER_SECOND * rate)
        self._hints = Bucket(HINT_BURST, HINT_PER_SECOND * rate)
        self._faults = 0
        self._receiving = False
        self._hinting: asyncio.Task[None] | None = None

    async def run(self) -> None:
        connection, room = self.connection, self.room
        await room.join(connection)
        writer = asyncio.create_task(connection.write())
        reader = asyncio.create_task(self._read())
        connection.wire.hear = self.hear
        try:
            await asyncio.wait((writer, reader), return_when=asyncio.FIRST_COMPLETED)
        finally:
            connection.wire.hear = None
            room.leave(connection)
            connection.close(GOING_AWAY)
            if self._receiving:  # a wish that is being written down is not broken off
                await asyncio.wait((reader,), timeout=FINISH_WITHIN)
            for task in (reader, writer, self._hinting):
                if task is not None and not task.done():
                    task.cancel()
                    with contextlib.suppress(asyncio.CancelledError, Exception):
                        await asyncio.wait_for(task, 1)
            self.rooms.garbage.ended += 1
            for task in (reader, writer):
                if task.done() and not task.cancelled() and task.exception() is not None:
                    _log.error("a connection broke", exc_info=task.exception(), extra={"table": room.id})

    def hear(self, text: str) -> None:
        """A text has come and none waits. What is a wish and nothing else is granted without detours, if nobody else's
        is just being granted; the rest is received in turn."""
        connection = self.connection
        if self._receiving or connection.waiting or not connection.greeted:
            connection.wire.hand_on({"type": "websocket.receive", "text": text})
        elif not connection.closing and (request := self._understood(text)) is not None and not self._at_once(request):
            connection.wire.hand_on({"type": "websocket.receive", "request": request})

    def _at_once(self, request: Any) -> bool:
        make = _WISHES.get(type(request))
        if make is None:
            return False
        person, key = self.person.id, request.id
        try:
            return self.room.wish_at_once(
                lambda table: make(table, person, request, self),
                person,
                key,
                self._done(key),
                lambda problem: self._refuse(key, problem),
            )
        except Exception as problem:
            self._refuse(key, problem)
            return True

    async def _read(self) -> None:
        connection, receive = self.connection, self.connection.wire.receive
        while not connection.closing:
            message = await receive()
            if message["type"] != "websocket.receive":  # the connection has ended
                return
            self._receiving = True
            request = message.get("request") or self._understood(message.get("text") or message.get("bytes") or b"")
            if request is not None:
                await self._receive(request)
            self._receiving = False
            if connection.waiting > MANY_WAITING:  # many questions in one go: their answers leave in between
                await asyncio.sleep(0)

    def _understood(self, text: str | bytes) -> Any:
        """The request, if there is anything left to do about it."""
        connection = self.connection
        if connection.greeted:
            connection.heard = time.monotonic()
        try:
            request = _decode(text)
        except (msgspec.DecodeError, RecursionError) as problem:
            self._fault(None, TableError("table-bad-message", status=400, problem=str(problem)[:200]))
            return None
        if self._limited and not self._bucket.take():
            self._fault(getattr(request, "id", None), TableError("table-too-fast", status=429))
            return None
        if isinstance(request, m.Ping):
            self._ping(request)
            return None
        return request

    async def _receive(self, request: Any) -> None:
        key = getattr(request, "id", None)
        if not self.connection.greeted and not isinstance(request, m.Hello):
            self._fault(key, TableError("table-say-hello", status=400))
            return
        make = _WISHES.get(type(request))
        try:
            if make is None:
                await _HANDLERS[type(request)](self, request)
            else:
                await self._wish(lambda table: make(table, self.person.id, request, self), request.id)
        except (TsukimiError, Unavailable) as problem:
            self._refuse(key, problem)
            if isinstance(request, m.Hello) and isinstance(problem, TsukimiError):
                self.connection.close(NOT_ALLOWED)

    async def _wish(self, make: Callable[[Table], list[Entry]], key: str) -> None:
        await self.room.wish(make, self.person.id, key, self._done(key))

    def _done(self, key: str) -> Answer:
        return self.connection, encode(m.Done(key, None))

    def _refuse(self, key: str | None, problem: Exception) -> None:
        if isinstance(problem, Unavailable):
            problem = TableError("table-store-away", status=503)
        if isinstance(problem, TsukimiError):
            self.connection.send(encode(error(key, problem)))
        else:
            _log.error("a connection broke", exc_info=problem, extra={"table": self.room.id})
            self.connection.close(GOING_AWAY)

    def _fault(self, key: str | None, problem: TableError) -> None:
        """A message that no client of ours sends: told once, and after many of them the connection ends."""
        self._faults += 1
        self.connection.send(encode(error(key, problem)))
        if self._faults > MOST_FAULTS:
            self.connection.close(TOO_MANY if problem.status == 429 else BAD_MESSAGES)

    def _ping(self, request: m.Ping) -> None:
        now = clock()
        if request.echo is not None and 0 <= now - request.echo <= 10_000:
            self.connection.lag = now - request.echo
        self.connection.send(encode(m.Pong(request.t, now)))

    # ---- the requests -----------------------------------------------------------------------------

    async def hello(self, request: m.Hello) -> None:
        if request.v != m.PROTOCOL:
            raise TableError("table-protocol", status=400, spoken=m.PROTOCOL)
        await self.room.greet(self.connection, request)

    async def why(self, request: m.Why) -> None:
        """Why a move cannot be made, in the game's own words."""
        table = self.room.table
        seat = wishes.own_seat(table, self.person.id, request.seat)
        code: str | None = None
        params: dict[str, Any] = {}
        try:
            if table.state is None or table.status != "playing":
                raise TableError(f"table-is-{table.status}")
            table.state.text(table.state.parse(request.move, seat), seat)
        except TsukimiError as problem:
            code, params = _told(problem)
        self.connection.send(encode(m.Reason(request.id, code is None, code, params)))

    async def hint(self, request: m.Hint) -> None:
        table = self.room.table
        seat = wishes.own_seat(table, self.person.id, request.seat)
        if not table.settings.hints and table.people() != [self.person.id]:
            raise TableError("table-no-hints", status=403)
        if table.state is None or seat not in table.asked:
            raise TableError("table-stale", decision=0)
        if self._limited and not self._hints.take():
            raise TableError("table-too-fast", status=429)
        table.state.names = {number: one.name for number, one in enumerate(table.seats)}
        work = self.rooms.pool.advise(table.id, table.state, seat, request.lang)
        self._hinting = asyncio.create_task(self._advise(request.id, work))

    async def _advise(self, key: str, work: Awaitable[tuple[list[Any], str]]) -> None:
        try:
            moves, sentence = await work
            self.connection.send(encode(m.Advice(key, moves, sentence)))
        except TsukimiError as problem:
            self.connection.send(encode(error(key, problem)))
        except Exception:
            _log.exception("a hint failed", extra={"table": self.room.id})
            self.connection.send(encode(error(key, TableError("table-busy", status=503))))

    async def say(self, request: m.Say) -> None:
        text = " ".join(_printable(request.text).split())
        if not text:
            raise TableError("table-bad-message", status=400, problem="text")
        if not self.room.table.granted(self.person.id, request.id) and self._limited and not self._chat.take():
            raise TableError("table-too-fast", status=429)
        who = self.person
        name = next((one.name for one in self.room.table.seats if one.person == who.id), who.name)
        await self._wish(lambda table: wishes.say(table, who.id, who.handle, name, text, request.id), request.id)

    async def sit(self, request: m.Sit) -> None:
        who = self.person
        name = clean_name(request.name) if request.name is not None else who.name
        await self._wish(
            lambda table: wishes.sit(table, who.id, who.handle, name, request.seat, request.nonce, request.id),
            request.id,
        )

    async def rematch(self, request: m.Rematch) -> None:
        table = await self.rooms.rematch(self.room, self.person, request.id)
        self.connection.send(encode(m.Done(request.id, table)))


_HANDLERS: dict[type[Any], Callable[[Visit, Any], Awaitable[None]]] = {
    m.Hello: Visit.hello,
    m.Why: Visit.why,
    m.Hint: Visit.hint,
    m.Say: Visit.say,
    m.Sit: Visit.sit,
    m.Rematch: Visit.rematch,
}
# Requests that are one wish and nothing else: of a table and a person, by a request, over a visit.
_WISHES: dict[type[Any], Callable[[Table, str, Any, Visit], list[Entry]]] = {
    m.Play: lambda t, p, r, v: wishes.play(t, p, r.seat, r.decision, r.move, r.id, v.connection.lag),
    m.Plan: lambda t, p, r, v: wishes.plan(t, p, r.seat, r.move, r.id),
    m.Undo: lambda t, p, r, v: wishes.undo(t, p, r.seat, r.id),
    m.Vote: lambda t, p, r, v: wishes.vote(t, p, r.yes, r.id),
    m.Abort: lambda t, p, r, v: wishes.abort(t, p, r.id),
    m.Resign: lambda t, p, r, v: wishes.resign(t, p, r.id),
    m.Stand: lambda t, p, r, v: wishes.stand(t, p, r.id),
    m.Bot: lambda t, p, r, v: wishes.bot(t, p, r.level, r.seat, r.id),
    m.Kick: lambda t, p, r, v: wishes.kick(t, p, r.seat, r.id),
    m.Change: lambda t, p, r, v: wishes.change(t, p, r.settings, r.players, r.options, r.id),
    m.Start: lambda t, p, r, v: wishes.start(t, p, r.id),
    m.Pause: lambda t, p, r, v: wishes.pause(t, p, r.on, r.id),
    m.Ready: lambda t, p, r, v: wishes.ready(t, p, r.seat, r.id),
    m.Time: lambda t, p, r, v: wishes.more_time(t, p, r.seat, r.id),
    m.Mute: lambda t, p, r, v: wishes.mute(t, p, r.who, r.on, r.id),
}


def _told(problem: TsukimiError) -> tuple[str, dict[str, Any]]:
    params = {key: value if isinstance(value, int | str) else str(value) for key, value in problem.params.items()}
    return problem.code, params


def error(key: str | None, problem: TsukimiError) -> m.Error:
    code, params = _told(problem)
    message = problem.why() if isinstance(problem, IllegalMove) else problem.message()
    return m.Error(key, code, params, message)


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)
