"""Reviews of finished games, and the progress of those being made; the same for both databases."""

from __future__ import annotations

from typing import Any, TypeVar

from tsukimi.store import StoredReview
from tsukimi.store.sql import Transaction, execute

T = TypeVar("T")


class ReviewsSql:
    async def _query(self, sql: str, *args: Any) -> list[Any]:
        raise NotImplementedError

    async def _transact(self, transaction: Transaction[T]) -> T:
        raise NotImplementedError

    async def review(self, table: str) -> StoredReview | None:
        sql = "select worker, at, done, total, data from reviews where table_id = $1"
        found = await self._query(sql, table)
        return StoredReview(*found[0]) if found else None

    async def claim_review(self, table: str, worker: str, at: int, total: int, stale: int) -> bool:
        sql = (
            "insert into reviews (table_id, worker, at, done, total, data) values ($1, $2, $3, 0, $4, null)"
            " on conflict (table_id) do update set worker = excluded.worker, at = excluded.at, done = 0,"
            " total = excluded.total where reviews.data is null and (reviews.worker = $2 or reviews.at < $5)"
            " returning table_id"
        )
        return bool(await self._transact(execute(sql, table, worker, at, total, stale)))

    async def save_review(self, table: str, worker: str, at: int, done: int, data: bytes | None = None) -> None:
        sql = "update reviews set at = $3, done = $4, data = $5 where table_id = $1 and worker = $2 and data is null"
        await self._transact(execute(sql, table, worker, at, done, data))
