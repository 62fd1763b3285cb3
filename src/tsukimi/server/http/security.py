"""What every request and WebSocket passes through first: rate limits, origins, size limits, and security headers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from tsukimi.server.common.addresses import address_key, parse_address
from tsukimi.server.common.errors import ServerError, error_response, too_many
from tsukimi.server.common.limits import RateLimiter
from tsukimi.server.common.quotas import Quotas
from tsukimi.server.config import Config
from tsukimi.server.http.answers import RETRY_S, Answer
from tsukimi.server.moderation.bans import BanList
from tsukimi.store import Unavailable

MAX_BODY_BYTES = 64 * 1024
ROOM_BYTES = 256 * 1024  # that a response may need
REFUSAL_S = 0.005  # the cost of a refused request: whoever carries on regardless is slowed down
# The methods that may change something; the router rejects all others except GET and HEAD.
UNSAFE = frozenset({"POST", "PUT", "PATCH", "DELETE"})
FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip", "x-forwarded-host")
HOST = re.compile(r"[A-Za-z0-9._-]{1,253}(:\d{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](:\d{1,5})?")
Networks = tuple[IPv4Network | IPv6Network, ...]


class Caller(NamedTuple):
    """Where a request comes from."""

    address: str
    key: str
    """For rate limits: all addresses of an IPv6 /64 share one."""
    secure: bool
    """The browser used HTTPS."""
    trusted: bool
    """The address is reliable: the connection's own, or reported by a trusted proxy."""


def caller(scope: Scope) -> Caller:
    """The caller of a request or WebSocket that has passed `SecurityMiddleware`."""
    found: Caller = scope["tsukimi.caller"]
    return found


def networks(texts: Sequence[str]) -> Networks:
    return tuple(ip_network(text, strict=False) for text in texts)


def contains(networks: Networks, address: str) -> bool:
    ip = parse_address(address)
    return ip is not None and any(ip in network for network in networks if network.version == ip.version)


def is_loopback(address: str) -> bool:
    return contains((IPv4Network("127.0.0.0/8"), IPv6Network("::1/128")), address)


