"""`ModerationStore` in SQL, the same for both databases."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from tsukimi.store import QUARANTINED
from tsukimi.store.moderation import ADDRESSES, Action, Ban, Quarantine, Report, ReportedLine, Stats
from tsukimi.store.sql import Transaction, account_key, close_table, locked

T = TypeVar("T")

ACTION = "number, at, author, action, target, detail"
BAN = "number, kind, value, reason, at, until, author"
REPORT = "number, at, reporter, person, table_id, reason, text, chat, line, resolved, resolved_by, resolution"
DAY_MS = 86_400_000
_chat = msgspec.json.Decoder(list[ReportedLine]).decode


def act(at: int, by: str, action: str, target: str, detail: str = "") -> Transaction[int]:
    """Add a line to the audit log, within a transaction that is run by `_numbered`."""
    [[number]] = yield "select coalesce(max(number), 0) + 1 from actions", ()
    yield f"insert into actions ({ACTION}) values ($1, $2, $3, $4, $5, $6)", (number, at, by, action, target, detail)
    return int(number)


def add_ban(
    kind: str, value: str, reason: str, at: int, until: int | None, by: str, shown: str, addresses: bool
) -> Transaction[Ban]:
    if addresses:
        yield from act(at, by, ADDRESSES, f"{kind} {value}")
    number = yield from act(at, by, "ban", f"{kind} {shown or value}", reason)
    ban = Ban(number, kind, value, reason, at, until, by)
    yield f"insert into bans ({BAN}) values ($1, $2, $3, $4, $5, $6, $7)", tuple(ban)
    return ban


def remove_ban(number: int, at: int, by: str, shown: str) -> Transaction[Ban | None]:
    found = yield f"delete from bans where number = $1 returning {BAN}", (number,)
    if not found:
        return None
    ban = Ban(*found[0])
    yield from act(at, by, "unban", f"{ban.kind} {shown or ban.value}", f"ban {number}")
    return ban


def add_report(report: Report, most_open: int) -> Transaction[int | None]:
    sql = "select count(*) from reports where reporter = $1 and resolved is null"
    [[unresolved]] = yield sql, (report.reporter,)
    if unresolved >= most_open:
        return None
    chat = msgspec.json.encode(report.chat).decode()
    [[number]] = yield "select coalesce(max(number), 0) + 1 from reports", ()
    sql = f"insert into reports ({REPORT}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, null, '', '')"
    about = (report.reporter, report.person, report.table, report.reason, report.text)
    yield sql, (number, report.at, *about, chat, report.line)
    return int(number)


def resolve_report(number: int, resolution: str, at: int, by: str) -> Transaction[bool]:
    sql = (
        "update reports set resolved = $2, resolved_by = $3, resolution = $4"
        " where number = $1 and resolved is null returning number"
    )
    changed = yield sql, (number, at, by, resolution)
    if changed:
        yield from act(at, by, "resolve", f"report {number}", resolution)
    return bool(changed)


def drop_report(number: int, at: int, by: str) -> Transaction[bool]:
    dropped = yield "delete from reports where number = $1 returning number", (number,)
    if dropped:
        yield from act(at, by, "drop", f"report {number}")
    return bool(dropped)


def change_words(add: Sequence[str], remove: Sequence[str], at: int, by: str) -> Transaction[list[str]]:
    added, removed = [], []
    for word in add:
        sql = "insert into filtered_words (word) values ($1) on conflict do nothing returning word"
        added += yield sql, (word,)
    for word in remove:
        removed += yield "delete from filtered_words where word = $1 returning word", (word,)
    if added or removed:
        yield from act(at, by, "filter", "", f"{len(added)} added, {len(removed)} removed")
    found = yield "select word from filtered_words order by word", ()
    return [word for [word] in found]


def set_admin(person: str, on: bool, at: int, by: str, shown: str) -> Transaction[bool]:
    if on:
        sql = "insert into admins (person, at) values ($1, $2) on conflict do nothing returning person"
        changed = yield sql, (person, at)
    else:
        changed = yield "delete from admins where person = $1 returning person", (person,)
    if changed:
        yield from act(at, by, "grant" if on else "revoke", f"person {shown or person}")
    return bool(changed)


def quarantine(table: str, row: int, problem: str, at: int) -> Transaction[bool]:
    closed = yield from close_table(table, QUARANTINED)
    if closed:
        sql = (
            "insert into quarantine (table_id, at, row_number, problem) values ($1, $2, $3, $4)"
            " on conflict (table_id) do update set at = excluded.at, row_number = excluded.row_number,"
            " problem = excluded.problem"
        )
        yield sql, (table, at, row, problem)
        yield from act(at, "server", "quarantine", f"table {table}", f"row {row}: {problem}")
    return closed


def drop_table(table: str, at: int, by: str) -> Transaction[bool]:
    dropped = yield "delete from tables where id = $1 and status = $2 returning id", (table, QUARANTINED)
    if dropped:
        for name in ("log", "seats", "leases", "quarantine", "speakers"):
            yield f"delete from {name} where table_id = $1", (table,)
        yield from act(at, by, "drop", f"table {table}")
    return bool(dropped)


class ModerationSql:
    SIZE: str
    """A query for the size of the database in bytes."""
    LOCK: int | None = None
    """Whoever holds it gets a number; a single writer needs no lock."""

    async def _query(self, sql: str, *args: Any) -> list[Any]:
        raise NotImplementedError

    async def _transact(self, transaction: Transaction[T]) -> T:
        raise NotImplementedError

    async def _numbered(self, transaction: Transaction[T]) -> T:
        """Run a transaction that takes the next number, one at a time."""
        return await self._transact(locked(self.LOCK, transaction))

    # the audit log

    async def actions(self, since: int, limit: int = 1000) -> list[Action]:
        sql = f"select {ACTION} from actions where number > $1 order by number limit $2"
        return [Action(*row) for row in await self._query(sql, since, limit)]

    async def last_actions(self, limit: int = 50, offset: int = 0) -> list[Action]:
        sql = f"select {ACTION} from actions order by number desc limit $1 offset $2"
        return [Action(*row) for row in await self._query(sql, limit, offset)]

    async def last_action(self) -> int:
        [[number]] = await self._query("select coalesce(max(number), 0) from actions")
        return int(number)

    async def record_action(self, at: int, by: str, action: str, target: str, detail: str = "") -> int:
        return await self._numbered(act(at, by, action, target, detail))

    # bans, reports, words, administrators

    async def bans(self) -> list[Ban]:
        return [Ban(*row) for row in await self._query(f"select {BAN} from bans order by number desc")]

    async def add_ban(
        self,
        kind: str,
        value: str,
        reason: str,
        at: int,
        until: int | None,
        by: str,
        shown: str = "",
        *,
        addresses: bool = False,
    ) -> Ban:
        return await self._numbered(add_ban(kind, value, reason, at, until, by, shown, addresses))

    async def remove_ban(self, number: int, at: int, by: str, shown: str = "") -> Ban | None:
        return await self._numbered(remove_ban(number, at, by, shown))

    async def add_report(self, report: Report, most_open: int) -> int | None:
        return await self._numbered(add_report(report, most_open))

    async def reports(self, resolved: bool | None = None, limit: int = 50, offset: int = 0) -> list[Report]:
        where = "" if resolved is None else f" where resolved is {'not ' if resolved else ''}null"
        sql = f"select {REPORT} from reports{where} order by number desc limit $1 offset $2"
        return [_report(row) for row in await self._query(sql, limit, offset)]

    async def reports_by(self, reporter: str) -> list[Report]:
        sql = f"select {REPORT} from reports where reporter = $1 order by number desc"
        return [_report(row) for row in await self._query(sql, reporter)]

    async def report(self, number: int) -> Report | None:
        found = await self._query(f"select {REPORT} from reports where number = $1", number)
        return _report(found[0]) if found else None

    async def resolve_report(self, number: int, resolution: str, at: int, by: str) -> bool:
        return await self._numbered(resolve_report(number, resolution, at, by))

    async def drop_report(self, number: int, at: int, by: str) -> bool:
        return await self._numbered(drop_report(number, at, by))

    async def filtered_words(self) -> list[str]:
        return [word for [word] in await self._query("select word from filtered_words order by word")]

    async def change_words(self, add: Sequence[str], remove: Sequence[str], at: int, by: str) -> list[str]:
        return await self._numbered(change_words(add, remove, at, by))

    async def admins(self) -> list[str]:
        return [person for [person] in await self._query("select person from admins order by at")]

    async def is_admin(self, person: str) -> bool:
        return bool(await self._query("select person from admins where person = $1", person))

    async def set_admin(self, person: str, on: bool, at: int, by: str, shown: str = "") -> bool:
        return await self._numbered(set_admin(person, on, at, by, shown))

    # tables

    async def quarantine(self, table: str, row: int, problem: str, at: int) -> bool:
        return await self._numbered(quarantine(table, row, problem, at))

    async def quarantined(self) -> list[Quarantine]:
        sql = (
            "select t.id, t.game, coalesce(q.at, t.updated), coalesce(q.row_number, 0), coalesce(q.problem, '')"
            " from tables t left join quarantine q on q.table_id = t.id where t.status = $1 order by 3 desc, t.id"
        )
        return [Quarantine(*row) for row in await self._query(sql, QUARANTINED)]

    async def drop_table(self, table: str, at: int, by: str) -> bool:
        return await self._numbered(drop_table(table, at, by))

    async def table_ids(self, after: str = "", limit: int = 500) -> list[str]:
        sql = "select id from tables where id > $1 order by id limit $2"
        return [table for [table] in await self._query(sql, after, limit)]

    async def find_tables(self, status: str | None = None, limit: int = 50, offset: int = 0) -> list[str]:
        where, args = ("", ()) if status is None else (" where status = $3", (status,))
        sql = f"select id from tables{where} order by updated desc, id limit $1 offset $2"
        return [table for [table] in await self._query(sql, limit, offset, *args)]

    # people

    async def find_people(self, text: str, limit: int = 50, offset: int = 0) -> list[str]:
        part = "%" + "".join(f"\\{sign}" if sign in "\\%_" else sign for sign in account_key(text)) + "%"
        sql = (
            "select id from people where account_key like $1 escape '\\' or lower(name) like $1 escape '\\'"
            " or handle = $2 or id = $2 order by created desc, id limit $3 offset $4"
        )
        return [person for [person] in await self._query(sql, part, text, limit, offset)]

    async def stats(self, since: int) -> Stats:
        [[people, accounts]] = await self._query("select count(*), count(account) from people")
        tables = await self._query("select status, count(*) from tables group by status order by status")
        sql = (
            f"select updated / {DAY_MS}, game, count(*) from tables where status = 'over' and updated >= $1"
            " group by 1, 2 order by 1, 2"
        )
        games: dict[str, dict[str, int]] = {}
        for day, game, number in await self._query(sql, since):
            games.setdefault(time.strftime("%Y-%m-%d", time.gmtime(day * DAY_MS // 1000)), {})[game] = number
        [[unresolved]] = await self._query("select count(*) from reports where resolved is null")
        [[bans]] = await self._query("select count(*) from bans")
        [[size]] = await self._query(self.SIZE)
        return Stats(people, accounts, dict(tables), games, unresolved, bans, size)


def _report(row: Sequence[Any]) -> Report:
    number, at, reporter, person, table, reason, text, chat, line, resolved, by, resolution = row
    return Report(number, at, reporter, person, table, reason, text, _chat(chat), line, resolved, by, resolution)
