"""What is left after a crash, a full disk, a database that goes away; and who may open a store at all."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import apsw
import msgspec
import pytest

from store.made import opened, person, row, rows, summary
from tsukimi.store import Conflict, Rating, Refused, Row, Token, Unavailable, connect, migrations
from tsukimi.store.postgres import RETRY_DELAYS

APPENDS = Path(__file__).with_name("appends.py")


def test_what_was_appended_is_there_after_closing_and_opening_again(url):
    async def write():
        async with opened(url) as store:
            await store.create(summary("t"), rows(0, 1))
            waiting = [asyncio.ensure_future(store.append("t", [row(seq)])) for seq in range(1, 50)]
            await asyncio.sleep(0)  # accepted, not yet awaited: closing writes them
        await asyncio.gather(*waiting)

    async def read():
        async with opened(url) as store:
            assert await store.read("t") == rows(0, 50)
            assert await store.summary("t") == summary("t")

    asyncio.run(write())
    asyncio.run(read())


def test_no_acknowledged_row_is_missing_after_a_process_was_killed(url):
    acknowledged = set()
    for _ in range(3):
        with subprocess.Popen([sys.executable, APPENDS, url], stdout=subprocess.PIPE) as process:
            for _ in range(150):
                acknowledged.add(process.stdout.readline())
            process.kill()
            acknowledged.update(line for line in process.stdout if line.endswith(b"\n"))

    async def check():
        async with opened(url) as store:
            for n in range(8):
                # PostgreSQL may still be writing the last row of a process that is dead already.
                known = log = None
                while known is None or known != await store.summary(f"t{n}"):
                    known, log = await store.summary(f"t{n}"), await store.read(f"t{n}")
                assert [row.seq for row in log] == list(range(len(log)))
                acknowledged.difference_update(row.data + b"\n" for row in log)
                assert known.updated == len(log) - 1

    assert len(acknowledged) >= 450
    asyncio.run(check())
    assert not acknowledged


def test_no_acknowledged_row_is_missing_after_postgresql_was_killed_and_the_store_recovers(postgres, monkeypatch):
    # A server that has to recover on a busy machine may need longer than a read waits for it.
    monkeypatch.setattr("tsukimi.store.postgres.RETRY_DELAYS", (*RETRY_DELAYS, *[RETRY_DELAYS[-1]] * 40))
    url = postgres.database()
    acknowledged = {f"t{n}": {} for n in range(8)}
    outages = []

    async def play(store, table, enough):
        attempt = 0
        while not enough.is_set():
            try:
                seq = len(await store.read(table))
                attempt += 1
                await store.append(table, [row(seq, b"%d" % attempt)], summary(table, updated=attempt))
                acknowledged[table][seq] = b"%d" % attempt
            except Unavailable as error:
                outages.append(error)
                await asyncio.sleep(0.05)

    async def work():
        async with opened(url) as store:
            for table in acknowledged:
                await store.create(summary(table), [])
            enough = asyncio.Event()
            players = [asyncio.create_task(play(store, table, enough)) for table in acknowledged]
            for _ in range(2):
                await asyncio.sleep(0.3)
                await asyncio.to_thread(postgres.kill)
                with pytest.raises(Unavailable):
                    await store.append("t0", rows(0, 1))
                reading = asyncio.create_task(store.summary("t0"))  # waits for the server
                await asyncio.to_thread(postgres.start)
                assert (await reading).table == "t0"
                before = sum(map(len, acknowledged.values()))
                async with asyncio.timeout(60):
                    while sum(map(len, acknowledged.values())) < before + 50:
                        await asyncio.sleep(0.01)
            enough.set()
            await asyncio.gather(*players)
            for table, known in acknowledged.items():
                log = await store.read(table)
                assert [row.seq for row in log] == list(range(len(log)))
                assert known.items() <= {row.seq: row.data for row in log}.items()

    asyncio.run(work())
    assert outages


def test_a_postgresql_that_is_not_there_is_unavailable_and_one_without_the_database_refuses(postgres):
    async def work(url, error):
        with pytest.raises(error):
            await connect(url).open()

    asyncio.run(work(postgres.url.replace(str(postgres.port), "1"), Unavailable))
    asyncio.run(work(postgres.url.replace("/postgres", "/nowhere"), Refused))


def test_a_full_disk_fails_what_was_asked_then_and_nothing_later(tmp_path):
    async def work():
        async with opened(f"sqlite:///{tmp_path}/store.db") as store:
            for n in range(5):
                await store.create(summary(f"t{n}"), rows(0, 1))
            pages = store._db.execute("pragma page_count").get
            store._db.execute(f"pragma max_page_count = {pages}")
            tries = (store.append(f"t{n}", [row(1, b"x" * 20_000)]) for n in range(5))
            ends = await asyncio.gather(*tries, return_exceptions=True)
            assert [type(end) for end in ends] == [Unavailable] * 5
            store._db.execute("pragma max_page_count = 1000000")
            await store.append("t0", rows(1, 1))
            assert await store.read("t0") == rows(0, 2)
            assert await store.read("t1") == rows(0, 1)

    asyncio.run(work())


def test_damaged_pages_are_reported_and_only_what_needs_them_fails(tmp_path):
    path = tmp_path / "store.db"

    async def write():
        async with opened(f"sqlite:///{path}") as store:
            for n in range(40):
                await store.create(summary(f"t{n:02}"), [row(0, b"x" * 3000)])

    async def read():
        failures = []
        async with opened(f"sqlite:///{path}") as store:
            store.on_failure = failures.append
            ends = [await asyncio.gather(store.read(f"t{n:02}"), return_exceptions=True) for n in range(40)]
            failed = [end for [end] in ends if isinstance(end, Exception)]
            assert [type(end) for end in failed] == [Unavailable] * len(failed)
            assert len(failures) == len(failed)
            assert 0 < len(failed) < 40
            await store.probe()

    asyncio.run(write())
    data = bytearray(path.read_bytes())
    leaves = [at for at in range(0, len(data), 4096) if data[at] == 0x0A and b"xxxx" in data[at : at + 4096]]
    data[leaves[0] : leaves[0] + 4096] = b"\xff" * 4096
    path.write_bytes(data)
    asyncio.run(read())


def test_a_probe_fails_when_nothing_can_be_written_and_leaves_no_trace(url):
    async def work():
        failures = []
        async with opened(url) as store:
            store.on_failure = failures.append
            await asyncio.gather(*(store.probe() for _ in range(5)))
            assert [len(await store._query("select * from schema_version")), failures] == [len(migrations.STEPS), []]
        with pytest.raises(Unavailable):
            await store.probe()
        assert not failures  # closed on purpose

    asyncio.run(work())


def test_a_file_that_another_program_keeps_busy_is_unavailable_until_it_lets_go(tmp_path, monkeypatch):
    monkeypatch.setattr("tsukimi.store.sqlite.BUSY_TIMEOUT_MS", 50)

    async def work():
        async with opened(f"sqlite:///{tmp_path}/store.db") as store:
            await store.create(summary("t"), [])
            other = apsw.Connection(str(tmp_path / "store.db"))
            other.execute("begin immediate")
            with pytest.raises(Unavailable, match="Busy"):
                await store.append("t", rows(0, 1))
            other.execute("rollback")
            other.close()
            await store.append("t", rows(0, 1))

    asyncio.run(work())


def test_a_second_process_on_one_sqlite_file_is_refused(tmp_path):
    url = f"sqlite:///{tmp_path}/store.db"
    opens = f"import asyncio, tsukimi.store as s; asyncio.run(s.connect({url!r}).open())"

    async def work():
        async with opened(url):
            second = await asyncio.to_thread(
                subprocess.run, [sys.executable, "-c", opens], capture_output=True, text=True, check=False
            )
            assert second.returncode != 0
            assert f"store.db is in use by process {os.getpid()}: several processes need PostgreSQL" in second.stderr
            with pytest.raises(Refused, match="in use"):
                await connect(url).open()
        async with opened(url):
            pass

    asyncio.run(work())


@pytest.fixture
def schema(url, postgres):
    """Run a statement past the store; gives a single value as text."""

    def run(statement):
        if url.startswith("postgresql"):
            return postgres.sql(statement, url)
        db = apsw.Connection(url.removeprefix("sqlite:///"))
        try:
            return str(db.execute(statement).get)
        finally:
            db.close()

    return run


def test_an_empty_database_is_brought_to_the_newest_version_once(url, schema):
    async def work():
        for _ in range(2):
            async with opened(url) as store:
                assert await store.summary("t") is None

    asyncio.run(work())
    assert schema("select max(version) from schema_version") == str(len(migrations.STEPS))
    assert schema("select count(*) from schema_version") == str(len(migrations.STEPS))


def test_a_database_of_an_older_version_gets_the_steps_it_lacks_and_keeps_its_rows(url, schema, monkeypatch):
    async def write():
        async with opened(url) as store:
            await store.create(summary("t"), rows(0, 3))

    async def read():
        async with opened(url) as store:
            assert await store.read("t") == rows(0, 3)

    asyncio.run(write())
    monkeypatch.setattr(migrations, "STEPS", [*migrations.STEPS, ["create table more (a {int}, b {blob})"]])
    asyncio.run(read())
    assert schema("select count(*) from more") == "0"
    assert schema("select max(version) from schema_version") == str(len(migrations.STEPS))


def test_a_database_of_version_0_1_0_is_upgraded_with_everything_in_it(url, schema, monkeypatch):
    async def make():
        async with opened(url):
            pass

    steps = migrations.STEPS
    monkeypatch.setattr(migrations, "STEPS", steps[:2])  # those that 0.1.0 had
    asyncio.run(make())
    people = "id, handle, name, created, lang, account, password, account_key"
    schema(f"insert into people ({people}) values ('ann', '@ann', 'Ann', 5, 'fr', 'Moon', 'a hash', 'moon')")
    schema(f"insert into people ({people}) values ('bob', '@bob', 'Bob', 6, null, null, null, null)")
    data = "'\\x01'" if url.startswith("postgresql") else "x'01'"
    schema(f"insert into tokens (digest, person, kind, label, at) values ({data}, 'ann', 'token', 'my bot', 7)")
    schema("insert into ratings (game, person, mu, sigma, games) values ('dojo', 'ann', 26, 7, 3)")
    schema(f"insert into log (table_id, seq, at, data) values ('t', 0, 1, {data})")
    monkeypatch.setattr(migrations, "STEPS", steps)

    async def use():
        async with opened(url) as store:
            ann = person("ann", lang="fr", account="Moon", password="a hash")
            assert await store.person_by_account("moon") == ann
            assert await store.person("bob") == person("bob", created=6)
            assert await store.tokens_of("ann") == [Token(b"\x01", "ann", "token", "my bot", 7)]
            assert await store.ratings_of("ann") == {"dojo": Rating(26, 7, 3)}
            assert await store.read("t") == [Row(0, 1, b"\x01")]
            after = msgspec.structs.replace(ann, email="ann@example.org", totp="n", totp_step=9, sessions_from=11)
            assert await store.update_person(ann, after) == await store.person("ann") == after
            with pytest.raises(Conflict):
                await store.update_person(ann, msgspec.structs.replace(ann, totp_step=10))
            await store.add_speaker("bob", "t")
            assert await store.spoken_at("bob") == ["t"]

    asyncio.run(use())


def test_a_step_that_fails_leaves_the_database_as_it_was(url, schema, monkeypatch):
    async def work():
        async with opened(url):
            pass

    steps = migrations.STEPS
    monkeypatch.setattr(migrations, "STEPS", [*steps, ["create table more (a {int})", "nonsense"]])
    with pytest.raises(Exception, match="nonsense"):
        asyncio.run(work())
    monkeypatch.setattr(migrations, "STEPS", [*steps, ["create table more (a {int})"]])
    asyncio.run(work())
    assert schema("select count(*) from more") == "0"


def test_a_database_of_a_newer_version_is_refused_and_left_alone(url, schema):
    async def work():
        async with opened(url):
            pass

    asyncio.run(work())
    schema("insert into schema_version values (99)")
    for _ in range(2):
        with pytest.raises(Refused, match="99"):
            asyncio.run(work())
    schema("delete from schema_version where version = 99")
    asyncio.run(work())


def test_workers_that_open_a_new_database_together_do_not_stumble(postgres):
    url = postgres.database()

    async def work():
        stores = [connect(url) for _ in range(5)]
        await asyncio.gather(*(store.open() for store in stores))
        ends = await asyncio.gather(*(store.create(summary("t"), []) for store in stores), return_exceptions=True)
        assert ends.count(None) == 1
        assert sum(isinstance(end, Conflict) for end in ends) == 4
        await asyncio.gather(*(store.close() for store in stores))

    asyncio.run(work())


@pytest.mark.parametrize(("url", "driver"), [("sqlite:///x.db", "apsw"), ("postgresql://host/db", "asyncpg")])
def test_a_driver_that_is_not_installed_is_named(url, driver, monkeypatch):
    monkeypatch.setitem(sys.modules, driver, None)
    monkeypatch.delitem(sys.modules, "tsukimi.store.sqlite", raising=False)
    monkeypatch.delitem(sys.modules, "tsukimi.store.postgres", raising=False)
    with pytest.raises(Refused, match=f"pip install {driver}"):
        connect(url)


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///", "sqlite://file.db", "mysql://host/db", "file.db"])
def test_a_url_that_names_no_store_is_refused(url):
    with pytest.raises(Refused):
        connect(url)


def test_no_question_about_tables_reads_them_all(tmp_path):
    """A hundred thousand tables are to be searched by index."""
    asked = []

    async def work():
        async with opened(f"sqlite:///{tmp_path}/store.db") as store:
            look = store._query

            async def note(sql, *args):
                asked.append((sql.replace("$", "?"), args))
                return await look(sql, *args)

            store._query = note
            await store.read("t")
            await store.summary("t")
            await store.list_tables("open")
            await store.list_tables("open", game="dojo")
            await store.due_tables(5)
            await store.tables_of("ann")
            await store.tables_of("ann", running=True)
            await store.leaderboard("dojo")
            for sql, args in asked:
                plan = " / ".join(row[3] for row in store._db.execute(f"explain query plan {sql}", args))
                assert "SCAN" not in plan, (sql, plan)
                assert "TEMP B-TREE" not in plan or "seats" in sql, (sql, plan)

    asyncio.run(work())
    assert len(asked) == 8
