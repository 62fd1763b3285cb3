"""Nothing is sent before it is durable: while an append hangs, and after it has failed, everyone sees what is committed."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest

from server.live import Live, serving
from server.sockets import QUIET, around, fresh, on_turn, play_one, raw_socket, refusal, until
from tsukimi.client import Refused, Seat
from tsukimi.server import messages as m
from tsukimi.server.sockets.commands import COMMANDS
from tsukimi.store import Unavailable
from tsukimi.table.settings import Clock, Settings

pytestmark = pytest.mark.compiled
Prepare = Callable[[list[Seat]], Awaitable[tuple[Seat, Any]]]
FIRST = {"first": "p1"}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with serving(tmp_path_factory.mktemp("committed"), bot_processes=1) as server:
        yield server


class HangingStore:
    """While this is entered, an append waits until it is made to fail."""

    def __init__(self, live: Live) -> None:
        self._live, self._store = live, live.app.state.store
        self.asked = threading.Event()
        self._fail = asyncio.Event()

    async def _append(self, *_: object, **__: object) -> None:
        self.asked.set()
        await self._fail.wait()
        raise Unavailable

    def __enter__(self) -> HangingStore:
        self._store.append = self._append  # in place of the method
        return self

    def fail(self) -> None:
        self._live._loop.call_soon_threadsafe(self._fail.set)

    def __exit__(self, *_: object) -> None:
        self.fail()
        del self._store.append


@dataclass
class Case:
    """A table, and a command given there."""

    prepare: Prepare
    game: str = "daruma"
    people: int = 2
    start: bool = True
    settings: Settings = QUIET
    more: dict[str, Any] = field(default_factory=lambda: {"options": FIRST})


def just(actor: int, request: Any) -> Prepare:
    async def prepare(seats: list[Seat]) -> tuple[Seat, Any]:
        return seats[actor], request

    return prepare


async def play(seats: list[Seat]) -> tuple[Seat, Any]:
    seat = await on_turn(seats[:2])
    question = seat.game.question  # type: ignore[union-attr]
    assert question is not None
    return seat, m.Play("x", question.decision, question.moves[0])


async def undo(seats: list[Seat]) -> tuple[Seat, Any]:
    mover = await play_one(seats[:3])
    await until(mover, lambda: mover.game.undo == "free")  # type: ignore[union-attr]
    return mover, m.Undo("x")


async def undo_of_what_others_saw(seats: list[Seat]) -> tuple[Seat, Any]:
    mover = await play_one(seats[:3])
    while await play_one(seats[:3]) is mover:
        pass
    await until(mover, lambda: mover.game.undo == "ask")  # type: ignore[union-attr]
    return mover, m.Undo("x")


def vote(yes: bool) -> Prepare:
    async def prepare(seats: list[Seat]) -> tuple[Seat, Any]:
        await seats[0].ask(m.Abort("abort"))
        await until(seats[1], lambda: seats[1].table.proposal is not None)  # type: ignore[union-attr]
        return seats[1], m.Vote("x", yes)

    return prepare


async def unpause(seats: list[Seat]) -> tuple[Seat, Any]:
    await seats[0].ask(m.Pause("pause", True))
    return seats[0], m.Pause("x", False)


async def ready(seats: list[Seat]) -> tuple[Seat, Any]:
    while seats[0].table.status != "round":  # type: ignore[union-attr]
        await play_one(seats[:3])
        await until(seats[0], lambda: seats[0].table.status == "round" or any(waits(seat) for seat in seats[:3]))  # type: ignore[union-attr]
    return seats[1], m.Ready("x")


def waits(seat: Seat) -> bool:
    return seat.game is not None and seat.game.question is not None


async def come_back(seats: list[Seat]) -> tuple[Seat, Any]:
    await seats[1].ask(m.Stand("stand"))
    await until(seats[0], lambda: seats[0].table.seats[1].away)  # type: ignore[union-attr]
    return seats[1], m.Hello(m.PROTOCOL)


async def rematch(seats: list[Seat]) -> tuple[Seat, Any]:
    await seats[0].ask(m.Resign("resign"))
    await until(seats[1], lambda: seats[1].over)
    return seats[1], m.Rematch("x")


async def mute(seats: list[Seat]) -> tuple[Seat, Any]:
    return seats[0], m.Mute("x", str(seats[1].you.who))  # type: ignore[union-attr]


WAITING = {"start": False, "more": {"players": 3}}
CASES = {
    "sit": Case(just(2, m.Sit("x")), **WAITING),  # type: ignore[arg-type]
    "nonce": Case(just(0, m.GiveNonce("x", "c0ffee")), **WAITING),  # type: ignore[arg-type]
    "stand, before the start": Case(just(1, m.Stand("x")), **WAITING),  # type: ignore[arg-type]
    "stand, as the host": Case(just(0, m.Stand("x")), **WAITING),  # type: ignore[arg-type]
    "bot": Case(just(0, m.Bot("x", "random")), **WAITING),  # type: ignore[arg-type]
    "kick, before the start": Case(just(0, m.Kick("x", 1)), **WAITING),  # type: ignore[arg-type]
    "change": Case(just(0, m.Change("x", players=4)), **WAITING),  # type: ignore[arg-type]
    "abort, before the start": Case(just(0, m.Abort("x")), **WAITING),  # type: ignore[arg-type]
    "start": Case(just(0, m.Start("x")), start=False),
    "say": Case(just(2, m.Say("x", "hello"))),
    "mute": Case(mute),
    "play": Case(play),
    "plan": Case(just(2, m.Plan("x", "pass")), "dojo", 3),
    "undo": Case(undo, "china-moon", 3),
    "undo, if all agree": Case(undo_of_what_others_saw, "china-moon", 3),
    "abort, if all agree": Case(just(1, m.Abort("x"))),
    "vote yes": Case(vote(True)),
    "vote no": Case(vote(False)),
    "resign, two players": Case(just(1, m.Resign("x"))),
    "resign, three players": Case(just(1, m.Resign("x")), people=3),
    "pause": Case(just(0, m.Pause("x", True))),
    "go on": Case(unpause),
    "ready": Case(ready, "charuma", 3, settings=Settings(forced=False)),
    "time": Case(just(1, m.Time("x", 0)), settings=Settings(forced=False, clock=Clock("live", 300, 20))),
    "stand, during the game": Case(just(1, m.Stand("x"))),
    "kick, during the game": Case(just(0, m.Kick("x", 1))),
    "come back": Case(come_back, "china-moon", 3),
    "rematch": Case(rematch),
}


async def seen(live: Live, table: str, stranger: str, secret: str) -> dict[str, Any]:
    """All that anybody can learn about a table: over HTTP, and by coming to it."""
    client = live.client(stranger)
    found: dict[str, Any] = {"info": await client.call("GET", f"/api/tables/{table}")}
    for part in ("record", "replay"):
        try:
            found[part] = await client.call("GET", f"/api/tables/{table}/{part}")
        except Refused as refused:
            found[part] = refused.code
    async with raw_socket(live, client, table, hello=False) as socket:
        await socket.send({"type": "hello", "v": m.PROTOCOL})
        welcome = await socket.receive("welcome")
    found |= {key: welcome[key] for key in ("table", "game", "chat")}
    if not found["info"]["fairness"]["secret"]:
        assert secret not in str(found)
    for info in (found["info"], found["table"]):
        without_presence(info)
    if found["game"] is not None:
        del found["game"]["clocks"]
    return found


def without_presence(info: dict[str, Any]) -> dict[str, Any]:
    del info["spectators"], info["thinking"]
    for seat in info["seats"]:
        del seat["online"], seat["rating"]
    return info


async def settled(seat: Seat, seen: dict[str, Any]) -> None:
    """Until this client has everything that a new connection would receive."""
    game = seen["game"]
    events = 0 if game is None else game["since"] + len(game["events"])
    await until(
        seat, lambda: without_presence(msgspec.to_builtins(seat.table)) == seen["table"] and len(seat.events) == events
    )


def known(seat: Seat) -> tuple[object, ...]:
    """What a client that was there all the time knows; who is connected aside."""
    table = seat.table
    assert table is not None
    seats = [(seat.kind, seat.name, seat.away, seat.resigned, seat.host, seat.ready) for seat in table.seats]
    game = None if seat.game is None else (seat.game.question, seat.game.plan, seat.game.undo, seat.game.asked)
    return table.status, seats, table.proposal, table.result, table.rematch, game, len(seat.events), len(seat.chat)


@pytest.mark.parametrize("name", CASES)
def test_nobody_learns_of_a_command_before_it_is_durable(live: Live, name: str) -> None:
    case = CASES[name]

    async def work() -> None:
        people, (watcher, stranger) = fresh(*["Ana", "Bruno", "Chloe"][: case.people]), fresh("Zoe", "Yuri")
        async with around(
            live, case.game, *people, watching=[watcher], start=case.start, settings=case.settings, **case.more
        ) as seats:
            actor, request = await case.prepare(seats)
            assert actor.table is not None
            table = actor.table.id
            secret = live.app.state.tables.registry._live[table].table.opened.secret
            before = await seen(live, table, stranger, secret)
            for seat in seats:
                await settled(seat, before)
            sent = [known(seat) for seat in seats]
            with HangingStore(live) as store:
                asking = asyncio.create_task(give(live, actor, request))
                assert await asyncio.to_thread(store.asked.wait, 20)
                assert await seen(live, table, stranger, secret) == before, "during the append"
                assert [known(seat) for seat in seats] == sent  # though the stranger's coming and going was sent to all
                assert not asking.done()
                store.fail()
                assert await asyncio.wait_for(asking, 20) == "table-store-away"
            assert await seen(live, table, stranger, secret) == before, "after the append has failed"
            assert [known(seat) for seat in seats] == sent
            assert await give(live, actor, request) is None, "nothing is half done: it can be done now"

    asyncio.run(work())


async def give(live: Live, actor: Seat, request: Any) -> str | None:
    """Send a request as this person; the code with which it is refused."""
    if not isinstance(request, m.Hello):
        try:
            await actor.ask(request)
        except Refused as refused:
            return refused.code
        return None
    async with raw_socket(live, actor._client, actor.table.id, hello=False) as socket:  # type: ignore[union-attr]
        await socket.send({"type": "hello", "v": request.v})
        await socket.receive("welcome")
        await socket.send({"type": "ping", "t": 1})
        said = await socket.receive("error", "pong")
        return said.get("code")


def test_every_kind_of_command_is_among_these() -> None:
    requests = set(COMMANDS) | {m.Hello, m.Sit, m.Say, m.Rematch, m.Bot, m.Change}
    named = {
        m.Sit: "sit", m.GiveNonce: "nonce", m.Stand: "stand", m.Bot: "bot", m.Kick: "kick", m.Change: "change", m.Abort: "abort",
        m.Start: "start", m.Say: "say", m.Mute: "mute", m.Play: "play", m.Plan: "plan", m.Undo: "undo",
        m.Vote: "vote", m.Resign: "resign", m.Pause: "pause", m.Ready: "ready", m.Time: "time",
        m.Hello: "come back", m.Rematch: "rematch",
    }  # fmt: skip
    assert set(named) == requests
    assert all(any(case.startswith(name) for case in CASES) for name in named.values())


def test_what_was_durable_after_all_is_seen_by_everyone(live: Live) -> None:
    """The append says that it failed, but the row is there: the table is read again from the store."""

    async def work() -> None:
        async with around(live, "daruma", *fresh("Ana", "Bruno"), options=FIRST) as seats:
            actor, request = await play(seats)
            events, store = len(seats[1].events), live.app.state.store
            append = store.append

            async def and_fail(*words: Any, **more: Any) -> None:
                await append(*words, **more)
                raise Unavailable

            store.append = and_fail
            try:
                assert await refusal(actor, request) == "table-store-away"
            finally:
                del store.append
            await until(seats[1], lambda: len(seats[1].events) > events)
            assert await actor.ask(request) == m.Done("x"), "sent again, it is known"

    asyncio.run(work())
