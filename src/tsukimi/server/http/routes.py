"""The route table, and what happens to every API request before and after its handler.

`@route(..)` adds a handler to `ROUTES`; the OpenAPI document is generated from the same table.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from tsukimi.core.state import State
from tsukimi.server import messages
from tsukimi.server.accounts.accounts import Accounts
from tsukimi.server.accounts.people import People
from tsukimi.server.accounts.recovery import Recovery
from tsukimi.server.common.account_api import GameData, SaidLine
from tsukimi.server.common.api import NewTable, PlayedGame, Replay
from tsukimi.server.common.components_api import CheckedComponents, ComponentReport, Draft, NewComponentReport
from tsukimi.server.common.errors import ServerError, error_response, not_found, too_many
from tsukimi.server.common.limits import RateLimiter
from tsukimi.server.common.review_api import PlayOn, ReviewStatus
from tsukimi.server.http.languages import preferred_language
from tsukimi.server.http.security import Caller, caller
from tsukimi.store import Person, Store

BODY_TIMEOUT_S = 10.0
ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
Access = Literal["public", "person", "browser", "admin"]
"""Who may call a route: anyone; a known person; a known person by cookie (a token must not take over an identity);
an administrator with an account, by cookie."""


class Tables(Protocol):
    """What the HTTP API needs from the live tables."""

    async def start(self) -> None: ...
    async def stop(self) -> None: ...
    async def create(self, new: NewTable, person: Person, address: str, /) -> str: ...
    async def match(self, person: Person, game: str, players: int, address: str, /) -> str: ...
    async def learn(self, person: Person, game: str, address: str, /) -> str: ...
    async def info(self, table: str, /) -> messages.TableInfo: ...
    async def record(self, table: str, /) -> str: ...
    async def replay(self, table: str, seat: int | Literal["open"] | None, start: int, count: int, /) -> Replay: ...
    async def review(self, table: str, lang: str, /) -> ReviewStatus: ...
    async def ask_review(self, table: str, person: Person, address: str, lang: str, /) -> ReviewStatus: ...
    async def bring(self, text: str, name: Callable[[str], str], person: Person, address: str, /) -> str: ...
    async def play_on(self, table: str, wanted: PlayOn, person: Person, address: str, /) -> str: ...
    async def check_components(
        self, game: str, draft: Draft, lang: str, person: Person, address: str, /
    ) -> CheckedComponents: ...
    async def balance(
        self, game: str, wanted: NewComponentReport, person: Person, address: str, /
    ) -> ComponentReport: ...
    async def play_puzzle(self, state: State, seat: int, level: str, person: Person, address: str, /) -> str: ...
    async def lobby(self, person: Person | None, /) -> messages.Lobby: ...
    async def games_of(self, person: Person, page: int, /) -> tuple[list[PlayedGame], bool]: ...
    def data_of(self, person: Person, /) -> AsyncIterator[GameData | SaidLine]: ...
    async def forget(self, person: Person, /) -> None: ...
    async def chat(self, table: str, /) -> list[messages.ChatLine]: ...
    def log_changed(self, table: str, /) -> None: ...


@dataclass
class Context:
    """A request as its handler sees it."""

    request: Request
    person: Person | None
    body: Any = None
    query: Any = None
    cookie: Person | None = None
    """Set by a handler: the person for the response's cookie."""
    session: str = ""
    """Set by a handler: the session that this cookie continues; empty: a new one."""
    device: bool = False
    """Set by a handler: this device is known to the account from now on."""
    headers: dict[str, str] = field(default_factory=dict)
    """Set by a handler: headers of the response."""

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
    def accounts(self) -> Accounts:
        found: Accounts = self.request.app.state.accounts
        return found

    @property
    def recovery(self) -> Recovery:
        found: Recovery = self.request.app.state.recovery
        return found

    @property
    def lang(self) -> str:
        return preferred_language(self.request.headers) or "en"

    async def is_admin(self) -> bool:
        person = self.person
        return person is not None and person.account is not None and await self.store.is_admin(person.id)

    def path(self, name: str) -> str:
        """A path parameter; 404 if it does not have the form of an id."""
        text: str = self.request.path_params[name]
        if not ID.fullmatch(text):
            raise not_found()
        return text

    def limit_person_and_address(self, kind: str, address_kind: str = "") -> None:
        """Count against a rate limit of the person and one of the address, the same unless named."""
        self.limit(kind, self.me.id)
        self.limit(address_kind or kind, self.caller.key)

    def limit(self, kind: str, key: str) -> None:
        """Count against a rate limit."""
        limiter: RateLimiter = self.request.app.state.limiter
        if wait := limiter.acquire(kind, key):
            raise too_many(wait)


