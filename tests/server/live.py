"""A real server on a real socket, in a thread of this process, and people who come with tokens of their own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn

from tsukimi.client import Client
from tsukimi.server import app as application
from tsukimi.server import config as configuration
from tsukimi.server import listen
from tsukimi.server.accounts import people
from tsukimi.server.accounts.sessions import digest
from tsukimi.store import Person


class Live:
    def __init__(self, app: Any, url: str, loop: asyncio.AbstractEventLoop) -> None:
        self.app, self.url, self._loop = app, url, loop

    def run(self, work: Any) -> Any:
        """Do something inside the server's event loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(60)

    def client(self, name: str) -> Client:
        """A person with this name, known to the server; the same name is the same person."""
        token = f"token-of-{name.lower()}-0123456789"
        self.run(self._add(name, token))
        return Client(self.url, token)

    async def _add(self, name: str, token: str) -> None:
        store, who = self.app.state.store, f"person-{name.lower()}"
        if await store.person(who) is None:
            await store.add_person(Person(who, f"handle-{name.lower()}", name, 1))
            await store.add_token(digest(token), who, people.TOKEN, "test", 1)


@contextmanager
def serving(folder: Path, host: str = "127.0.0.1", **settings: object) -> Iterator[Live]:
    chosen = configuration.load(
        {
            "database": f"sqlite:///{folder}/t.db",
            "data": str(folder),
            "rate": 0.0,
            "port": 0,
            "bot_ms": 40.0,
            **settings,
        },
        env={},
    )
    app = application.build(chosen)
    prepared = listen.uvicorn_config(app, chosen)
    prepared.host, prepared.port, prepared.lifespan, prepared.timeout_graceful_shutdown = host, chosen.port, "on", 2
    server = uvicorn.Server(prepared)
    ready, found = threading.Event(), dict[str, Any]()

    async def serve() -> None:
        found["loop"] = asyncio.get_running_loop()
        task = asyncio.create_task(server.serve())
        while not server.started and not task.done():
            await asyncio.sleep(0.005)
        ready.set()
        await task

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert ready.wait(30)
    assert server.started, "the server did not start"
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield Live(app, f"http://127.0.0.1:{port}", found["loop"])
    finally:
        server.should_exit = True
        thread.join(30)
