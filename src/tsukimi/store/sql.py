"""What the two databases have in common: nearly everything.

A transaction is written as a generator that yields statements and is given the rows they found. So the same text
runs in SQLite's writer thread, where nothing can be awaited, and over asyncpg, where everything must be.
Placeholders are `$1`, `$2`, ...; a transaction that raises leaves nothing behind.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Generator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from tsukimi.store import ENDED, Conflict, Facts, Person, Rating, Row, Token

T = TypeVar("T")
Steps = Generator[tuple[str, tuple[Any, ...]], list[Any], T]

FACTS = "id, game, players, status, public, created, updated, wake, people, summary, running"
PERSON = "id, handle, name, created, lang, account, password, account_key"
TOKEN = "digest, person, kind, label, at"


def values_of(facts: Facts) -> tuple[Any, ...]:
    """The columns `FACTS`."""
    return (
        facts.table,
        facts.game,
        facts.players,
        facts.status,
        int(facts.public),
        facts.created,
        facts.updated,
        facts.wake,
        msgspec.json.encode(facts.people).decode(),
        facts.summary,
        int(facts.status not in ENDED),
    )


def facts_of(row: Sequence[Any]) -> Facts:
    table, game, players, status, public, created, updated, wake, people, summary, _running = row
    seated = msgspec.json.decode(people, type=list[str | None])
    return Facts(table, game, players, status, bool(public), created, updated, wake, seated, summary)


def account_key(account: str) -> str:
    """Names that look the same are the same, in every script."""
    return unicodedata.normalize("NFKC", account).casefold()


def check(table: str, rows: Sequence[Row], facts: Facts | None, first: int | None = None) -> None:
    """The caller's mistakes, told before anything is queued."""
    if first is None:
        first = rows[0].seq if rows else 0
    if [row.seq for row in rows] != list(range(first, first + len(rows))):
        raise ValueError(f"the rows of {table!r} do not follow on from {first}: {[row.seq for row in rows]}")
    if facts is not None and facts.table != table:
        raise ValueError(f"facts of {facts.table!r} for table {table!r}")


def seat(facts: Facts) -> Steps[None]:
    """Make `seats`, in which the table has no rows, say what the facts say."""
    table, running = facts.table, int(facts.status not in ENDED)
    for person in sorted({person for person in facts.people if person is not None}):
        yield "insert into seats (table_id, person, running) values ($1, $2, $3)", (table, person, running)


def create(facts: Facts, rows: Sequence[Row], counted: bool) -> Steps[None]:
    columns, values = FACTS, values_of(facts)
    if counted:
        columns, values = f"{columns}, length", (*values, len(rows))
    places = ", ".join(f"${number + 1}" for number in range(len(values)))
    made = yield f"insert into tables ({columns}) values ({places}) on conflict (id) do nothing returning id", values
    if not made:
        raise Conflict(f"there is a table {facts.table!r} already")
    yield from put(facts.table, rows)
    yield from seat(facts)


def put(table: str, rows: Sequence[Row]) -> Steps[None]:
    for row in rows:
        yield "insert into log (table_id, seq, at, data) values ($1, $2, $3, $4)", (table, row.seq, row.at, row.data)


def append(table: str, rows: Sequence[Row], facts: Facts | None) -> Steps[None]:
    """For a database with one writer: between the look at the log's end and the rows that follow on nobody else comes."""
    found = yield "select people, running from tables where id = $1", (table,)
    if not found:
        raise Conflict(f"there is no table {table!r}")
    people, running = found[0]
    [[length]] = yield "select coalesce(max(seq) + 1, 0) from log where table_id = $1", (table,)
    if rows and rows[0].seq != length:
        raise Conflict(f"{table!r} has {length} rows, so seq {rows[0].seq} does not follow on")
    if facts is not None:
        values = values_of(facts)
        sql = (
            "update tables set game = $2, players = $3, status = $4, public = $5, created = $6, updated = $7,"
            " wake = $8, people = $9, summary = $10, running = $11 where id = $1"
        )
        yield sql, values
        if values[8] != people or values[10] != running:  # seldom: somebody sat down or left, or the game ended
            yield "delete from seats where table_id = $1", (table,)
            yield from seat(facts)
    yield from put(table, rows)


