"""`tsukimi admin` on a database of real tables, on SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import stat

import apsw
import pytest

from services import postgres  # noqa: F401
from tsukimi.cli import main
from tsukimi.server.common import api
from tsukimi.server.common.networks import NO_NETWORKS
from tsukimi.server.tables import opening
from tsukimi.store import Person, connect
from tsukimi.store.backup import _connection
from tsukimi.store.moderation import Report, ReportedLine
from tsukimi.table.settings import Settings

ANA = Person("p-ana", "hana2345", "Ana", 1_700_000_000_000, account="Ana.B", password="x")
BOB = Person("p-bob", "hbob2345", "Bob", 1_700_000_100_000)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, tmp_path):
    """Two people, and three tables where a game has begun."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path}/t.db"
    else:
        url = request.getfixturevalue("postgres").database()
    asyncio.run(_fill(url))
    return url


async def _fill(url):
    store = connect(url)
    await store.open()
    for person in (ANA, BOB):
        await store.add_person(person)
    for game, id in (("daruma", "t1"), ("dojo", "t2"), ("china-moon", "t3")):
        bots = ["random"] * 2
        new = api.NewTable(game=game, players=3, bots=bots, settings=Settings(public=id != "t2"), start=True)
        await opening.create(store, NO_NETWORKS, new, BOB, id)
    chat = [ReportedLine(4, 1_700_000_000_000, BOB.handle, "Bob", "you fool")]
    await store.add_report(Report(0, 5, ANA.id, BOB.id, "t1", "chat", "see", chat, 4), 9)
    await store.close()


def do(url, work):
    async def run():
        store = connect(url)
        await store.open()
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(run())


@pytest.fixture
def admin(database, capsys, monkeypatch):
    """Run a command: what it prints as JSON, or as it stands with `text=True`."""
    monkeypatch.setenv("TSUKIMI_DATABASE", database)

    def run(*words, text=False, code=0, lang="en"):
        done = main(["admin", *words, *([] if text else ["--json"]), "--lang", lang])
        said = capsys.readouterr()
        assert done == code, said.err
        if code == 2 or text:
            return said.out + said.err
        return json.loads(said.out)

    return run


def _damage(url, table, seq):
    async def work(store):
        await store._query("select 1")
        await store._transact(_write(table, seq))

    def _write(table, seq):
        yield "update log set data = $3 where table_id = $1 and seq = $2", (table, seq, b"{nonsense")

    do(url, work)


def test_people_are_found_shown_renamed_and_banned(admin):
    assert [person["name"] for person in admin("people", "find")] == ["Bob", "Ana"]
    assert [person["who"] for person in admin("people", "find", "ana.b")] == ["hana2345"]
    shown = admin("people", "show", "bob")
    assert (shown["person"]["who"], len(shown["tables"])) == ("hbob2345", 3)
    assert admin("people", "rename", "Bob", "Robert")["name"] == "Robert"
    assert admin("tables", "show", "t1")["table"]["names"][0] == "Robert"
    ban = admin("people", "ban", "hbob2345", "--reason", "insults", "--for", "7d")
    assert ban["until"] - ban["at"] == 7 * 86_400_000
    assert admin("people", "show", "robert")["person"]["banned"]
    assert admin("people", "show", "nobody", code=1, text=True).startswith("tsukimi: There is nobody called 'nobody'.")
    assert "12h, 7d" in admin("people", "ban", "Ana", "--for", "soon", code=1, text=True)


def test_a_name_that_several_have_is_not_taken_for_one_of_them(admin, database):
    do(database, lambda store: store.add_person(Person("p-bob2", "hbob9999", "Bob", 1)))
    said = admin("people", "ban", "bob", code=1, text=True)
    assert "hbob2345" in said
    assert "hbob9999" in said


def test_bans_take_people_addresses_and_networks(admin):
    assert admin("bans", "add", "Ana.B")["value"] == "hana2345"
    assert admin("bans", "add", "203.0.113.9", "--reason", "flood")["value"] == "203.0.113.9/32"
    assert admin("bans", "add", "2001:db8::1")["value"] == "2001:db8::/64"
    numbers = [ban["number"] for ban in admin("bans", "list")]
    assert len(numbers) == 3
    admin("bans", "remove", str(numbers[0]))
    assert [ban["number"] for ban in admin("bans", "list")] == numbers[1:]
    assert "no ban 999" in admin("bans", "remove", "999", code=1, text=True)


def test_reports_are_listed_shown_with_their_chat_and_resolved(admin):
    assert [report["number"] for report in admin("reports", "list")] == [1]
    said = admin("reports", "show", "1", text=True)
    assert "you fool" in said
    assert "hbob2345" in said
    assert admin("reports", "resolve", "1", "--note", "warned")["resolution"] == "warned"
    assert admin("reports", "list") == []
    assert [report["number"] for report in admin("reports", "list", "--all")] == [1]
    assert "--yes" in admin("reports", "drop", "1", code=2)
    assert admin("reports", "drop", "1", "--yes") == []
    assert admin("reports", "list", "--all") == []


