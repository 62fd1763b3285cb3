"""The OpenAPI 3.1 document, generated from the route table and its structs."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from typing import Any

import msgspec

from tsukimi import __version__
from tsukimi.server.common.api import Problem
from tsukimi.server.http.routes import ROUTES, Endpoint

REFERENCE = "#/components/schemas/{name}"
JSON = "application/json"
DESCRIPTIONS = {
    400: "The request is malformed.",
    401: "No valid cookie or token.",
    403: "Not allowed.",
    404: "Not found.",
    408: "The body arrived too slowly.",
    409: "Not possible now.",
    410: "The log of the table cannot be read.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    429: "Too many requests; `Retry-After` says when to try again.",
    503: "Temporarily unavailable.",
}
DESCRIPTION = (
    "The HTTP API; the games themselves are played over WebSockets. "
    "A browser is identified by the cookie that the first `GET /api/me` sets, a program by a bearer token. "
    "Requests that change something need `X-Tsukimi: 1` and, with a cookie, an `Origin` of the same host."
)


def document(routes: Sequence[Endpoint] = ROUTES) -> dict[str, Any]:
    types = list(dict.fromkeys(_types(routes)))
    found, components = msgspec.json.schema_components(types, ref_template=REFERENCE)
    schemas = dict(zip(map(repr, types), found, strict=True))
    paths: dict[str, Any] = {}
    for endpoint in routes:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint, schemas, components)
    queries = {endpoint.query.__name__ for endpoint in routes if endpoint.query is not None}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Tsukimi", "version": __version__, "description": DESCRIPTION, "license": {"name": "MIT"}},
        "paths": paths,
        "components": {
            "schemas": {name: schema for name, schema in components.items() if name not in queries},
            "securitySchemes": {
                "cookie": {"type": "apiKey", "in": "cookie", "name": "tsukimi"},
                "token": {"type": "http", "scheme": "bearer"},
            },
        },
    }


def _types(routes: Sequence[Endpoint]) -> list[Any]:
    types: list[Any] = [Problem]
    for endpoint in routes:
        types += [type for type in (endpoint.response, endpoint.body, endpoint.query) if type not in (None, str)]
    return types


def _operation(endpoint: Endpoint, schemas: dict[str, Any], components: dict[str, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": endpoint.handler.__name__,
        "summary": (inspect.getdoc(endpoint.handler) or "").partition("\n")[0],
        "security": _security(endpoint),
        "parameters": [*_path_parameters(endpoint), *_query_parameters(endpoint, components)],
        "responses": _responses(endpoint, schemas),
    }
    if endpoint.method != "GET":
        header = {"name": "X-Tsukimi", "in": "header", "required": True, "schema": {"type": "string", "enum": ["1"]}}
        operation["parameters"].append(header)
    if endpoint.body is not None:
        operation["requestBody"] = {"required": True, "content": {JSON: {"schema": schemas[repr(endpoint.body)]}}}
    return operation


def _security(endpoint: Endpoint) -> list[dict[str, list[str]]]:
    cookie: dict[str, list[str]] = {"cookie": []}
    token: dict[str, list[str]] = {"token": []}
    if endpoint.access in ("browser", "admin"):
        return [cookie]
    return [{}, cookie, token] if endpoint.access == "public" else [cookie, token]


def _path_parameters(endpoint: Endpoint) -> list[dict[str, Any]]:
    schema = {"type": "string", "minLength": 1, "maxLength": 40, "pattern": "^[A-Za-z0-9_-]+$"}
    return [{"name": name, "in": "path", "required": True, "schema": schema} for name in _names(endpoint.path)]


def _names(path: str) -> list[str]:
    return re.findall(r"\{(\w+)\}", path)


def _query_parameters(endpoint: Endpoint, components: dict[str, Any]) -> list[dict[str, Any]]:
    if endpoint.query is None:
        return []
    properties = components[endpoint.query.__name__]["properties"]
    return [{"name": name, "in": "query", "required": False, "schema": schema} for name, schema in properties.items()]


def _responses(endpoint: Endpoint, schemas: dict[str, Any]) -> dict[str, Any]:
    good: dict[str, Any] = {"description": "OK."}
    if endpoint.response is str:
        good["content"] = {"text/plain": {"schema": {"type": "string"}}}
    else:
        good["content"] = {JSON: {"schema": schemas[repr(endpoint.response)]}}
    problem = {JSON: {"schema": schemas[repr(Problem)]}}
    errors = {
        status: {"description": DESCRIPTIONS[status], "content": problem} for status in sorted(_statuses(endpoint))
    }
    return {"200": good} | {str(status): error for status, error in errors.items()}


def _statuses(endpoint: Endpoint) -> set[int]:
    """The error statuses of a route: its own and the common ones."""
    found = {400, 401, 429, 503, *endpoint.errors}  # a token may be wrong or the store unavailable anywhere
    if endpoint.method != "GET":
        found |= {403, 413}
    if endpoint.access in ("browser", "admin"):
        found.add(403)
    if endpoint.body is not None:
        found |= {408, 415}
    if _names(endpoint.path):
        found.add(404)
    return found
