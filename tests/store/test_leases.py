"""Which worker runs a table: of several that share PostgreSQL one, and with SQLite the only process there is."""

from __future__ import annotations

import asyncio

import pytest

from store.made import opened, summary


@pytest.fixture
def use_postgres(postgres):
    def run(work):
        async def with_store():
            async with opened(postgres.database()) as store:
                return await asyncio.wait_for(work(store), 60)

        return asyncio.run(with_store())

    return run


def test_a_table_is_leased_to_one_worker_until_it_expires_or_is_released(use_postgres):
    async def work(store):
        assert await store.lease(["a", "b", "b"], "one", now=0, until=100) == {"a", "b"}
        assert await store.lease(["a", "b", "c"], "two", now=50, until=150) == {"c"}
        assert await store.lease(["a"], "one", now=60, until=160) == {"a"}
        assert await store.lease(["a", "b"], "two", now=100, until=200) == {"b"}
        await store.release("one", ["a", "b", "never"])
        assert await store.lease(["a", "b"], "one", now=110, until=210) == {"a"}
        await store.release("two")
        assert await store.lease(["a", "b", "c"], "three", now=120, until=220) == {"b", "c"}
        assert await store.lease([], "three", now=0, until=1) == set()
        await store.release("three", [])
        assert await store.lease(["b"], "one", now=130, until=230) == set()

    use_postgres(work)


def test_of_workers_who_want_the_same_leases_each_table_has_one(use_postgres):
    async def work(store):
        names = [f"t{n}" for n in range(40)]
        got = await asyncio.gather(*(store.lease(names[n:] + names[:n], f"w{n}", 0, 100) for n in range(8)))
        assert sorted(name for held in got for name in held) == sorted(names)

    use_postgres(work)


def test_tables_that_a_worker_runs_already_do_not_hide_those_that_nobody_runs(use_postgres):
    async def work(store):
        for n in range(6):
            await store.create(summary(f"t{n}", due=n), [])
        await store.lease(["t0", "t1", "t2", "t4"], "one", now=10, until=20)
        assert await store.due_tables(10, limit=2) == ["t3", "t5"]
        assert await store.due_tables(20, limit=2) == ["t0", "t1"]

    use_postgres(work)


def test_a_lease_from_before_the_clock_was_set_back_holds_nobody_up(use_postgres):
    async def work(store):
        hour, now = 3_600_000, 1_700_000_000_000
        await store.create(summary("t", due=0), [])
        assert await store.lease(["t"], "crashed", now, now + 2500) == {"t"}
        assert await store.due_tables(now - hour) == ["t"]
        assert await store.lease(["t"], "restarted", now - hour, now - hour + 2500) == {"t"}
        assert await store.due_tables(now - hour) == []

    use_postgres(work)


def test_a_single_process_holds_every_lease_also_those_that_a_crashed_one_left(tmp_path):
    async def work():
        for worker in ("crashed", "restarted"):
            async with opened(f"sqlite:///{tmp_path}/store.db") as store:
                assert await store.lease(["a", "b"], worker, 0, 10**15) == {"a", "b"}

    asyncio.run(work())