def test_nothing_that_is_stored_controls_the_terminal_of_the_host(admin, database):
    chat = [ReportedLine(1, 5, BOB.handle, "Bob", "\x1b[2J\x07 gone")]
    report = Report(0, 5, ANA.id, BOB.id, "t1", "chat", "\x1b]0;title\x07", chat, 1)
    do(database, lambda store: store.add_report(report, 9))
    said = admin("reports", "show", "2", text=True)
    assert "gone" in said
    assert "\x1b" not in said
    assert "\x07" not in said


def test_the_filter_takes_words_and_files_and_shows_what_it_would_do(admin, tmp_path):
    (tmp_path / "list.txt").write_text("# ours\nTonto\n\nmerde*\n", "utf-8")
    assert admin("filter", "load", f"{tmp_path}/list.txt") == ["merde*", "tonto"]
    assert admin("filter", "add", "fool", "kill yourself") == ["fool", "kill yourself", "merde*", "tonto"]
    assert admin("filter", "test", "you f00l, tontería") == "you ****, tontería"
    assert admin("filter", "remove", "Fool") == ["kill yourself", "merde*", "tonto"]


def test_tables_are_listed_shown_and_closed(admin):
    assert sorted(table["id"] for table in admin("tables", "list")) == ["t1", "t2", "t3"]
    assert admin("tables", "close", "t2")["status"] == "aborted"
    assert [table["id"] for table in admin("tables", "list", "--status", "aborted")] == ["t2"]
    assert "ended" in admin("tables", "close", "t2", code=1, text=True)
    assert [entry["action"] for entry in admin("log")][:1] == ["close"]


def test_check_replays_every_log_and_sets_its_exit_code(admin, database):
    assert admin("check") == {"checked": 3, "old": 0, "bad": []}
    _damage(database, "t2", 2)
    found = admin("check", code=1)
    assert [(finding["table"], finding["verdict"], finding["row"]) for finding in found["bad"]] == [
        ("t2", "unreadable", 2)
    ]
    assert admin("quarantine", "list") == []
    admin("check", "--quarantine", code=1)
    [one] = admin("quarantine", "list")
    assert (one["table"], one["row"]) == ("t2", 2)
    assert "DecodeError" in one["problem"]
    assert admin("check")["checked"] == 2


def test_check_finds_missing_rows_and_lists_that_do_not_agree(admin, database):
    def _spoil():
        yield "delete from log where table_id = $1 and seq = 1", ("t1",)
        yield "update tables set status = 'over' where id = $1", ("t3",)

    do(database, lambda store: store._transact(_spoil()))
    found = {finding["table"]: finding["verdict"] for finding in admin("check", code=1)["bad"]}
    assert found == {"t1": "gap", "t3": "summary"}


def test_a_quarantined_table_is_exported_repaired_and_goes_on_or_is_dropped(admin, database):
    rows = do(database, lambda store: store.read("t1"))
    _damage(database, "t1", 2)
    admin("check", "--quarantine", code=1)
    assert admin("quarantine", "show", "t1")["row"] == 2
    lines = [json.loads(line) for line in admin("quarantine", "export", "t1", text=True).splitlines()]
    assert [line["seq"] for line in lines] == [row.seq for row in rows]
    assert lines[2]["data"] == "{nonsense"
    assert "still cannot be read: row 2" in admin("quarantine", "retry", "t1", code=1, text=True)

    def _repair():
        yield "update log set data = $1 where table_id = 't1' and seq = 2", (rows[2].data,)

    do(database, lambda store: store._transact(_repair()))
    assert admin("quarantine", "retry", "t1")["status"] == "playing"
    _damage(database, "t3", 0)
    admin("check", "--quarantine", code=1)
    assert "--yes" in admin("quarantine", "drop", "t3", code=2)
    assert admin("quarantine", "drop", "t3", "--yes") == []
    assert "not in quarantine" in admin("quarantine", "drop", "t1", "--yes", code=1, text=True)


def test_only_an_account_becomes_an_administrator(admin):
    assert admin("grant", "Ana.B")["admin"]
    assert [account["account"] for account in admin("admins")] == ["Ana.B"]
    assert "has no account" in admin("grant", "Bob", code=1, text=True)
    assert not admin("revoke", "ana.b")["admin"]
    assert admin("admins") == []


def test_stats_count_and_every_command_is_in_three_languages(admin):
    found = admin("stats")
    assert (found["people"], found["accounts"], found["tables"], found["open_reports"]) == (2, 1, {"playing": 3}, 1)
    assert found["bytes"] > 10_000
    assert "people" in admin("stats", text=True)
    assert "personnes" in admin("stats", text=True, lang="fr")
    assert "personas" in admin("stats", text=True, lang="es")
    assert "Rien trouvé." in admin("bans", "list", text=True, lang="fr")
    for words in (("people", "find"), ("tables", "list"), ("reports", "list"), ("tables", "show", "t1"), ("log",)):
        assert admin(*words, text=True, lang="es")


