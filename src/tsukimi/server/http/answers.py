"""How response bodies are sent: in pieces, as fast as they are read, and within the limit on queued bytes."""

from __future__ import annotations

from types import TracebackType

from starlette.datastructures import Headers
from starlette.types import Message, Send

from tsukimi.server.common.errors import too_many
from tsukimi.server.common.quotas import Quotas

PIECE_BYTES = 16 * 1024
RETRY_S = 5


class Answer:
    """Until it is sent, the body counts as bytes queued for its reader; without room for it the request is refused."""

    def __init__(self, send: Send, quotas: Quotas, key: str) -> None:
        self._send, self._quotas, self._quota = send, quotas, quotas.of(key)
        self._reserved = 0

    async def __aenter__(self) -> Answer:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._release(self._reserved)

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            length = int(Headers(raw=message.get("headers", [])).get("content-length", "0"))
            if length > PIECE_BYTES:
                if not self._quotas.reserve(self._quota, length):
                    self._quotas.on_dropped("queued")
                    raise too_many(RETRY_S)
                self._reserved = length
            await self._send(message)
            return
        body, sent = message.get("body", b""), 0
        while len(body) - sent > PIECE_BYTES:
            await self._send({**message, "body": body[sent : sent + PIECE_BYTES], "more_body": True})
            sent += PIECE_BYTES
            self._release(min(PIECE_BYTES, self._reserved))
        await self._send({**message, "body": body[sent:]} if sent else message)

    def _release(self, size: int) -> None:
        if size:
            self._reserved -= size
            self._quotas.release(self._quota, size)
