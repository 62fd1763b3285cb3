"""SQLite for one process: one thread writes with group commit, another reads.

Everything requested while the disk was busy goes into the next transaction, so a hundred tables share one fsync.
Each request runs in its own savepoint, so that one that fails does not fail the others.
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

from tsukimi.store import Conflict, RatingChanges, Refused, Row, Summary, Unavailable, migrations
from tsukimi.store.batching import BatchWorker
from tsukimi.store.moderation_sql import ModerationSql
from tsukimi.store.openings_sql import OpeningsSql
from tsukimi.store.progress_sql import ProgressSql
from tsukimi.store.reviews_sql import ReviewsSql
from tsukimi.store.sql import SqlStore, Statement, Transaction, append, both, check_append, execute, rate
from tsukimi.store.tokens_sql import TokensSql

T = TypeVar("T")

# Errors of the machine, not of the request.
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
UNIQUE_VIOLATIONS = (apsw.SQLITE_CONSTRAINT_UNIQUE, apsw.SQLITE_CONSTRAINT_PRIMARYKEY)
MAX_WRITES, MAX_READS = 1000, 32  # per batch: bounds how long the first waits for the last
BUSY_TIMEOUT_MS = 5000  # while another program, such as a backup, locks the file


class SqliteStore(SqlStore, TokensSql, ModerationSql, OpeningsSql, ReviewsSql, ProgressSql):
    """A database file, or None for one in memory."""

    JSON_ROWS, WITH_LENGTH = "json_each($1)", False
    SIZE = "select page_count * page_size from pragma_page_count(), pragma_page_size()"

    def __init__(self, path: str | os.PathLike[str] | None, beside: bool = False) -> None:
        super().__init__()
        self._path = None if path is None else Path(path)
        self._beside = beside
        self._lock: int | None = None
        self._writer: BatchWorker[Transaction[Any]] | None = None
        self._reader: BatchWorker[Statement] | None = None

    async def open(self) -> None:
        await asyncio.to_thread(self._connect)
        self._writer = BatchWorker("store-writer", self._write_batch, MAX_WRITES)
        if self._path is not None:
            self._reader = BatchWorker("store-reader", self._read_batch, MAX_READS)

    async def close(self) -> None:
        if self._writer is None:
            return
        await self._writer.close()
        if self._reader is not None:
            await self._reader.close()
        await asyncio.to_thread(self._disconnect)

    @property
    def waiting(self) -> int:
        return sum(worker.waiting for worker in (self._writer, self._reader) if worker is not None)

    def append(
        self, table: str, rows: Sequence[Row], summary: Summary | None = None, ratings: RatingChanges | None = None
    ) -> asyncio.Future[Any]:
        check_append(table, rows, summary)
        if ratings is None:
            return self._write(append(table, rows, summary))
        return self._write(both(append(table, rows, summary), rate(ratings, self.JSON_ROWS)))

    async def lease(self, tables: Sequence[str], worker: str, now: int, until: int) -> set[str]:
        return set(tables)  # there is no other worker: the file is locked

    async def release(self, worker: str, tables: Sequence[str] | None = None) -> None:
        """Nothing to do."""

    async def _transact(self, transaction: Transaction[T]) -> T:
        result: T = await self._write(transaction)
        return result

    def _write(self, transaction: Transaction[Any]) -> asyncio.Future[Any]:
        if self._writer is None:
            raise Unavailable("the store is not open")
        return self._writer.submit(transaction)

    async def _query(self, sql: str, *args: Any) -> list[Any]:
        if self._reader is not None:
            found: list[Any] = await self._reader.submit((sql, args))
            return found
        return await self._transact(execute(sql, *args))  # in memory: a second connection would see another database

    # in the threads

    def _connect(self) -> None:
        server_runs = False
        if self._path is not None:
            if self._beside and not self._path.is_file():
                raise Refused(f"there is no database {self._path}")
            self._path.parent.mkdir(parents=True, exist_ok=True)
            try:
                self._lock = lock(self._path)
            except Refused:
                if not self._beside:
                    raise
                server_runs = True
        try:
            with translated_errors():
                self._db = apsw.Connection(":memory:" if self._path is None else str(self._path))
                self._prepare(self._db)
                with self._db:
                    run(
                        self._db, migrations.require_current() if server_runs else migrations.upgrade(migrations.SQLITE)
                    )
                if self._beside:
                    self._unlock()  # so that a server can start meanwhile
                if self._path is not None:
                    self._read_db = apsw.Connection(str(self._path))
                    self._read_db.set_busy_timeout(BUSY_TIMEOUT_MS)
                    self._read_db.execute("pragma query_only = on")
        except BaseException:
            self._unlock()
            raise

    def _prepare(self, db: apsw.Connection) -> None:
        db.set_busy_timeout(BUSY_TIMEOUT_MS)
        mode = db.execute("pragma journal_mode = wal").get
        if self._path is not None and mode != "wal":
            raise Refused(f"{self._path}: this file system cannot hold SQLite's write-ahead log")
        db.execute("pragma synchronous = full")
        db.execute("pragma cache_size = -32768")  # KiB
        db.execute("pragma wal_autocheckpoint = 8000")  # pages, 32 MB: a page changed by many moves is copied only once
        db.execute("pragma journal_size_limit = 67108864")

    def _disconnect(self) -> None:
        if self._path is not None:
            self._read_db.close()
        self._db.close()  # the last connection: copies the write-ahead log into the file
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _write_batch(self, batch: list[Transaction[Any]]) -> list[Any]:
        try:
            self._db.execute("begin immediate")
            outcomes = [self._attempt(transaction) for transaction in batch]
            self._db.execute("commit")
            return outcomes
        except Exception as error:  # nothing in this batch is known to be on disk
            self._roll_back()
            self.on_failure(unavailable(error))
            return [unavailable(error) for _ in batch]

    def _attempt(self, transaction: Transaction[Any]) -> Any:
        """The result, or an exception that concerns only this request."""
        self._db.execute("savepoint request")
        try:
            with translated_errors():
                result = run(self._db, transaction)
        except Unavailable:
            raise
        except Exception as error:
            self._db.execute("rollback to request")
            result = error
        self._db.execute("release request")
        return result

    def _roll_back(self) -> None:
        try:
            if self._db.in_transaction:  # SQLite may have rolled back already
                self._db.execute("rollback")
        except apsw.Error:  # the next "begin" will fail and report it
            pass

    def _read_batch(self, batch: list[Statement]) -> list[Any]:
        outcomes: list[Any] = []
        for sql, args in batch:
            try:
                with translated_errors():
                    outcomes.append(self._read_db.execute(question_marks(sql), args).fetchall())
            except Unavailable as error:
                self.on_failure(error)
                outcomes.append(error)
            except Exception as error:
                outcomes.append(error)
        return outcomes


def run(db: apsw.Connection, transaction: Transaction[T]) -> T:
    """Execute a transaction statement by statement."""
    try:
        sql, args = next(transaction)
        while True:
            sql, args = transaction.send(db.execute(question_marks(sql), args).fetchall())
    except StopIteration as end:
        result: T = end.value
        return result


@lru_cache(256)
def question_marks(sql: str) -> str:
    """SQLite treats `$2` as a name; its second placeholder is `?2`."""
    return re.sub(r"\$(\d+)", r"?\1", sql)


@contextmanager
def translated_errors() -> Iterator[None]:
    """Raise SQLite's errors as the store's."""
    try:
        yield
    except apsw.ConstraintError as error:
        if error.extendedresult in UNIQUE_VIOLATIONS:  # type: ignore[attr-defined]
            raise Conflict(str(error)) from error
        raise
    except OUTAGES as error:
        raise unavailable(error) from error


def unavailable(error: Exception) -> Unavailable:
    return error if isinstance(error, Unavailable) else Unavailable(f"SQLite: {type(error).__name__}: {error}")


def lock(path: Path) -> int:
    """Keep other processes away from the file: SQLite allows a second writer, but our tables in memory do not.

    The lock is released when the process ends, however it ends.
    """
    handle = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
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
