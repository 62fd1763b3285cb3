"""WebSockets without detours. uvicorn shakes hands and handles whatever is unusual; a whole small text, which nearly
every message is, goes straight in, and a frame that is ready goes straight out."""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import apply_mask  # type: ignore[attr-defined]
from websockets.http11 import Request

MANY = 32  # messages; who sends more than are read is not listened to until they are
TEXT, FINAL, MASKED = 0x81, 0x80, 0x80


def frame(text: bytes) -> bytes:
    """A text as it goes over the wire from a server."""
    size = len(text)
    if size < 126:
        return bytes((TEXT, size)) + text
    if size < 1 << 16:
        return bytes((TEXT, 126, size >> 8, size & 255)) + text
    return bytes((TEXT, 127)) + size.to_bytes(8, "big") + text


class Wire(WebSocketsSansIOProtocol):
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
            data = data[self._take_texts(data) :]
            if not data:
                return
            self._whole = _ends_with_a_message(data)
        super().data_received(data)

    def _take_texts(self, data: bytes) -> int:
        """Hand on the whole texts at the beginning of the data; how many bytes they were."""
        at, end = 0, len(data)
        while end - at >= 6 and data[at] == TEXT and data[at + 1] >= MASKED:
            size, start = data[at + 1] - MASKED, at + 2
            if size == 126:
                size, start = data[at + 2] << 8 | data[at + 3], at + 4
            if size == 127 or size > self.config.ws_max_size or end < start + 4 + size:
                break
            try:
                text = apply_mask(data[start + 4 : start + 4 + size], data[start : start + 4]).decode()
            except UnicodeDecodeError:
                break
            self._hand_on({"type": "websocket.receive", "text": text})
            at = start + 4 + size
        return at

    def _hand_on(self, message: Any) -> None:
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


def _ends_with_a_message(data: bytes) -> bool:
    """Whether frames from a client that are given from the beginning of one are all whole, and no parts of a longer message."""
    at, end = 0, len(data)
    while at < end:
        if end - at < 6 or not data[at] & FINAL or not data[at + 1] & MASKED:
            return False
        size, start = data[at + 1] - MASKED, at + 2
        if size > 125:
            start += 2 if size == 126 else 8
            size = int.from_bytes(data[at + 2 : start], "big")
        at = start + 4 + size
    return at == end
