"""The application: everything put together, opened and closed in the right order."""

from __future__ import annotations

import asyncio
import hmac
import re
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from tsukimi import __version__, bus, store
from tsukimi.bus import Bus
from tsukimi.server import game_texts, metrics, openapi, security, static, texts
from tsukimi.server import http as handlers  # noqa: F401 - fills the table of routes
from tsukimi.server.config import Config
from tsukimi.server.errors import ServerError, not_found, too_many
from tsukimi.server.limits import Limits
from tsukimi.server.metrics import Metrics
from tsukimi.server.people import People
from tsukimi.server.routes import ROUTES, Endpoint, Tables, refusal
from tsukimi.server.security import Security
from tsukimi.server.watch import Watch
from tsukimi.store import Store, Unavailable

HEALTH_SECONDS = 2.0
METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "QUERY")
PERSONAL = re.compile(r"[A-Za-z0-9_-]{20,100}")
MakeRooms = Callable[[Store, Bus, Config, Metrics], Tables]


def build(
    config: Config, make_rooms: MakeRooms | None = None, sockets: Sequence[WebSocketRoute] | None = None
) -> Starlette:
    """The application for a complete configuration (`config.load`). Tests may bring rooms and sockets of their own."""
    if make_rooms is None:
        from tsukimi.server.rooms import Rooms

        make_rooms = Rooms
    limits, measured = Limits(config.rate), Metrics()
    routes = [*_api(), *_own(), *(_sockets() if sockets is None else sockets), *_site(static.folder(config.web))]
    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(Watch, metrics=measured, patterns=_patterns(routes)),
            Middleware(Security, config=config, limits=limits),
        ],
        exception_handlers={HTTPException: _http_problem},
        lifespan=opened,
    )
    app.router.redirect_slashes = False
    kept = store.connect(config.database)
    app.state.config, app.state.limits, app.state.metrics = config, limits, measured
    app.state.store, app.state.make_rooms = kept, make_rooms
    app.state.people = People(kept, config.key("cookie"), limits)
    app.state.ranked = {}
    _measure(measured)
    return app


@asynccontextmanager
async def opened(app: Starlette) -> AsyncIterator[None]:
    """While the application serves. Who is told last is closed first: sockets, then what they would write to."""
    state = app.state
    async with AsyncExitStack() as stack:
        stack.callback(state.people.close)
        game_texts.games("en")  # loaded before anybody waits for it
        await state.store.open()
        stack.push_async_callback(state.store.close)
        state.bus = bus.connect(state.config.bus or None)
        await state.bus.open()
        stack.push_async_callback(state.bus.close)
        state.rooms = state.make_rooms(state.store, state.bus, state.config, state.metrics)
        await state.rooms.start()
        stack.push_async_callback(state.rooms.stop)
        yield


# ---- routes ------------------------------------------------------------------------------------


def _api() -> list[BaseRoute]:
    by_path: dict[str, dict[str, Endpoint]] = {}
    for one in ROUTES:
        by_path.setdefault(one.path, {})[one.method] = one
    return [Route(path, _dispatch(ones), methods=METHODS) for path, ones in by_path.items()]


def _dispatch(by_method: Mapping[str, Endpoint]) -> Callable[[Request], Any]:
    """One endpoint per path for all methods, so that one which is not there says which ones are."""
    allowed = ", ".join(sorted({*by_method, "HEAD"} if "GET" in by_method else by_method))

    async def endpoint(request: Request) -> Response:
        found = by_method.get("GET" if request.method == "HEAD" else request.method)
        if found is not None:
            return await found(request)
        response = refusal(ServerError("server-method", 405))
        response.headers["allow"] = allowed
        return response

    return endpoint


def _own() -> list[BaseRoute]:
    return [
        Route("/api/openapi.json", _openapi),
        Route("/api/{rest:path}", _unknown, methods=METHODS),
        Route("/healthz", _health),
        Route("/metrics", _metrics),
        Route("/p/{token}", _personal, methods=["GET", "POST"]),
    ]


