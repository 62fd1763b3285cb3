"""One socket at a table: what it may see, and a bounded outbox so that a slow reader never holds up the others."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from tsukimi.server.sockets.wire import Wire
from tsukimi.store import Person

MOST_WAITING = 64  # messages; a reader that is further behind is dropped and starts again by itself
TOO_SLOW = 4008
SILENT = 4009
NOT_ALLOWED = 4003
GREETING_WITHIN = 10.0
SILENT_FOR = 120.0  # a client pings every 20 s; who says nothing for so long is not there any more
GOING_AWAY = 1012
LOST = (WebSocketDisconnect, RuntimeError, OSError, TimeoutError)
CLOSE_WITHIN = 5.0  # seconds; a reader that stands still would keep its place for ever


class Connection:
    def __init__(self, socket: WebSocket, person: Person) -> None:
        self.socket, self.person = socket, person
        self.look: int | None = None
        self.greeted = False
        self.lag = 0
        self.heard = time.monotonic()
        self.delayed = False
        self.wire: Wire = socket.scope["tsukimi.wire"]
        self._outbox: deque[bytes] = deque()
        """Frames that the socket did not take at once."""
        self._filled = asyncio.Event()
        self._closing: int | None = None
        self._writing: asyncio.Task[None] | None = None
        self._later: set[asyncio.TimerHandle] = set()

    def send(self, frame: bytes) -> None:
        """Send, or put into the outbox; never waits."""
        if self._closing is not None or (not self._outbox and self.wire.say(frame)):
            return
        if len(self._outbox) >= MOST_WAITING:
            self._outbox.clear()
            self.close(TOO_SLOW)
            return
        self._outbox.append(frame)
        self._filled.set()

    def end_if_silent(self, now: float) -> None:
        if now - self.heard > (SILENT_FOR if self.greeted else GREETING_WITHIN):
            self.close(SILENT)

    def send_later(self, frame: bytes, seconds: float) -> None:
        """For those who may know it only then."""

        def due() -> None:
            self._later.discard(timer)
            self.send(frame)

        timer = asyncio.get_running_loop().call_later(seconds, due)
        self._later.add(timer)

    def forget_later(self) -> None:
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
            self._filled.set()
            self.forget_later()
            if self._writing is not None:
                asyncio.get_running_loop().call_later(CLOSE_WITHIN, self._writing.cancel)

    async def write(self) -> None:
        """Send what is in the outbox, as long as the connection stands."""
        socket, self._writing = self.socket, asyncio.current_task()
        with contextlib.suppress(*LOST):
            while True:
                await self._filled.wait()
                self._filled.clear()
                while self._outbox:
                    await self.wire.writable.wait()
                    self.wire.say(self._outbox.popleft())
                if self._closing is not None:
                    if socket.application_state is WebSocketState.CONNECTED:
                        await socket.close(self._closing)
                    return
