"""WebSockets without detours. uvicorn shakes hands and handles whatever is unusual; a whole small text, which nearly
every message is, goes straight in, and a frame that is ready goes straight out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from tsukimi.server.sockets import frames

MANY = 32  # messages; who sends more than are read is not listened to until they are


class Wire(WebSocketsSansIOProtocol):
    hear: Callable[[str], None] | None = None
    """Who takes a text at once, if none waits to be received."""
    _shaken = False
    """Whether the request that asks for the connection has come."""
    _whole = True
    """Whether all that came ended where a message ends; if not, the short way is closed for good."""

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.handshake_initiated and not self.handshake_complete:
            self.scope["tsukimi.wire"] = self  # type: ignore[typeddict-unknown-key]

    def data_received(self, data: bytes) -> None:
        if not self.handshake_complete:
            self._whole = self._whole and not self._shaken
            self._shaken = True
        elif self._whole and not self.close_sent:
            texts, taken = frames.texts(data, self.config.ws_max_size)
            for text in texts:
                if self.hear is None or not self.queue.empty():
                    self.hand_on({"type": "websocket.receive", "text": text})
                else:
                    self.hear(text)
            if taken == len(data):
                return
            data = data[taken:]
            self._whole = frames.ends_with_a_message(data)
        super().data_received(data)

    def hand_on(self, message: Any) -> None:
        """To whoever receives, when its turn comes."""
        self.queue.put_nowait(message)
        if self.queue.qsize() >= MANY and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def say(self, ready: bytes) -> bool:
        """Send a frame now; False if the other side does not read fast enough. One that is gone takes everything."""
        if not self.writable.is_set():
            return False
        if not (self.close_sent or self.disconnected or self.transport.is_closing()):
            self.transport.write(ready)
        return True
