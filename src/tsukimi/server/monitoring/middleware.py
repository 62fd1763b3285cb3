"""Counts, times and logs every request."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tsukimi.server.monitoring import logs
from tsukimi.server.monitoring.metrics import Metrics

log = logging.getLogger("tsukimi.http")
METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
QUIET = frozenset({"/healthz", "/readyz", "/metrics", "file"})  # logged at debug level


class MonitoringMiddleware:
    """The outermost layer. Routes are identified by their pattern: paths contain table ids and personal links."""

    def __init__(self, app: ASGIApp, metrics: Metrics, patterns: Mapping[Any, str]) -> None:
        self.app = app
        self.metrics = metrics
        self.patterns = patterns

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        token = logs.request_id.set(logs.new_request_id())
        try:
            await (self._request if scope["type"] == "http" else self._socket)(scope, receive, send)
        finally:
            logs.request_id.reset(token)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = time.perf_counter()
        status = 500

        async def send_noting_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["x-request-id"] = logs.request_id.get()
            await send(message)

        try:
            await self.app(scope, receive, send_noting_status)
        finally:
            seconds = time.perf_counter() - started
            method = scope["method"] if scope["method"] in METHODS else "?"
            route = self._route(scope)
            self.metrics.requests.labels(method, route, str(status)).inc()
            self.metrics.seconds.labels(route).observe(seconds)
            level = logging.DEBUG if status < 400 and route in QUIET else logging.INFO
            fields = logs.fields(
                method=method, route=route, status=status, ms=round(1000 * seconds, 1), address=_address(scope)
            )
            log.log(level, "request", extra=fields)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = time.perf_counter()
        accepted = False

        async def send_noting_accept(message: Message) -> None:
            nonlocal accepted
            if message["type"] == "websocket.accept":
                accepted = True
                self.metrics.sockets.inc()
            await send(message)

        try:
            await self.app(scope, receive, send_noting_accept)
        finally:
            route = self._route(scope)
            self.metrics.handshakes.labels(route, "yes" if accepted else "no").inc()
            if accepted:
                self.metrics.sockets.dec()
            seconds = round(time.perf_counter() - started, 1)
            fields = logs.fields(route=route, accepted=accepted, seconds=seconds, address=_address(scope))
            log.info("socket", extra=fields)

    def _route(self, scope: Scope) -> str:
        return self.patterns.get(scope.get("endpoint"), "none")


def _address(scope: Scope) -> str:
    caller = scope.get("tsukimi.caller")
    return caller.address if caller is not None else ""
