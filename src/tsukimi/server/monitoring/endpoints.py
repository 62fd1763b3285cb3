"""/healthz, /readyz and /metrics."""

from __future__ import annotations

import hmac

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from tsukimi import __version__
from tsukimi.server.common.errors import ServerError, error_response
from tsukimi.server.config import Config
from tsukimi.server.http import security
from tsukimi.server.monitoring import readiness
from tsukimi.server.monitoring.metrics import CONTENT_TYPE, Metrics


async def health(request: Request) -> Response:
    """Whether the process is alive; restart it only if this does not answer."""
    return _json({"fine": True, "version": __version__}, 200)


async def ready(request: Request) -> Response:
    """Whether this worker can serve; for load balancers. It can without the bus: tables are then read from the store."""
    state = request.app.state
    free, lag = state.disk.free(), state.loop_monitor.lag
    checks = {
        "store": await state.store_monitor.ready(),
        "disk": free is None or free >= readiness.LEAST_FREE_BYTES,
        "loop": lag <= readiness.MOST_LAG_S,
    }
    ready = all(checks.values())
    numbers = {"disk_free_bytes": free, "loop_lag_ms": round(1000 * lag)}
    data = {"ready": ready, **checks, "bus": bool(state.bus.healthy), **numbers, "version": __version__}
    return _json(data, 200 if ready else 503)


def _json(data: dict[str, object], status: int) -> Response:
    return Response(msgspec.json.encode(data), status, {"cache-control": "no-store"}, media_type="application/json")


async def metrics(request: Request) -> Response:
    """Metrics for Prometheus: only for this machine, configured networks, or holders of the token."""
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
