"""A connection at the asyncio level, with uvicorn's protocol inside: everything it reads is counted (requests,
messages, control frames), and a peer that does not read is dropped.

All of it uses asyncio's own protocol and transport, so it works for every protocol that uvicorn has.
"""

from __future__ import annotations

import asyncio
import random
import time
from asyncio import TimerHandle
from collections.abc import Callable
from operator import attrgetter
from typing import Any, cast

import uvicorn
from uvicorn.server import ServerState

from tsukimi.server.common.addresses import address_key
from tsukimi.server.common.quotas import Quota, Quotas
from tsukimi.server.transport.heads import LimitedHttpProtocol

READ_SIZE = 1024  # bytes at a time: a control frame has six, and takes as long as a message
COUNTED_S, COUNTED_BYTES = 0.001, 4096  # less than that is counted together with what follows
HIGH_WATER = 32 * 1024  # bytes in the transport; with more, uvicorn waits before it writes again
LINGER_S = 2.0
CLOSE_TIMEOUT_S = 10.0  # for what is still in the transport when a connection is closed

_blocked_until = attrgetter("blocked_until")


class Connection(asyncio.BufferedProtocol):
    """`scope["state"]["connection"]` of every request and WebSocket on it."""

    def __init__(
        self,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        state = cast(Any, config.app).state
        self._limits: Quotas = state.quotas
        self._is_proxy: Callable[[str], bool] = state.is_proxy
        self._loop = _loop or asyncio.get_running_loop()
        self.inner: asyncio.Protocol = LimitedHttpProtocol(
            config, server_state, {**app_state, "connection": self}, _loop
        )
        self._transport: asyncio.Transport | None = None
        """None: not admitted."""
        self._address: Quota | None = None
        """Of the peer; None: a proxy."""
        self._quotas: tuple[Quota, ...] = (self._limits.of_connection(),)
        """What is read counts towards the connection, its address and its person."""
        self._seconds, self._bytes = 0.0, 0
        self._buffer = memoryview(bytearray(READ_SIZE))
        """Its own: servers in several threads read at the same time."""
        self._held = b""
        """Received while nothing more may be read."""
        self._paused = self._waiting = False
        """Whether uvicorn, or we, have paused reading."""
        self._waiting_for: Quota | None = None
        self._timeout: TimerHandle | None = None
        self.lingering = False
        """Whether nothing more is written and input is dropped, until the peer closes."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        opened = cast(asyncio.Transport, transport)
        peer = opened.get_extra_info("peername")
        address = str(peer[0]) if isinstance(peer, tuple) else ""
        if not self._is_proxy(address):
            quota = self._limits.of(address_key(address))
            if not self._limits.admits_connection(quota):
                self._limits.on_dropped("connections")
                opened.abort()
                return
            quota.connections += 1
            self._address = quota
            self.counts_for(quota)
        opened.set_write_buffer_limits(high=HIGH_WATER)
        self._transport = opened
        self.inner.connection_made(Guarded(self, opened))

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_timeout()
        if self._transport is not None:
            self._transport = None
            if self._address is not None:
                self._address.connections -= 1
            self.inner.connection_lost(exc)

    # ---- reading ---------------------------------------------------------------------------------

    def belongs_to(self, key: str) -> None:
        """Whose request has arrived, if the peer is a proxy."""
        if self._address is None:
            self._quotas = (self._quotas[0], self._limits.of(key))

    def counts_for(self, quota: Quota) -> None:
        """What is read also counts towards someone else."""
        self._quotas = (*self._quotas, quota)

    def spend(self, seconds: float, size: int = 0) -> None:
        for quota in self._quotas:
            quota.spend(seconds, size)

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        if not self.lingering:
            self._receive(bytes(self._buffer[:nbytes]))

    def _receive(self, data: bytes) -> None:
        quota = max(self._quotas, key=_blocked_until)
        if quota.blocked_until and (wait := quota.blocked_until - time.monotonic()) > 0:
            self._held = data
            self._wait_for(quota, wait)
            return
        started = time.thread_time()
        self.inner.data_received(data)
        self._seconds += time.thread_time() - started
        self._bytes += len(data)
        if self._seconds < COUNTED_S and self._bytes < COUNTED_BYTES:
            return
        self.spend(self._seconds, self._bytes)
        self._seconds, self._bytes = 0.0, 0
        self._wait(0)  # others come first

    def _wait(self, seconds: float) -> None:
        self._waiting = True
        self._update_reading()
        self._loop.call_later(seconds, self._resume)

    def _wait_for(self, quota: Quota, seconds: float) -> None:
        """Those waiting for the same quota do not all resume at once."""
        quota.waiting += 1
        self._waiting_for = quota
        self._wait(seconds * (1 + quota.waiting * random.random()))

    def _resume(self) -> None:
        self._waiting = False
        if self._waiting_for is not None:
            self._waiting_for.waiting -= 1
            self._waiting_for = None
        if self._transport is None or self._transport.is_closing():
            return
        if self._held and not self._paused and not self.lingering:
            held, self._held = self._held, b""
            self._receive(held)
        self._update_reading()

    def pause_reading(self) -> None:
        self._paused = True
        self._update_reading()

    def resume_reading(self) -> None:
        self._paused = False
        if self._held and not self._waiting:
            self._wait(0)
        self._update_reading()

    def _update_reading(self) -> None:
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        if not self.lingering and (self._paused or self._waiting or self._held):
            transport.pause_reading()
        else:
            transport.resume_reading()

    def eof_received(self) -> bool | None:
        return self.inner.eof_received()

    # ---- writing ---------------------------------------------------------------------------------

    def pause_writing(self) -> None:
        self._start_timeout(self._limits.write_timeout, self._drop)
        self.inner.pause_writing()

    def resume_writing(self) -> None:
        if self._transport is not None and not (self.lingering or self._transport.is_closing()):
            self._cancel_timeout()
        self.inner.resume_writing()

    def close(self) -> None:
        """What is still in the transport must be read soon."""
        transport = self._transport
        if transport is None or transport.is_closing() or self.lingering:
            return
        if isinstance(self.inner, LimitedHttpProtocol) and self.inner.in_request and transport.can_write_eof():
            # Closing while the peer is sending would lose the response that says why.
            self.lingering = True
            transport.write_eof()
            self._update_reading()
            self._start_timeout(LINGER_S, transport.abort)
            return
        transport.close()
        if transport.get_write_buffer_size():
            self._start_timeout(CLOSE_TIMEOUT_S, self._drop)

    def _start_timeout(self, seconds: float, end: Callable[[], None]) -> None:
        self._cancel_timeout()
        self._timeout = self._loop.call_later(seconds, end)

    def _cancel_timeout(self) -> None:
        if self._timeout is not None:
            self._timeout.cancel()
            self._timeout = None

    def _drop(self) -> None:
        if self._transport is not None:
            self._limits.on_dropped("write-timeout")
            self._transport.abort()


class Guarded(asyncio.Transport):
    """The transport as uvicorn's protocols get it."""

    def __init__(self, connection: Connection, transport: asyncio.Transport) -> None:
        super().__init__()
        self._connection, self._transport = connection, transport

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._connection.inner = cast(asyncio.Protocol, protocol)

    def get_protocol(self) -> asyncio.BaseProtocol:
        return self._connection.inner

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._transport.get_extra_info(name, default)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if not self._connection.lingering:
            self._transport.write(data)

    def is_closing(self) -> bool:
        return self._connection.lingering or self._transport.is_closing()

    def close(self) -> None:
        self._connection.close()

    def abort(self) -> None:
        self._transport.abort()

    def is_reading(self) -> bool:
        return self._transport.is_reading()

    def pause_reading(self) -> None:
        self._connection.pause_reading()

    def resume_reading(self) -> None:
        self._connection.resume_reading()

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        self._transport.set_write_buffer_limits(high, low)

    def get_write_buffer_size(self) -> int:
        return self._transport.get_write_buffer_size()

    def get_write_buffer_limits(self) -> tuple[int, int]:
        return self._transport.get_write_buffer_limits()

    def can_write_eof(self) -> bool:
        return self._transport.can_write_eof()

    def write_eof(self) -> None:
        self._transport.write_eof()
