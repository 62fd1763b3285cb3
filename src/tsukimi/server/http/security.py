"""What every request and every WebSocket passes first: limits, who may send what from where, and strict headers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tsukimi.server.config import Config
from tsukimi.server.http.errors import ServerError, answer, too_many
from tsukimi.server.http.limits import Limits, address_key

LARGEST_BODY = 64 * 1024
# No other method reaches a handler that changes anything: the router refuses it.
CHANGING = frozenset({"POST", "PUT", "PATCH", "DELETE"})
FORWARDING = ("x-forwarded-for", "forwarded", "x-real-ip", "x-forwarded-host")
HOST = re.compile(r"[A-Za-z0-9._-]{1,253}(:\d{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](:\d{1,5})?")
Networks = tuple[IPv4Network | IPv6Network, ...]


class Caller(NamedTuple):
    """Who sends a request, as far as the connection tells."""

    address: str
    key: str
    """For rate limits: an IPv6 address counts with its whole /64."""
    secure: bool
    """The browser came by https."""
    direct: bool
    """The address is certain: the connection's own, or told by a proxy that we trust."""


def caller(scope: Scope) -> Caller:
    """The caller of a request or WebSocket that has passed `Security`."""
    found: Caller = scope["tsukimi.caller"]
    return found


def networks(texts: Sequence[str]) -> Networks:
    return tuple(ip_network(text, strict=False) for text in texts)


def inside(address: str, known: Networks) -> bool:
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if found.version == 6 and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    return any(found in network for network in known if network.version == found.version)


def loopback(address: str) -> bool:
    return inside(address, (IPv4Network("127.0.0.0/8"), IPv6Network("::1/128")))


class Security:
    """Pure ASGI, so that a WebSocket and a large download pass without being copied."""

    def __init__(self, app: ASGIApp, config: Config, limits: Limits) -> None:
        self.app = app
        self.limits = limits
        self.proxies = networks(config.proxies)
        self.origins = frozenset(
            _origin(url) for url in [config.public_url, *config.origins] if url
        )  # besides the host that was asked

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        who = scope["tsukimi.caller"] = self.call(scope, headers)
        host = headers.get("host", "").lower()
        guarded = _with_headers(send, host if HOST.fullmatch(host) else "", who.secure)
        try:
            self.check(scope, headers, who, host)
            if scope["type"] == "http" and scope["method"] in CHANGING:
                receive = _bounded(receive)
            await self.app(scope, receive, guarded if scope["type"] == "http" else send)
        except ServerError as error:
            await _refuse(scope, guarded, error)

    def call(self, scope: Scope, headers: Headers) -> Caller:
        """Whose request it is. Only a trusted proxy is believed about whom it speaks for."""
        peer = (scope.get("client") or ("", 0))[0]
        secure = scope["scheme"] in ("https", "wss")
        if not inside(peer, self.proxies):
            direct = not any(name in headers for name in FORWARDING)  # else: a proxy that nobody told us of
            return Caller(peer, address_key(peer), secure, direct)
        # The entry that a trusted proxy added is on the right; further left anybody can write what they like.
        told = [part.strip() for line in headers.getlist("x-forwarded-for") for part in line.split(",")]
        address = peer
        for hop in reversed(told):
            if not inside(hop, self.proxies):
                address = hop if _is_address(hop) else peer
                break
            address = hop
        secure = headers.get("x-forwarded-proto", "").split(",")[-1].strip() == "https"
        return Caller(address, address_key(address), secure, True)

    def check(self, scope: Scope, headers: Headers, who: Caller, host: str) -> None:
        if not HOST.fullmatch(host):
            raise ServerError("server-host", 400)
        if "\x00" in scope["path"]:  # no name of ours, and databases choke on it
            raise ServerError("server-not-found", 404)
        socket = scope["type"] == "websocket"
        changes = socket or scope["method"] in CHANGING
        if wait := self.limits.wait("socket" if socket else "http", who.key):
            raise too_many(wait)
        if not changes:
            return
        # A form of a personal link's page cannot send a header; its Origin is checked as everybody's.
        if not socket and headers.get("x-tsukimi") != "1" and not scope["path"].startswith("/p/"):
            raise ServerError("server-header", 403)
        origin = headers.get("origin")
        if origin is None:
            if not headers.get("authorization", "").lower().startswith("bearer "):
                raise ServerError("server-origin-missing", 403)
        elif not self.welcome(origin, host):
            raise ServerError("server-origin", 403)
        if not socket:
            if wait := self.limits.wait("change", who.key):
                raise too_many(wait)
            length = headers.get("content-length", "0")
            if not length.isdecimal() or int(length) > LARGEST_BODY:
                raise ServerError("server-too-large", 413, most=LARGEST_BODY)

    def welcome(self, origin: str, host: str) -> bool:
        """Whether a page of this origin may act here: one of this very host, or one that the configuration names."""
        try:
            found = _origin(origin)
        except ValueError:
            return False
        scheme, _, place = found.partition("://")
        return found in self.origins or (scheme in ("http", "https") and place == _place(scheme, host))


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{_place(parts.scheme, parts.netloc)}"


def _place(scheme: str, place: str) -> str:
    """A host with its port, the scheme's usual port left out, as browsers write it."""
    usual = {"http": ":80", "https": ":443"}.get(scheme, "")
    place = place.lower()
    return place.removesuffix(usual) if usual else place


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _bounded(receive: Receive) -> Receive:
    """Counts the body as it comes: a length that was not told cannot be checked before."""
    size = 0

    async def counted() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > LARGEST_BODY:
            raise ServerError("server-too-large", 413, most=LARGEST_BODY)
        return message

    return counted


async def _refuse(scope: Scope, send: Send, error: ServerError) -> None:
    status, body, headers = answer(error)
    headers.append((b"content-length", str(len(body)).encode()))
    # A WebSocket that is not opened is answered like a request, where the server can (uvicorn can).
    prefix = "http.response"
    if scope["type"] == "websocket":
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008, "reason": error.code})
            return
        prefix = "websocket.http.response"
    elif status == 413:
        headers.append((b"connection", b"close"))  # the rest of the body is not read
    await send({"type": f"{prefix}.start", "status": status, "headers": headers})
    await send({"type": f"{prefix}.body", "body": body})


def _with_headers(send: Send, host: str, secure: bool) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            message.setdefault("headers", [])
            headers = MutableHeaders(scope=message)
            for name, value in strict_headers(host, secure):
                headers.setdefault(name, value)
        await send(message)

    return sent


@lru_cache(maxsize=64)
def strict_headers(host: str, secure: bool) -> tuple[tuple[str, str], ...]:
    # Older browsers do not count a WebSocket of the own host as 'self'.
    sockets = f" ws://{host} wss://{host}" if host else ""
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        f"font-src 'self'; connect-src 'self'{sockets}; manifest-src 'self'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    )
    found = [
        ("content-security-policy", policy),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        # Not `no-referrer`: it would make the Origin of our own forms `null`.
        ("referrer-policy", "same-origin"),
        ("permissions-policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ]
    return tuple([*found, ("strict-transport-security", "max-age=31536000")] if secure else found)
