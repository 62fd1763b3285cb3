"""Whole games, during which one call of the store or the bus fails; and what must be true afterwards."""

from __future__ import annotations

import asyncio
import logging
import random
import urllib.error
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from faults import HANGS, KINDS, Fault, Faults, injected
from server.live import Live, serving
from tsukimi import client as clients
from tsukimi.client import Client, Refused, Seat, new_id
from tsukimi.server import messages as m
from tsukimi.server.monitoring.logs import is_error
from tsukimi.server.tables import registry, scheduler
from tsukimi.server.tables.committed import read_rows
from tsukimi.store import Row
from tsukimi.table.settings import Clock, Settings
from tsukimi.table.table import Table

T = TypeVar("T")
LIMIT_S = 30.0  # for a whole game, with its fault
AWAY = {"table-store-away", "table-busy", "server-unavailable", "server-busy"}
LIVE = Clock("live", 300, 20)
DAYS = Clock("days", 0, 86400)


class Violation(AssertionError):
    """Something was lost, doubled, or sent before it was stored."""


@dataclass
class Seen:
    """What a client knew at one moment, and how much of the log was stored by then."""

    rows: int
    events: int
    chat: int
    over: bool


class Watched(Seat):
    """A seat that records what it receives, and when."""

    def __init__(self, client: Client, table: str, faults: Faults) -> None:
        super().__init__(client, table)
        self.faults, self.seen = faults, list[Seen]()

    async def _receive(self, message: m.Answer, socket: Any) -> None:
        before, said = list(self.events), list(self.chat)
        await super()._receive(message, socket)
        if before != self.events[: len(before)] or said != self.chat[: len(said)]:
            raise Violation("something that was broadcast is no longer so")
        self.seen.append(Seen(self.faults.rows[self._id], len(self.events), len(self.chat), self.over))


@dataclass
class Player:
    """A person at a table who asks again, with the same id, until there is an answer; as the browser does."""

    game: Game
    client: Client
    seat: Watched
    chance: random.Random

    async def ask(self, request: Any, *refusals: str) -> bool:
        """Whether it was accepted, and not refused in one of these ways."""
        while True:
            try:
                await self.seat.ask(request)
            except Refused as refused:
                if refused.code in AWAY:
                    await asyncio.sleep(0.02)
                    continue
                if refused.code in refusals:
                    return False
                raise
            self.game.acknowledged.append(request.id)
            return True

    def knows(self) -> str:
        """For the reader of a failed test."""
        table, game = self.seat.table, self.seat.game
        if table is None or game is None:
            return "nothing"
        return f"{table.status}, {table.proposal}, asked {game.asked}, {game.question}, {len(self.seat.events)} events"

    async def say(self, text: str) -> None:
        await self.ask(m.Say(new_id(), text))

    @property
    def asked(self) -> bool:
        seat = self.seat
        playing = seat.table is not None and seat.table.status == "playing"
        return playing and seat.game is not None and seat.game.question is not None

    async def move(self) -> bool:
        """Make the next own move; False if the game is over."""
        while True:
            await self.seat.until(lambda: self.asked or self.seat.over)
            if self.seat.over:
                return False
            question = self.seat.game.question  # type: ignore[union-attr]
            assert question is not None
            # A move that was made before an answer to it was lost is known by its id, and not stale.
            play = m.Play(new_id(), question.decision, self.chance.choice(question.moves))
            if await self.ask(play, "table-stale", "table-is-over"):
                return True

    async def play_out(self) -> None:
        while await self.move():
            await asyncio.sleep(0)


