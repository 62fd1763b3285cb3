"""What the HTTP side refuses. The texts stand in the common catalogue, with codes beginning `server-`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from tsukimi.core.errors import BadOptions, TsukimiError
from tsukimi.server.http.api import Problem
from tsukimi.store import Conflict, Unavailable
from tsukimi.table.errors import TableError


class ServerError(TsukimiError):
    """A request that is refused. `status` is the HTTP status; `retry`: seconds after which it may be tried again."""

    def __init__(self, code: str, status: int, retry: float | None = None, **params: object) -> None:
        super().__init__(code, **params)
        self.status = status
        self.retry = retry


def not_found() -> ServerError:
    return ServerError("server-not-found", 404)


def too_many(seconds: float) -> ServerError:
    whole = max(1, int(seconds + 0.999))
    return ServerError("server-too-many", 429, retry=whole, seconds=whole)


def known(error: Exception) -> TsukimiError | None:
    """The refusal that an exception means; None: it is a fault of ours."""
    if isinstance(error, TsukimiError):
        return error
    if isinstance(error, Unavailable):
        return ServerError("server-unavailable", 503, retry=2)
    if isinstance(error, Conflict):
        return ServerError("server-conflict", 409)
    if isinstance(error, msgspec.ValidationError | msgspec.DecodeError):
        return ServerError("server-bad-request", 400, problem=str(error)[:300])
    return None


def status_of(error: TsukimiError) -> int:
    if isinstance(error, ServerError | TableError):
        return error.status
    return 400 if isinstance(error, BadOptions) else 409


def answer(error: TsukimiError) -> tuple[int, bytes, list[tuple[bytes, bytes]]]:
    """Status, body and extra headers of a refusal."""
    problem = Problem(error.code, plain(error.params), error.message())
    headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
    retry = getattr(error, "retry", None)
    if retry is not None:
        headers.append((b"retry-after", str(int(retry)).encode()))
    status = status_of(error)
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    return status, msgspec.json.encode(problem), headers


def plain(params: Mapping[str, object]) -> dict[str, Any]:
    """Parameters as JSON: an error within an error becomes its sentence, as in the text."""
    return {
        name: value if isinstance(value, int | float | str | None) else str(value) for name, value in params.items()
    }
