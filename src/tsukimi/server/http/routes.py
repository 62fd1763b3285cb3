"""The machinery under the HTTP API: a table of routes, and what happens to every request before and after its handler.

`@route(..)` adds a handler to `ROUTES`; the OpenAPI document is made from the same table.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from tsukimi.server import messages
from tsukimi.server.accounts.people import People
from tsukimi.server.config import Config
from tsukimi.server.http.api import NewTable, PlayedGame, Replay
from tsukimi.server.http.errors import ServerError, answer, known, not_found, too_many
from tsukimi.server.http.limits import Limits
from tsukimi.server.http.security import Caller, caller
from tsukimi.store import Person, Store

BODY_SECONDS = 10.0
ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
Asks = Literal["anybody", "person", "browser"]
"""Who may ask: anybody; a known person; a known person by cookie (a program's token must not take the identity over)."""

log = logging.getLogger("tsukimi.http")


class Tables(Protocol):
    """What the HTTP side asks of tables."""

    async def start(self) -> None: ...
    async def stop(self) -> None: ...
    async def create(self, wanted: NewTable, person: Person) -> str: ...
    async def match(self, person: Person, game: str, players: int) -> str: ...
    async def info(self, table: str) -> messages.TableInfo: ...
    async def record(self, table: str) -> str: ...
    async def replay(self, table: str, seat: int | Literal["open"] | None, start: int, count: int) -> Replay: ...
    async def lobby(self, person: Person | None) -> messages.Lobby: ...
    async def games_of(self, person: Person, page: int) -> tuple[list[PlayedGame], bool]: ...


@dataclass
class Ask:
    """A request, taken apart: what a handler needs."""

    request: Request
    person: Person | None
    body: Any = None
    query: Any = None
    cookie: str | None = None
    """Set by a handler: the person id that the answer's cookie shall name."""
    headers: dict[str, str] = field(default_factory=dict)
    """Set by a handler: more headers of the answer."""

    @property
    def me(self) -> Person:
        if self.person is None:
            raise ServerError("server-stranger", 401)
        return self.person

    @property
    def caller(self) -> Caller:
        return caller(self.request.scope)

    @property
    def tables(self) -> Tables:
        found: Tables = self.request.app.state.tables
        return found

    @property
    def store(self) -> Store:
        found: Store = self.request.app.state.store
        return found

    @property
    def people(self) -> People:
        found: People = self.request.app.state.people
        return found

    @property
    def config(self) -> Config:
        found: Config = self.request.app.state.config
        return found

    def path(self, name: str) -> str:
        """A part of the path. What cannot be an id of ours is not there."""
        text: str = self.request.path_params[name]
        if not ID.fullmatch(text):
            raise not_found()
        return text

    def limit(self, kind: str, key: str) -> None:
        limits: Limits = self.request.app.state.limits
        if wait := limits.wait(kind, key):
            raise too_many(wait)


Handler = Callable[[Ask], Awaitable[Any]]


@dataclass(frozen=True)
class Endpoint:
    method: str
    path: str
    handler: Handler
    asks: Asks
    answer: Any
    """The type of the answer; `str`: plain text."""
    body: Any
    query: Any
    refusals: tuple[int, ...]

    async def __call__(self, request: Request) -> Response:
        try:
            ask = await self._ask(request)
            return self._response(ask, await self.handler(ask))
        except ClientDisconnect:
            return Response(status_code=400)  # nobody is there to read it
        except Exception as problem:
            return refusal(problem)

    async def _ask(self, request: Request) -> Ask:
        if self.asks == "browser" and "authorization" in request.headers:
            raise ServerError("server-browser-only", 403)
        people: People = request.app.state.people
        ask = Ask(request, await people.of(request.headers))
        if self.asks != "anybody" and ask.person is None:
            raise ServerError("server-stranger", 401)
        if ask.person is not None:
            ask.limit("person", ask.person.id)
        if self.query is not None:
            ask.query = msgspec.convert(dict(request.query_params), self.query, strict=False)
        if self.body is not None:
            ask.body = msgspec.json.decode(await _body(request), type=self.body)
        return ask

    def _response(self, ask: Ask, found: Any) -> Response:
        headers = {"cache-control": "no-store", **ask.headers}
        if isinstance(found, str):
            response = Response(found, headers=headers, media_type="text/plain")
        else:
            data = found if isinstance(found, bytes) else msgspec.json.encode(found)
            response = Response(data, headers=headers, media_type="application/json")
        if ask.cookie is not None:
            ask.people.set_cookie(response, ask.cookie, ask.caller.secure)
        return response


ROUTES: list[Endpoint] = []


def route(
    method: str,
    path: str,
    answer: Any,
    *,
    asks: Asks = "person",
    body: Any = None,
    query: Any = None,
    refuses: tuple[int, ...] = (),
) -> Callable[[Handler], Handler]:
    """Put a handler into the table. `refuses`: statuses that are this route's own (the usual ones are added)."""

    def add(handler: Handler) -> Handler:
        ROUTES.append(Endpoint(method, path, handler, asks, answer, body, query, refuses))
        return handler

    return add


def refusal(problem: Exception) -> Response:
    """The answer to a request that failed. What nobody foresaw is logged and told without details."""
    error = known(problem)
    if error is None:
        log.error("a request failed", exc_info=problem)
        error = ServerError("server-failed", 500)
    status, body, headers = answer(error)
    return Response(body, status, {name.decode(): value.decode() for name, value in headers})


async def _body(request: Request) -> bytes:
    """The whole body, if it comes in good time: who sends a byte a second holds nothing for long."""
    kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if kind != "application/json":
        raise ServerError("server-media-type", 415)
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await request.body()
    except TimeoutError as problem:
        raise ServerError("server-slow", 408) from problem
