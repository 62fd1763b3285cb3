"""Running uvicorn: the listening socket, a clean stop."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from typing import Any

import uvicorn
from starlette.applications import Starlette

from tsukimi.core.errors import BadOptions
from tsukimi.server.app import lifespan
from tsukimi.server.config import Config
from tsukimi.server.transport.connection import Connection
from tsukimi.server.transport.sockets import SocketProtocol

MAX_MESSAGE_BYTES = 16 * 1024
RECEIVE_BUFFER_BYTES = SEND_BUFFER_BYTES = 64 * 1024
SWITCH_S = 0.0005
KEEP_ALIVE_S = 75  # longer than nginx keeps its connections to us


class Server(uvicorn.Server):
    """Leaves signals to `serve`: uvicorn would exit before the store is closed."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def bind(config: Config) -> socket.socket:
    """The listening socket, bound before anything else is opened, so that a port in use is reported immediately."""
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
        # What a peer that floods or does not read may use of the system's memory; connections inherit it.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER_BYTES)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
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
        http=Connection,  # type: ignore[arg-type]  # a BufferedProtocol
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


def tune_interpreter() -> None:
    # Nearly everything a move allocates is freed by reference counting, but moves that wait for the disk hold about 40
    # objects each: the collector should not run each time hundreds of tables wait together (a tenth of the server's time
    # with 20,000). Cycles, which connections leave behind, are still found.
    gc.set_threshold(100_000, 20, 10)
    # A thread that computes (a replay, an export) holds the GIL for this long, and the event loop waits for
    # it at every callback. With the default of 5 ms everyone would notice someone's replay.
    sys.setswitchinterval(SWITCH_S)


def run(app: Starlette, config: Config, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until a signal says to stop. Exceptions while opening are raised here."""
    tune_interpreter()
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
    """SIGINT and SIGTERM stop the server cleanly; so does a second one, so that everything accepted is written."""
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
