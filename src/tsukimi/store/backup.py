"""Copies of a database that is in use, and restoring them.

SQLite is copied with its backup API in one read transaction: what is written meanwhile is not in the copy, and nobody
waits. PostgreSQL is left to its own `pg_dump` and `pg_restore`.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

import apsw

from tsukimi.store import QUARANTINED, Refused, Row, migrations
from tsukimi.store.sqlite import lock

PAGES_AT_ONCE = 2048
Progress = Callable[[int, int], None]
"""Called with the amount done and the total."""


def sqlite_path(url: str) -> Path | None:
    """The file of an SQLite URL; None for PostgreSQL."""
    scheme, _, rest = url.partition("://")
    if scheme != "sqlite":
        return None
    if not rest.startswith("/") or rest == "/:memory:":
        raise Refused(f"{url!r} does not name a file")
    return Path(rest[1:])


# ---- SQLite ----------------------------------------------------------------------------------------


def copy_sqlite(source: Path, target: Path, progress: Progress = lambda done, whole: None) -> None:
    """Copy a database, in use or not. The target appears when it is complete."""
    if not source.is_file():
        raise Refused(f"there is no database {source}")
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    part.touch(mode=0o600)
    try:
        with closing(apsw.Connection(str(source))) as db, closing(apsw.Connection(str(part))) as copy:
            db.set_busy_timeout(10_000)
            with db:  # one snapshot for all pages, however long it takes
                db.execute("select count(*) from schema_version").fetchall()
                with copy.backup("main", db, "main") as backup:
                    while not backup.done:
                        backup.step(PAGES_AT_ONCE)
                        progress(backup.page_count - backup.remaining, backup.page_count)
            copy.execute("pragma journal_mode = delete").fetchall()  # a single file
        _flush(part)
        os.replace(part, target)
        _flush(target.parent)
    except apsw.Error as problem:
        raise Refused(f"{source}: {type(problem).__name__}: {problem}") from problem
    finally:
        part.unlink(missing_ok=True)


def check_sqlite(path: Path) -> None:
    """`Refused` unless this is an undamaged database of ours, in a known version."""
    try:
        with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as db:
            found = db.execute("pragma integrity_check(5)").fetchall()
            version = db.execute("select max(version) from schema_version").get
    except apsw.Error as problem:
        raise Refused(f"{path} is not a Tsukimi database: {problem}") from problem
    if found != [("ok",)]:
        raise Refused(f"{path} is damaged: {found[0][0]}")
    if not version or version > len(migrations.STEPS):
        raise Refused(f"{path} has schema version {version}, this Tsukimi knows {len(migrations.STEPS)}")


def sqlite_logs(path: Path, most: int) -> Iterator[tuple[str, list[Row]]]:
    """The logs of that many tables, latest first."""
    with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as db:
        for [table] in db.execute("select id from tables order by updated desc limit ?", (most,)).fetchall():
            rows = db.execute("select seq, at, data from log where table_id = ? order by seq", (table,)).fetchall()
            yield str(table), [Row(*row) for row in rows]  # type: ignore[arg-type]


def sqlite_quarantined(path: Path) -> set[str]:
    with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as db:
        return {str(table) for [table] in db.execute("select id from tables where status = ?", (QUARANTINED,))}


def restore_sqlite(source: Path, target: Path, progress: Progress = lambda done, whole: None) -> Path | None:
    """Replace a database that no server uses with a copy; returns where the previous one is now."""
    target.parent.mkdir(parents=True, exist_ok=True)
    held = lock(target)
    try:
        new = target.with_name(target.name + ".restored")
        copy_sqlite(source, new, progress)
        _own_like(target if target.exists() else target.parent, new)
        former = None
        if target.exists():
            with closing(apsw.Connection(str(target))) as db:  # so that everything is in the one file
                db.execute("pragma wal_checkpoint(truncate)").fetchall()
            former = target.with_name(f"{target.name}.before-{time.strftime('%Y%m%d-%H%M%S')}")
            os.replace(target, former)
        for suffix in ("-wal", "-shm"):
            target.with_name(target.name + suffix).unlink(missing_ok=True)
        os.replace(new, target)
        _flush(target.parent)
        return former
    finally:
        os.close(held)


def _own_like(model: Path, path: Path) -> None:
    """Give a file the owner of another: whoever restores may be root, while the server is not."""
    owner = model.stat()
    if (owner.st_uid, owner.st_gid) != (path.stat().st_uid, path.stat().st_gid):
        os.chown(path, owner.st_uid, owner.st_gid)


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# ---- PostgreSQL --------------------------------------------------------------------------------------


def dump_postgres(url: str, target: Path) -> None:
    """A dump in pg_dump's custom format of our tables, whatever else is in the database."""
    _program("pg_dump")  # first of all: without it, nothing else works
    schema = asyncio.run(_fetch(url, "select current_schema()"))
    tables = [f'--table="{schema}".{name}' for name in migrations.TABLES]
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    part.touch(mode=0o600)
    try:
        _run(["pg_dump", "--format=custom", "--no-owner", "--no-privileges", *tables, f"--file={part}"], url)
        _flush(part)
        os.replace(part, target)
        _flush(target.parent)
    finally:
        part.unlink(missing_ok=True)