Handler = Callable[[Context], Awaitable[Any]]


@dataclass(frozen=True)
class Endpoint:
    method: str
    path: str
    handler: Handler
    access: Access
    response: Any
    """The type of the response; `str`: plain text."""
    body: Any
    query: Any
    errors: tuple[int, ...]

    async def __call__(self, request: Request) -> Response:
        try:
            context = await self._context(request)
            return self._respond(context, await self.handler(context))
        except ClientDisconnect:
            return Response(status_code=400)  # nobody is left to read it
        except Exception as problem:
            return error_response(problem)

    async def _context(self, request: Request) -> Context:
        if self.access in ("browser", "admin") and "authorization" in request.headers:
            raise ServerError("server-browser-only", 403)
        people: People = request.app.state.people
        context = Context(request, await people.authenticate(request.headers))
        if self.access != "public" and context.person is None:
            raise ServerError("server-stranger", 401)
        if context.person is not None:
            context.limit("person", context.person.id)
        if self.access == "admin" and not await context.is_admin():
            raise ServerError("server-admin", 403)
        if self.query is not None:
            context.query = msgspec.convert(dict(request.query_params), self.query, strict=False)
        if self.body is not None:
            try:
                context.body = msgspec.json.decode(await _read_body(request), type=self.body)
            except UnicodeDecodeError as problem:
                raise ServerError("server-bad-request", 400, problem="not UTF-8") from problem
        return context

    def _respond(self, context: Context, result: Any) -> Response:
        headers = {"cache-control": "no-store", **context.headers}
        response: Response
        if isinstance(result, Response):
            response = result
            response.headers.update(headers | dict(response.headers))
        elif isinstance(result, str):
            response = Response(result, headers=headers, media_type="text/plain")
        else:
            data = result if isinstance(result, bytes) else msgspec.json.encode(result)
            response = Response(data, headers=headers, media_type="application/json")
        if context.cookie is not None:
            sessions, secure = context.people.sessions, context.caller.secure
            sessions.set_cookie(response, context.cookie, secure, context.session)
            if context.device:
                context.accounts.devices.set_on(response, context.cookie.id, secure)
        return response


ROUTES: list[Endpoint] = []


def route(
    method: str,
    path: str,
    response: Any,
    *,
    access: Access = "person",
    body: Any = None,
    query: Any = None,
    errors: tuple[int, ...] = (),
) -> Callable[[Handler], Handler]:
    """Add a handler to the table. `errors`: the statuses of this route beyond the common ones."""

    def add(handler: Handler) -> Handler:
        ROUTES.append(Endpoint(method, path, handler, access, response, body, query, errors))
        return handler

    return add


async def _read_body(request: Request) -> bytes:
    """The whole body, within a time limit: a client that sends one byte per second must not hold a connection for long."""
    media_type = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if media_type != "application/json":
        raise ServerError("server-media-type", 415)
    try:
        async with asyncio.timeout(BODY_TIMEOUT_S):
            return await request.body()
    except TimeoutError as problem:
        raise ServerError("server-slow", 408) from problem