# ---- copies ----------------------------------------------------------------------------------------


def test_a_backup_is_verified_and_brings_back_what_there_was(admin, database, tmp_path):
    made = admin("backup", f"{tmp_path}/copy")
    assert made["games_replayed"] == 3
    assert stat.S_IMODE(os.stat(f"{tmp_path}/copy").st_mode) == 0o600
    assert "exists already" in admin("backup", f"{tmp_path}/copy", code=2)
    admin("tables", "close", "t1")
    admin("people", "rename", "Ana", "Anna")
    assert "--yes" in admin("restore", f"{tmp_path}/copy", code=2)
    assert admin("restore", f"{tmp_path}/copy", "--yes")["games_replayed"] == 3
    assert admin("people", "show", "Ana.B")["person"]["name"] == "Ana"
    assert admin("tables", "list", "--status", "aborted") == []
    assert admin("check")["checked"] == 3


def test_a_backup_is_made_while_a_server_writes_and_a_restore_is_refused_then(admin, database, tmp_path):
    async def serve(store):
        bans = [store.add_ban("person", f"p{n}", "", n, None, "test") for n in range(20)]
        made, *_ = await asyncio.gather(asyncio.to_thread(admin, "backup", f"{tmp_path}/copy"), *bans)
        await store.probe()
        said = await asyncio.to_thread(admin, "restore", f"{tmp_path}/copy", "--yes", code=2)
        assert "in use" in said or "connected" in said
        return made

    assert do(database, serve)["games_replayed"] == 3


def test_a_copy_that_cannot_be_replayed_is_not_called_a_backup(admin, database, tmp_path):
    _damage(database, "t2", 1)
    said = admin("backup", f"{tmp_path}/copy", code=2)
    assert "t2, row 1" in said
    assert not (tmp_path / "copy").exists()
    assert (tmp_path / "copy.bad").exists()
    admin("check", "--quarantine", code=1)
    assert admin("backup", f"{tmp_path}/copy2")["games_replayed"] == 3


def test_what_is_not_a_backup_is_not_restored(admin, database, tmp_path):
    (tmp_path / "rubbish").write_bytes(b"rubbish" * 1000)
    admin("restore", f"{tmp_path}/rubbish", "--yes", code=2)
    admin("restore", f"{tmp_path}/none", "--yes", code=2)
    assert admin("check")["checked"] == 3


def test_a_damaged_file_is_not_restored_and_the_previous_database_stays(tmp_path, capsys):
    url = f"sqlite:///{tmp_path}/t.db"
    asyncio.run(_fill(url))
    assert main(["admin", "backup", f"{tmp_path}/copy", "--database", url]) == 0
    shutil.copy(f"{tmp_path}/copy", f"{tmp_path}/broken")
    with open(f"{tmp_path}/broken", "r+b") as file:
        file.seek(5 * 4096)
        file.write(b"\xff" * 20_000)
    assert main(["admin", "restore", f"{tmp_path}/broken", "--yes", "--database", url]) == 2
    assert "damaged" in capsys.readouterr().err
    assert main(["admin", "restore", f"{tmp_path}/copy", "--yes", "--database", url]) == 0
    [former] = tmp_path.glob("t.db.before-*")
    assert apsw.Connection(str(former)).execute("select count(*) from tables").get == 3


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_what_root_restores_belongs_to_the_user_of_the_server(tmp_path):
    url = f"sqlite:///{tmp_path}/t.db"
    asyncio.run(_fill(url))
    assert main(["admin", "backup", f"{tmp_path}/copy", "--database", url]) == 0
    os.chown(tmp_path / "t.db", 12345, 12345)
    assert main(["admin", "restore", f"{tmp_path}/copy", "--yes", "--database", url]) == 0
    assert (tmp_path / "t.db").stat().st_uid == 12345


def test_without_pg_dump_it_says_what_to_install(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    code = main(["admin", "backup", f"{tmp_path}/copy", "--database", "postgresql://nobody@127.0.0.1:1/none"])
    assert code == 2
    assert "postgresql-client" in capsys.readouterr().err


def test_a_database_that_is_not_there_is_not_created(tmp_path, capsys):
    env = {"TSUKIMI_DATA": f"{tmp_path}/data"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in env.items():
            patch.setenv(name, value)
        assert main(["admin", "stats"]) == 2
    assert "there is no database" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_password_in_the_url_is_not_on_the_command_line_of_pg_dump():
    arguments, env = _connection(["-x"], "postgresql://ana:s%40cret@db.example/t?sslmode=require", {})
    assert arguments == ["-x", "--dbname=postgresql://ana@db.example/t?sslmode=require"]
    assert env == {"PGPASSWORD": "s@cret"}
