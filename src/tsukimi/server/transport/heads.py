"""uvicorn's HTTP, with limits on the time and size of a request's head."""

from __future__ import annotations

import asyncio
from asyncio import TimerHandle

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_TIMEOUT_S = 15.0
MAX_HEAD_BYTES = 32 * 1024
END = b"\r\n\r\n"
CHUNKED = 2**62  # the length of a body that delimits itself


class LimitedHttpProtocol(HttpToolsProtocol):
    """Limits the time and size of a request's head, which uvicorn does not: otherwise it would cost an attacker
    nothing to hold half-open connections or to send endless heads."""

    _timeout: TimerHandle | None = None
    _in_head = True
    _head_end = b""
    """The last bytes of an incomplete head."""
    _head_bytes = 0
    _body_left = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._start_timeout()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_timeout()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """The parser gets head and body separately, so that it is known where each starts."""
        while data and not self.transport.is_closing() and self.transport.get_protocol() is self:
            if self._in_head:
                found = (self._head_end + data).find(END)
                size = len(data) if found < 0 else found + len(END) - len(self._head_end)
                self._head_end = (self._head_end + data)[1 - len(END) :] if found < 0 else b""
                self._head_bytes += size
                if self._head_bytes > MAX_HEAD_BYTES:
                    self.send_400_response("The request head is too large.")
                    return
            else:
                size = min(self._body_left, len(data))
                self._body_left -= size
            piece, data = data[:size], data[size:]
            super().data_received(piece)

    @property
    def in_request(self) -> bool:
        """Whether a request has started to arrive and is not complete."""
        return not self._in_head or self._head_bytes > 0

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._start_timeout()

    def on_headers_complete(self) -> None:
        self._cancel_timeout()
        self._in_head = False
        length = next((value for name, value in self.headers if name == b"content-length"), b"")
        self._body_left = int(length) if length.isdigit() else CHUNKED
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._in_head, self._head_end, self._head_bytes = True, b"", 0

    def _start_timeout(self) -> None:
        self._cancel_timeout()
        self._timeout = self.loop.call_later(HEAD_TIMEOUT_S, self.transport.close)

    def _cancel_timeout(self) -> None:
        if self._timeout is not None:
            self._timeout.cancel()
            self._timeout = None
