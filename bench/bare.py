"""A bare Starlette broadcast, for comparison: any message in a room sends the next prepared texts to all its members.

`uvicorn bare:app`, with the texts in the file named by TSUKIMI_BARE: a list of steps, each with the texts for four members.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

STEPS: list[list[list[str]]] = json.loads(Path(os.environ["TSUKIMI_BARE"]).read_text("utf-8"))
rooms: dict[str, list[WebSocket]] = {}
steps: dict[str, int] = {}


async def room(socket: WebSocket) -> None:
    name = socket.path_params["room"]
    await socket.accept()
    members = rooms.setdefault(name, [])
    members.append(socket)
    try:
        while True:
            await socket.receive_text()
            step = steps.get(name, 0)
            steps[name] = step + 1
            for member, texts in zip(members, STEPS[step % len(STEPS)], strict=False):
                for text in texts:
                    await member.send_text(text)
    except WebSocketDisconnect:
        members.remove(socket)


app = Starlette(
    routes=[WebSocketRoute("/ws/{room}", room), Route("/healthz", lambda request: PlainTextResponse("fine"))]
)
