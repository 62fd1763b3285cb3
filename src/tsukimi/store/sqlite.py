"""SQLite: one process, one thread that writes with group commit, one that reads.

All that was asked while the disk was busy goes into the next transaction, so a hundred tables share one fsync.
Each request stands in a savepoint of its own: one that fails takes no other with it.
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
from typing import Any, TypeVar

import apsw

from tsukimi.store import Conflict, Facts, Refused, Row, Unavailable, migrations
from tsukimi.store.sql import SqlStore, Steps, append, check
from tsukimi.store.threads import Desk

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


class SqliteStore(SqlStore):
    """A database file, or None for one in memory."""

    EACH = "json_each($1)"

    def __init__(self, path: str | os.PathLike[str] | None) -> None:
        self._path = None if path is None else Path(path)
        self._lock: int | None = None
        self._writer: Desk[Steps[Any]] | None = None
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

    async def append(self, table: str, rows: Sequence[Row], facts: Facts | None = None) -> None:
        check(table, rows, facts)
        await self._do(append(table, rows, facts))

    async def _do(self, steps: Steps[T]) -> T:
        if self._writer is None:
            raise Unavailable("the store is not open")
        result: T = await self._writer.ask(steps)
        return result

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

    def _write_all(self, batch: list[Steps[Any]]) -> list[Any]:
        try:
            self._db.execute("begin immediate")
            outcomes = [self._attempt(steps) for steps in batch]
            self._db.execute("commit")
            return outcomes
        except Exception as error:  # no row of this batch is known to be safe
            self._roll_back()
            return [unavailable(error) for _ in batch]

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
