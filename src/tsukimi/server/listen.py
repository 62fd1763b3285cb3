"""uvicorn, set up for tables: the listening socket, limits on what a connection may do before it asks, the end."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import signal
import socket
from asyncio import TimerHandle
from collections.abc import Callable, Iterator
from typing import Any

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tsukimi.core.errors import BadOptions
from tsukimi.server.app import lifespan
from tsukimi.server.config import Config

HEAD_SECONDS = 15.0
LARGEST_HEAD = 32 * 1024
LARGEST_MESSAGE = 16 * 1024
KEEP_ALIVE = 75  # longer than nginx keeps its connections to us


class Patient(HttpToolsProtocol):
    """uvicorn's protocol, but a request's head must come within seconds and bounds: else half-open connections,
    or a head without end, would cost nothing to send and memory to hold."""

    _deadline: TimerHandle | None = None
    _head = 0
    """Bytes of the head so far; -1: the head is complete."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head = 0
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._head >= 0:
            self._head += len(data)
            if self._head > LARGEST_HEAD and not self.transport.is_closing():
                self.send_400_response("The request's head is too large.")

    def on_headers_complete(self) -> None:
        self._stop()
        self._head = -1
        super().on_headers_complete()

    def _wait(self) -> None:
        self._stop()
        self._deadline = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _stop(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class Server(uvicorn.Server):
    """Leaves signals to `serve`: uvicorn would end the process before the store is closed."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def bind(config: Config) -> socket.socket:
    """The listening socket. Taken before anything else is opened, so that a taken port is told at once."""
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            config.host, config.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError) as problem:
        raise BadOptions("server-bind-host", host=config.host) from problem
    found = socket.socket(family, kind, proto)
    try:
        if os.name != "nt":  # on Windows it would let two servers share the port
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
        found.listen(2048)
    except OSError as problem:
        found.close()
        code = "server-port-taken" if problem.errno == errno.EADDRINUSE else "server-port"
        raise BadOptions(code, host=config.host, port=config.port, problem=problem.strerror or "") from problem
    found.setblocking(False)
    return found


def address(config: Config, listening: socket.socket) -> str:
    """Where a browser finds the server."""
    if config.public_url:
        return config.public_url.rstrip("/")
    port = listening.getsockname()[1]
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "": "127.0.0.1"}.get(config.host, config.host)
    return f"http://{f'[{host}]' if ':' in host and not host.startswith('[') else host}:{port}"


def settings(app: Any, config: Config) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        loop="auto",
        http=Patient,
        ws="websockets-sansio",
        ws_max_size=LARGEST_MESSAGE,
        ws_per_message_deflate=False,
        lifespan="off",  # `serve` opens and closes: a failure is then told in one line
        log_config=None,
        access_log=False,
        proxy_headers=False,  # security.py reads them, from proxies that are trusted
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=config.grace,
    )


def run(app: Starlette, config: Config, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until a signal says to stop. What opening raises is raised here."""
    prepared = settings(app, config)
    with asyncio.Runner(loop_factory=prepared.get_loop_factory()) as runner:
        runner.run(serve(app, Server(prepared), listening, ready))


async def serve(app: Starlette, server: Server, listening: socket.socket, ready: Callable[[], None]) -> None:
    with _signals(server):
        async with lifespan(app):
            ready()
            await server.serve(sockets=[listening])


@contextlib.contextmanager
def _signals(server: Server) -> Iterator[None]:
    """SIGINT and SIGTERM end the server gently; also during the end, so that nothing accepted is left unwritten."""
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
