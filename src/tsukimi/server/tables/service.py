"""Everything that HTTP and WebSockets need from tables."""

from __future__ import annotations

import asyncio
import hmac
import math
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import msgspec

from tsukimi.bus import Bus
from tsukimi.core import setup
from tsukimi.core.errors import BadRecord
from tsukimi.core.state import State
from tsukimi.games import spec
from tsukimi.server import messages
from tsukimi.server.common import api, components_api, review_api
from tsukimi.server.common.account_api import GameData, SaidLine
from tsukimi.server.common.errors import ServerError, too_many
from tsukimi.server.common.networks import NO_NETWORKS, Networks
from tsukimi.server.config import Config
from tsukimi.server.monitoring.metrics import Metrics
from tsukimi.server.tables import fitting, from_record, opening, own_data, quick_match
from tsukimi.server.tables.bot_pool import BotPool
from tsukimi.server.tables.clock import clock
from tsukimi.server.tables.fair_queue import Owner
from tsukimi.server.tables.listing import Lists
from tsukimi.server.tables.live_table import LiveTable
from tsukimi.server.tables.registry import Registry
from tsukimi.server.tables.replay import Observer, finished, replay
from tsukimi.server.tables.reviews import Reviews
from tsukimi.store import Opening, Person, Store, TooManyTables
from tsukimi.table.events import Changed, Event
from tsukimi.table.table import Table

MOST_REPLAYS = 32  # waiting for their turn
BALANCE_MS = 3000.0  # of games for a balance report


