"""The log of a table, what can be found about it, and who looks after it."""

from __future__ import annotations

import asyncio

import pytest

from store.made import opened, row, rows, summary
from tsukimi.store import Conflict, Unavailable, connect


def test_a_log_is_read_in_the_order_it_was_appended(use):
    async def work(store):
        await store.create(summary("t"), rows(0, 2))
        await store.append("t", rows(2, 3))
        await store.append("t", [row(5, b"\x00\xff any bytes")])
        assert await store.read("t") == [*rows(0, 5), row(5, b"\x00\xff any bytes")]
        assert await store.read("t", since=4) == [row(4), row(5, b"\x00\xff any bytes")]
        assert await store.read("t", since=6) == []

    use(work)


def test_appends_that_are_not_awaited_one_by_one_keep_their_order(use):
    async def work(store):
        await store.create(summary("t"), [])
        await asyncio.gather(*(store.append("t", [row(seq)]) for seq in range(20)))
        assert await store.read("t") == rows(0, 20)

    use(work)


def test_a_table_is_created_once(use):
    async def work(store):
        await store.create(summary("t"), rows(0, 1))
        with pytest.raises(Conflict):
            await store.create(summary("t", game="charuma"), rows(0, 2))
        assert await store.read("t") == rows(0, 1)
        assert (await store.summary("t")).game == "dojo"

    use(work)


@pytest.mark.parametrize("first", [0, 1, 3, 9])
def test_a_row_that_does_not_follow_on_is_a_conflict(use, first):
    async def work(store):
        await store.create(summary("t"), rows(0, 2))
        with pytest.raises(Conflict):
            await store.append("t", rows(first, 2), summary("t", status="over"))
        assert await store.read("t") == rows(0, 2)
        assert (await store.summary("t")).status == "playing"

    use(work)


def test_a_table_that_was_never_created_is_a_conflict_to_append_to(use):
    async def work(store):
        with pytest.raises(Conflict):
            await store.append("nowhere", rows(0, 1))
        assert await store.read("nowhere") == []
        assert await store.summary("nowhere") is None

    use(work)


def test_rows_with_a_gap_are_the_callers_mistake(use):
    async def work(store):
        await store.create(summary("t"), rows(0, 1))
        with pytest.raises(ValueError, match="not numbered from"):
            await store.append("t", [row(1), row(3)])
        with pytest.raises(ValueError, match="not numbered from"):
            await store.create(summary("u"), rows(1, 1))
        with pytest.raises(ValueError, match="a summary of"):
            await store.append("t", rows(1, 1), summary("u"))

    use(work)


def test_of_many_who_append_the_same_seq_exactly_one_wins(use):
    async def work(store):
        await store.create(summary("t"), [])
        for seq in range(5):
            tries = (store.append("t", [row(seq, b"%d" % who)]) for who in range(20))
            ends = await asyncio.gather(*tries, return_exceptions=True)
            assert sorted(map(str, map(type, ends))) == sorted(map(str, [type(None)] + [Conflict] * 19))
            assert (await store.read("t", since=seq))[0].data == b"%d" % ends.index(None)

    use(work)


def test_of_two_workers_who_append_the_same_seqs_exactly_one_wins_each(postgres):
    url = postgres.database()

    async def work():
        async with opened(url) as one, opened(url) as other:
            names = [f"t{n}" for n in range(30)]
            for name in names:
                await one.create(summary(name), [])
            for seq in range(4):
                asks = [(store, name) for store in (one, other) for name in names[:: 1 if store is one else -1]]
                tries = (store.append(name, [row(seq)], summary(name, updated=seq)) for store, name in asks)
                ends = await asyncio.gather(*tries, return_exceptions=True)
                won = [name for (_, name), end in zip(asks, ends, strict=True) if end is None]
                assert sorted(won) == sorted(names)
                assert all(end is None or isinstance(end, Conflict) for end in ends)
            assert all([len(await one.read(name)) == 4 for name in names])

    asyncio.run(work())


def test_a_bad_row_does_not_fail_the_others_of_its_batch(use):
    async def work(store):
        for n in range(20):
            await store.create(summary(f"t{n}"), [])

        async def append(n):
            bad = {5: row(0)._replace(data="no bytes"), 11: row(0)._replace(at=2**70), 17: row(0)._replace(at=None)}
            await store.append(f"t{n}", [row(7) if n == 8 else bad.get(n, row(0))], summary(f"t{n}", status="over"))

        ends = await asyncio.gather(*map(append, range(20)), return_exceptions=True)
        failed = {n for n, end in enumerate(ends) if end is not None}
        assert failed == {5, 8, 11, 17}
        assert isinstance(ends[8], Conflict)
        assert not any(isinstance(end, Unavailable) for end in ends)
        for n in range(20):
            assert len(await store.read(f"t{n}")) == (n not in failed)
            assert (await store.summary(f"t{n}")).status == ("playing" if n in failed else "over")

    use(work)


