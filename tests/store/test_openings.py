"""Who opened tables, and which of them lists show and housekeeping closes."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from math import inf

import msgspec
import pytest

from store.made import opened, summary
from tsukimi.store import Conflict, Opening, Store, TooManyTables


def by(person: str, address: str = "home", most: float = inf, most_of_address: float = inf) -> Opening:
    return Opening(person, address, most, most_of_address)


async def end(store: Store, table: str) -> None:
    found = await store.summary(table)
    assert found is not None
    await store.append(table, [], msgspec.structs.replace(found, status="over"))


def test_a_person_and_an_address_have_so_many_tables_that_run(use) -> None:
    async def work(store: Store) -> None:
        for number in range(3):
            await store.create_for(by("ana", most=3), summary(f"a{number}"), [])
        with pytest.raises(TooManyTables) as problem:
            await store.create_for(by("ana", most=3), summary("a3"), [])
        assert (problem.value.kind, problem.value.number) == ("person", 3)
        assert await store.summary("a3") is None
        with pytest.raises(TooManyTables) as problem:
            await store.create_for(by("bruno", most_of_address=3), summary("b"), [])
        assert problem.value.kind == "address"
        await store.create_for(by("bruno", "elsewhere", most_of_address=3), summary("b"), [])
        await end(store, "a1")
        await store.create_for(by("ana", most=3, most_of_address=3), summary("a3"), [])
        with pytest.raises(TooManyTables):
            await store.create_for(by("ana", most=3), summary("a4"), [])
        with pytest.raises(Conflict):
            await store.create_for(by("chloe", "there"), summary("b"), [])

    use(work)


def test_however_many_ask_at_once_there_are_never_too_many(url) -> None:
    async def work() -> None:
        async with AsyncExitStack() as stack:
            workers = 2 if url.startswith("postgres") else 1
            stores = [await stack.enter_async_context(opened(url)) for _ in range(workers)]
            outcomes = await asyncio.gather(
                *(
                    stores[number % workers].create_for(by(f"p{number}", "one", 1, 5), summary(f"t{number}"), [])
                    for number in range(20)
                ),
                return_exceptions=True,
            )
            assert sum(outcome is None for outcome in outcomes) == 5
            assert {type(outcome) for outcome in outcomes} == {type(None), TooManyTables}

    asyncio.run(work())


def test_people_of_one_address_whose_tables_have_ended_open_new_ones_at_once(url) -> None:
    async def work() -> None:
        async with AsyncExitStack() as stack:
            workers = 2 if url.startswith("postgres") else 1
            stores = [await stack.enter_async_context(opened(url)) for _ in range(workers)]
            for turn in range(10):
                created = [f"{turn} {person}" for person in "abcdefgh"]
                await asyncio.gather(
                    *(
                        stores[number % workers].create_for(by(table[-1], "home", 1, 8), summary(table), [])
                        for number, table in enumerate(created)
                    )
                )
                for table in created:
                    await end(stores[0], table)

    asyncio.run(work())


def test_the_lobby_shows_attended_tables_first_and_few_of_one_person_or_address(use) -> None:
    async def work(store: Store) -> None:
        await store.create_for(by("ana", "home"), summary("honest", status="open", updated=1, created=1), [])
        for number in range(120):
            opening = by("greedy" if number % 2 else f"guest {number}", "flood")
            await store.create_for(opening, summary(f"f{number:03}", status="open", updated=10 + number, created=1), [])
        await store.create(summary("unknown", status="open", updated=5), [])
        await store.attend(["honest", "f003"], 1000)
        found = [summary.table for summary in await store.lobby_tables("open", 900, 100, 2, 6)]
        assert found == ["f003", "honest", "f119", "f118", "f116", "unknown"]
        assert [summary.table for summary in await store.lobby_tables("open", 900, 2, 2, 6)] == found[:2]
        assert await store.lobby_tables("playing", 900, 100, 2, 6) == []

    use(work)


def test_tables_expire_by_when_someone_was_last_there(use) -> None:
    async def work(store: Store) -> None:
        nobody: list[str | None] = [None, None]
        for name, made in {
            "empty": summary("empty", status="open", people=nobody, updated=100),
            "waiting": summary("waiting", status="open", people=["ana", None], updated=100),
            "private": summary("private", status="open", public=False, updated=100),
            "playing": summary("playing", status="playing", updated=100),
            "due": summary("due", status="playing", updated=1, due=5),
            "over": summary("over", status="over", updated=1),
        }.items():
            await store.create_for(by("ana"), msgspec.structs.replace(made, table=name, created=1), [])

        async def expired(*times: int) -> set[str]:
            return set(await store.expired_tables(*times))

        assert await expired(100, 100, 100) == set()
        assert await expired(101, 100, 100) == {"empty"}
        assert await expired(101, 101, 100) == {"empty", "waiting"}
        assert await expired(0, 0, 101) == {"empty", "waiting", "private", "playing"}
        await store.attend(["waiting", "playing"], 500)
        assert await expired(0, 0, 101) == {"empty", "private"}
        assert await expired(501, 501, 501) == {"empty", "waiting", "private", "playing"}

    use(work)
