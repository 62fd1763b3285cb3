"""People's tokens in SQL, the same for both databases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from tsukimi.store import Token
from tsukimi.store.sql import Transaction, execute

T = TypeVar("T")
TOKEN = "digest, person, kind, label, at, used"
INSERT_TOKEN = f"insert into tokens ({TOKEN}) values ($1, $2, $3, $4, $5, $6)"


def replace_tokens(person: str, kind: str, tokens: Sequence[Token]) -> Transaction[None]:
    yield "delete from tokens where person = $1 and kind = $2", (person, kind)
    for token in tokens:
        yield from execute(INSERT_TOKEN, *msgspec.structs.astuple(token))


class TokensSql:
    async def _query(self, sql: str, *args: Any) -> list[Any]:
        raise NotImplementedError

    async def _transact(self, transaction: Transaction[T]) -> T:
        raise NotImplementedError

    async def add_token(self, digest: bytes, person: str, kind: str, label: str, at: int) -> None:
        await self._transact(execute(INSERT_TOKEN, digest, person, kind, label, at, 0))

    async def put_token(self, token: Token, over: str = "") -> None:
        sql = (
            f"{INSERT_TOKEN} on conflict (digest) do update"
            " set kind = excluded.kind, label = excluded.label, at = excluded.at, used = excluded.used"
            " where tokens.kind = $7"
        )
        await self._transact(execute(sql, *msgspec.structs.astuple(token), over))

    async def take_token(self, digest: bytes, kind: str) -> Token | None:
        sql = f"delete from tokens where digest = $1 and kind = $2 returning {TOKEN}"
        found = await self._transact(execute(sql, digest, kind))
        return Token(*found[0]) if found else None

    async def replace_tokens(self, person: str, kind: str, tokens: Sequence[Token]) -> None:
        await self._transact(replace_tokens(person, kind, tokens))

    async def token(self, digest: bytes) -> Token | None:
        found = await self._query(f"select {TOKEN} from tokens where digest = $1", digest)
        return Token(*found[0]) if found else None

    async def tokens_of(self, person: str, kind: str | None = None) -> list[Token]:
        sql, args = f"select {TOKEN} from tokens where person = $1", (person,) if kind is None else (person, kind)
        sql += "" if kind is None else " and kind = $2"
        return [Token(*row) for row in await self._query(f"{sql} order by at desc", *args)]

    async def delete_token(self, digest: bytes) -> None:
        await self._transact(execute("delete from tokens where digest = $1", digest))

    async def delete_tokens(self, person: str, kind: str) -> None:
        await self._transact(execute("delete from tokens where person = $1 and kind = $2", person, kind))