def _sockets() -> list[WebSocketRoute]:
    from tsukimi.server.socket import lobby_socket, table_socket

    return [WebSocketRoute("/ws/table/{id}", table_socket), WebSocketRoute("/ws/lobby", lobby_socket)]


def _site(place: Path) -> list[BaseRoute]:
    site = static.Site(place)
    return [*(Route(path, site.page) for path in static.PAGES), Route("/{path:path}", site.file)]


def _patterns(routes: Sequence[BaseRoute]) -> dict[Any, str]:
    """How each endpoint is called in logs and metrics; all pages of the client are one."""
    found: dict[Any, str] = {}
    for route in routes:
        if isinstance(route, Route | WebSocketRoute):
            shared = {"page": "page", "file": "file"}.get(getattr(route.endpoint, "__name__", ""))
            found[route.endpoint] = shared or route.path
    return found


async def _http_problem(request: Request, problem: Exception) -> Response:
    """What the router refuses, in the same form as everything else."""
    status = problem.status_code if isinstance(problem, HTTPException) else 500
    response = refusal(not_found() if status == 404 else ServerError("server-method", status))
    if isinstance(problem, HTTPException) and problem.headers:
        response.headers.update(problem.headers)
    return response


async def _unknown(request: Request) -> Response:
    return refusal(not_found())


async def _openapi(request: Request) -> Response:
    return Response(_document(), media_type="application/json", headers={"cache-control": "public, max-age=3600"})


@cache
def _document() -> bytes:
    return msgspec.json.encode(openapi.document())


async def _health(request: Request) -> Response:
    """Whether this worker can serve: a load balancer asks."""
    state = request.app.state
    try:
        async with asyncio.timeout(HEALTH_SECONDS):
            await state.store.facts("-")
        stored = True
    except (Unavailable, TimeoutError):
        stored = False
    heard = bool(state.bus.healthy)
    data = {"fine": stored and heard, "store": stored, "bus": heard, "version": __version__}
    headers = {"cache-control": "no-store"}
    status = 200 if data["fine"] else 503
    return Response(msgspec.json.encode(data), status, headers, media_type="application/json")


async def _metrics(request: Request) -> Response:
    config: Config = request.app.state.config
    who = security.caller(request.scope)
    near = security.loopback(who.address) or security.inside(who.address, security.networks(config.metrics_from))
    given = request.headers.get("authorization", "").encode()
    token = f"Bearer {config.metrics_token}".encode()
    if not (who.direct and near) and not (config.metrics_token and hmac.compare_digest(given, token)):
        return refusal(ServerError("server-metrics", 403))
    measured: Metrics = request.app.state.metrics
    return Response(measured.render(), headers={"content-type": metrics.TYPE, "cache-control": "no-store"})


async def _personal(request: Request) -> Response:
    """A personal link. Looking at it changes nothing, as programs that preview links look too; its button does."""
    state = request.app.state
    who = security.caller(request.scope)
    try:
        if wait := state.limits.wait("link", who.key):
            raise too_many(wait)
        text = request.path_params["token"]
        person = await state.people.of_link(text) if PERSONAL.fullmatch(text) else None
    except Exception as problem:
        return refusal(problem)
    if person is None:
        return texts.page("no-link", request, 404)
    if request.method != "POST":
        return texts.page("link", request, name=person.name)
    response = RedirectResponse("/", 303, {"cache-control": "no-store"})
    state.people.set_cookie(response, person.id, who.secure)
    return response


# ---- metrics -----------------------------------------------------------------------------------


def _measure(measured: Metrics) -> None:
    started = time.time()
    measured.gauge("tsukimi_info", "The version that runs.", ("version",)).set(1, __version__)
    measured.gauge("process_start_time_seconds", "When the server was started.").set(round(started))
    if Path("/proc/self/statm").exists():
        measured.gauge("process_resident_memory_bytes", "Memory in use.", read=_memory)


def _memory() -> float:
    import resource

    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
