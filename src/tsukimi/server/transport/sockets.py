"""uvicorn's WebSockets."""

from __future__ import annotations

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState


class SocketProtocol(WebSocketsSansIOProtocol):
    """Closes quietly when a client sends invalid text and a close at once, which uvicorn does not."""

    def send_receive_event_to_app(self) -> None:
        try:
            super().send_receive_event_to_app()
        except InvalidState:
            self.transport.close()
