"""Running uvicorn: the listening socket, limits on request heads, a clean stop."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import os
import signal
import socket
from asyncio import TimerHandle
from collections.abc import Callable, Iterator
from typing import Any

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

from tsukimi.core.errors import BadOptions
from tsukimi.server.app import lifespan
from tsukimi.server.config import Config

HEAD_TIMEOUT_S = 15.0
MAX_HEAD_BYTES = 32 * 1024
MAX_MESSAGE_BYTES = 16 * 1024
KEEP_ALIVE_S = 75  # longer than nginx keeps its connections to us


class LimitedHttpProtocol(HttpToolsProtocol):
    """Limits the time and size of a request's head, which uvicorn does not: otherwise it would cost an attacker
    nothing to hold half-open connections or to send heads without end."""

    _timeout: TimerHandle | None = None
    _head_bytes = 0
    """Received so far; -1: the head is complete."""
    _parsed_bytes = 0
    """Of them in the address and complete headers: a large head may come complete in one piece."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._start_timeout()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_timeout()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head_bytes = self._parsed_bytes = 0
        self._start_timeout()

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        self._parsed(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        self._parsed(len(name) + len(value) + 4)

    def _parsed(self, size: int) -> None:
        self._parsed_bytes += size
        if self._parsed_bytes > MAX_HEAD_BYTES:
            raise ValueError("the request head is too large")  # the parser stops, and 400 is answered

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._head_bytes >= 0:
            self._head_bytes += len(data)
            if self._head_bytes > MAX_HEAD_BYTES and not self.transport.is_closing():
                self.send_400_response("The request head is too large.")

    def on_headers_complete(self) -> None:
        self._cancel_timeout()
        self._head_bytes = -1
        super().on_headers_complete()

    def _start_timeout(self) -> None:
        self._cancel_timeout()
        self._timeout = self.loop.call_later(HEAD_TIMEOUT_S, self.transport.close)

    def _cancel_timeout(self) -> None:
        if self._timeout is not None:
            self._timeout.cancel()
            self._timeout = None


class SocketProtocol(WebSocketsSansIOProtocol):
    """Ends quietly with a client that sends a text which is none and closes in one go, which uvicorn does not."""

    def send_receive_event_to_app(self) -> None:
        try:
            super().send_receive_event_to_app()
        except InvalidState:
            self.transport.close()


class Server(uvicorn.Server):
    """Leaves signals to `serve`: uvicorn would exit before the store is closed."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def bind(config: Config) -> socket.socket:
    """The listening socket, bound before anything else is opened, so that a taken port is reported at once."""
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            config.host, config.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError) as problem:
        raise BadOptions("server-bind-host", host=config.host) from problem
    listening = socket.socket(family, kind, proto)
    try:
        if os.name != "nt":  # on Windows it would let two servers share the port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(2048)
    except OSError as problem:
        listening.close()
        code = "server-port-taken" if problem.errno == errno.EADDRINUSE else "server-port"
        raise BadOptions(code, host=config.host, port=config.port, problem=problem.strerror or "") from problem
    listening.setblocking(False)
    return listening


def address(config: Config, listening: socket.socket) -> str:
    """The address to open in a browser."""
    if config.public_url:
        return config.public_url.rstrip("/")
    port = listening.getsockname()[1]
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "": "127.0.0.1"}.get(config.host, config.host)
    return f"http://{f'[{host}]' if ':' in host and not host.startswith('[') else host}:{port}"


def uvicorn_config(app: Any, config: Config) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        loop="auto",
        http=LimitedHttpProtocol,
        ws=SocketProtocol,
        ws_max_size=MAX_MESSAGE_BYTES,
        ws_per_message_deflate=False,
        lifespan="off",  # `serve` opens and closes, to report a failure in one line
        log_config=None,
        access_log=False,
        proxy_headers=False,  # http/security.py reads them, from trusted proxies only
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=config.grace,
    )


def run(app: Starlette, config: Config, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until a signal says to stop. Exceptions of opening are raised here."""
    # Nearly all that a move allocates is freed by reference counting. With the default of 700 the collector spends a
    # part of the server's time on finding that out; cycles, which connections leave behind, are found nonetheless.
    gc.set_threshold(20_000, 20, 10)
    prepared = uvicorn_config(app, config)
    with asyncio.Runner(loop_factory=prepared.get_loop_factory()) as runner:
        runner.run(serve(app, Server(prepared), listening, ready))


async def serve(app: Starlette, server: Server, listening: socket.socket, ready: Callable[[], None]) -> None:
    with _signals(server):
        async with lifespan(app):
            ready()
            await server.serve(sockets=[listening])


@contextlib.contextmanager
def _signals(server: Server) -> Iterator[None]:
    """SIGINT and SIGTERM stop the server cleanly; a second one too, so that everything accepted is written."""
    loop = asyncio.get_running_loop()

    def stop() -> None:
        server.should_exit = True

    names = (signal.SIGINT, signal.SIGTERM)
    try:
        for name in names:
            loop.add_signal_handler(name, stop)
    except (NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
        yield
        return
    try:
        yield
    finally:
        for name in names:
            loop.remove_signal_handler(name)
