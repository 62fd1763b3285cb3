"""What both databases share: nearly everything.

A transaction is written as a generator that yields statements and receives the rows they return. So the same code
runs in SQLite's writer thread, where nothing can be awaited, and over asyncpg, where everything must be.
Placeholders are `$1`, `$2`, ...; a transaction that raises is rolled back.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeVar

import msgspec

from tsukimi.store import (
    ENDED,
    Conflict,
    Person,
    Rating,
    RatingChanges,
    Row,
    StaleRatings,
    Summary,
    Unavailable,
)

T = TypeVar("T")
Statement = tuple[str, tuple[Any, ...]]
Transaction = Generator[Statement, list[Any], T]

SUMMARY = "id, game, players, status, public, created, updated, wake, people, summary, running"
PERSON = "id, handle, name, created, lang, account, password, email, totp, totp_step, sessions_from"


def summary_values(summary: Summary) -> tuple[Any, ...]:
    """The values of the columns `SUMMARY`."""
    return (
        summary.table,
        summary.game,
        summary.players,
        summary.status,
        int(summary.public),
        summary.created,
        summary.updated,
        summary.due,
        msgspec.json.encode(summary.people).decode(),
        summary.listing,
        int(summary.status not in ENDED),
    )


def summary_from(row: Sequence[Any]) -> Summary:
    table, game, players, status, public, created, updated, due, people, listing, _running = row
    seated = msgspec.json.decode(people, type=list[str | None])
    return Summary(table, game, players, status, bool(public), created, updated, due, seated, listing)


def seat_values(summary: Summary) -> list[tuple[str, str, int]]:
    """The rows of `seats` for a table: one per person."""
    running = int(summary.status not in ENDED)
    people = {person for person in summary.people if person is not None}
    return [(summary.table, person, running) for person in sorted(people)]


def check_append(table: str, rows: Sequence[Row], summary: Summary | None, first: int | None = None) -> None:
    """Raise for a caller's mistake before anything is queued."""
    if first is None:
        first = rows[0].seq if rows else 0
    if [row.seq for row in rows] != list(range(first, first + len(rows))):
        raise ValueError(f"the rows of {table!r} are not numbered from {first} on: {[row.seq for row in rows]}")
    if summary is not None and summary.table != table:
        raise ValueError(f"a summary of {summary.table!r} for table {table!r}")


# ---- transactions ------------------------------------------------------------------------------


def execute(sql: str, *args: Any) -> Transaction[list[Any]]:
    """A single statement as a transaction."""
    return (yield sql, args)


def both(first: Transaction[Any], second: Transaction[Any]) -> Transaction[None]:
    """Two transactions as one."""
    yield from first
    yield from second


def locked(lock: int | None, transaction: Transaction[T]) -> Transaction[T]:
    """Run the transaction under a PostgreSQL advisory lock, or as it is."""
    if lock is not None:
        yield "select pg_advisory_xact_lock($1)", (lock,)
    return (yield from transaction)


def probe() -> Transaction[None]:
    """Insert and delete a row, so that the database has to write (setting a value to itself would not do)."""
    yield "insert into schema_version (version) values (0)", ()
    yield "delete from schema_version where version = 0", ()


def create(summary: Summary, rows: Sequence[Row], with_length: bool) -> Transaction[None]:
    columns, values = SUMMARY, summary_values(summary)
    if with_length:
        columns, values = f"{columns}, length", (*values, len(rows))
    sql = f"insert into tables ({columns}) values ({_places(values)}) on conflict (id) do nothing returning id"
    made = yield sql, values
    if not made:
        raise Conflict(f"table {summary.table!r} exists already")
    yield from _insert_rows(summary.table, rows)
    yield from _insert_seats(summary)


def append(table: str, rows: Sequence[Row], summary: Summary | None) -> Transaction[None]:
    """For a database with a single writer: nothing can come between reading the log's length and the insert."""
    [[length]] = yield "select coalesce(max(seq) + 1, 0) from log where table_id = $1", (table,)
    if rows and rows[0].seq != length:
        raise Conflict(f"the log of {table!r} has {length} rows: seq {rows[0].seq} is not the next")
    if summary is not None or length == 0:
        found = yield "select people, running from tables where id = $1", (table,)
        if not found:
            raise Conflict(f"there is no table {table!r}")
    if summary is not None:
        values = summary_values(summary)
        sql = (
            "update tables set game = $2, players = $3, status = $4, public = $5, created = $6, updated = $7,"
            " wake = $8, people = $9, summary = $10, running = $11 where id = $1"
        )
        yield sql, values
        if (values[8], values[10]) != tuple(found[0]):  # rare: someone sat down or left, or the game ended
            yield "delete from seats where table_id = $1", (table,)
            yield from _insert_seats(summary)
    yield from _insert_rows(table, rows)


