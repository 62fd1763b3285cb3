"""A client that goes away while its connection is being let in leaves nothing behind."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from tsukimi.server.common.errors import ServerError
from tsukimi.server.sockets.endpoints import still_valid
from tsukimi.store import Unavailable


@pytest.mark.parametrize("lost", [RuntimeError("websocket.close was sent"), WebSocketDisconnect(1006), OSError()])
@pytest.mark.parametrize("answer", [Unavailable("away"), ServerError("server-token", 401), None])
def test_whoever_is_refused_may_have_gone_already(lost: Exception, answer: Exception | None) -> None:
    async def authenticate(headers: object) -> None:
        if answer is not None:
            raise answer

    async def close(code: int) -> None:
        raise lost

    people = SimpleNamespace(authenticate=authenticate)
    socket: Any = SimpleNamespace(app=SimpleNamespace(state=SimpleNamespace(people=people)), headers={}, close=close)
    assert not asyncio.run(still_valid(socket))