class SecurityMiddleware:
    """Pure ASGI, so that WebSockets and large downloads pass without being copied."""

    def __init__(self, app: ASGIApp, config: Config, limiter: RateLimiter, quotas: Quotas, bans: BanList) -> None:
        self.app = app
        self.limiter, self.quotas, self.bans = limiter, quotas, bans
        self.proxies = networks(config.proxies)
        # Allowed besides the request's own host.
        self.origins = frozenset(_origin(url) for url in [config.public_url, *config.origins] if url)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        caller = scope["tsukimi.caller"] = self.identify(scope, headers)
        host = headers.get("host", "").lower()
        send_with_headers = _with_security_headers(send, host if HOST.fullmatch(host) else "", caller.secure)
        connection = scope.get("state", {}).get("connection")
        if connection is not None:
            connection.belongs_to(caller.key)
        try:
            self.check(scope, headers, caller, host)
            if scope["type"] == "websocket":
                with self.quotas.socket(caller.key):
                    await self.app(scope, receive, send)
                return
            if scope["method"] in UNSAFE:
                receive = _limited(receive)
            async with Answer(send_with_headers, self.quotas, caller.key) as answer:
                await self.app(scope, receive, answer.send)
        except ServerError as error:
            if error.status == 429 and connection is not None:
                connection.spend(REFUSAL_S)
            await _reject(scope, receive, send_with_headers, error)
        except Unavailable:
            if scope["type"] == "websocket":  # before it was accepted
                await _reject(scope, receive, send_with_headers, ServerError("server-unavailable", 503, retry=2))
            # Otherwise in the middle of a download, which ends here: its status has been sent.
        except WebSocketDisconnect:  # the client has gone
            pass

    def identify(self, scope: Scope, headers: Headers) -> Caller:
        """Where a request comes from. Forwarding headers are used only if a trusted proxy sent them."""
        peer = (scope.get("client") or ("", 0))[0]
        secure = scope["scheme"] in ("https", "wss")
        if not contains(self.proxies, peer):
            trusted = not any(name in headers for name in FORWARDED)  # else: an unknown proxy
            return Caller(peer, address_key(peer), secure, trusted)
        # A trusted proxy appends on the right; anything further left may be forged.
        hops = [part.strip() for line in headers.getlist("x-forwarded-for") for part in line.split(",")]
        address = peer
        for hop in reversed(hops):
            if not contains(self.proxies, hop):
                address = hop if parse_address(hop) is not None else peer
                break
            address = hop
        secure = headers.get("x-forwarded-proto", "").split(",")[-1].strip() == "https"
        return Caller(address, address_key(address), secure, True)

    def check(self, scope: Scope, headers: Headers, caller: Caller, host: str) -> None:
        if not HOST.fullmatch(host):
            raise ServerError("server-host", 400)
        if "\x00" in scope["path"]:  # never valid, and databases reject it
            raise ServerError("server-not-found", 404)
        socket = scope["type"] == "websocket"
        unsafe = socket or scope["method"] in UNSAFE
        if unsafe or scope["path"].startswith("/api/"):  # the page itself still loads, to say why
            self.bans.check_address(caller.address)
        if wait := self.limiter.acquire("socket" if socket else "http", caller.key):
            raise too_many(wait)
        quota = self.quotas.of(caller.key)
        if quota.queued and self.quotas.is_full(quota, ROOM_BYTES):  # before computing something that cannot be sent
            self.quotas.on_dropped("queued")
            raise too_many(RETRY_S)
        if not unsafe:
            return
        # The form on the page of a link cannot send a header; its Origin is checked like any other.
        if not socket and headers.get("x-tsukimi") != "1" and not scope["path"].startswith(("/p/", "/e/")):
            raise ServerError("server-header", 403)
        origin = headers.get("origin")
        if origin is None:
            if not headers.get("authorization", "").lower().startswith("bearer "):
                raise ServerError("server-origin-missing", 403)
        elif not self.allows(origin, host):
            raise ServerError("server-origin", 403)
        if not socket:
            if wait := self.limiter.acquire("change", caller.key):
                raise too_many(wait)
            length = headers.get("content-length", "0")
            if not length.isdecimal() or int(length) > MAX_BODY_BYTES:
                raise ServerError("server-too-large", 413, most=MAX_BODY_BYTES)

    def allows(self, origin: str, host: str) -> bool:
        """Whether pages from this origin may act here: those of the same host and the configured ones."""
        try:
            normal = _origin(origin)
        except ValueError:
            return False
        scheme, _, netloc = normal.partition("://")
        return normal in self.origins or (scheme in ("http", "https") and netloc == _netloc(scheme, host))


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{_netloc(parts.scheme, parts.netloc)}"


def _netloc(scheme: str, netloc: str) -> str:
    """Host and port without the scheme's default port, as browsers write it."""
    default = {"http": ":80", "https": ":443"}.get(scheme, "")
    return netloc.lower().removesuffix(default)


def _limited(receive: Receive) -> Receive:
    """Limit the body while it is read: without a Content-Length it cannot be checked in advance."""
    size = 0

    async def limited() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > MAX_BODY_BYTES:
            raise ServerError("server-too-large", 413, most=MAX_BODY_BYTES)
        return message

    return limited


async def _reject(scope: Scope, receive: Receive, send: Send, error: ServerError) -> None:
    if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1008, "reason": error.code})
        return
    response = error_response(error)
    if response.status_code == 413:
        response.headers["connection"] = "close"  # the rest of the body is not read
    await response(scope, receive, send)


def _with_security_headers(send: Send, host: str, secure: bool) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            message.setdefault("headers", [])
            headers = MutableHeaders(scope=message)
            for name, value in security_headers(host, secure):
                headers.setdefault(name, value)
        await send(message)

    return send_with_headers


@lru_cache(maxsize=64)
def security_headers(host: str, secure: bool) -> tuple[tuple[str, str], ...]:
    # In older browsers 'self' does not cover WebSockets of the same host.
    sockets = f" ws://{host} wss://{host}" if host else ""
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        f"font-src 'self'; connect-src 'self'{sockets}; manifest-src 'self'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    )
    headers = [
        ("content-security-policy", policy),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        # Not `no-referrer`: it would make the Origin of our own forms `null`.
        ("referrer-policy", "same-origin"),
        ("permissions-policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ]
    if secure:
        headers.append(("strict-transport-security", "max-age=31536000"))
    return tuple(headers)
