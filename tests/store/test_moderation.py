"""Bans, reports, words, administrators and the quarantine, with an audit log that workers follow."""

from __future__ import annotations

import asyncio

import apsw
import pytest

from store.made import opened, person, rows, summary
from tsukimi.store import Refused, connect, migrations
from tsukimi.store.moderation import Report, ReportedLine


def report(reporter: str = "ann", person: str = "bob") -> Report:
    chat = [ReportedLine(3, 7, "@bob", "Bob", "you ¡fool!")]
    return Report(0, 8, reporter, person, "t1", "chat", "see line 3", chat, 3)


def test_every_action_has_the_next_number_also_when_many_act_at_once(use):
    async def work(store):
        made = await asyncio.gather(*(store.record_action(n, "zoe", "test", f"{n}") for n in range(8)))
        assert sorted(made) == list(range(1, 9))
        assert [action.number for action in await store.actions(3)] == [4, 5, 6, 7, 8]
        assert [action.number for action in await store.last_actions(2)] == [8, 7]
        assert await store.last_action() == 8

    use(work)


def test_a_ban_is_listed_until_it_is_removed_and_both_are_in_the_audit_log(use):
    async def work(store):
        ban = await store.add_ban("network", "203.0.113.0/24", "flood", 5, 99, "zoe")
        assert await store.bans() == [ban]
        assert (ban.active(98), ban.active(99)) == (True, False)
        assert await store.remove_ban(ban.number, 6, "zoe") == ban
        assert await store.remove_ban(ban.number, 6, "zoe") is None
        assert await store.bans() == []
        found = [(action.by, action.action, action.target) for action in await store.actions(0)]
        assert found == [("zoe", "ban", "network 203.0.113.0/24"), ("zoe", "unban", "network 203.0.113.0/24")]
        again = await store.add_ban("person", "bob", "", 7, None, "zoe")
        assert again.number > ban.number
        assert again.active(10**15)

    use(work)


def test_a_report_keeps_its_chat_and_is_resolved_once(use):
    async def work(store):
        number = await store.add_report(report(), most_open=2)
        assert number == 1
        found = await store.report(1)
        assert (found.chat[0].text, found.line, found.resolved) == ("you ¡fool!", 3, None)
        assert await store.resolve_report(1, "warned", 9, "zoe")
        assert not await store.resolve_report(1, "again", 10, "zoe")
        assert [report.resolution for report in await store.reports(resolved=True)] == ["warned"]
        assert await store.reports(resolved=False) == []
        assert await store.report(2) is None

    use(work)


def test_nobody_can_have_more_than_so_many_unresolved_reports(use):
    async def work(store):
        assert [await store.add_report(report(), 2) for _ in range(3)] == [1, 2, None]
        assert await store.add_report(report("cleo"), 2) == 3
        await store.resolve_report(1, "", 9, "zoe")
        assert await store.add_report(report(), 2) == 4

    use(work)


def test_words_and_administrators_are_stored_and_a_change_that_changes_nothing_is_not_an_action(use):
    async def work(store):
        assert await store.change_words(["foo", "bar"], [], 1, "zoe") == ["bar", "foo"]
        assert await store.change_words(["foo"], ["none"], 2, "zoe") == ["bar", "foo"]
        assert await store.change_words([], ["foo"], 3, "zoe") == ["bar"] == await store.filtered_words()
        assert await store.set_admin("ann", True, 4, "zoe")
        assert not await store.set_admin("ann", True, 5, "zoe")
        assert (await store.is_admin("ann"), await store.is_admin("bob"), await store.admins()) == (
            True,
            False,
            ["ann"],
        )
        assert await store.set_admin("ann", False, 6, "zoe")
        assert [action.action for action in await store.actions(0)] == ["filter", "filter", "grant", "revoke"]

    use(work)


def test_a_quarantined_table_is_listed_with_its_reason_and_only_such_a_table_can_be_dropped(use):
    async def work(store):
        for table in ("t1", "t2"):
            await store.create(summary(table, due=5), rows(0, 3))
        assert await store.quarantine("t1", 2, "DecodeError", 77)
        assert not await store.quarantine("t1", 2, "DecodeError", 78)
        [found] = await store.quarantined()
        assert found == ("t1", "dojo", 77, 2, "DecodeError")
        assert await store.due_tables(100) == ["t2"]
        assert not await store.drop_table("t2", 80, "zoe")
        assert await store.drop_table("t1", 80, "zoe")
        assert (await store.read("t1"), await store.summary("t1"), await store.quarantined()) == ([], None, [])
        assert await store.tables_of("ann") == [await store.summary("t2")]

    use(work)


