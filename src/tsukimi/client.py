"""Play on a Tsukimi server from Python: for your own bots, and for tests. See docs/protocol.md.

    async with tsukimi.client.Client("http://127.0.0.1:8377", token="..") as client:
        async with client.table("TABLE") as seat:
            async for question in seat.questions():
                await seat.play(question.moves[0])

A seat reconnects on its own. Requests that were not answered when the connection broke are sent again with the same
id, and so take effect only once.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import secrets
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from tsukimi.core.errors import TsukimiError
from tsukimi.server import messages as m

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(m.Answer).decode
FIRST_DELAY, MAX_DELAY = 0.1, 5.0  # seconds before reconnecting
FINAL = {4000, 4003, 4004}  # close codes after which reconnecting is pointless


class Refused(TsukimiError):
    """The server refused a request; `code` and `params` say why."""

    def __init__(self, code: str, message: str, params: dict[str, Any]) -> None:
        super().__init__(code, **params)
        self.text = message

    def message(self, lang: str = "en") -> str:
        return self.text


class Gone(Exception):
    """The connection is closed for good; its cause is the server's error, or how the connection ended."""


class Client:
    """One person on a server: the owner of a token, or a new guest."""

    def __init__(self, url: str, token: str | None = None, name: str | None = None) -> None:
        self.url = url.rstrip("/")
        self.token, self.name = token, name
        self.me: dict[str, Any] = {}

    async def __aenter__(self) -> Client:
        if self.token is None:
            self.token = await asyncio.to_thread(self._guest)
        if self.name is not None:
            await self.call("PATCH", "/api/me", {"name": self.name})
        self.me = await self.call("GET", "/api/me")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    async def call(self, method: str, path: str, body: object = None) -> Any:
        """A request to the HTTP API; `Refused` if the server refuses it."""
        return await asyncio.to_thread(self._call, method, path, body)

    async def create(self, game: str, players: int, **more: object) -> str:
        """Open a table and return its id; `more` are the other fields of the request (docs/http.md)."""
        created = await self.call("POST", "/api/tables", {"game": game, "players": players, **more})
        return str(created["id"])

    def table(self, table: str, viewpoint: int | None = None) -> Seat:
        """A connection to a table; use it with `async with`. `viewpoint`: which of your own seats to see it from."""
        return Seat(self, table, viewpoint)

    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def _guest(self) -> str:
        """The token of a new guest, who gets a cookie first, as a browser would."""
        with urllib.request.urlopen(f"{self.url}/api/me", timeout=30) as response:
            cookie = response.headers["Set-Cookie"].partition(";")[0]
        created = self._request("POST", "/api/me/token", {"label": "client"}, {"Cookie": cookie, "Origin": self.url})
        return str(created["token"])

    def _call(self, method: str, path: str, body: object) -> Any:
        return self._request(method, path, body, self.headers())

    def _request(self, method: str, path: str, body: object, headers: dict[str, str]) -> Any:
        data = None if body is None else msgspec.json.encode(body)
        all_headers = {"X-Tsukimi": "1", "Content-Type": "application/json", **headers}
        request = urllib.request.Request(self.url + path, data, all_headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                text = response.read()
                content_type = response.headers.get_content_type()
        except urllib.error.HTTPError as problem:
            try:
                error = json.loads(problem.read())
            except ValueError:
                error = {"code": "http", "message": str(problem), "params": {}}
            finally:
                problem.close()
            raise Refused(error["code"], error["message"], error["params"]) from None
        return json.loads(text) if content_type == "application/json" else text.decode()


class Seat:
    """A seat at a table, or a spectator's place. `table`, `game`, `events` and `chat` are always up to date.

    For a long game `events` holds only the last ones, from number `first_event` on; `read_log` gets the others.
    """

    def __init__(self, client: Client, table: str, viewpoint: int | None = None) -> None:
        self._client, self._id, self._viewpoint = client, table, viewpoint
        self.you: m.You | None = None
        self.table: m.TableInfo | None = None
        self.game: m.GameInfo | None = None
        self.events: list[Any] = []
        self.first_event = 0
        self.chat: list[m.ChatLine] = []
        self.raw: list[str] | None = None
        """Set to a list to record every message as received."""
        self.reconnects = 0
        self._socket: ClientConnection | None = None
        self._pending: dict[str, tuple[bytes, asyncio.Future[m.Answer]]] = {}
        self._changed = asyncio.Condition()
        self._task: asyncio.Task[None] | None = None
        self._gone: BaseException | None = None
        self._error: Refused | None = None

    async def __aenter__(self) -> Seat:
        self._task = asyncio.create_task(self._run())
        await self.until(lambda: self.table is not None)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._task is not None
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    # ---- requests ------------------------------------------------------------------------------------

    async def ask(self, request: Any) -> m.Answer:
        """Send a request and wait for its answer; `Refused` if it is an error."""
        if self._gone is not None:
            raise Gone from self._gone
        answer: asyncio.Future[m.Answer] = asyncio.get_running_loop().create_future()
        text = _encode(request)
        self._pending[request.id] = (text, answer)
        if self._socket is not None and self.you is not None:
            with contextlib.suppress(ConnectionClosed):
                await self._socket.send(text, text=True)
        try:
            reply = await answer
        finally:
            self._pending.pop(request.id, None)
        if isinstance(reply, m.Error):
            raise Refused(reply.code, reply.message, reply.params)
        return reply

    async def play(self, move: str, question: m.Question | None = None) -> None:
        """Answer the open question, or the given one."""
        question = question or (self.game.question if self.game else None)
        if question is None:
            raise Refused("table-stale", "there is no open question", {})
        await self.ask(m.Play(new_id(), question.decision, move, self.you.look if self.you else None))

    async def read_log(self) -> None:
        """Get the events before `first_event`, so that `events` is complete."""
        while self.first_event:
            found = await self.ask(m.Log(new_id(), self.first_event))
            if isinstance(found, m.Events) and found.since + len(found.events) == self.first_event:
                self.events[:0] = found.events
                self.first_event = found.since

    async def view_from(self, seat: int) -> None:
        """Pass and play: see the table from another of your own seats."""
        self._viewpoint = seat
        if self._socket is not None:
            await self._hello()
        await self.until(lambda: self.you is not None and self.you.look == seat)

    async def questions(self) -> AsyncIterator[m.Question]:
        """Every question, each once, until the game has ended. The intermission after a round is skipped."""
        answered = -1

        def pending() -> m.Question | None:
            playing = self.table is not None and self.table.status == "playing"
            question = self.game.question if self.game and playing else None
            return question if question is not None and question.decision > answered else None

        while True:
            await self.until(lambda: self.over or self._unready or pending() is not None)
            question = pending()
            if question is not None:
                answered = question.decision
                yield question
            elif self._unready:
                with contextlib.suppress(Refused):
                    await self.ask(m.Ready(new_id()))
                await self.until(lambda: not self._unready)
            elif self.over:
                return

    @property
    def over(self) -> bool:
        return self.table is not None and self.table.status in ("over", "aborted")

    @property
    def _unready(self) -> bool:
        """Whether the others are waiting for us to end the intermission."""
        if self.table is None or self.you is None or self.table.status != "round":
            return False
        return any(not self.table.seats[seat].ready for seat in self.you.seats)

    async def until(self, condition: Callable[[], object], timeout: float | None = None) -> None:
        """Wait until a condition on the attributes holds."""
        async with asyncio.timeout(timeout), self._changed:
            while not condition():
                if self._gone is not None:
                    raise Gone from self._gone
                await self._changed.wait()

    # ---- the connection ------------------------------------------------------------------------------

    async def _run(self) -> None:
        delay = FIRST_DELAY
        while True:
            try:
                async with connect(
                    self._address(), additional_headers=self._client.headers(), compression=None, max_size=2**22
                ) as socket:
                    await self._receive_all(socket)
            except (ConnectionClosed, InvalidHandshake, OSError, TimeoutError, EOFError) as problem:
                code = problem.rcvd.code if isinstance(problem, ConnectionClosed) and problem.rcvd else 0
                if code in FINAL or (isinstance(problem, InvalidStatus) and _is_final(problem.response.status_code)):
                    await self._fail(self._error or problem)
                    return
                if self.you is not None:
                    delay = FIRST_DELAY
            except asyncio.CancelledError as problem:
                await self._fail(problem)
                raise
            except Exception as problem:
                await self._fail(problem)
                return
            finally:
                self._socket, self.you = None, None
            self.reconnects += 1
            await asyncio.sleep(delay * (0.5 + random.random()))
            delay = min(MAX_DELAY, delay * 2)

    def _address(self) -> str:
        parts = urlsplit(self._client.url)
        scheme = "wss" if parts.scheme == "https" else "ws"
        return f"{scheme}://{parts.netloc}{parts.path}/ws/table/{self._id}"

    async def _receive_all(self, socket: ClientConnection) -> None:
        self._socket, self.you = socket, None
        await self._hello()
        ping_task = asyncio.create_task(self._ping(socket))
        try:
            async for text in socket:
                if self.raw is not None:
                    self.raw.append(str(text))
                await self._receive(_decode(text), socket)
        finally:
            ping_task.cancel()
        raise ConnectionClosed(None, None)

    async def _ping(self, socket: ClientConnection) -> None:
        while True:
            await asyncio.sleep(20)
            with contextlib.suppress(ConnectionClosed):
                await socket.send(_encode(m.Ping(0.0)), text=True)

    async def _hello(self) -> None:
        assert self._socket is not None
        seen = self._seen if self.game is not None else 0
        with contextlib.suppress(ConnectionClosed):  # messages sent before the close are still received
            await self._socket.send(_encode(m.Hello(m.PROTOCOL, seen, self._viewpoint)), text=True)

    async def _receive(self, message: m.Answer, socket: ClientConnection) -> None:
        if isinstance(message, m.Welcome):
            self.you, self.table, self.chat = message.you, message.table, message.chat
            self._update_game(message.game)
            for text, _ in list(self._pending.values()):
                await socket.send(text, text=True)
        elif isinstance(message, m.Table):
            self.you, self.table = message.you, message.table
        elif isinstance(message, m.Game):
            if message.game.since > self._seen:
                await self._hello()
                return
            self.table = message.table or self.table
            self._update_game(message.game)
        elif isinstance(message, m.Chat):
            self.chat.append(message.line)
        elif isinstance(message, m.Error) and message.id is None:
            self._error = Refused(message.code, message.message, message.params)
        elif not isinstance(message, m.Pong):
            waiting = self._pending.get(message.id or "")
            if waiting is not None and not waiting[1].done():
                waiting[1].set_result(message)
        async with self._changed:
            self._changed.notify_all()

    def _update_game(self, game: m.GameInfo | None) -> None:
        if game is not None:
            if not self.first_event <= game.since <= self._seen:
                self.events, self.first_event = [], game.since
            del self.events[game.since - self.first_event :]
            self.events += game.events
        self.game = game

    @property
    def _seen(self) -> int:
        """How many events of the game have arrived."""
        return self.first_event + len(self.events)

    async def _fail(self, problem: BaseException) -> None:
        self._gone = problem
        for _, answer in self._pending.values():
            if not answer.done():
                answer.set_exception(Gone())
        async with self._changed:
            self._changed.notify_all()


def _is_final(status: int) -> bool:
    """Whether another attempt would get the same response."""
    return 400 <= status < 500 and status not in (408, 425, 429)


def new_id() -> str:
    return secrets.token_urlsafe(9)