@dataclass
class Game:
    """A game under way; `acknowledged` are the ids of the commands that the server has answered."""

    live: Live
    other: Live
    faults: Faults
    fault: Fault | None
    table: str = ""
    people: list[Player] = field(default_factory=list)
    acknowledged: list[str] = field(default_factory=list)
    stack: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def insist(self, work: Callable[[], Awaitable[T]]) -> T:
        """Over HTTP: again until there is an answer."""
        while True:
            try:
                return await work()
            except Refused as refused:
                cancelled = (
                    self.fault is not None and self.fault.kind in HANGS and refused.code in ("http", "server-failed")
                )
                if refused.code not in AWAY and not cancelled:
                    raise
            except urllib.error.HTTPError as problem:
                problem.close()
                if problem.code != 503 and (self.fault is None or self.fault.kind not in HANGS):
                    raise
            except OSError:  # the connection ended without an answer
                if self.fault is None or self.fault.kind not in HANGS:
                    raise
            await asyncio.sleep(0.02)

    async def guest(self, name: str, live: Live | None = None) -> Client:
        client = Client((live or self.live).url, name=name)
        return await self.insist(client.__aenter__)

    async def open(self, names: Sequence[str], game: str, bots: int = 0, **more: Any) -> list[Player]:
        """A table with these people (every second one at the other worker) and bots, started."""
        found = [await self.guest(name, (self.live, self.other)[number % 2]) for number, name in enumerate(names)]
        number = len(names) + bots
        bot_names = ["random"] * bots
        self.table = await self.insist(lambda: found[0].create(game, number, bots=bot_names, **more))
        for number, client in enumerate(found):
            self.people.append(await self.come(client, number))
            if number:
                await self.people[-1].ask(m.Sit(new_id(), nonce="ab"))
        await self.people[0].ask(m.Start(new_id()))
        for person in self.people:
            await person.seat.until(lambda person=person: person.seat.game is not None)
        return self.people

    async def come(self, client: Client, seed: int = 0) -> Player:
        seat = await self.stack.enter_async_context(Watched(client, self.table, self.faults))
        return Player(self, client, seat, random.Random(seed))


async def moves(number: int, *people: Player) -> None:
    """So many moves, each by whoever of these people is asked; fewer if the game is over before, which chance decides."""
    for _ in range(number):
        while not any(person.asked or person.seat.over for person in people):
            await asyncio.sleep(0.005)
        await next(person for person in people if person.asked or person.seat.over).move()


# ---- the games ------------------------------------------------------------------------------------------


async def rated_game_against_the_clock(game: Game) -> None:
    """Two people, chat, every move, the ratings, a rematch."""
    ana, bruno = await game.open(["Ana", "Bruno"], "leduc", settings=Settings(clock=LIVE, rated=True, forced=False))
    zoe = await game.come(await game.guest("Zoe"))
    await ana.say("good luck")
    await asyncio.gather(ana.play_out(), bruno.play_out())
    await bruno.say("well played")
    for person in (ana, bruno, zoe):
        seat = person.seat
        await seat.until(lambda seat=seat: seat.over and len(seat.chat) == 2)  # type: ignore[misc]
        await seat.until(lambda seat=seat: None not in seat.table.result.ratings)  # type: ignore[misc]
    await bruno.ask(m.Rematch(new_id()))
    await ana.seat.until(lambda: ana.seat.table.rematch)  # type: ignore[union-attr]


async def game_by_turns(game: Game) -> None:
    """Two people, a move that is taken back if the other agrees; one resigns."""
    settings = Settings(clock=DAYS, forced=False)
    ana, bruno = await game.open(["Ana", "Bruno"], "daruma", options={"first": "p1"}, settings=settings)
    await moves(4, ana, bruno)
    await bruno.say("let me think")
    if await ana.ask(m.Undo(new_id()), "table-nothing-to-undo", "table-is-over"):
        await bruno.ask(m.Vote(new_id(), True), "table-no-proposal")
    await moves(2, ana, bruno)
    await ana.ask(m.Resign(new_id()), "table-is-over")
    await bruno.seat.until(lambda: bruno.seat.over)