class TableService:
    def __init__(
        self, store: Store, bus: Bus, config: Config, metrics: Metrics, networks: Networks = NO_NETWORKS
    ) -> None:
        self._store = store
        self._networks = networks
        self.registry = Registry(store, bus, config, metrics, networks)
        self._lists = Lists(store)
        self._opened = metrics.tables_opened
        self._refused, self._address_key = metrics.refused, config.key("address")
        limits = (config.tables_per_person, config.tables_per_address)
        self._most_tables = [limit * config.rate if config.rate else math.inf for limit in limits]
        self._replayer, self._replays = ThreadPoolExecutor(1, "replay"), 0
        self._balancing: set[str] = set()
        self._reviews = Reviews(store, self.registry.bots, self.registry.worker)

    async def start(self) -> None:
        await self.registry.start()

    async def stop(self) -> None:
        self._reviews.stop()
        await self.registry.stop()
        self._replayer.shutdown(wait=False, cancel_futures=True)

    @property
    def stopping(self) -> bool:
        return self.registry.stopping

    @property
    def bots(self) -> BotPool:
        return self.registry.bots

    async def live(self, table: str) -> LiveTable:
        return await self.registry.get(table)

    async def create(
        self,
        wanted: api.NewTable,
        person: Person,
        address: str = "",
        id: str = "",
        match: bool = False,
        again: Table | None = None,
        lesson: bool = False,
    ) -> str:
        """`address`: whom the request's address stands for."""
        try:
            opened = self._opening(person, address)
            table = await opening.create(self._store, self._networks, wanted, person, id, match, opened, again, lesson)
        except TooManyTables as problem:
            raise self._too_many_tables(problem) from problem
        self._opened.labels(table.game).inc()
        if wanted.start or match:  # a bot may have to move, or someone lose a seat, though nobody is connected yet
            await self.live(table.id)
        return table.id

    def _opening(self, person: Person, address: str) -> Opening:
        """Addresses are not stored: a digest tells whether two are the same."""
        digest = hmac.digest(self._address_key, address.encode(), "sha256").hex()[:24]
        return Opening(person.id, digest, *self._most_tables)

    def _too_many_tables(self, problem: TooManyTables) -> ServerError:
        self._refused.labels(f"tables-of-{problem.kind}").inc()
        if problem.kind == "person":
            return ServerError("server-tables", 409, most=problem.number)
        return ServerError("server-tables-address", 429, retry=60)

    async def match(self, person: Person, game: str, players: int, address: str = "") -> str:
        """The table where the person waits for opponents."""
        create = partial(self.create, address=address, match=True)
        return await quick_match.find(self.registry, create, person, game, players)

    async def learn(self, person: Person, game: str, address: str = "") -> str:
        """The table of a lesson."""
        return await self.create(opening.lesson_table(game), person, address, lesson=True)

    async def rematch(self, live: LiveTable, person: Person, key: str, address: str = "") -> str:
        return await opening.rematch(
            lambda wanted, person, id, again: self.create(wanted, person, address, id, again=again), live, person, key
        )

    async def info(self, table: str) -> messages.TableInfo:
        return (await self.live(table)).info()

    async def record(self, table: str) -> str:
        return finished((await self.live(table)).table).record()

    async def replay(self, table: str, observer: Observer, start: int, count: int) -> api.Replay:
        """One at a time: several threads would take time from those who play."""
        if self._replays >= MOST_REPLAYS:
            raise too_many(1)
        ended = finished((await self.live(table)).table)
        self._replays += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(
                self._replayer, replay, ended, observer, start, count
            )
        finally:
            self._replays -= 1

    async def review(self, table: str, lang: str) -> review_api.ReviewStatus:
        return await self._reviews.status(finished((await self.live(table)).table), lang)

    async def ask_review(self, table: str, person: Person, address: str, lang: str) -> review_api.ReviewStatus:
        owner = Owner(person.id, address, attended=False)
        return await self._reviews.ask(finished((await self.live(table)).table), owner, lang)

    async def bring(self, text: str, name: Callable[[str], str], person: Person, address: str) -> str:
        """A table with the game of a record."""
        if text.count("\n") > from_record.MOST_EVENTS:
            raise BadRecord("record-too-many", most=from_record.MOST_EVENTS)
        state = await self.bots.read(text, Owner(person.id, address))
        return await self._write(partial(from_record.brought, opening.new_id(), state, person, name), person, address)

    async def play_on(self, table: str, wanted: review_api.PlayOn, person: Person, address: str) -> str:
        """A table that continues from a position in a finished game."""
        ended = finished((await self.live(table)).table)
        level = await self.fitted(person, ended, wanted.level)
        made = partial(from_record.played_on, opening.new_id(), ended, wanted.step, wanted.seat, level, person)
        return await self._write(made, person, address)

    async def fitted(self, person: Person, table: Table, level: str) -> str:
        """The bot of this level for a person at such a table."""
        self._networks.require(level, table.game, table.players, table.options, table.opened.components)
        return await fitting.fitted(self._store, person.id, table.game, table.players, level)

    def require_bots(self, table: Table, changes: list[Event]) -> None:
        """Refuse a change to a table after which one of its bots could not play."""
        own, levels = table.opened.components, [fitting.shown(seat.level) for seat in table.seats if seat.level]
        for change in changes:
            if isinstance(change, Changed):
                for level in levels:
                    self._networks.require(level, table.game, change.players, change.options, own)

    async def play_puzzle(self, state: State, seat: int, level: str, person: Person, address: str) -> str:
        """A table that continues from the position of a puzzle."""
        self._networks.require(level, state.game, state.players, state.options, state.components)
        level = await fitting.fitted(self._store, person.id, state.game, state.players, level)
        line = from_record.standing(state.history)
        made = partial(from_record.against_bots, opening.new_id(), state, line, seat, level, person)
        return await self._write(made, person, address)

    async def check_components(
        self, game: str, draft: components_api.Draft, lang: str, person: Person, address: str
    ) -> components_api.CheckedComponents:
        return await self.bots.check_components(game, draft, lang, Owner(person.id, address))

    async def balance(
        self, game: str, wanted: components_api.NewComponentReport, person: Person, address: str
    ) -> components_api.ComponentReport:
        """A few games with a set of components; one report per person at a time."""
        setup.make(spec(game), wanted.players, {}, wanted.data, None)  # refused here, not in a bot process
        if person.id in self._balancing:
            raise too_many(1)
        self._balancing.add(person.id)
        try:
            owner = Owner(person.id, address, attended=False)
            found = await self.bots.balance(game, wanted.players, wanted.data, BALANCE_MS, owner)
        finally:
            self._balancing.discard(person.id)
        return msgspec.convert(found, components_api.ComponentReport)

    async def _write(self, make: Callable[[int], tuple[Table, list[Event]]], person: Person, address: str) -> str:
        now = clock()
        table, events = make(now)
        try:
            await opening.write(self._store, table, events, now, self._opening(person, address))
        except TooManyTables as problem:
            raise self._too_many_tables(problem) from problem
        self._opened.labels(table.game).inc()
        if not table.ended:
            await self.live(table.id)
        return table.id

    async def chat(self, table: str) -> list[messages.ChatLine]:
        return (await self.live(table)).chat()

    def log_changed(self, table: str) -> None:
        """Someone else has appended to the log of a table."""
        self.registry.log_changed(table)

    async def lobby(self, person: Person | None) -> messages.Lobby:
        return await self._lists.lobby(person, self.registry.connections())

    async def add_speaker(self, person: Person, table: str) -> None:
        """Someone writes in the chat of a table: their lines must be findable later."""
        await self._store.add_speaker(person.id, table)

    def data_of(self, person: Person) -> AsyncIterator[GameData | SaidLine]:
        return own_data.data_of(self._store, person)

    async def forget(self, person: Person) -> None:
        await own_data.forget(self.registry, person)

    async def games_of(self, person: Person, page: int) -> tuple[list[api.PlayedGame], bool]:
        return await self._lists.games_of(person, page)