def close_table(table: str, status: str) -> Transaction[bool]:
    sql = "update tables set status = $2, wake = null, running = 0 where id = $1 and status <> $2 returning id"
    changed = yield sql, (table, status)
    if changed:
        yield "update seats set running = 0 where table_id = $1", (table,)
    return bool(changed)


def _insert_rows(table: str, rows: Sequence[Row]) -> Transaction[None]:
    for row in rows:
        yield "insert into log (table_id, seq, at, data) values ($1, $2, $3, $4)", (table, *row)


def _insert_seats(summary: Summary) -> Transaction[None]:
    for values in seat_values(summary):
        yield "insert into seats (table_id, person, running) values ($1, $2, $3)", values


def update_person(before: Person, after: Person) -> Transaction[Person]:
    """Only what changes is written, and only over what the caller has read, so no change is lost."""
    old, new = msgspec.structs.asdict(before), msgspec.structs.asdict(after)
    changed = [column for column in new if new[column] != old[column]]
    values: list[Any] = [before.id]
    sets, conditions = [], ["id = $1"]
    for column in changed:
        values += [new[column], old[column]]
        sets.append(f"{column} = ${len(values) - 1}")
        conditions.append(f"{column} is not distinct from ${len(values)}")
    if "account" in changed:
        values.append(None if after.account is None else account_key(after.account))
        sets.append(f"account_key = ${len(values)}")
    sql = f"update people set {', '.join(sets or ['id = id'])} where {' and '.join(conditions)} returning {PERSON}"
    found = yield sql, tuple(values)
    if not found:
        raise Conflict(f"person {before.id!r} is unknown or has changed in the meantime")
    return Person(*found[0])


def add_person(person: Person) -> Transaction[list[Any]]:
    values = _person_values(person)
    return execute(f"insert into people ({PERSON}, account_key) values ({_places(values)})", *values)


def delete_person(id: str) -> Transaction[None]:
    for table in ("tokens", "ratings", "progress", "speakers", "admins"):
        yield f"delete from {table} where person = $1", (id,)
    yield "delete from reports where (person = $1 or reporter = $1) and resolved is not null", (id,)
    yield "update openings set person = '' where person = $1", (id,)
    yield "delete from people where id = $1", (id,)


def rewrite(table: str, rows: Sequence[Row]) -> Transaction[None]:
    for row in rows:
        yield "update log set data = $3 where table_id = $1 and seq = $2", (table, row.seq, row.data)


def _person_values(person: Person) -> tuple[Any, ...]:
    key = None if person.account is None else account_key(person.account)
    return (*msgspec.structs.astuple(person), key)


def account_key(account: str) -> str:
    """Account names that look alike are the same name, in every script."""
    return unicodedata.normalize("NFKC", account).casefold()


def rate(ratings: RatingChanges, json_rows: str) -> Transaction[None]:
    game, before, after = ratings
    found = yield select_ratings(game, list(after), json_rows)
    current = {person: Rating(*rating) for person, *rating in found}
    if current != {person: before[person] for person in after if person in before}:
        raise StaleRatings(f"a rating at {game} has changed in the meantime")
    sql = (
        "insert into ratings (person, game, mu, sigma, games) values ($1, $2, $3, $4, $5)"
        " on conflict (person, game) do update"
        " set mu = excluded.mu, sigma = excluded.sigma, games = excluded.games"
    )
    for person, rating in sorted(after.items()):
        yield sql, (person, game, *rating)


def select_ratings(game: str, people: Sequence[str], json_rows: str) -> Statement:
    sql = f"select person, mu, sigma, games from ratings where game = $2 and person in (select value from {json_rows})"
    return sql, (msgspec.json.encode(people).decode(), game)