async def game_with_a_bot(game: Game) -> None:
    """Against the clock and a bot; moves are taken back, and there is a spectator."""
    settings = Settings(clock=LIVE, forced=False)
    [ana] = await game.open(["Ana"], "daruma", 1, options={"first": "p2"}, settings=settings)
    zoe = await game.come(await game.guest("Zoe", game.other))
    await moves(3, ana)
    await ana.ask(m.Undo(new_id()), "table-is-over")
    await zoe.say("what is this?")
    await moves(3, ana)
    await ana.ask(m.Resign(new_id()), "table-is-over")
    await zoe.seat.until(lambda: zoe.seat.over)


async def game_that_nobody_looks_at(game: Game) -> None:
    """All deadlines pass at once: the clock makes every move."""
    client = await game.guest("Ana")
    settings = Settings(clock=Clock("live", 0, 0), forced=False)
    make = lambda: client.create("leduc", 2, names=["a", "b"], start=True, settings=settings)  # noqa: E731
    game.table = await game.insist(make)
    await _until_over(game, client)


async def game_that_sleeps(game: Game) -> None:
    """Everybody leaves by turns; the table is unloaded, and they come back to it."""
    ana, bruno = await game.open(["Ana", "Bruno"], "leduc", settings=Settings(clock=DAYS, forced=False))
    await (ana if ana.asked else bruno).move()
    loaded = [live.app.state.tables.registry for live in (game.live, game.other)]
    await game.stack.aclose()
    async with asyncio.timeout(LIMIT_S):
        while any(game.table in one._live for one in loaded):
            await asyncio.sleep(0.02)
    again = [await game.come(person.client, 7) for person in (ana, bruno)]
    await asyncio.gather(*(one.play_out() for one in again))
    game.people += again


async def _until_over(game: Game, client: Client) -> None:
    while True:
        info = await game.insist(lambda: client.call("GET", f"/api/tables/{game.table}"))
        if info["status"] == "over":
            return
        await asyncio.sleep(0.02)


GAMES: dict[str, Callable[[Game], Awaitable[None]]] = {
    one.__name__: one
    for one in (
        rated_game_against_the_clock,
        game_by_turns,
        game_with_a_bot,
        game_that_nobody_looks_at,
        game_that_sleeps,
    )
}


# ---- what must be true ----------------------------------------------------------------------------------


async def play(name: str, lives: Sequence[Live], faults: Faults, fault: Fault | None) -> Counter[str]:
    """One game with one fault; how often each call was made. `Violation` if anything is not as it must be."""
    game = Game(lives[0], lives[-1], faults, fault)
    with complaints() as log:
        faults.arm(fault)
        try:
            async with asyncio.timeout(LIMIT_S):
                await GAMES[name](game)
        except TimeoutError:
            raise Violation(f"stuck after {fault}: {[one.knows() for one in game.people]}") from None
        finally:
            calls = faults.calls.copy()
            fired = faults.fired
            faults.arm(None)
            await game.stack.aclose()
        if fired:
            calls["fired"] = fired
        await _check(game, name)
    if log:
        raise Violation(f"in the log after {fault}: {log}")
    return calls


async def _check(game: Game, name: str) -> None:
    live = game.live
    store = live.app.state.store
    rows: list[Row] = await asyncio.to_thread(live.run, store.read(game.table))
    if [row.seq for row in rows] != list(range(len(rows))):
        raise Violation("the log has gaps")
    table, known = Table(), [(0, 0, False)]
    keys: Counter[str] = Counter()
    for row in rows:
        for event in read_rows(table, [row]):
            keys.update([event.key] if getattr(event, "key", "") else [])
        known.append((len(table.events) if table.state else 0, table.lines, table.ended))
    if lost := [key for key in game.acknowledged if not keys[key]]:
        raise Violation(f"acknowledged, but not stored: {lost}")
    if doubled := [key for key, number in keys.items() if number > 1]:
        raise Violation(f"stored twice: {doubled}")
    for seen in (seen for person in game.people for seen in person.seat.seen):
        events, chat, over = known[min(seen.rows, len(rows))]
        if seen.events > events or seen.chat > chat or (seen.over and not over):
            raise Violation(f"broadcast before it was stored: {seen}")
    if not table.ended:
        raise Violation("the log has no end")
    for person in game.people[-2:]:  # those who were there to the end
        if len(person.seat.events) != len(table.events):
            raise Violation(f"{len(table.events)} events are stored, {len(person.seat.events)} were received")
    if table.changes_ratings:
        ratings = await asyncio.to_thread(live.run, store.ratings(table.game, table.people()))
        if [rating.games for rating in ratings.values()] != [1, 1]:
            raise Violation(f"rated more or less than once: {ratings}")
    for person in {id(one): one for one in (game.live, game.other)}.values():
        await asyncio.to_thread(person.run, _alive(person, game.table))