def test_a_table_that_is_readable_again_leaves_the_quarantine_with_its_next_summary(use):
    async def work(store):
        await store.create(summary("t1"), rows(0, 3))
        await store.quarantine("t1", 2, "DecodeError", 77)
        await store.append("t1", [], summary("t1"))
        assert await store.quarantined() == []
        assert (await store.summary("t1")).status == "playing"

    use(work)


def test_people_are_found_by_any_of_their_names_whatever_the_case(use):
    async def work(store):
        await store.add_person(person("p1", name="Zoé 100%", account="Zoe.L", created=1))
        await store.add_person(person("p2", name="Bruno", created=2))
        assert await store.find_people("ZOE.l") == ["p1"]
        assert await store.find_people("00%") == ["p1"]
        assert await store.find_people("run") == ["p2"]
        assert await store.find_people("@p2") == ["p2"]
        assert await store.find_people("p1") == ["p1"]
        assert await store.find_people("") == ["p2", "p1"]
        assert await store.find_people("_") == []

    use(work)


def test_tables_are_walked_through_in_the_order_of_their_ids_and_found_by_status(use):
    async def work(store):
        for number, table in enumerate("cab"):
            await store.create(summary(table, updated=number, status="open" if table == "a" else "over"), rows(0, 1))
        assert await store.table_ids(limit=2) == ["a", "b"]
        assert await store.table_ids("b", 2) == ["c"]
        assert await store.find_tables() == ["b", "a", "c"]
        assert await store.find_tables("over") == ["b", "c"]

    use(work)


def test_stats_count_people_tables_and_the_games_of_each_day(use):
    async def work(store):
        day = 86_400_000
        await store.add_person(person("p1", account="Zoe"))
        await store.add_person(person("p2"))
        for number, (status, updated) in enumerate(
            [("over", day), ("over", day + 5), ("over", 9 * day), ("open", day)]
        ):
            await store.create(summary(f"t{number}", status=status, updated=updated), rows(0, 1))
        await store.add_report(report(), 5)
        found = await store.stats(day)
        assert (found.people, found.accounts, found.open_reports, found.bans) == (2, 1, 1, 0)
        assert found.tables == {"open": 1, "over": 3}
        assert found.games == {"1970-01-02": {"dojo": 2}, "1970-01-10": {"dojo": 1}}
        assert found.bytes > 10_000
        assert (await store.stats(2 * day)).games == {"1970-01-10": {"dojo": 1}}

    use(work)


# ---- a program beside a server that runs ---------------------------------------------------------


def test_a_program_works_on_the_database_of_a_server_that_runs(url):
    async def work():
        async with opened(url) as server:
            beside = connect(url, beside=True)
            await beside.open()
            ban = await beside.add_ban("person", "bob", "", 5, None, "command line")
            assert await server.bans() == [ban]
            await server.record_action(6, "server", "test", "")
            assert await beside.last_action() == 2
            await beside.close()
            await server.probe()

    asyncio.run(work())


def test_a_server_starts_while_a_program_works_on_its_database(tmp_path):
    async def work():
        url = f"sqlite:///{tmp_path}/t.db"
        async with opened(url):
            pass
        beside = connect(url, beside=True)
        await beside.open()
        async with opened(url) as server:
            await beside.record_action(1, "zoe", "test", "")
            assert await server.last_action() == 1
        await beside.close()

    asyncio.run(work())


def test_a_program_creates_no_database(tmp_path):
    with pytest.raises(Refused, match="there is no database"):
        asyncio.run(connect(f"sqlite:///{tmp_path}/none.db", beside=True).open())
    assert list(tmp_path.iterdir()) == []


def test_a_program_of_another_version_leaves_the_schema_of_a_running_server_alone(tmp_path, monkeypatch):
    async def work():
        url = f"sqlite:///{tmp_path}/t.db"
        async with opened(url):
            monkeypatch.setattr(migrations, "STEPS", [*migrations.STEPS, ["create table more (a {int})"]])
            with pytest.raises(Refused, match="the version of the server that is running"):
                await connect(url, beside=True).open()

    asyncio.run(work())
    found = apsw.Connection(f"{tmp_path}/t.db").execute("select count(*) from sqlite_master where name = 'more'").get
    assert found == 0