def add_person(person: Person) -> Steps[None]:
    yield f"insert into people ({PERSON}) values ($1, $2, $3, $4, $5, $6, $7, $8)", _columns(person)


def change_person(person: Person) -> Steps[None]:
    sql = (
        "update people set handle = $2, name = $3, created = $4, lang = $5, account = $6, password = $7,"
        " account_key = $8 where id = $1 returning id"
    )
    found = yield sql, _columns(person)
    if not found:
        raise Conflict(f"there is no person {person.id!r}")


def _columns(person: Person) -> tuple[Any, ...]:
    key = None if person.account is None else account_key(person.account)
    return (*msgspec.structs.astuple(person), key)


def rate(
    table: str, game: str, changes: Mapping[str, Rating], seen: Mapping[str, Rating] | None, each: str
) -> Steps[bool]:
    done = yield "insert into rated (table_id) values ($1) on conflict do nothing returning table_id", (table,)
    if not done:
        return False
    if seen is not None:
        found = yield ratings(game, list(changes), each)
        now = {person: Rating(*rating) for person, *rating in found}
        if now != {person: seen[person] for person in changes if person in seen}:
            raise Conflict(f"somebody's rating at {game} has changed meanwhile")
    sql = (
        "insert into ratings (person, game, mu, sigma, games) values ($1, $2, $3, $4, $5)"
        " on conflict (person, game) do update"
        " set mu = excluded.mu, sigma = excluded.sigma, games = excluded.games"
    )
    for person, rating in sorted(changes.items()):
        yield sql, (person, game, *rating)
    return True


def ratings(game: str, people: Sequence[str], each: str) -> tuple[str, tuple[Any, ...]]:
    """The question for the ratings of many; `each` makes rows of a JSON list, in the database's own way."""
    sql = f"select person, mu, sigma, games from ratings where game = $2 and person in (select value from {each})"
    return sql, (msgspec.json.encode(people).decode(), game)


def do(sql: str, *args: Any) -> Steps[list[Any]]:
    """A single statement as a transaction."""
    return (yield sql, args)


