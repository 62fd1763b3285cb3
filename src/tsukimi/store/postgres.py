"""PostgreSQL through asyncpg, for several workers on one database.

Appends that come while one is on its way share the next statement, and so the next flush of the server's log.
When the server goes away, what was in flight is `Unavailable`, readers wait a little, and the connections come
back by themselves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

import asyncpg  # type: ignore[import-untyped]

from tsukimi.store import Conflict, Facts, Rating, Refused, Row, Unavailable, migrations
from tsukimi.store.sql import FACTS, SqlStore, Steps, check, rate, values_of

T = TypeVar("T")

# What says something about the server and nothing about the request.
OUTAGES = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.InsufficientResourcesError,  # disk full, too many connections
    asyncpg.OperatorInterventionError,  # shutting down, starting up
    asyncpg.PostgresSystemError,
    asyncpg.TransactionRollbackError,  # a deadlock
    asyncpg.ReadOnlySQLTransactionError,  # a standby
)
SETTINGS = {
    "application_name": "tsukimi",
    "synchronous_commit": "on",  # off loses acknowledged rows when the server is killed
    "default_transaction_isolation": "read committed",
    "jit": "off",  # compiling costs more than these statements take
}
CONNECTIONS = 8
MOST = 500  # appends in one statement
PAUSES = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 1.6)  # between a reader's attempts; a killed server is back in a second or two
LIMIT_S = 15.0  # a statement that takes longer has lost its server
MIGRATING, RATING = 0x7473756B, 0x7261746E  # names of advisory locks

# The rows of $1 .. $14 are the appends, one per table; of $15 .. $18 the log rows; of $19 .. $21 the people seated.
# `held` locks the tables in the order of their names, so that two workers never wait for each other crosswise, and
# sees what others have committed up to then; `won` are the appends that follow on.
APPEND = """
with asked as (
    select * from unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::bigint[],
        $8::bigint[], $9::bigint[], $10::bigint[], $11::text[], $12::bytea[], $13::bigint[], $14::bool[])
    as a (id, first, more, game, players, status, public, created, updated, wake, people, summary, running, told)
), held as (
    select id, length, people, running from tables where id = any($1) order by id for update
), fit as (
    select a.*, h.length, a.told and (a.people <> h.people or a.running <> h.running) as moved
    from asked a join held h on h.id = a.id
    where a.more = 0 or a.first = h.length
), won as (
    update tables t set length = f.length + f.more,
        game = coalesce(f.game, t.game), players = coalesce(f.players, t.players),
        status = coalesce(f.status, t.status), public = coalesce(f.public, t.public),
        created = coalesce(f.created, t.created), updated = coalesce(f.updated, t.updated),
        wake = case when f.told then f.wake else t.wake end,
        people = coalesce(f.people, t.people), summary = coalesce(f.summary, t.summary),
        running = coalesce(f.running, t.running)
    from fit f where t.id = f.id and t.id = any($1)
    returning t.id
), put as (
    insert into log (table_id, seq, at, data)
    select r.* from unnest($15::text[], $16::bigint[], $17::bigint[], $18::bytea[]) as r (table_id, seq, at, data)
    where r.table_id in (select id from won)
), seated as (
    select n.* from unnest($19::text[], $20::text[], $21::bigint[]) as n (table_id, person, running)
    where n.table_id in (select id from fit where moved)
), rose as (
    delete from seats s where s.table_id in (select id from fit where moved)
    and not exists (select from seated n where n.table_id = s.table_id and n.person = s.person)
), sat as (
    insert into seats (table_id, person, running) select table_id, person, running from seated
    on conflict (table_id, person) do update set running = excluded.running
)
select id from won
"""
NO_FACTS = (None,) * len(FACTS.split(", "))


class Append(NamedTuple):
    """One request, waiting."""

    table: str
    rows: Sequence[Row]
    facts: Facts | None
    done: asyncio.Future[None]


class Connection(asyncpg.Connection):  # type: ignore[misc]
    """Comes back to the pool as it is: nothing of a session is ever changed, and resetting costs a round trip."""

    def get_reset_query(self) -> str:
        return ""


class PostgresStore(SqlStore):
    """A database, by its URL."""

    EACH, COUNTED = "jsonb_array_elements_text($1::text::jsonb) as value", True

    def __init__(self, url: str) -> None:
        self._url = url
        self._pool: Any = None
        self._queue: list[Append] = []
        self._asked = asyncio.Event()
        self._closing = False
        self._appender: asyncio.Task[None] | None = None

    async def open(self) -> None:
        try:
            with told_apart():
                self._pool = await asyncpg.create_pool(
                    self._url,
                    min_size=1,
                    max_size=CONNECTIONS,
                    timeout=5,
                    command_timeout=LIMIT_S,
                    max_inactive_connection_lifetime=0,
                    server_settings=SETTINGS,
                    connection_class=Connection,
                )
        except (asyncpg.InvalidAuthorizationSpecificationError, asyncpg.InvalidCatalogNameError) as error:
            raise Refused(f"PostgreSQL: {error}") from error
        try:
            await self._do(_behind(MIGRATING, migrations.upgrade(migrations.POSTGRES)))
        except BaseException:
            await self._pool.close()
            raise
        self._appender = asyncio.create_task(self._append_all(), name="store-appender")

    async def close(self) -> None:
        if self._appender is None or self._closing:
            return
        self._closing = True
        self._asked.set()
        await self._appender
        try:
            await asyncio.wait_for(self._pool.close(), 5)
        except TimeoutError:
            self._pool.terminate()

    # appends, together

    async def append(self, table: str, rows: Sequence[Row], facts: Facts | None = None) -> None:
        check(table, rows, facts)
        if self._appender is None or self._closing:
            raise Unavailable("the store is closed")
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(Append(table, rows, facts, done))
        self._asked.set()
        await done

    async def _append_all(self) -> None:
        while self._queue or not self._closing:
            await self._asked.wait()
            self._asked.clear()
            while self._queue:
                await self._append_some(self._next())

    def _next(self) -> list[Append]:
        """What is waiting, but one append per table: a second one must see what became of the first."""
        chosen: dict[str, Append] = {}
        rest = []
        for ask in self._queue:
            if ask.table in chosen or len(chosen) == MOST:
                rest.append(ask)
            else:
                chosen[ask.table] = ask
        self._queue = rest
        return list(chosen.values())

    async def _append_some(self, batch: list[Append]) -> None:
        """Tell everybody in the batch how it went; never raises."""
        try:
            with told_apart():
                won = {row[0] for row in await self._pool.fetch(APPEND, *columns(batch))}
        except Unavailable as error:
            for ask in batch:
                fail(ask, Unavailable(*error.args))
        except Exception as error:
            if len(batch) == 1:
                fail(batch[0], error)
            else:  # one of them is at fault: which, shows when each stands alone
                for ask in batch:
                    await self._append_some([ask])
        else:
            for ask in batch:
                if ask.table not in won:
                    seq = ask.rows[0].seq if ask.rows else None
                    fail(ask, Conflict(f"seq {seq} does not follow on in {ask.table!r}, or there is no such table"))
                elif not ask.done.done():
                    ask.done.set_result(None)

    # everything else

    async def rate(
        self, table: str, game: str, changes: Mapping[str, Rating], seen: Mapping[str, Rating] | None = None
    ) -> bool:
        # One table's end at a time: of somebody not yet rated there is no row that could be locked.
        return await self._do(_behind(RATING, rate(table, game, changes, seen, self.EACH)))

    async def _do(self, steps: Steps[T]) -> T:
        with told_apart():
            async with self._connected().acquire() as connection, connection.transaction():
                return await run(connection, steps)

    async def _look(self, sql: str, *args: Any) -> list[Any]:
        for pause in PAUSES:
            try:
                return await self._look_once(sql, *args)
            except Unavailable:
                if self._appender is None or self._closing:
                    raise
                await asyncio.sleep(pause)
        return await self._look_once(sql, *args)

    async def _look_once(self, sql: str, *args: Any) -> list[Any]:
        with told_apart():
            found: list[Any] = await self._connected().fetch(sql, *args)
            return found

    def _connected(self) -> Any:
        if self._pool is None or self._closing:
            raise Unavailable("the store is closed")
        return self._pool


async def run(connection: Any, steps: Steps[T]) -> T:
    """Do what a transaction asks for, statement by statement."""
    try:
        sql, args = next(steps)
        while True:
            sql, args = steps.send(await connection.fetch(sql, *args))
    except StopIteration as end:
        result: T = end.value
        return result


def columns(batch: list[Append]) -> list[list[Any]]:
    """What `APPEND` is given, each parameter a column."""
    asked = []
    for ask in batch:
        _, *facts = NO_FACTS if ask.facts is None else values_of(ask.facts)
        asked.append((ask.table, ask.rows[0].seq if ask.rows else 0, len(ask.rows), *facts, ask.facts is not None))
    rows = [(ask.table, *row) for ask in batch for row in ask.rows]
    seated = [(ask.facts.table, *seat) for ask in batch if ask.facts is not None for seat in _seats(ask.facts)]
    return [*_turned(asked, 14), *_turned(rows, 4), *_turned(seated, 3)]


def _seats(facts: Facts) -> list[tuple[str, int]]:
    running = values_of(facts)[-1]
    return [(person, running) for person in {*facts.people} if person is not None]


def _turned(rows: list[tuple[Any, ...]], width: int) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in range(width)]


def _behind(lock: int, steps: Steps[T]) -> Steps[T]:
    """A transaction that lets only one of its kind run at a time."""
    yield "select pg_advisory_xact_lock($1)", (lock,)
    return (yield from steps)


@contextmanager
def told_apart() -> Iterator[None]:
    """PostgreSQL's errors as the store's."""
    try:
        yield
    except asyncpg.UniqueViolationError as error:
        raise Conflict(str(error)) from error
    except OUTAGES as error:
        if isinstance(error, ValueError):  # a value that cannot be sent: asyncpg counts it as an interface's error
            raise
        raise Unavailable(f"PostgreSQL: {type(error).__name__}: {error}") from error


def fail(ask: Append, error: Exception) -> None:
    if not ask.done.done():
        ask.done.set_exception(error)
