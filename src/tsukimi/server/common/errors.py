"""Errors of the HTTP API. Their texts are in the common catalogue, under codes starting with `server-`."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.responses import Response

from tsukimi.core.errors import BadOptions, TsukimiError
from tsukimi.server.common.api import Problem
from tsukimi.store import Conflict, Unavailable
from tsukimi.table.errors import TableError

log = logging.getLogger("tsukimi.http")


class ServerError(TsukimiError):
    """A rejected request: an HTTP status, and the seconds after which to retry, if any."""

    def __init__(self, code: str, status: int, retry: int | None = None, **params: object) -> None:
        super().__init__(code, **params)
        self.status = status
        self.retry = retry


def not_found() -> ServerError:
    return ServerError("server-not-found", 404)


def too_many(wait: float) -> ServerError:
    seconds = max(1, math.ceil(wait))
    return ServerError("server-too-many", 429, retry=seconds, seconds=seconds)


def error_response(problem: Exception) -> Response:
    """The response to a failed request. An unexpected exception is logged and reported without details."""
    error = _as_error(problem)
    if error is None:
        log.error("request failed", exc_info=problem)
        error = ServerError("server-failed", 500)
    status = _status(error)
    headers = {"cache-control": "no-store"}
    if isinstance(error, ServerError) and error.retry is not None:
        headers["retry-after"] = str(error.retry)
    if status == 401:
        headers["www-authenticate"] = "Bearer"
    body = Problem(error.code, json_params(error.params), error.message())
    return Response(msgspec.json.encode(body), status, headers, media_type="application/json")


def _as_error(problem: Exception) -> TsukimiError | None:
    """None: our own fault."""
    if isinstance(problem, TsukimiError):
        return problem
    if isinstance(problem, Unavailable):
        return ServerError("server-unavailable", 503, retry=2)
    if isinstance(problem, Conflict):
        return ServerError("server-conflict", 409)
    if isinstance(problem, msgspec.ValidationError | msgspec.DecodeError):
        return ServerError("server-bad-request", 400, problem=str(problem)[:300])
    return None


def _status(error: TsukimiError) -> int:
    if isinstance(error, ServerError | TableError):
        return error.status
    return 400 if isinstance(error, BadOptions) else 409


def json_params(params: Mapping[str, object]) -> dict[str, Any]:
    """Parameters as JSON; an error within an error becomes its sentence, as in the text."""
    return {
        name: value if isinstance(value, int | float | str | None) else str(value) for name, value in params.items()
    }
