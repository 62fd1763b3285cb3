"""PostgreSQL through asyncpg, for several workers on one database.

Appends that arrive while one is in flight share the next statement, and so the next flush of the server's log.
When the server goes down, whatever was in flight is `Unavailable`, reads are retried for some seconds, and the
pool reconnects by itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

import asyncpg  # type: ignore[import-untyped]

from tsukimi.store import Conflict, RatingChanges, Refused, Row, Summary, Unavailable, migrations
from tsukimi.store.moderation_sql import ModerationSql
from tsukimi.store.openings_sql import OpeningsSql
from tsukimi.store.progress_sql import ProgressSql
from tsukimi.store.reviews_sql import ReviewsSql
from tsukimi.store.sql import (
    SUMMARY,
    SqlStore,
    Transaction,
    both,
    check_append,
    execute,
    locked,
    rate,
    seat_values,
    summary_values,
)
from tsukimi.store.tokens_sql import TokensSql

T = TypeVar("T")

# Errors of the server, not of the request.
OUTAGES = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.InsufficientResourcesError,  # disk full, too many connections
    asyncpg.OperatorInterventionError,  # shutting down, starting up
    asyncpg.PostgresSystemError,
    asyncpg.InternalServerError,  # corrupted data
    asyncpg.TransactionRollbackError,  # a deadlock
    asyncpg.ReadOnlySQLTransactionError,  # a standby
)
SETTINGS = {
    "application_name": "tsukimi",
    "synchronous_commit": "on",  # off loses acknowledged rows when the server is killed
    "default_transaction_isolation": "read committed",
    "jit": "off",  # compiling costs more than it saves on these statements
}
CONNECTIONS, MAX_BATCH = 8, 500  # of the pool; appends in one statement
RETRY_DELAYS = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 1.6)  # of a read; a killed server is back in a second or two
STATEMENT_TIMEOUT_S = 15.0  # a statement that takes longer has lost its server
MAX_LEASE_MS = 10_000  # one that ends later was written before a clock was set back, and is ignored
MIGRATION_LOCK, RATING_LOCK = 0x7473756B, 0x7261746E  # keys of advisory locks

# $1 .. $14 are the columns of the requests, one per table; $15 .. $18 those of the log rows; $19 .. $21 of the seats.
# `locked` locks the tables in the order of their ids, so that two workers never deadlock, and sees what others have
# committed by then; `accepted` are the requests whose rows come next in the log.
APPEND = """
with request as (
    select * from unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::bigint[],
        $8::bigint[], $9::bigint[], $10::bigint[], $11::text[], $12::bytea[], $13::bigint[], $14::bool[])
    as r (id, first, more, game, players, status, public, created, updated, wake, people, summary, running, replaces)
), locked as (
    select id, length, people, running from tables where id = any($1) order by id for update
), accepted as (
    select r.*, l.length, r.replaces and (r.people <> l.people or r.running <> l.running) as seats_changed
    from request r join locked l on l.id = r.id
    where r.more = 0 or r.first = l.length
), updated as (
    update tables t set length = a.length + a.more,
        game = coalesce(a.game, t.game), players = coalesce(a.players, t.players),
        status = coalesce(a.status, t.status), public = coalesce(a.public, t.public),
        created = coalesce(a.created, t.created), updated = coalesce(a.updated, t.updated),
        wake = case when a.replaces then a.wake else t.wake end,
        people = coalesce(a.people, t.people), summary = coalesce(a.summary, t.summary),
        running = coalesce(a.running, t.running)
    from accepted a where t.id = a.id and t.id = any($1)
    returning t.id
), appended as (
    insert into log (table_id, seq, at, data)
    select r.* from unnest($15::text[], $16::bigint[], $17::bigint[], $18::bytea[]) as r (table_id, seq, at, data)
    where r.table_id in (select id from updated)
), seated as (
    select s.* from unnest($19::text[], $20::text[], $21::bigint[]) as s (table_id, person, running)
    where s.table_id in (select id from accepted where seats_changed)
), seats_deleted as (
    delete from seats old where old.table_id in (select id from accepted where seats_changed)
    and not exists (select from seated s where s.table_id = old.table_id and s.person = old.person)
), seats_written as (
    insert into seats (table_id, person, running) select table_id, person, running from seated
    on conflict (table_id, person) do update set running = excluded.running
)
select id from updated
"""
NO_SUMMARY = (None,) * len(SUMMARY.split(", "))


class Append(NamedTuple):
    """A request; `done` is settled if it was queued."""

    table: str
    rows: Sequence[Row]
    summary: Summary | None
    done: asyncio.Future[None] | None = None


class Connection(asyncpg.Connection):  # type: ignore[misc]
    """Returns to the pool without a reset: no session setting is ever changed, and a reset costs a round trip."""

    def get_reset_query(self) -> str:
        return ""


class PostgresStore(SqlStore, TokensSql, ModerationSql, OpeningsSql, ReviewsSql, ProgressSql):
    """A database, by its URL."""

    JSON_ROWS, WITH_LENGTH = "jsonb_array_elements_text($1::text::jsonb) as value", True
    SIZE, LOCK = "select pg_database_size(current_database())", 0x61637469

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url
        self._pool: Any = None
        self._queue: list[Append] = []
        self._queued = asyncio.Event()
        self._closing = False
        self._appender: asyncio.Task[None] | None = None

    async def open(self) -> None:
        try:
            with translated_errors():
                self._pool = await asyncpg.create_pool(
                    self._url,
                    min_size=1,
                    max_size=CONNECTIONS,
                    timeout=5,
                    command_timeout=STATEMENT_TIMEOUT_S,
                    max_inactive_connection_lifetime=0,
                    server_settings=SETTINGS,
                    connection_class=Connection,
                )
        except (asyncpg.InvalidAuthorizationSpecificationError, asyncpg.InvalidCatalogNameError) as error:
            raise Refused(f"PostgreSQL: {error}") from error
        try:
            await self._transact(locked(MIGRATION_LOCK, migrations.upgrade(migrations.POSTGRES)))
        except BaseException:
            await self._pool.close()
            raise
        self._appender = asyncio.create_task(self._append_queued(), name="store-appender")

    async def close(self) -> None:
        if self._appender is None or self._closing:
            return
        self._closing = True
        self._queued.set()
        await self._appender
        try:
            await asyncio.wait_for(self._pool.close(), 5)
        except TimeoutError:
            self._pool.terminate()

    @property
    def waiting(self) -> int:
        return len(self._queue)

    # appends, batched

    async def append(
        self, table: str, rows: Sequence[Row], summary: Summary | None = None, ratings: RatingChanges | None = None
    ) -> None:
        check_append(table, rows, summary)
        if self._appender is None or self._closing:
            raise Unavailable("the store is closed")
        if ratings is not None:  # one table at a time: people without a rating have no row that could be locked
            transaction = both(append_one(table, rows, summary), rate(ratings, self.JSON_ROWS))
            await self._transact(locked(RATING_LOCK, transaction))
            return
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(Append(table, rows, summary, done))
        self._queued.set()
        await done

    async def _append_queued(self) -> None:
        while self._queue or not self._closing:
            await self._queued.wait()
            self._queued.clear()
            while self._queue:
                await self._append_batch(self._next_batch())

    def _next_batch(self) -> list[Append]:
        """The next requests in the queue, one per table: a second one depends on the outcome of the first."""
        chosen: dict[str, Append] = {}
        rest = []
        for request in self._queue:
            if request.table in chosen or len(chosen) == MAX_BATCH:
                rest.append(request)
            else:
                chosen[request.table] = request
        self._queue = rest
        return list(chosen.values())

    async def _append_batch(self, batch: list[Append]) -> None:
        """Settle every request of the batch; never raises."""
        try:
            with self._reported_errors():
                updated = {row[0] for row in await self._pool.fetch(APPEND, *columns(batch))}
        except Unavailable as error:
            for request in batch:
                fail(request, Unavailable(*error.args))
        except Exception as error:
            if len(batch) == 1:
                fail(batch[0], error)
            else:  # one of them is at fault: retried one by one, only that one fails
                for request in batch:
                    await self._append_batch([request])
        else:
            for request in batch:
                if request.table not in updated:
                    fail(request, not_next(request.table, request.rows))
                elif request.done is not None and not request.done.done():
                    request.done.set_result(None)

    # everything else

    async def due_tables(self, before: int, limit: int = 1000) -> list[str]:
        sql = (
            "select id from tables where wake <= $1 and not exists"
            " (select from leases where table_id = id and until > $1 and until <= $2) order by wake limit $3"
        )
        return [table for [table] in await self._query(sql, before, before + MAX_LEASE_MS, limit)]

    async def lease(self, tables: Sequence[str], worker: str, now: int, until: int) -> set[str]:
        names = sorted(set(tables))  # the same order everywhere: two workers that want the same tables never deadlock
        if not names:
            return set()
        sql = (
            "insert into leases (table_id, worker, until) select unnest($1::text[]), $2, $3"
            " on conflict (table_id) do update set worker = excluded.worker, until = excluded.until"
            " where leases.until <= $4 or leases.until > $5 or leases.worker = excluded.worker returning table_id"
        )
        held = await self._transact(execute(sql, names, worker, until, now, now + MAX_LEASE_MS))
        return {table for [table] in held}

    async def release(self, worker: str, tables: Sequence[str] | None = None) -> None:
        if tables is None:
            await self._transact(execute("delete from leases where worker = $1", worker))
        elif tables:
            sql = "delete from leases where worker = $1 and table_id = any($2::text[])"
            await self._transact(execute(sql, worker, list(tables)))

    async def _transact(self, transaction: Transaction[T]) -> T:
        with self._reported_errors():
            async with self._connected().acquire() as connection, connection.transaction():
                return await run(connection, transaction)

    async def _query(self, sql: str, *args: Any) -> list[Any]:
        for delay in RETRY_DELAYS:
            try:
                return await self._query_once(sql, *args)
            except Unavailable:
                if self._appender is None or self._closing:
                    raise
                await asyncio.sleep(delay)
        return await self._query_once(sql, *args)

    async def _query_once(self, sql: str, *args: Any) -> list[Any]:
        with self._reported_errors():
            found: list[Any] = await self._connected().fetch(sql, *args)
            return found

    @contextmanager
    def _reported_errors(self) -> Iterator[None]:
        try:
            with translated_errors():
                yield
        except Unavailable as error:
            if not self._closing:
                self.on_failure(error)
            raise

    def _connected(self) -> Any:
        if self._pool is None or self._closing:
            raise Unavailable("the store is closed")
        return self._pool


async def run(connection: Any, transaction: Transaction[T]) -> T:
    """Execute a transaction statement by statement."""
    try:
        sql, args = next(transaction)
        while True:
            sql, args = transaction.send(await connection.fetch(sql, *args))
    except StopIteration as end:
        result: T = end.value
        return result


def append_one(table: str, rows: Sequence[Row], summary: Summary | None) -> Transaction[None]:
    """An append in its own transaction."""
    if not (yield APPEND, tuple(columns([Append(table, rows, summary)]))):
        raise not_next(table, rows)


def not_next(table: str, rows: Sequence[Row]) -> Conflict:
    return Conflict(f"seq {rows[0].seq if rows else None} is not the next of {table!r}, or there is no such table")


def columns(batch: Sequence[Append]) -> list[list[Any]]:
    """The parameters of `APPEND`, each a column."""
    requests = []
    for job in batch:
        _, *values = NO_SUMMARY if job.summary is None else summary_values(job.summary)
        first = job.rows[0].seq if job.rows else 0
        requests.append((job.table, first, len(job.rows), *values, job.summary is not None))
    rows = [(job.table, *row) for job in batch for row in job.rows]
    seats = [values for job in batch if job.summary is not None for values in seat_values(job.summary)]
    return [*_transposed(requests, 14), *_transposed(rows, 4), *_transposed(seats, 3)]


def _transposed(rows: list[tuple[Any, ...]], width: int) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in range(width)]


@contextmanager
def translated_errors() -> Iterator[None]:
    """Raise PostgreSQL's errors as the store's."""
    try:
        yield
    except asyncpg.UniqueViolationError as error:
        raise Conflict(str(error)) from error
    except OUTAGES as error:
        if isinstance(error, ValueError):  # a value that cannot be encoded, which asyncpg calls an InterfaceError
            raise
        raise Unavailable(f"PostgreSQL: {type(error).__name__}: {error}") from error


def fail(request: Append, error: Exception) -> None:
    if request.done is not None and not request.done.done():
        request.done.set_exception(error)
