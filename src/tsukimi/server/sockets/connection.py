"""One WebSocket at a table: what it may see, and a bounded outbox so that a slow reader never holds up the others."""

from __future__ import annotations

import asyncio
import time
from collections import deque

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from tsukimi.server.common.quotas import Quota, Quotas
from tsukimi.store import Person

# A reader that falls further behind is dropped and reconnects by itself.
MOST_WAITING = 64  # messages
MOST_BYTES = 512 * 1024
UNCOUNTED = 32 * 1024  # bytes of each outbox that do not count towards the total
TOO_SLOW = 4008
SILENT = 4009
LOST_CONNECTION = 1006  # never sent
GREETING_WITHIN = 10.0
SILENT_FOR = 120.0  # a client pings every 20 s; one that is silent for this long is gone
LOST = (WebSocketDisconnect, RuntimeError, OSError, TimeoutError)
CLOSE_WITHIN = 5.0  # seconds; a stalled reader would keep its place for ever


class Connection:
    """`quota`: of the person whom the outbox waits for."""

    def __init__(self, socket: WebSocket, person: Person, address: str, quotas: Quotas, quota: Quota) -> None:
        self.person, self.address = person, address
        self._quotas, self._quota = quotas, quota
        self.viewpoint: int | None = None
        self.greeted = False
        self.log_from = 0
        self.lag = 0
        self.heard = time.monotonic()
        self._socket = socket
        self._outbox: deque[bytes] = deque()
        self._bytes = self._reserved = 0
        self._closing: int | None = None
        self._idle: asyncio.Future[None] | None = None
        """The writer waits for it when the outbox is empty."""
        self._writer: asyncio.Task[None] | None = None
        self._later: set[asyncio.TimerHandle] = set()

    def send(self, message: bytes) -> None:
        """Put a message into the outbox; never waits."""
        if self._closing is not None:
            return
        self._bytes += len(message)
        if len(self._outbox) >= MOST_WAITING or (self._bytes > UNCOUNTED and not self._has_room()):
            self._quotas.on_dropped("slow")
            self._outbox.clear()
            self._bytes = 0
            self._release()
            self.close(TOO_SLOW)
            return
        self._outbox.append(message)
        self.writer()

    def _has_room(self) -> bool:
        """Whether that many bytes may be queued here, and on this worker."""
        more = self._bytes - UNCOUNTED - self._reserved
        if more > 0:
            if self._bytes > MOST_BYTES or not self._quotas.reserve(self._quota, more):
                return False
            self._reserved += more
        return True

    def _release(self) -> None:
        if self._reserved:
            self._quotas.release(self._quota, self._reserved)
            self._reserved = 0

    def send_later(self, message: bytes, seconds: float) -> None:
        """For those who may see it only then."""

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
        """Send what is in the outbox, and nothing more."""
        if self._closing is None:
            self._closing = code
            self.cancel_later()
            asyncio.get_running_loop().call_later(CLOSE_WITHIN, self.writer().cancel)

    def close_if_silent(self, now: float) -> None:
        if now - self.heard > (SILENT_FOR if self.greeted else GREETING_WITHIN):
            self.close(SILENT)

    def writer(self) -> asyncio.Task[None]:
        """The task that sends what is in the outbox. It ends when that is done after `close`, or the connection is lost."""
        if self._writer is None:
            self._writer = asyncio.create_task(self._write())
        elif self._idle is not None and not self._idle.done():
            self._idle.set_result(None)
        return self._writer

    async def _write(self) -> None:
        socket, loop = self._socket, asyncio.get_running_loop()
        try:
            while self._outbox or self._closing is None:
                while self._outbox:
                    message = self._outbox.popleft()
                    self._bytes -= len(message)
                    await socket.send({"type": "websocket.send", "text": message.decode()})
                self._release()
                if self._closing is None:
                    self._idle = loop.create_future()
                    await self._idle
            if socket.application_state is WebSocketState.CONNECTED:
                await socket.close(self._closing)
        except LOST:
            pass
        finally:
            self.close(LOST_CONNECTION)  # if it was not closed: nothing more is accepted
            self._release()
