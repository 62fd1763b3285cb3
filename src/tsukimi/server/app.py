"""The application: everything assembled, opened and closed in the right order."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache, partial
from typing import Any
from urllib.parse import urlsplit

import msgspec
from starlette.applications import Starlette
from starlette.datastructures import State
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from tsukimi import bus, store
from tsukimi.bus import Bus
from tsukimi.server.accounts.accounts import Accounts
from tsukimi.server.accounts.mail import Mailer
from tsukimi.server.accounts.people import People
from tsukimi.server.accounts.recovery import Recovery
from tsukimi.server.accounts.sessions import Sessions
from tsukimi.server.admin import handlers as admin_handlers  # noqa: F401 (adds its routes)
from tsukimi.server.common.errors import ServerError, error_response, not_found
from tsukimi.server.common.limits import RateLimiter
from tsukimi.server.common.networks import NO_NETWORKS, Networks
from tsukimi.server.common.quotas import Quotas
from tsukimi.server.common.workers import Workers
from tsukimi.server.config import Config
from tsukimi.server.http import game_texts, openapi, pages, security, static
from tsukimi.server.http import handlers as handlers  # fills the table of routes
from tsukimi.server.http.routes import ROUTES, Endpoint, Tables
from tsukimi.server.http.security import SecurityMiddleware, contains
from tsukimi.server.moderation.follower import Moderation
from tsukimi.server.monitoring import endpoints as monitoring
from tsukimi.server.monitoring.loop import LoopMonitor
from tsukimi.server.monitoring.metrics import Metrics
from tsukimi.server.monitoring.middleware import MonitoringMiddleware
from tsukimi.server.monitoring.readiness import Disk, StoreMonitor
from tsukimi.store import Store
from tsukimi.store.moderation import Action

METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "QUERY")
MakeTables = Callable[[Store, Bus, Config, Metrics], Tables]


def build(
    config: Config, make_tables: MakeTables | None = None, sockets: Sequence[WebSocketRoute] | None = None
) -> Starlette:
    """The application for a complete configuration (`config.load`). Tests may pass their own tables and sockets."""
    networks = Networks(config.networks) if config.networks else NO_NETWORKS
    if make_tables is None:
        from tsukimi.server.tables.service import TableService

        make_tables = partial(TableService, networks=networks)
    limiter, metrics = RateLimiter(config.rate), Metrics()
    quotas = Quotas(
        config.rate,
        config.connections_per_address,
        config.sockets_per_person,
        config.bytes_per_second,
        config.max_queued * 2**20,
        config.write_timeout,
    )
    limiter.on_refused = lambda kind: metrics.refused.labels(kind).inc()
    quotas.on_dropped = lambda reason: metrics.dropped.labels(reason).inc()
    metrics.queued.set_function(lambda: quotas.queued)
    database = store.connect(config.database)
    moderation = Moderation(database)
    routes = [
        *_api_routes(),
        *_server_routes(),
        *(_socket_routes() if sockets is None else sockets),
        *_site_routes(config),
    ]
    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(MonitoringMiddleware, metrics=metrics, patterns=_patterns(routes)),
            Middleware(SecurityMiddleware, config=config, limiter=limiter, quotas=quotas, bans=moderation.bans),
        ],
        exception_handlers={HTTPException: _routing_error},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    app.state.config, app.state.limiter, app.state.metrics, app.state.quotas = config, limiter, metrics, quotas
    app.state.is_proxy = partial(contains, security.networks(config.proxies))
    app.state.store, app.state.make_tables, app.state.moderation = database, make_tables, moderation
    app.state.store_monitor = StoreMonitor(app.state.store, metrics)
    app.state.disk, app.state.loop_monitor = Disk(config.database, metrics), LoopMonitor(metrics)
    app.state.networks, app.state.leaderboards = networks, {}
    _add_people(app.state)
    return app


def _add_people(state: State) -> None:
    config, store, limiter = state.config, state.store, state.limiter
    state.people = People(store, Sessions(store, config.key("cookie")), state.moderation)
    issuer = urlsplit(config.public_url).hostname or "Tsukimi"
    state.accounts = Accounts(store, state.people, limiter, config.key, issuer)
    mailer = Mailer(config.smtp, config.mail_from) if config.smtp else None
    state.recovery = Recovery(store, state.people, state.accounts, limiter, mailer, config.public_url)


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    """Open everything the application needs, and close it in reverse: tables, then the bus and store they write to."""
    state = app.state
    async with AsyncExitStack() as stack:
        stack.callback(state.accounts.close)
        stack.callback(state.recovery.close)
        game_texts.games("en")  # loads the games before the first request
        await state.loop_monitor.start()
        stack.push_async_callback(state.loop_monitor.stop)
        await state.store.open()
        stack.push_async_callback(state.store.close)
        state.bus = bus.connect(state.config.bus or None)
        await state.bus.open()
        stack.push_async_callback(state.bus.close)
        if state.config.bus:
            stack.push_async_callback(Workers(state.bus, partial(_share, state.limiter, state.quotas)).close)
        state.metrics.bus_healthy.set_function(lambda: float(state.bus.healthy))
        state.people.sessions.credentials.connect(state.bus)
        state.tables = state.make_tables(state.store, state.bus, state.config, state.metrics)
        await state.tables.start()
        stack.push_async_callback(state.tables.stop)
        state.moderation.on_action = lambda action: _apply_action(state.tables, action)
        await state.moderation.start()
        stack.push_async_callback(state.moderation.stop)
        yield


def _share(limiter: RateLimiter, quotas: Quotas, workers: int) -> None:
    limiter.share(workers)
    quotas.share(workers)


def _apply_action(tables: Tables, action: Action) -> None:
    kind, _, table = action.target.partition(" ")
    if kind == "table":
        tables.log_changed(table)


def _api_routes() -> list[BaseRoute]:
    by_path: dict[str, dict[str, Endpoint]] = {}
    for endpoint in ROUTES:
        by_path.setdefault(endpoint.path, {})[endpoint.method] = endpoint
    return [Route(path, _dispatch(by_method), methods=METHODS) for path, by_method in by_path.items()]


def _dispatch(by_method: Mapping[str, Endpoint]) -> Callable[[Request], Any]:
    """One endpoint per path for all methods, so that the response to any other method lists those allowed."""
    allowed = ", ".join(sorted({*by_method, "HEAD"} if "GET" in by_method else by_method))

    async def dispatch(request: Request) -> Response:
        endpoint = by_method.get("GET" if request.method == "HEAD" else request.method)
        if endpoint is not None:
            return await endpoint(request)
        response = error_response(ServerError("server-method", 405))
        response.headers["allow"] = allowed
        return response

    return dispatch


def _server_routes() -> list[BaseRoute]:
    return [
        Route("/api/openapi.json", _openapi),
        Route("/api/{rest:path}", _unknown, methods=METHODS),
        Route("/healthz", monitoring.health),
        Route("/readyz", monitoring.ready),
        Route("/metrics", monitoring.metrics),
        Route("/p/{token}", pages.personal_link, methods=["GET", "POST"]),
        Route("/e/{token}", pages.confirm_address, methods=["GET", "POST"]),
    ]


def _socket_routes() -> list[WebSocketRoute]:
    from tsukimi.server.sockets.endpoints import lobby_socket, table_socket

    return [WebSocketRoute("/ws/table/{id}", table_socket), WebSocketRoute("/ws/lobby", lobby_socket)]


def _site_routes(config: Config) -> list[BaseRoute]:
    site = static.Site(static.client_folder(config.web))
    return [*(Route(path, site.page) for path in static.PAGES), Route("/{path:path}", site.file)]


def _patterns(routes: Sequence[BaseRoute]) -> dict[Any, str]:
    """The name of each endpoint in logs and metrics; all pages of the client share one."""
    patterns: dict[Any, str] = {}
    for route in routes:
        if isinstance(route, Route | WebSocketRoute):
            shared = {"page": "page", "file": "file"}.get(getattr(route.endpoint, "__name__", ""))
            patterns[route.endpoint] = shared or route.path
    return patterns


async def _routing_error(request: Request, problem: Exception) -> Response:
    """The router's rejections, in the same form as all other errors."""
    status = problem.status_code if isinstance(problem, HTTPException) else 500
    response = error_response(not_found() if status == 404 else ServerError("server-method", status))
    if isinstance(problem, HTTPException) and problem.headers:
        response.headers.update(problem.headers)
    return response


async def _unknown(request: Request) -> Response:
    return error_response(not_found())


async def _openapi(request: Request) -> Response:
    return Response(_document(), media_type="application/json", headers={"cache-control": "public, max-age=3600"})


@cache
def _document() -> bytes:
    return msgspec.json.encode(openapi.document())