def test_cancelling_the_wait_does_not_cancel_the_append(use):
    async def work(store):
        await store.create(summary("t"), [])
        waiting = asyncio.ensure_future(store.append("t", rows(0, 1)))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await store.append("t", rows(1, 1))
        assert await store.read("t") == rows(0, 2)

    use(work)


def test_the_summary_is_replaced_as_a_whole_with_an_append(use):
    async def work(store):
        before = summary("t", due=77, listing=b"\x00")
        await store.create(before, rows(0, 1))
        assert await store.summary("t") == before
        await store.append("t", rows(1, 1))
        assert await store.summary("t") == before
        after = summary("t", status="over", public=False, updated=3000, due=None, people=[None, "eve"], listing=b"[]")
        await store.append("t", rows(2, 1), after)
        assert await store.summary("t") == after
        await store.append("t", [], before)
        assert await store.summary("t") == before
        assert len(await store.read("t")) == 3

    use(work)


def test_tables_are_listed_by_status_and_game_the_newest_first(use):
    async def work(store):
        for n, (status, public, game) in enumerate(
            [("open", True, "dojo"), ("open", False, "dojo"), ("over", True, "dojo"), ("open", True, "daruma")] * 2
        ):
            await store.create(summary(f"t{n}", status=status, public=public, game=game, updated=n), [])
        await store.append("t0", rows(0, 1), summary("t0", status="open", updated=99))

        async def names(*args, **kwargs):
            return [found.table for found in await store.list_tables(*args, **kwargs)]

        assert await names("open") == ["t0", "t7", "t4", "t3"]
        assert await names("open", game="dojo") == ["t0", "t4"]
        assert await names("open", public=False) == ["t5", "t1"]
        assert await names("open", limit=2) == ["t0", "t7"]
        assert await names("aborted") == []

    use(work)


def test_a_person_finds_the_tables_where_they_sit_and_no_longer_those_they_left(use):
    async def work(store):
        for n in range(5):
            await store.create(summary(f"t{n}", updated=n), [])
        await store.append("t1", rows(0, 1), summary("t1", status="over", updated=10))
        await store.append("t2", rows(0, 1), summary("t2", people=["bob", "bob", "eve"], updated=11))

        async def names(*args, **kwargs):
            return [found.table for found in await store.tables_of(*args, **kwargs)]

        assert await names("ann") == ["t1", "t4", "t3", "t0"]
        assert await names("bob") == ["t2", "t1", "t4", "t3", "t0"]
        assert await names("bob", limit=2, offset=1) == ["t1", "t4"]
        assert await names("ann", running=True) == ["t4", "t3", "t0"]
        assert await names("ann", running=False) == ["t1"]
        assert await names("eve") == ["t2"]
        assert await names("nobody") == []

    use(work)


def test_the_lengths_of_many_logs_are_read_at_once(use):
    async def work(store):
        for n in range(3):
            await store.create(summary(f"t{n}"), rows(0, n))
        assert await store.log_lengths(["t2", "t0", "t1", "none"]) == {"t0": 0, "t1": 1, "t2": 2, "none": 0}
        assert await store.log_lengths([]) == {}

    use(work)


def test_tables_that_are_due_are_found_the_most_urgent_first(use):
    async def work(store):
        for n, due in enumerate([50, None, 10, 30, 90]):
            await store.create(summary(f"t{n}", due=due), [])
        assert await store.due_tables(50) == ["t2", "t3", "t0"]
        assert await store.due_tables(50, limit=1) == ["t2"]
        await store.append("t2", rows(0, 1), summary("t2", due=None))
        assert await store.due_tables(49) == ["t3"]

    use(work)


def test_what_is_asked_of_a_closed_store_is_unavailable(url):
    async def work():
        store = connect(url)
        with pytest.raises(Unavailable):
            await store.summary("t")
        await store.open()
        await store.close()
        await store.close()
        with pytest.raises(Unavailable):
            await store.append("t", rows(0, 1))
        with pytest.raises(Unavailable):
            await store.summary("t")

    asyncio.run(work())


def test_a_store_in_memory_does_all_the_same():
    async def work():
        async with opened("sqlite://:memory:") as store:
            await store.create(summary("t"), rows(0, 1))
            await asyncio.gather(store.append("t", rows(1, 1)), store.append("t", rows(2, 1)))
            assert await store.read("t") == rows(0, 3)

    asyncio.run(work())


def test_only_rows_out_of_sequence_fail_among_many(use):
    async def work(store):
        for name in "abcd":
            await store.create(summary(name), rows(0, 2))
        asked = [("a", rows(2, 1)), ("b", rows(1, 1)), ("c", rows(3, 1)), ("d", rows(2, 2)), ("a", rows(3, 1))]
        outcomes = await asyncio.gather(*(store.append(*append) for append in asked), return_exceptions=True)
        assert [isinstance(outcome, Conflict) for outcome in outcomes] == [False, True, True, False, False]
        assert [len(await store.read(name)) for name in "abcd"] == [4, 2, 2, 4]

    use(work)