async def _alive(live: Live, table: str) -> None:
    """The worker still does its background work."""
    calls = live.app.state.store._faults.calls
    before = calls["due_tables"]
    async with asyncio.timeout(60):
        while calls["due_tables"] < before + 2:
            await asyncio.sleep(0.01)
    if table in await live.app.state.store.due_tables(2**53):
        raise Violation("a table that has ended is still due")


@contextmanager
def complaints() -> Iterator[list[str]]:
    """Exceptions that nobody handled; a request that was cancelled ends with one."""
    found: list[str] = []

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            problem = record.exc_info[1] if record.exc_info else None
            if not isinstance(problem, asyncio.CancelledError) and is_error(record):
                found.append(self.format(record))

    handler, names = Handler(logging.ERROR), ("asyncio", "uvicorn.error", "tsukimi.http", "tsukimi.bus.local")
    for name in names:
        logging.getLogger(name).addHandler(handler)
    try:
        yield found
    finally:
        for name in names:
            logging.getLogger(name).removeHandler(handler)


@contextmanager
def impatient() -> Iterator[None]:
    """Everything is tried again soon, and tables are unloaded soon."""
    changes: list[tuple[Any, str, float]] = [
        (registry, "TICK", 0.03), (registry, "LEASE", 0.4), (registry, "UNLOAD_AFTER", 0.15),
        (registry, "ANNOUNCED_EVERY", 0.3), (scheduler, "RETRY_AFTER", 0.05), (clients, "FIRST_DELAY", 0.02),
    ]  # fmt: skip
    before = [(module, name, getattr(module, name)) for module, name, _ in changes]
    for module, name, value in changes:
        setattr(module, name, value)
    try:
        yield
    finally:
        for module, name, old in before:
            setattr(module, name, old)


ACCOUNTS = {"add_person", "add_token", "person", "ratings_of", "token", "tokens_of", "update_person"}


STEADY = {*ACCOUNTS, "append", "bus.subscribe", "create"}
"""Calls that every game makes about as often; the number of the others depends on the time."""


def every_fault(calls: Counter[str]) -> list[Fault]:
    """Every call that was made, broken in every way; the calls of the bus never wait."""
    return [
        Fault(call, number, kind)
        for call in sorted(calls)
        for number in range(1, calls[call] + 1)
        for kind in KINDS
        if not (call.startswith("bus.") and kind in HANGS)
    ]


def sample(faults: Sequence[Fault]) -> list[Fault]:
    """One of each kind of call and failure, always the same ones."""
    chosen: dict[tuple[str, str], list[Fault]] = {}
    for fault in faults:
        chosen.setdefault((fault.call, fault.kind), []).append(fault)
    chance = random.Random(1)  # not among the last ones: some games are shorter
    return [chance.choice(group[: (len(group) * 3 + 4) // 5]) for group in chosen.values()]


@contextmanager
def servers(folder: Path, faults: Faults, *workers: dict[str, object]) -> Iterator[list[Live]]:
    """Workers with these settings, whose stores and buses have these faults."""
    with ExitStack() as stack:
        stack.enter_context(injected(faults))
        stack.enter_context(impatient())
        common: dict[str, object] = {"bot_processes": 1, "bot_ms": 5.0}
        yield [
            stack.enter_context(serving(folder / str(number), **common, **settings))
            for number, settings in enumerate(workers)
        ]
