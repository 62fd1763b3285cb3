"""Small builders for the store's tests."""

from __future__ import annotations

from contextlib import asynccontextmanager

from tsukimi.store import Person, Row, Summary, connect


@asynccontextmanager
async def opened(url: str):
    store = connect(url)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def row(seq: int, data: bytes | None = None) -> Row:
    return Row(seq, 1_700_000_000_000 + seq, b'{"n": %d}' % seq if data is None else data)


def rows(first: int, count: int) -> list[Row]:
    return [row(seq) for seq in range(first, first + count)]


def summary(table: str, **changes) -> Summary:
    made = {
        "game": "dojo",
        "players": 3,
        "status": "playing",
        "public": True,
        "created": 1000,
        "updated": 2000,
        "due": None,
        "people": ["ann", None, "bob"],
        "listing": b"{}",
    }
    return Summary(table=table, **(made | changes))


def person(id: str, **changes) -> Person:
    return Person(**({"id": id, "handle": f"@{id}", "name": id.title(), "created": 5} | changes))
