"""One socket at a table: what it may see, and a bounded outbox so that a slow reader never holds up the others."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Coroutine
from typing import Any

from starlette.types import Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

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
        self._send: Send = socket.scope.get("tsukimi.send", socket.send)
        self._stuck: tuple[Coroutine[Any, Any, None], Any] | None = None
        """A message that the socket did not take at once, and what it waits for."""
        self._outbox: deque[str] = deque()
        self._filled = asyncio.Event()
        self._closing: int | None = None
        self._writing: asyncio.Task[None] | None = None
        self._later: set[asyncio.TimerHandle] = set()

    def send(self, text: str) -> None:
        """Send, or put into the outbox; never waits."""
        if self._closing is not None:
            return
        if not self._outbox and self._stuck is None:
            self._send_at_once(text)
            return
        if len(self._outbox) >= MOST_WAITING:
            self._outbox.clear()
            self.close(TOO_SLOW)
            return
        self._outbox.append(text)
        self._filled.set()

    def _send_at_once(self, text: str) -> None:
        """Most sockets take a message without waiting: then no task has to be woken for it."""
        sending: Coroutine[Any, Any, None] = self._send({"type": "websocket.send", "text": text})  # type: ignore[assignment]
        try:
            self._stuck = (sending, sending.send(None))
            self._filled.set()
        except StopIteration:
            pass
        except LOST:  # the reader notices, too
            self._filled.set()

    async def _unstick(self) -> None:
        """Go on with the message that had to wait."""
        if self._stuck is None:
            return
        sending, waits_for = self._stuck
        try:
            while True:
                waits_for._asyncio_future_blocking = False  # nobody waits yet: the coroutine was not run by a task
                await waits_for
                waits_for = sending.send(None)
        except StopIteration:
            self._stuck = None

    def end_if_silent(self, now: float) -> None:
        if now - self.heard > (SILENT_FOR if self.greeted else GREETING_WITHIN):
            self.close(SILENT)

    def send_later(self, text: str, seconds: float) -> None:
        """For those who may know it only then."""

        def due() -> None:
            self._later.discard(timer)
            self.send(text)

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
                await self._unstick()
                while self._outbox:
                    await self._send({"type": "websocket.send", "text": self._outbox.popleft()})
                if self._closing is not None:
                    if socket.application_state is WebSocketState.CONNECTED:
                        await socket.close(self._closing)
                    return