class SqlStore:
    """A store over a database that can run statements one way or another."""

    EACH: str  # makes rows with a column `value` of the JSON list $1
    COUNTED: bool  # whether `tables.length` says how many rows a log has: several writers need something to lock

    async def _look(self, sql: str, *args: Any) -> list[Any]:
        """What a query finds."""
        raise NotImplementedError

    async def _do(self, steps: Steps[T]) -> T:
        """Run a transaction; durable when this returns."""
        raise NotImplementedError

    # tables

    async def create(self, facts: Facts, rows: Sequence[Row]) -> None:
        check(facts.table, rows, facts, first=0)
        await self._do(create(facts, rows, self.COUNTED))

    async def read(self, table: str, since: int = 0) -> list[Row]:
        sql = "select seq, at, data from log where table_id = $1 and seq >= $2 order by seq"
        return [Row(*row) for row in await self._look(sql, table, since)]

    async def facts(self, table: str) -> Facts | None:
        found = await self._look(f"select {FACTS} from tables where id = $1", table)
        return facts_of(found[0]) if found else None

    async def listed(self, status: str, public: bool = True, game: str | None = None, limit: int = 100) -> list[Facts]:
        args = (status, int(public), limit) if game is None else (status, int(public), limit, game)
        sql = f"select {FACTS} from tables where status = $1 and public = $2"
        sql += "" if game is None else " and game = $4"
        return [facts_of(row) for row in await self._look(f"{sql} order by updated desc limit $3", *args)]

    async def tables_of(
        self, person: str, running: bool | None = None, limit: int = 20, offset: int = 0
    ) -> list[Facts]:
        columns = ", ".join(f"t.{column}" for column in FACTS.split(", "))
        sql = f"select {columns} from seats s join tables t on t.id = s.table_id where s.person = $1"
        sql += "" if running is None else f" and s.running = {int(running)}"
        sql += " order by t.updated desc, t.id limit $2 offset $3"
        return [facts_of(row) for row in await self._look(sql, person, limit, offset)]

    async def waking(self, before: int, limit: int = 1000) -> list[str]:
        sql = "select id from tables where wake <= $1 order by wake limit $2"
        return [table for [table] in await self._look(sql, before, limit)]

    async def lease(self, tables: Sequence[str], worker: str, now: int, until: int) -> set[str]:
        names = sorted(set(tables))  # in one order everywhere: two workers that want the same never block each other
        if not names:
            return set()
        sql = (
            "insert into leases (table_id, worker, until)"
            f" select value, cast($2 as text), cast($4 as bigint) from {self.EACH} where true"
            " on conflict (table_id) do update set worker = excluded.worker, until = excluded.until"
            " where leases.until <= $3 or leases.worker = excluded.worker returning table_id"
        )
        held = await self._do(do(sql, msgspec.json.encode(names).decode(), worker, now, until))
        return {table for [table] in held}

    async def release(self, worker: str, tables: Sequence[str] | None = None) -> None:
        if tables is None:
            await self._do(do("delete from leases where worker = $1", worker))
        elif tables:
            sql = f"delete from leases where worker = $2 and table_id in (select value from {self.EACH})"
            await self._do(do(sql, msgspec.json.encode(list(tables)).decode(), worker))

    # people

    async def add_person(self, person: Person) -> None:
        await self._do(add_person(person))

    async def change_person(self, person: Person) -> None:
        await self._do(change_person(person))

    async def person(self, id: str) -> Person | None:
        return await self._person("id", id)

    async def person_by_handle(self, handle: str) -> Person | None:
        return await self._person("handle", handle)

    async def person_of_account(self, account: str) -> Person | None:
        return await self._person("account_key", account_key(account))

    async def _person(self, column: str, value: str) -> Person | None:
        found = await self._look(f"select {PERSON} from people where {column} = $1", value)
        return Person(*found[0][:-1]) if found else None

    async def add_token(self, digest: bytes, person: str, kind: str, label: str, at: int) -> None:
        sql = f"insert into tokens ({TOKEN}) values ($1, $2, $3, $4, $5)"
        await self._do(do(sql, digest, person, kind, label, at))

    async def token(self, digest: bytes) -> Token | None:
        found = await self._look(f"select {TOKEN} from tokens where digest = $1", digest)
        return Token(*found[0]) if found else None

    async def tokens_of(self, person: str, kind: str | None = None) -> list[Token]:
        sql, args = f"select {TOKEN} from tokens where person = $1", (person,) if kind is None else (person, kind)
        sql += "" if kind is None else " and kind = $2"
        return [Token(*row) for row in await self._look(f"{sql} order by at desc", *args)]

    async def drop_token(self, digest: bytes) -> None:
        await self._do(do("delete from tokens where digest = $1", digest))

    async def drop_tokens(self, person: str, kind: str) -> None:
        await self._do(do("delete from tokens where person = $1 and kind = $2", person, kind))

    # ratings

    async def ratings(self, game: str, people: Sequence[str]) -> dict[str, Rating]:
        sql, args = ratings(game, people, self.EACH)
        return {person: Rating(*rating) for person, *rating in await self._look(sql, *args)}

    async def ratings_of(self, person: str) -> dict[str, Rating]:
        sql = "select game, mu, sigma, games from ratings where person = $1 order by game"
        return {game: Rating(*rating) for game, *rating in await self._look(sql, person)}

    async def rate(
        self, table: str, game: str, changes: Mapping[str, Rating], seen: Mapping[str, Rating] | None = None
    ) -> bool:
        return await self._do(rate(table, game, changes, seen, self.EACH))

    async def best(self, game: str, limit: int = 50) -> list[tuple[str, str, Rating]]:
        sql = (
            "select p.id, p.name, r.mu, r.sigma, r.games from ratings r join people p on p.id = r.person"
            " where r.game = $1 order by r.mu - 3 * r.sigma desc limit $2"
        )
        return [(id, name, Rating(*rating)) for id, name, *rating in await self._look(sql, game, limit)]
