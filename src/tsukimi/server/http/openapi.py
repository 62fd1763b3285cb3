"""The OpenAPI 3.1 document, made from the route table and its structs."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from typing import Any

import msgspec

from tsukimi import __version__
from tsukimi.server.http.api import Problem
from tsukimi.server.http.routes import ROUTES, Endpoint

REFERENCE = "#/components/schemas/{name}"
JSON = "application/json"
MEANING = {
    400: "The request is not understood.",
    401: "Nobody is known by this cookie or token.",
    403: "This may not be done.",
    404: "There is no such thing.",
    408: "The body came too slowly.",
    409: "This cannot be done now.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    429: "Too many requests; `Retry-After` says when the next one is welcome.",
    503: "The server cannot answer now.",
}
ABOUT = (
    "The HTTP side of the table; the games themselves are played over WebSockets. "
    "A browser is known by the cookie that the first `GET /api/me` sets, a program by a bearer token. "
    "Requests that change something carry `X-Tsukimi: 1` and, with a cookie, an `Origin` of the same host."
)


def document(routes: Sequence[Endpoint] = ROUTES) -> dict[str, Any]:
    kinds = list(dict.fromkeys(_kinds(routes)))
    found, components = msgspec.json.schema_components(kinds, ref_template=REFERENCE)
    schemas = dict(zip(map(repr, kinds), found, strict=True))
    paths: dict[str, Any] = {}
    for one in routes:
        paths.setdefault(one.path, {})[one.method.lower()] = _operation(one, schemas, components)
    used = {kind.__name__ for one in routes if (kind := one.query) is not None}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Tsukimi", "version": __version__, "description": ABOUT, "license": {"name": "MIT"}},
        "paths": paths,
        "components": {
            "schemas": {name: schema for name, schema in components.items() if name not in used},
            "securitySchemes": {
                "cookie": {"type": "apiKey", "in": "cookie", "name": "tsukimi"},
                "token": {"type": "http", "scheme": "bearer"},
            },
        },
    }


def _kinds(routes: Sequence[Endpoint]) -> list[Any]:
    kinds: list[Any] = [Problem]
    for one in routes:
        kinds += [kind for kind in (one.answer, one.body, one.query) if kind not in (None, str)]
    return kinds


def _operation(one: Endpoint, schemas: dict[str, Any], components: dict[str, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": one.handler.__name__,
        "summary": (inspect.getdoc(one.handler) or "").partition("\n")[0],
        "security": _security(one),
        "parameters": [*_path_parameters(one), *_query_parameters(one, components)],
        "responses": _responses(one, schemas),
    }
    if one.method != "GET":
        header = {"name": "X-Tsukimi", "in": "header", "required": True, "schema": {"type": "string", "enum": ["1"]}}
        operation["parameters"].append(header)
    if one.body is not None:
        operation["requestBody"] = {"required": True, "content": {JSON: {"schema": schemas[repr(one.body)]}}}
    return operation


def _security(one: Endpoint) -> list[dict[str, list[str]]]:
    cookie: dict[str, list[str]] = {"cookie": []}
    token: dict[str, list[str]] = {"token": []}
    if one.asks == "browser":
        return [cookie]
    return [{}, cookie, token] if one.asks == "anybody" else [cookie, token]


def _path_parameters(one: Endpoint) -> list[dict[str, Any]]:
    schema = {"type": "string", "minLength": 1, "maxLength": 40, "pattern": "^[A-Za-z0-9_-]+$"}
    return [{"name": name, "in": "path", "required": True, "schema": schema} for name in _names(one.path)]


def _names(path: str) -> list[str]:
    return re.findall(r"\{(\w+)\}", path)


def _query_parameters(one: Endpoint, components: dict[str, Any]) -> list[dict[str, Any]]:
    if one.query is None:
        return []
    properties = components[one.query.__name__]["properties"]
    return [{"name": name, "in": "query", "required": False, "schema": schema} for name, schema in properties.items()]


def _responses(one: Endpoint, schemas: dict[str, Any]) -> dict[str, Any]:
    good: dict[str, Any] = {"description": "Done."}
    if one.answer is str:
        good["content"] = {"text/plain": {"schema": {"type": "string"}}}
    else:
        good["content"] = {JSON: {"schema": schemas[repr(one.answer)]}}
    problem = {JSON: {"schema": schemas[repr(Problem)]}}
    refusals = {status: {"description": MEANING[status], "content": problem} for status in sorted(_statuses(one))}
    return {"200": good} | {str(status): told for status, told in refusals.items()}


def _statuses(one: Endpoint) -> set[int]:
    """What a route can refuse with: its own reasons and those of all its kind."""
    found = {400, 401, 429, 503, *one.refusals}  # a token may be wrong everywhere, the store away
    if one.method != "GET":
        found |= {403, 413}
    if one.asks == "browser":
        found.add(403)
    if one.body is not None:
        found |= {408, 415}
    if _names(one.path):
        found.add(404)
    return found
