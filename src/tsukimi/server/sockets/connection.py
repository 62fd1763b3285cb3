"""One WebSocket at a table: what it may see, and a bounded outbox so that a slow reader never holds up the others."""

from __future__ import annotations

import asyncio
import time
from collections import deque

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from tsukimi.store import Person

MOST_WAITING = 64  # messages; a reader that is further behind is dropped and comes back by itself
TOO_SLOW = 4008
SILENT = 4009
GREETING_WITHIN = 10.0
SILENT_FOR = 120.0  # a client pings every 20 s; one that says nothing for so long is not there any more
LOST = (WebSocketDisconnect, RuntimeError, OSError, TimeoutError)
CLOSE_WITHIN = 5.0  # seconds; a reader that stands still would keep its place for ever


class Connection:
    def __init__(self, socket: WebSocket, person: Person, address: str) -> None:
        self.person, self.address = person, address
        self.viewpoint: int | None = None
        self.greeted = False
        self.log_from = 0
        self.lag = 0
        self.heard = time.monotonic()
        self._socket = socket
        self.closed = asyncio.Event()
        """Set when everything has been sent after `close`, or the connection is lost."""
        self._outbox: deque[bytes] = deque()
        self._closing: int | None = None
        self._writing: asyncio.Task[None] | None = None
        """While there is something in the outbox."""
        self._later: set[asyncio.TimerHandle] = set()

    def send(self, message: bytes) -> None:
        """Put a message into the outbox; never waits."""
        if self._closing is not None:
            return
        if len(self._outbox) >= MOST_WAITING:
            self._outbox.clear()
            self.close(TOO_SLOW)
            return
        self._outbox.append(message)
        self._write()

    def send_later(self, message: bytes, seconds: float) -> None:
        """For those who may know it only then."""

        def due() -> None:
            self._later.discard(timer)
            self.send(message)

        timer = asyncio.get_running_loop().call_later(seconds, due)
        self._later.add(timer)

    def cancel_later(self) -> None:
        for timer in self._later:
            timer.cancel()
        self._later.clear()

    @property
    def waiting(self) -> int:
        """How many messages are in the outbox."""
        return len(self._outbox)

    @property
    def closing(self) -> bool:
        return self._closing is not None

    def close(self, code: int) -> None:
        """Send what is in the outbox, and no more."""
        if self._closing is None:
            self._closing = code
            self.cancel_later()
            asyncio.get_running_loop().call_later(CLOSE_WITHIN, self._write().cancel)

    def close_if_silent(self, now: float) -> None:
        if now - self.heard > (SILENT_FOR if self.greeted else GREETING_WITHIN):
            self.close(SILENT)

    def _write(self) -> asyncio.Task[None]:
        if self._writing is None:
            self._writing = asyncio.create_task(self._empty_outbox())
        return self._writing

    async def _empty_outbox(self) -> None:
        socket = self._socket
        try:
            while self._outbox:
                await socket.send({"type": "websocket.send", "text": self._outbox.popleft().decode()})
            if self._closing is not None:
                if socket.application_state is WebSocketState.CONNECTED:
                    await socket.close(self._closing)
                self.closed.set()
        except LOST:
            self.closed.set()
        except asyncio.CancelledError:
            self.closed.set()
            raise
        finally:
            self._writing = None
