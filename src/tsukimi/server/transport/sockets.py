"""uvicorn's WebSockets."""

from __future__ import annotations

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState


class SocketProtocol(WebSocketsSansIOProtocol):
    """Ends quietly with a client that sends a text which is none and closes in one go, which uvicorn does not."""

    def send_receive_event_to_app(self) -> None:
        try:
            super().send_receive_event_to_app()
        except InvalidState:
            self.transport.close()