class SqlStore:
    """The store's methods in SQL; a subclass runs the statements."""

    JSON_ROWS: str  # makes rows with a column `value` out of the JSON list $1
    WITH_LENGTH: bool  # whether `tables.length` counts the rows of a log: several writers need a row to lock

    def __init__(self) -> None:
        self.on_failure: Callable[[Unavailable], None] = lambda error: None

    async def _query(self, sql: str, *args: Any) -> list[Any]:
        """Read rows."""
        raise NotImplementedError

    async def _transact(self, transaction: Transaction[T]) -> T:
        """Run a transaction; durable when this returns."""
        raise NotImplementedError

    async def probe(self) -> None:
        await self._transact(probe())

    # tables

    async def create(self, summary: Summary, rows: Sequence[Row]) -> None:
        check_append(summary.table, rows, summary, first=0)
        await self._transact(create(summary, rows, self.WITH_LENGTH))

    async def read(self, table: str, since: int = 0) -> list[Row]:
        sql = "select seq, at, data from log where table_id = $1 and seq >= $2 order by seq"
        return [Row(*row) for row in await self._query(sql, table, since)]

    async def rewrite(self, table: str, rows: Sequence[Row]) -> None:
        await self._transact(rewrite(table, rows))

    async def log_lengths(self, tables: Sequence[str]) -> dict[str, int]:
        length = "(select max(seq) + 1 from log where table_id = value)"
        sql = f"select value, coalesce({length}, 0) from {self.JSON_ROWS}"
        found = await self._query(sql, msgspec.json.encode(tables).decode())
        return {row[0]: row[1] for row in found}

    async def summary(self, table: str) -> Summary | None:
        found = await self._query(f"select {SUMMARY} from tables where id = $1", table)
        return summary_from(found[0]) if found else None

    async def close_table(self, table: str, status: str) -> bool:
        return await self._transact(close_table(table, status))

    async def list_tables(
        self, status: str, public: bool = True, game: str | None = None, limit: int = 100
    ) -> list[Summary]:
        args = (status, int(public), limit) if game is None else (status, int(public), limit, game)
        sql = f"select {SUMMARY} from tables where status = $1 and public = $2"
        sql += "" if game is None else " and game = $4"
        return [summary_from(row) for row in await self._query(f"{sql} order by updated desc limit $3", *args)]

    async def tables_of(
        self, person: str, running: bool | None = None, limit: int = 20, offset: int = 0
    ) -> list[Summary]:
        sql = f"select {_columns('t', SUMMARY)} from seats s join tables t on t.id = s.table_id where s.person = $1"
        sql += "" if running is None else f" and s.running = {int(running)}"
        sql += " order by t.updated desc, t.id limit $2 offset $3"
        return [summary_from(row) for row in await self._query(sql, person, limit, offset)]

    async def due_tables(self, before: int, limit: int = 1000) -> list[str]:
        sql = "select id from tables where wake <= $1 order by wake limit $2"
        return [table for [table] in await self._query(sql, before, limit)]

    # people

    async def add_person(self, person: Person) -> None:
        await self._transact(add_person(person))

    async def update_person(self, before: Person, after: Person) -> Person:
        return await self._transact(update_person(before, after))

    async def delete_person(self, id: str) -> None:
        await self._transact(delete_person(id))

    async def person(self, id: str) -> Person | None:
        return await self._person("id", id)

    async def person_by_handle(self, handle: str) -> Person | None:
        return await self._person("handle", handle)

    async def person_by_account(self, account: str) -> Person | None:
        return await self._person("account_key", account_key(account))

    async def _person(self, column: str, value: str) -> Person | None:
        found = await self._query(f"select {PERSON} from people where {column} = $1", value)
        return Person(*found[0]) if found else None

    async def add_speaker(self, person: str, table: str) -> None:
        sql = "insert into speakers (person, table_id) values ($1, $2) on conflict do nothing"
        await self._transact(execute(sql, person, table))

    async def spoken_at(self, person: str) -> list[str]:
        sql = "select table_id from speakers where person = $1 order by table_id"
        return [table for [table] in await self._query(sql, person)]

    # ratings

    async def ratings(self, game: str, people: Sequence[str]) -> dict[str, Rating]:
        sql, args = select_ratings(game, people, self.JSON_ROWS)
        return {person: Rating(*rating) for person, *rating in await self._query(sql, *args)}

    async def ratings_of(self, person: str) -> dict[str, Rating]:
        sql = "select game, mu, sigma, games from ratings where person = $1 order by game"
        return {game: Rating(*rating) for game, *rating in await self._query(sql, person)}

    async def leaderboard(self, game: str, limit: int = 50) -> list[tuple[Person, Rating]]:
        sql = (
            f"select {_columns('p', PERSON)}, r.mu, r.sigma, r.games from ratings r join people p on p.id = r.person"
            " where r.game = $1 order by r.mu - 3 * r.sigma desc limit $2"
        )
        return [(Person(*row[:-3]), Rating(*row[-3:])) for row in await self._query(sql, game, limit)]


def _places(values: Sequence[Any]) -> str:
    return ", ".join(f"${number + 1}" for number in range(len(values)))


def _columns(table: str, columns: str) -> str:
    return ", ".join(f"{table}.{column}" for column in columns.split(", "))
