"""Play at a Tsukimi server from Python: for bots of your own, and for tests. See docs/protocol.md.

    async with tsukimi.client.Client("http://127.0.0.1:8377", token="..") as client:
        async with client.table("TABLE") as seat:
            async for question in seat.questions():
                await seat.play(question.moves[0])

A seat reconnects by itself: what was asked but not answered when the connection broke is asked again under
the same id, which counts once.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import secrets
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
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
FIRST_WAIT, LONGEST_WAIT = 0.1, 5.0
FINAL = {4000, 4003, 4004}  # close codes after which coming again is of no use


class Refused(TsukimiError):
    """The server said no; `code` and `params` say why."""

    def __init__(self, code: str, message: str, params: dict[str, Any]) -> None:
        super().__init__(code, **params)
        self.text = message

    def message(self, lang: str = "en") -> str:
        return self.text


class Gone(Exception):
    """The connection ended for good; the cause is what the server said, or how the connection ended."""


class Client:
    """One person at a server: a token's owner, or without a token a new guest."""

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
        """One request to the HTTP API; `Refused` if the server says no."""
        return await asyncio.to_thread(self._call, method, path, body)

    async def create(self, game: str, players: int, **wish: object) -> str:
        """Open a table (see docs/http.md for what can be wished) and give its id."""
        made = await self.call("POST", "/api/tables", {"game": game, "players": players, **wish})
        return str(made["id"])

    def table(self, table: str, look: int | None = None) -> Seat:
        """A connection to a table; use it with `async with`."""
        return Seat(self, table, look)

    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def _guest(self) -> str:
        """A new guest with a token: a cookie first, as a browser gets one, then the token."""
        with urllib.request.urlopen(f"{self.url}/api/me", timeout=30) as answer:
            cookie = answer.headers["Set-Cookie"].partition(";")[0]
        made = self._request("POST", "/api/me/token", {"label": "client"}, {"Cookie": cookie, "Origin": self.url})
        return str(made["token"])

    def _call(self, method: str, path: str, body: object) -> Any:
        return self._request(method, path, body, self.headers())

    def _request(self, method: str, path: str, body: object, headers: dict[str, str]) -> Any:
        data = None if body is None else msgspec.json.encode(body)
        all_headers = {"X-Tsukimi": "1", "Content-Type": "application/json", **headers}
        request = urllib.request.Request(self.url + path, data, all_headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                text = answer.read()
                kind = answer.headers.get_content_type()
        except urllib.error.HTTPError as problem:
            try:
                said = json.loads(problem.read())
            except ValueError:
                said = {"code": "http", "message": str(problem), "params": {}}
            finally:
                problem.close()
            raise Refused(said["code"], said["message"], said["params"]) from None
        return json.loads(text) if kind == "application/json" else text.decode()


class Seat:
    """A place at a table, or among its spectators. `table`, `game`, `view` and `events` are what is known now."""

    def __init__(self, client: Client, table: str, look: int | None = None) -> None:
        self._client, self._id, self._look = client, table, look
        self.you: m.You | None = None
        self.table: m.TableInfo | None = None
        self.game: m.GameInfo | None = None
        self.events: list[Any] = []
        self.chat: list[m.ChatLine] = []
        self.raw: list[str] | None = None
        """Set to a list to keep every text that came in."""
        self.reconnects = 0
        self._socket: ClientConnection | None = None
        self._asked: dict[str, tuple[bytes, asyncio.Future[m.Answer]]] = {}
        self._changed = asyncio.Condition()
        self._task: asyncio.Task[None] | None = None
        self._gone: BaseException | None = None
        self._refusal: Refused | None = None

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

    # ---- asking ------------------------------------------------------------------------------------

    async def ask(self, request: Any) -> m.Answer:
        """Send a request and wait for its answer; `Refused` if it is an error."""
        if self._gone is not None:
            raise Gone from self._gone
        answer: asyncio.Future[m.Answer] = asyncio.get_running_loop().create_future()
        text = _encode(request)
        self._asked[request.id] = (text, answer)
        if self._socket is not None and self.you is not None:
            with contextlib.suppress(ConnectionClosed):
                await self._socket.send(text, text=True)
        try:
            said = await answer
        finally:
            self._asked.pop(request.id, None)
        if isinstance(said, m.Error):
            raise Refused(said.code, said.message, said.params)
        return said

    async def play(self, move: str, question: m.Question | None = None) -> None:
        """Answer the open question, or the given one."""
        asked = question or (self.game.question if self.game else None)
        if asked is None:
            raise Refused("table-stale", "nothing is asked", {})
        await self.ask(m.Play(new_id(), asked.decision, move, self.you.look if self.you else None))

    async def look(self, seat: int) -> None:
        """Pass and play: look as another one of the own seats."""
        self._look = seat
        if self._socket is not None:
            await self._hello()
        await self.until(lambda: self.you is not None and self.you.look == seat)

    async def questions(self) -> AsyncIterator[m.Question]:
        """Every question that comes, each once, until the game has ended. Nobody has to wait for us after a round."""
        done = -1
        while True:
            await self.until(lambda last=done: self.over or self._unready or self._open(last) is not None)
            found = self._open(done)
            if found is not None:
                done = found.decision
                yield found
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
        """Whether the others wait for us to have seen enough of a round."""
        if self.table is None or self.you is None or self.table.status != "round":
            return False
        return any(not self.table.seats[seat].ready for seat in self.you.seats)

    def _open(self, done: int) -> m.Question | None:
        playing = self.table is not None and self.table.status == "playing"
        question = self.game.question if self.game and playing else None
        return question if question is not None and question.decision > done else None

    async def until(self, true: Any, timeout: float | None = None) -> None:
        """Wait until something is true of what is known."""
        async with asyncio.timeout(timeout), self._changed:
            while not true():
                if self._gone is not None:
                    raise Gone from self._gone
                await self._changed.wait()

    # ---- the connection ------------------------------------------------------------------------------

    async def _run(self) -> None:
        wait = FIRST_WAIT
        while True:
            try:
                async with connect(
                    self._address(), additional_headers=self._client.headers(), compression=None, max_size=2**22
                ) as socket:
                    await self._listen(socket)
            except (ConnectionClosed, InvalidHandshake, OSError, TimeoutError, EOFError) as problem:
                code = problem.rcvd.code if isinstance(problem, ConnectionClosed) and problem.rcvd else 0
                if code in FINAL or (isinstance(problem, InvalidStatus) and _final(problem.response.status_code)):
                    await self._end(self._refusal or problem)
                    return
                if self.you is not None:
                    wait = FIRST_WAIT
            except asyncio.CancelledError as problem:
                await self._end(problem)
                raise
            except Exception as problem:
                await self._end(problem)
                return
            finally:
                self._socket, self.you = None, None
            self.reconnects += 1
            await asyncio.sleep(wait * (0.5 + random.random()))
            wait = min(LONGEST_WAIT, wait * 2)

    def _address(self) -> str:
        parts = urlsplit(self._client.url)
        scheme = "wss" if parts.scheme == "https" else "ws"
        return f"{scheme}://{parts.netloc}{parts.path}/ws/table/{self._id}"

    async def _listen(self, socket: ClientConnection) -> None:
        self._socket, self.you = socket, None
        await self._hello()
        pinging = asyncio.create_task(self._ping(socket))
        try:
            async for text in socket:
                if self.raw is not None:
                    self.raw.append(str(text))
                await self._hear(_decode(text), socket)
        finally:
            pinging.cancel()
        raise ConnectionClosed(None, None)

    async def _ping(self, socket: ClientConnection) -> None:
        while True:
            await asyncio.sleep(20)
            with contextlib.suppress(ConnectionClosed):
                await socket.send(_encode(m.Ping(0.0)), text=True)

    async def _hello(self) -> None:
        assert self._socket is not None
        seen = len(self.events) if self.game is not None else 0
        with contextlib.suppress(ConnectionClosed):  # what the server said before it closed is heard all the same
            await self._socket.send(_encode(m.Hello(m.PROTOCOL, seen, self._look)), text=True)

    async def _hear(self, said: m.Answer, socket: ClientConnection) -> None:
        if isinstance(said, m.Welcome):
            self.you, self.table, self.chat = said.you, said.table, said.chat
            self._take(said.game)
            for text, _ in list(self._asked.values()):
                await socket.send(text, text=True)
        elif isinstance(said, m.Table):
            self.you, self.table = said.you, said.table
        elif isinstance(said, m.Game):
            if said.game.since > len(self.events):
                await self._hello()
                return
            self.table = said.table or self.table
            self._take(said.game)
        elif isinstance(said, m.Chat):
            self.chat.append(said.line)
        elif isinstance(said, m.Error) and said.id is None:
            self._refusal = Refused(said.code, said.message, said.params)
        elif not isinstance(said, m.Pong):
            waiting = self._asked.get(said.id or "")
            if waiting is not None and not waiting[1].done():
                waiting[1].set_result(said)
        async with self._changed:
            self._changed.notify_all()

    def _take(self, game: m.GameInfo | None) -> None:
        if game is not None:
            del self.events[game.since :]
            self.events += game.events
        self.game = game

    async def _end(self, problem: BaseException) -> None:
        self._gone = problem
        for _, answer in self._asked.values():
            if not answer.done():
                answer.set_exception(Gone())
        async with self._changed:
            self._changed.notify_all()


def _final(status: int) -> bool:
    """Whether a server that answers so will not answer otherwise next time."""
    return 400 <= status < 500 and status not in (408, 425, 429)


def new_id() -> str:
    return secrets.token_urlsafe(9)