def check_postgres(path: Path) -> None:
    """`Refused` unless this is a dump of one of our databases."""
    listed = _run(["pg_restore", "--list", str(path)])
    for name in migrations.TABLES:
        if not re.search(rf"TABLE DATA \S+ {name} ", listed):
            raise Refused(f"{path} is not a Tsukimi dump: it has no table {name!r}")


def postgres_logs(path: Path, most: int) -> Iterator[tuple[str, list[Row]]]:
    """The first logs of a dump, read from the dump itself."""
    logs = dict[str, list[Row]]()
    for row in _dumped(path, "log"):
        if row["table_id"] in logs or len(logs) < most:
            data = bytes.fromhex(row["data"].removeprefix("\\\\x"))
            logs.setdefault(row["table_id"], []).append(Row(int(row["seq"]), int(row["at"]), data))
    for table, rows in logs.items():
        yield table, sorted(rows)


def postgres_quarantined(path: Path) -> set[str]:
    return {row["id"] for row in _dumped(path, "tables") if row["status"] == QUARANTINED}


def _dumped(path: Path, table: str) -> Iterator[dict[str, str]]:
    """The rows of a table in a dump, as `COPY` writes them."""
    command = [_program("pg_restore"), "--data-only", f"--table={table}", "--file=-", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        columns: list[str] = []
        for line in process.stdout:
            if line.startswith("COPY "):
                columns = line.partition("(")[2].partition(")")[0].split(", ")
            elif line == "\\.\n":
                columns = []
            elif columns:
                yield dict(zip(columns, line.rstrip("\n").split("\t"), strict=True))


def postgres_in_use(url: str) -> bool:
    """Whether a server is connected to the database."""
    sql = (
        "select count(*) from pg_stat_activity where datname = current_database()"
        " and application_name = 'tsukimi' and pid <> pg_backend_pid()"
    )
    return bool(asyncio.run(_fetch(url, sql)))


async def _fetch(url: str, sql: str) -> Any:
    import asyncpg  # type: ignore[import-untyped]

    try:
        connection = await asyncpg.connect(url, timeout=10)
    except (OSError, asyncpg.PostgresError) as problem:
        raise Refused(f"PostgreSQL: {problem}") from problem
    try:
        return await connection.fetchval(sql)
    finally:
        await connection.close()


def restore_postgres(source: Path, url: str) -> None:
    """All or nothing: in one transaction."""
    options = ["--clean", "--if-exists", "--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error"]
    _run(["pg_restore", *options, str(source)], url)


def _run(command: list[str], url: str | None = None) -> str:
    """Run a program of PostgreSQL. The URL may hold a password, which other users could read in the command line."""
    program, *arguments = command
    env = dict(os.environ)
    if url is not None:
        arguments, env = _connection(arguments, url, env)
    done = subprocess.run([_program(program), *arguments], capture_output=True, text=True, env=env)
    if done.returncode:
        raise Refused(f"{program}: {' '.join(done.stderr.split())[:300]}")
    return done.stdout


def _connection(arguments: list[str], url: str, env: dict[str, str]) -> tuple[list[str], dict[str, str]]:
    parts = urlsplit(url)
    if parts.password:
        env["PGPASSWORD"] = unquote(parts.password)
        netloc = parts.netloc.replace(f":{parts.password}@", "@", 1)
        url = urlunsplit(parts._replace(netloc=netloc))
    return [*arguments, f"--dbname={url}"], env


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise Refused(f"{name} is not installed; it comes with PostgreSQL's client programs (postgresql-client)")
    return found
