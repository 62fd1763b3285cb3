"""What people have learned and set; the same for both databases."""

from __future__ import annotations

from typing import Any, TypeVar

from tsukimi.store import Conflict
from tsukimi.store.sql import Transaction, execute

T = TypeVar("T")


class ProgressSql:
    async def _query(self, sql: str, *args: Any) -> list[Any]:
        raise NotImplementedError

    async def _transact(self, transaction: Transaction[T]) -> T:
        raise NotImplementedError

    async def progress(self, person: str) -> dict[str, bytes]:
        found = await self._query("select name, data from progress where person = $1 order by name", person)
        return {name: bytes(data) for name, data in found}

    async def change_progress(self, person: str, name: str, before: bytes | None, after: bytes) -> None:
        await self._transact(change(person, name, before, after))


def change(person: str, name: str, before: bytes | None, after: bytes) -> Transaction[None]:
    if before is None:  # nothing may be left of a person who is deleted meanwhile
        sql = (
            "insert into progress (person, name, data) select id, $2, $3 from people where id = $1"
            " on conflict do nothing returning name"
        )
        changed = yield from execute(sql, person, name, after)
    else:
        sql = "update progress set data = $3 where person = $1 and name = $2 and data = $4 returning name"
        changed = yield from execute(sql, person, name, after, before)
    if not changed:
        raise Conflict(f"{name!r} of person {person!r} has changed in the meantime")
