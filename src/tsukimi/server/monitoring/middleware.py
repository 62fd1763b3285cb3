"""Every request has a number, is counted and timed, and leaves one line in the log."""

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


class Watch:
    """The outermost layer. Requests are named by their route's pattern: paths hold table ids and personal links."""

    def __init__(self, app: ASGIApp, metrics: Metrics, patterns: Mapping[Any, str]) -> None:
        self.app = app
        self.patterns = patterns
        self.count = metrics.counter("tsukimi_http_requests_total", "Requests answered.", ("method", "route", "status"))
        self.time = metrics.histogram("tsukimi_http_seconds", "Time to answer a request.", ("route",))
        self.sockets = metrics.gauge("tsukimi_sockets", "WebSocket connections that are open.")
        self.opened = metrics.counter(
            "tsukimi_sockets_total", "WebSocket connections asked for.", ("route", "accepted")
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._request(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        number = logs.new_id()
        token = logs.request_id.set(number)
        started = time.perf_counter()
        status = 500

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["x-request-id"] = number
            await send(message)

        try:
            await self.app(scope, receive, watched)
        finally:
            seconds = time.perf_counter() - started
            method = scope["method"] if scope["method"] in METHODS else "?"
            name = self._name(scope)
            self.count.add(1, method, name, str(status))
            self.time.observe(seconds, name)
            level = logging.DEBUG if status < 400 and name in QUIET else logging.INFO
            if log.isEnabledFor(level):
                told = logs.values(
                    method=method, route=name, status=status, ms=round(1000 * seconds, 1), address=self._address(scope)
                )
                log.log(level, "request", extra=told)
            logs.request_id.reset(token)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        token = logs.request_id.set(logs.new_id())
        started = time.perf_counter()
        accepted = False

        async def watched(message: Message) -> None:
            nonlocal accepted
            if message["type"] == "websocket.accept":
                accepted = True
                self.sockets.add(1)
            await send(message)

        try:
            await self.app(scope, receive, watched)
        finally:
            name = self._name(scope)
            self.opened.add(1, name, "yes" if accepted else "no")
            if accepted:
                self.sockets.add(-1)
            told = logs.values(
                route=name,
                accepted=accepted,
                seconds=round(time.perf_counter() - started, 1),
                address=self._address(scope),
            )
            log.info("socket", extra=told)
            logs.request_id.reset(token)

    def _name(self, scope: Scope) -> str:
        return self.patterns.get(scope.get("endpoint"), "none")

    def _address(self, scope: Scope) -> str:
        found = scope.get("tsukimi.caller")
        return found.address if found is not None else ""


QUIET = frozenset({"/healthz", "/metrics", "file"})
