"""/healthz and /metrics."""

from __future__ import annotations

import asyncio
import hmac

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from tsukimi import __version__
from tsukimi.server.common.errors import ServerError, error_response
from tsukimi.server.config import Config
from tsukimi.server.http import security
from tsukimi.server.monitoring.metrics import CONTENT_TYPE, Metrics
from tsukimi.store import Unavailable

HEALTH_TIMEOUT_S = 2.0


async def health(request: Request) -> Response:
    """Whether this worker can serve; for load balancers."""
    state = request.app.state
    try:
        async with asyncio.timeout(HEALTH_TIMEOUT_S):
            await state.store.summary("-")
        store = True
    except (Unavailable, TimeoutError):
        store = False
    bus = bool(state.bus.healthy)
    data = {"fine": store and bus, "store": store, "bus": bus, "version": __version__}
    headers = {"cache-control": "no-store"}
    return Response(msgspec.json.encode(data), 200 if data["fine"] else 503, headers, media_type="application/json")


async def metrics(request: Request) -> Response:
    """Metrics for Prometheus: only for this machine, configured networks, or the holder of the token."""
    config: Config = request.app.state.config
    caller = security.caller(request.scope)
    allowed = security.is_loopback(caller.address) or security.contains(
        security.networks(config.metrics_from), caller.address
    )
    given = request.headers.get("authorization", "").encode()
    token = f"Bearer {config.metrics_token}".encode()
    if not (caller.trusted and allowed) and not (config.metrics_token and hmac.compare_digest(given, token)):
        return error_response(ServerError("server-metrics", 403))
    found: Metrics = request.app.state.metrics
    return Response(found.render(), headers={"content-type": CONTENT_TYPE, "cache-control": "no-store"})
