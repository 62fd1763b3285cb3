"""Who opened which table, from where, and when someone was last connected to it; the same for both databases.

A row lasts as long as its table runs: rows of finished tables are deleted when the same person or address opens
another one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from tsukimi.store import Opening, Row, Summary, TooManyTables
from tsukimi.store.sql import SUMMARY, Transaction, check_append, create, execute, summary_from

T = TypeVar("T")
RECENT = 2000  # tables from which a list is chosen: it takes the same time however many there are
RUNS = "exists (select 1 from tables where id = openings.table_id and running = 1)"
IDLE_SINCE = "case when coalesce(o.attended, 0) > t.updated then o.attended else t.updated end"


def create_for(opening: Opening, summary: Summary, rows: Sequence[Row], several_writers: bool) -> Transaction[None]:
    """Create a table, unless the person or the address has too many running ones."""
    ended = f"select table_id from openings where (person = $1 or address = $2) and not {RUNS}"
    if several_writers:
        # Two that count at the same moment would both find room. Nothing is written before both locks are held, and rows
        # that someone else is writing are left for next time, so there can be no deadlock.
        for key in (f"person {opening.person}", f"address {opening.address}"):
            yield "select pg_advisory_xact_lock(hashtextextended($1, 0))", (key,)
        ended += " for update skip locked"
    yield f"delete from openings where table_id in ({ended})", (opening.person, opening.address)
    for kind, key, most in (
        ("person", opening.person, opening.most_of_person),
        ("address", opening.address, opening.most_of_address),
    ):
        [[number]] = yield f"select count(*) from openings where {kind} = $1 and {RUNS}", (key,)
        if number >= most:
            raise TooManyTables(kind, number)
    yield from create(summary, rows, several_writers)
    sql = "insert into openings (table_id, person, address, attended) values ($1, $2, $3, 0)"
    yield sql, (summary.table, opening.person, opening.address)


class OpeningsSql:
    JSON_ROWS: str
    WITH_LENGTH: bool

    async def _query(self, sql: str, *args: Any) -> list[Any]:
        raise NotImplementedError

    async def _transact(self, transaction: Transaction[T]) -> T:
        raise NotImplementedError

    async def create_for(self, opening: Opening, summary: Summary, rows: Sequence[Row]) -> None:
        check_append(summary.table, rows, summary, first=0)
        await self._transact(create_for(opening, summary, rows, self.WITH_LENGTH))

    async def attend(self, tables: Sequence[str], at: int) -> None:
        sql = f"update openings set attended = $2 where table_id in (select value from {self.JSON_ROWS})"
        await self._transact(execute(sql, msgspec.json.encode(tables).decode(), at))

    async def lobby_tables(
        self, status: str, attended: int, limit: int, most_of_person: int, most_of_address: int
    ) -> list[Summary]:
        order = "case when coalesce(attended, 0) >= $2 then 0 else 1 end, updated desc, id"
        recent = (
            "select t.*, o.attended, coalesce(o.person, t.id) as opened_by, coalesce(o.address, t.id) as opened_from"
            " from tables t left join openings o on o.table_id = t.id"
            f" where t.status = $1 and t.public = 1 order by t.updated desc limit {RECENT}"
        )
        numbered = (
            f"select r.*, row_number() over (partition by opened_by order by {order}) as of_person,"
            f" row_number() over (partition by opened_from order by {order}) as of_address from ({recent}) r"
        )
        sql = (
            f"select {SUMMARY} from ({numbered}) n where of_person <= $4 and of_address <= $5 order by {order} limit $3"
        )
        found = await self._query(sql, status, attended, limit, most_of_person, most_of_address)
        return [summary_from(row) for row in found]

    async def expired_tables(self, empty: int, waiting: int, abandoned: int, limit: int = 100) -> list[str]:
        joined = "select t.id from tables t left join openings o on o.table_id = t.id where"
        waits = f"{joined} t.status = 'open' and t.public = 1 and"
        sql = (
            f"{waits} ({IDLE_SINCE} < $2 or ({IDLE_SINCE} < $1 and t.people not like '%\"%'))"
            f" union {joined} t.running = 1 and t.wake is null and {IDLE_SINCE} < $3 limit $4"
        )
        return [table for [table] in await self._query(sql, empty, waiting, abandoned, limit)]
