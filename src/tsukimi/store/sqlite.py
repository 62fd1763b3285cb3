"""SQLite: one process, one thread that writes with group commit, one that reads.

All that was asked while the disk was busy goes into the next transaction, so a hundred tables share one fsync.
A request that fails takes no other with it: each stands in a savepoint of its own, or is a single statement.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import apsw

from tsukimi.store import Conflict, Facts, Refused, Row, Unavailable, migrations
from tsukimi.store.sql import SqlStore, Steps, append, check
from tsukimi.store.threads import Asked, Desk

T = TypeVar("T")

# What says something about the machine and nothing about the request.
OUTAGES = (
    apsw.BusyError,
    apsw.CantOpenError,
    apsw.CorruptError,
    apsw.FullError,
    apsw.IOError,
    apsw.InterruptError,
    apsw.LockedError,
    apsw.NoMemError,
    apsw.NotADBError,
    apsw.ProtocolError,
    apsw.ReadOnlyError,
)
TAKEN = (apsw.SQLITE_CONSTRAINT_UNIQUE, apsw.SQLITE_CONSTRAINT_PRIMARYKEY)
WRITES, READS = 1000, 32  # at most so many in one go: a bound on how long the first waits for the last
PATIENCE_MS = 5000  # for another program that looks into the file, a backup for instance


# A row that follows none would get no number, and every row must have one.
PUT = (
    "insert into log (table_id, seq, at, data)"
    " values (?1, (select seq + 1 from log where table_id = ?1 and seq = ?2 - 1), ?3, ?4)"
)


class Put(NamedTuple):
    """Nearly every request: rows for a table about which nothing else changes."""

    table: str
    rows: Sequence[Row]


class SqliteStore(SqlStore):
    """A database file, or None for one in memory."""

    EACH, COUNTED = "json_each($1)", False

    def __init__(self, path: str | os.PathLike[str] | None) -> None:
        self._path = None if path is None else Path(path)
        self._lock: int | None = None
        self._writer: Desk[Steps[Any] | Put] | None = None
        self._reader: Desk[tuple[str, tuple[Any, ...]]] | None = None

    async def open(self) -> None:
        await asyncio.to_thread(self._connect)
        self._writer = Desk("store-writer", self._write_all, WRITES)
        if self._path is not None:
            self._reader = Desk("store-reader", self._read_all, READS)

    async def close(self) -> None:
        if self._writer is None:
            return
        await self._writer.shut()
        if self._reader is not None:
            await self._reader.shut()
        await asyncio.to_thread(self._disconnect)

    def append(self, table: str, rows: Sequence[Row], facts: Facts | None = None) -> Asked:
        check(table, rows, facts)
        plain = facts is None and rows and rows[0].seq > 0
        return self._ask(Put(table, rows) if plain else append(table, rows, facts))

    async def _do(self, steps: Steps[T]) -> T:
        result: T = await self._ask(steps)
        return result

    def _ask(self, job: Steps[Any] | Put) -> Asked:
        if self._writer is None:
            raise Unavailable("the store is not open")
        return self._writer.ask(job)

    async def _look(self, sql: str, *args: Any) -> list[Any]:
        if self._reader is not None:
            found: list[Any] = await self._reader.ask((sql, args))
            return found
        return await self._do(_one(sql, args))  # in memory: a second connection would see another database

    # in the threads

    def _connect(self) -> None:
        if self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = lock(self._path)
        try:
            with told_apart():
                self._db = apsw.Connection(":memory:" if self._path is None else str(self._path))
                self._prepare(self._db)
                with self._db:
                    run(self._db, migrations.upgrade(migrations.SQLITE))
                if self._path is not None:
                    self._look_db = apsw.Connection(str(self._path))
                    self._look_db.set_busy_timeout(PATIENCE_MS)
                    self._look_db.execute("pragma query_only = on")
        except BaseException:
            self._unlock()
            raise

    def _prepare(self, db: apsw.Connection) -> None:
        db.set_busy_timeout(PATIENCE_MS)
        mode = db.execute("pragma journal_mode = wal").get
        if self._path is not None and mode != "wal":
            raise Refused(f"{self._path}: this file system cannot hold SQLite's write-ahead log")
        db.execute("pragma synchronous = full")
        db.execute("pragma cache_size = -32768")  # KiB
        db.execute("pragma wal_autocheckpoint = 8000")  # pages, 32 MB: a page that many moves change is moved once
        db.execute("pragma journal_size_limit = 67108864")

    def _disconnect(self) -> None:
        if self._path is not None:
            self._look_db.close()
        self._db.close()  # the last one out: moves the write-ahead log into the file
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _write_all(self, batch: list[Steps[Any] | Put]) -> list[Any]:
        try:
            self._db.execute("begin immediate")
            if all(isinstance(job, Put) for job in batch) and self._put_all(batch):  # type: ignore[arg-type]
                outcomes: list[Any] = [None] * len(batch)
            else:
                outcomes = [self._put(job) if isinstance(job, Put) else self._attempt(job) for job in batch]
            self._db.execute("commit")
            return outcomes
        except Exception as error:  # no row of this batch is known to be safe
            self._roll_back()
            return [unavailable(error) for _ in batch]

    def _put_all(self, batch: list[Put]) -> bool:
        """All of them at once; False, and nothing done, if one of them does not follow on."""
        try:
            self._db.executemany(PUT, [(table, *row) for table, rows in batch for row in rows])
        except apsw.ConstraintError:
            self._db.execute("rollback")
            self._db.execute("begin immediate")
            return False
        return True

    def _put(self, job: Put) -> Conflict | None:
        """Rows that follow on, or nothing: if the first one does, so do all."""
        try:
            for row in job.rows:
                self._db.execute(PUT, (job.table, *row))
        except apsw.ConstraintError as error:
            return Conflict(f"row {row.seq} does not follow on in {job.table!r}: {error}")
        return None

    def _attempt(self, steps: Steps[Any]) -> Any:
        """A result, or the exception that concerns this request alone."""
        self._db.execute("savepoint request")
        try:
            with told_apart():
                result = run(self._db, steps)
        except Unavailable:
            raise
        except Exception as error:
            self._db.execute("rollback to request")
            result = error
        self._db.execute("release request")
        return result

    def _roll_back(self) -> None:
        try:
            if self._db.in_transaction:  # SQLite may have done it by itself
                self._db.execute("rollback")
        except apsw.Error:  # then the next "begin" fails, and says so
            pass

    def _read_all(self, batch: list[tuple[str, tuple[Any, ...]]]) -> list[Any]:
        outcomes: list[Any] = []
        for sql, args in batch:
            try:
                with told_apart():
                    outcomes.append(self._look_db.execute(numbered(sql), args).fetchall())
            except Exception as error:
                outcomes.append(error)
        return outcomes


def _one(sql: str, args: tuple[Any, ...]) -> Steps[list[Any]]:
    return (yield sql, args)


def run(db: apsw.Connection, steps: Steps[T]) -> T:
    """Do what a transaction asks for, statement by statement."""
    try:
        sql, args = next(steps)
        while True:
            sql, args = steps.send(db.execute(numbered(sql), args).fetchall())
    except StopIteration as end:
        result: T = end.value
        return result


@lru_cache(256)
def numbered(sql: str) -> str:
    """SQLite reads `$2` as a name; `?2` is the second value."""
    return re.sub(r"\$(\d+)", r"?\1", sql)


@contextmanager
def told_apart() -> Iterator[None]:
    """SQLite's errors as the store's."""
    try:
        yield
    except apsw.ConstraintError as error:
        if error.extendedresult in TAKEN:  # type: ignore[attr-defined]
            raise Conflict(str(error)) from error
        raise
    except OUTAGES as error:
        raise unavailable(error) from error


def unavailable(error: Exception) -> Unavailable:
    return error if isinstance(error, Unavailable) else Unavailable(f"SQLite: {type(error).__name__}: {error}")


def lock(path: Path) -> int:
    """Keep other processes off the file: two writers would work, but two that each believe to be alone would not.

    The lock goes with the process, however that ends.
    """
    beside = path.with_name(path.name + ".lock")
    handle = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.read(handle, 20).decode("ascii", "replace").strip() or "?"
            os.close(handle)
            raise Refused(
                f"{path} is in use by process {holder}: several processes need PostgreSQL (postgresql://..)"
            ) from error
    os.truncate(handle, 0)
    os.write(handle, f"{os.getpid()}\n".encode())
    return handle
