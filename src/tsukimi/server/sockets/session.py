"""One person at one table, from hello to disconnect: requests in, commands to the table, answers out."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from starlette.websockets import WebSocket

from tsukimi.core.errors import IllegalMove, TsukimiError
from tsukimi.server import messages as m
from tsukimi.server.accounts.names import clean_name
from tsukimi.server.moderation.follower import Moderation
from tsukimi.server.sockets.commands import COMMANDS, decide
from tsukimi.server.sockets.connection import Connection
from tsukimi.server.tables.broadcaster import NOT_ALLOWED
from tsukimi.server.tables.clock import clock
from tsukimi.server.tables.committed import Decide
from tsukimi.server.tables.encoder import encode, older_events
from tsukimi.server.tables.fair_queue import Owner
from tsukimi.server.tables.live_table import LiveTable
from tsukimi.server.tables.registry import GOING_AWAY
from tsukimi.server.tables.service import TableService
from tsukimi.store import Unavailable
from tsukimi.table import commands
from tsukimi.table.errors import TableError
from tsukimi.table.events import Event
from tsukimi.table.pending import retractable_moves
from tsukimi.table.permissions import own_seat
from tsukimi.table.table import Table

MOST_FAULTS = 20
MANY_WAITING = 8
FINISH_WITHIN = 10.0
BAD_MESSAGES, TOO_MANY = 4000, 4029

Limit = Callable[[str], float]
"""Counts one message of a kind for the person and their address: 0, or the seconds to wait."""

_log = logging.getLogger("tsukimi.socket")
_decode = msgspec.json.Decoder(m.Request).decode


class Session:
    def __init__(
        self, tables: TableService, live: LiveTable, socket: WebSocket, connection: Connection, limit: Limit
    ) -> None:
        self._tables, self._live, self._person = tables, live, connection.person
        self._socket, self._connection, self._limit = socket, connection, limit
        self._moderation: Moderation = socket.app.state.moderation
        self._faults = 0
        self._receiving = self._spoke = False
        self._hinting: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Run until the connection ends, whichever side ends it."""
        connection = self._connection
        self._live.join(connection)
        reader, writer = asyncio.create_task(self._read()), connection.writer()
        try:
            await asyncio.wait((reader, writer), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._live.leave(connection)
            connection.close(GOING_AWAY)
            if self._receiving:  # a command that is being committed is not interrupted
                await asyncio.wait((reader,), timeout=FINISH_WITHIN)
            await asyncio.wait((writer,), timeout=1)
            for task in (reader, *self._hinting):
                if not task.done():
                    task.cancel()
                    with contextlib.suppress(asyncio.CancelledError, Exception):
                        await task
            for task in (reader, writer):
                if task.done() and not task.cancelled() and task.exception() is not None:
                    _log.error("a session failed", exc_info=task.exception(), extra={"table": self._live.id})

    def close(self, code: int) -> None:
        self._connection.close(code)

    def refuse(self, problem: TsukimiError) -> None:
        """Say why, and close."""
        self._send(error(None, problem))
        self._connection.close(NOT_ALLOWED)

    async def _read(self) -> None:
        connection = self._connection
        while not connection.closing:
            message = await self._socket.receive()
            if message["type"] != "websocket.receive":  # the connection has ended
                return
            self._receiving = True
            await self.receive(message.get("text") or message.get("bytes") or b"")
            self._receiving = False
            if connection.waiting > MANY_WAITING:  # many requests at once: their answers are sent in between
                await asyncio.sleep(0)

    async def receive(self, text: str | bytes) -> None:
        """One message from the client, and everything that follows from it."""
        request = self._understood(text)
        if request is None:
            return
        key = getattr(request, "id", None)
        try:
            if type(request) in COMMANDS:
                await self._submit(
                    lambda table: decide(request, table, self._person.id, self._connection.lag), request.id
                )
            else:
                await _HANDLERS[type(request)](self, request)
        except (TsukimiError, Unavailable) as problem:
            refusal = problem if isinstance(problem, TsukimiError) else TableError("table-store-away", status=503)
            self._send(error(key, refusal))
            if isinstance(request, m.Hello) and isinstance(problem, TsukimiError):
                self._connection.close(NOT_ALLOWED)

    def _understood(self, text: str | bytes) -> Any:
        """The request; None if it has already been answered."""
        connection = self._connection
        if connection.greeted:
            connection.heard = time.monotonic()
        try:
            request: Any = _decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
            self._fault(None, TableError("table-bad-message", status=400, problem=str(problem)[:200]))
            return None
        key = getattr(request, "id", None)
        if self._limit("message"):
            self._fault(key, TableError("table-too-fast", status=429))
            return None
        if not connection.greeted and not isinstance(request, m.Hello | m.Ping):
            self._fault(key, TableError("table-say-hello", status=400))
            return None
        return request

    async def _submit(self, decide: Decide, key: str) -> None:
        await self._live.submit(decide, self._person.id, key)
        self._send(m.Done(key))

    def _send(self, answer: m.Answer) -> None:
        self._connection.send(encode(answer))

    def _fault(self, key: str | None, problem: TableError) -> None:
        """A message that our clients never send: it is answered, and after many of them the connection is closed."""
        self._faults += 1
        self._send(error(key, problem))
        if self._faults > MOST_FAULTS:
            self._connection.close(TOO_MANY if problem.status == 429 else BAD_MESSAGES)

    # ---- requests that are not exactly one command ----------------------------------------------------

    async def _hello(self, request: m.Hello) -> None:
        if request.v != m.PROTOCOL:
            raise TableError("table-protocol", status=400, spoken=m.PROTOCOL)
        await self._live.greet(self._connection, request)

    async def _ping(self, request: m.Ping) -> None:
        now = clock()
        if request.echo is not None and 0 <= now - request.echo <= 10_000:
            self._connection.lag = now - request.echo
        self._send(m.Pong(request.t, now))

    async def _why(self, request: m.Why) -> None:
        """Why a move cannot be made, in the game's own words."""
        table = self._live.table
        seat = own_seat(table, self._person.id, request.seat)
        code: str | None = None
        params: dict[str, Any] = {}
        try:
            if table.status != "playing":
                raise TableError(f"table-is-{table.status}")
            table.move(seat, request.move)
        except TsukimiError as problem:
            code, params = problem.code, _params(problem)
        self._send(m.Reason(request.id, code is None, code, params))

    async def _stakes(self, request: m.AskStakes) -> None:
        """What is at stake: this takes some milliseconds, so it is sent on request, not with every question."""
        table = self._live.table
        seat = own_seat(table, self._person.id, request.seat)
        if table.state is None or seat not in table.asked or request.decision != table.decisions[seat]:
            raise TableError("table-stale", decision=0)
        moves = table.state.stakes(seat)
        self._send(m.Stakes(request.id, request.decision, moves, retractable_moves(table, seat)))

    async def _hint(self, request: m.Hint) -> None:
        table = self._live.table
        seat = own_seat(table, self._person.id, request.seat)
        if not table.allows_hints(self._person.id):
            raise TableError("table-rated-hints" if table.counts else "table-no-hints", status=403)
        if table.state is None or seat not in table.asked:
            raise TableError("table-stale", decision=0)
        if self._limit("hint"):
            raise TableError("table-too-fast", status=429)
        names = {number: one.name for number, one in enumerate(table.seats)}
        owner = Owner(self._person.id, self._connection.address)
        work = self._tables.bots.hint(table.id, table.state, names, seat, request.lang, owner)
        task = asyncio.create_task(self._send_hint(request.id, work))
        self._hinting.add(task)
        task.add_done_callback(self._hinting.discard)

    async def _send_hint(self, key: str, work: Awaitable[tuple[list[Any], str]]) -> None:
        try:
            moves, sentence = await work
            self._send(m.Advice(key, moves, sentence))
        except TsukimiError as problem:
            self._send(error(key, problem))
        except Exception:
            _log.exception("a hint failed", extra={"table": self._live.id})
            self._send(error(key, TableError("table-busy", status=503)))

    async def _log(self, request: m.Log) -> None:
        """Events older than those in the welcome: delayed viewers were welcomed with what they may know."""
        if self._live.table.state is None:
            raise TableError("table-is-open")
        viewer = self._connection
        since, events = older_events(self._live.table, viewer.viewpoint, 0, min(request.before, viewer.log_from))
        self._send(m.Events(request.id, since, events))

    async def _say(self, request: m.Say) -> None:
        masked = self._moderation.words.mask(request.text)
        text = " ".join("".join(letter if letter.isprintable() else " " for letter in masked).split())
        if not text:
            raise TableError("table-bad-message", status=400, problem="text")
        table, who = self._live.table, self._person
        if not table.accepted(who.id, request.id) and self._limit("chat"):
            raise TableError("table-too-fast", status=429)
        name = next((seat.name for seat in table.seats if seat.person == who.id), who.name)
        if not self._spoke:
            await self._tables.add_speaker(who, table.id)
            self._spoke = True
        await self._submit(lambda table: commands.say(table, who.id, who.handle, name, text, request.id), request.id)

    async def _sit(self, request: m.Sit) -> None:
        who = self._person
        words = self._moderation.words
        name = words.mask(who.name) if request.name is None else words.check_name(clean_name(request.name))
        await self._submit(
            lambda table: commands.sit(table, who.id, who.handle, name, request.seat, request.nonce, request.id),
            request.id,
        )

    async def _bot(self, request: m.Bot) -> None:
        level = await self._tables.fitted(self._person, self._live.table, request.level)
        await self._submit(
            lambda table: commands.bot(table, self._person.id, level, request.seat, request.id), request.id
        )

    async def _change(self, request: m.Change) -> None:
        def decide(table: Table) -> list[Event]:
            events = commands.change(
                table, self._person.id, request.settings, request.players, request.options, request.id
            )
            self._tables.require_bots(table, events)
            return events

        await self._submit(decide, request.id)

    async def _rematch(self, request: m.Rematch) -> None:
        table = await self._tables.rematch(self._live, self._person, request.id, self._connection.address)
        self._send(m.Done(request.id, table))


_HANDLERS: dict[type[Any], Callable[[Session, Any], Awaitable[None]]] = {
    m.Hello: Session._hello,
    m.Ping: Session._ping,
    m.Why: Session._why,
    m.AskStakes: Session._stakes,
    m.Hint: Session._hint,
    m.Log: Session._log,
    m.Say: Session._say,
    m.Sit: Session._sit,
    m.Bot: Session._bot,
    m.Change: Session._change,
    m.Rematch: Session._rematch,
}


def error(key: str | None, problem: TsukimiError) -> m.Error:
    message = problem.why() if isinstance(problem, IllegalMove) else problem.message()
    return m.Error(key, problem.code, _params(problem), message)


def _params(problem: TsukimiError) -> dict[str, Any]:
    return {key: value if isinstance(value, int | str) else str(value) for key, value in problem.params.items()}
