"""What the tests of the WebSocket share: people around a table, and bare sockets for those who do not keep to the rules."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from server.live import Live, serving
from services import free_port
from tsukimi.client import Client, Refused, Seat, new_id
from tsukimi.server import messages as m
from tsukimi.store import Unavailable
from tsukimi.table.settings import Clock, Settings

QUIET = Settings(forced=False, round_pause=False)
RATED = Settings(forced=False, round_pause=False, rated=True, clock=Clock("live", 300, 20))
PATIENCE = 60.0  # seconds; only a test that fails takes so long
_numbers = itertools.count(1)


def fresh(*names: str) -> list[str]:
    """Names that nobody had before, so that tests which share a server do not share people."""
    return [f"{name}{next(_numbers)}" for name in names]


@asynccontextmanager
async def around(
    live: Live,
    game: str,
    *people: str,
    watching: Sequence[str] = (),
    start: bool = True,
    settings: Settings = QUIET,
    **more: Any,
) -> AsyncIterator[list[Seat]]:
    """A table with these people on its seats (the first is the host), in this order, then those who look on."""
    clients = [live.client(name) for name in (*people, *watching)]
    players = more.pop("players", len(people) + len(more.get("bots", [])))
    table = await clients[0].create(game, players, settings=settings, **more)
    async with AsyncExitStack() as stack:
        seats = [await stack.enter_async_context(client.table(table)) for client in clients]
        for seat in seats[1 : len(people)]:
            await seat.ask(m.Sit(new_id(), nonce="ab"))
        if start:
            await seats[0].ask(m.Start(new_id()))
            for seat in seats:
                await until(seat, lambda seat=seat: seat.game is not None or settings.spectators == "delayed")
        yield seats


async def until(seat: Seat, true: Callable[[], Any], seconds: float = PATIENCE) -> None:
    try:
        await seat.until(true, seconds)
    except TimeoutError:
        raise AssertionError(f"did not come true; the table: {seat.table}, the game: {seat.game}") from None


async def refusal(seat: Seat, request: Any) -> str:
    """The code with which the server refuses this."""
    with pytest.raises(Refused) as refused:
        await asyncio.wait_for(seat.ask(request), PATIENCE)
    assert refused.value.text, "every refusal has a sentence"
    return refused.value.code


async def on_turn(seats: Sequence[Seat]) -> Seat:
    """The first of them who is asked."""
    async with asyncio.timeout(PATIENCE):
        while True:
            for seat in seats:
                if seat.game is not None and seat.game.question is not None:
                    return seat
            await asyncio.sleep(0.005)


async def play_one(seats: Sequence[Seat], chance: random.Random | None = None) -> Seat:
    """Whoever is asked makes a move (the first legal one, or one by chance), and everyone receives it."""
    seat = await on_turn(seats)
    question = seat.game.question  # type: ignore[union-attr]
    assert question is not None
    events = len(seat.events)
    await seat.play(chance.choice(question.moves) if chance else question.moves[0], question)
    for one in seats:
        await until(one, lambda one=one: len(one.events) > events or one.over)
    return seat


async def play_out(seat: Seat, seed: int = 1) -> None:
    """Answer every question of this seat, until the game has ended."""
    chance = random.Random(seed)
    while not seat.over:
        await until(seat, lambda: seat.over or waits(seat), 60)
        if seat.over:
            return
        try:
            if seat.table.status == "round":  # type: ignore[union-attr]
                await seat.ask(m.Ready(new_id()))
            else:
                question = seat.game.question  # type: ignore[union-attr]
                assert question is not None
                await seat.play(chance.choice(question.moves), question)
        except Refused as refused:
            assert refused.code in ("table-stale", "table-is-round", "table-is-playing", "table-is-over"), refused.code
        await asyncio.sleep(0)


def waits(seat: Seat) -> bool:
    """Whether the table waits for this seat."""
    if seat.table is None or seat.you is None:
        return False
    if seat.table.status == "round":
        return any(not seat.table.seats[mine].ready for mine in seat.you.seats)
    return seat.table.status == "playing" and seat.game is not None and seat.game.question is not None


async def pass_time(live: Live, table: str, seconds: float) -> None:
    """Let the clock of a table go forward, so that what is due then happens at once."""

    async def pass_it() -> None:
        found = live.app.state.tables.registry._live[table]
        found._committed._ahead += int(1000 * seconds)
        found._scheduler.wake()

    await asyncio.to_thread(live.run, pass_it())


# ---- bare sockets -----------------------------------------------------------------------------------


class RawSocket:
    """A socket that sends whatever it is given, be it nonsense."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def send(self, message: Mapping[str, Any] | str | bytes) -> None:
        await self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    async def receive(self, *kinds: str, id: str | None = None) -> dict[str, Any]:
        """The next message of one of these kinds (any, if none is named)."""
        async with asyncio.timeout(PATIENCE):
            while True:
                said: dict[str, Any] = json.loads(await self.socket.recv())
                if (not kinds or said["type"] in kinds) and (id is None or said.get("id") == id):
                    return said

    async def ask(self, message: Mapping[str, Any] | str | bytes) -> dict[str, Any]:
        """The answer to a message (broadcasts are skipped)."""
        await self.send(message)
        return await self.receive("done", "error", "welcome", "pong", "reason", "advice")

    async def ends(self) -> int:
        """The code with which the server closes."""
        async with asyncio.timeout(PATIENCE):
            try:
                while True:
                    await self.socket.recv()
            except ConnectionClosed as closed:
                return closed.rcvd.code if closed.rcvd else 0


@asynccontextmanager
async def raw_socket(live: Live, client: Client | None, table: str, hello: bool = True) -> AsyncIterator[RawSocket]:
    headers = client.headers() if client else {}
    async with connect(
        f"{live.url.replace('http', 'ws')}/ws/table/{table}",
        additional_headers=headers,
        compression=None,
        max_size=2**22,
    ) as socket:
        one = RawSocket(socket)
        if hello:
            assert (await one.ask({"type": "hello", "v": 1}))["type"] == "welcome"
        yield one


# ---- servers that come and go -----------------------------------------------------------------------


class Coming:
    """A server that is started and stopped inside a test's event loop, again on the same port."""

    def __init__(self, folder: Path, **settings: object) -> None:
        self._folder, self._settings = folder, {"port": free_port(), "bot_processes": 1, **settings}
        self._stack = ExitStack()

    async def start(self) -> Live:
        return await asyncio.to_thread(self._stack.enter_context, serving(self._folder, **self._settings))

    async def stop(self) -> None:
        await asyncio.to_thread(self._stack.close)

    async def crash(self, live: Live) -> None:
        """As if the process had been killed: nothing more is written, released or sent."""
        await asyncio.to_thread(live.run, _die(live))
        await self.stop()


async def _die(live: Live) -> None:
    async def away(*_: object, **__: object) -> None:
        raise Unavailable

    registry, store = live.app.state.tables.registry, live.app.state.store
    live.app.state.bus.publish = lambda *_: None
    store.append = store.release = store.lease = away
    registry.stopping = True
    for task in list(registry._tasks):
        task.cancel()
