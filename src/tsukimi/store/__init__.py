"""Where tables, people and ratings are kept: SQLite for one process, PostgreSQL for several.

A table *is* its log: rows that are only ever appended, each with the number that follows on. Who appends first
wins; everybody else gets `Conflict` and reads on. What an `await` has returned from is on disk.
The store knows no game: rows and summaries are opaque bytes, and `Facts` is what can be found about a table
without reading its log.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec

ENDED = frozenset({"over", "aborted"})  # the statuses of a table that nobody plays at any more


class Row(NamedTuple):
    """One entry of a table's log."""

    seq: int
    at: int  # milliseconds since the epoch
    data: bytes


class Facts(msgspec.Struct):
    """What is known about a table without reading its log; replaced as a whole along with an append."""

    table: str
    game: str
    players: int
    status: str
    public: bool
    created: int
    updated: int
    wake: int | None  # when the table wants to be looked at next (a clock, a bot); None: never
    people: list[str | None]  # person by seat
    summary: bytes  # for lists


class Person(msgspec.Struct):
    """Somebody who plays: known by `id` inside, by `handle` outside, with or without an account."""

    id: str
    handle: str
    name: str
    created: int
    lang: str | None = None
    account: str | None = None
    password: str | None = None  # a hash


class Token(msgspec.Struct):
    """What a person shows to be recognised; only its digest is kept."""

    digest: bytes
    person: str
    kind: str
    label: str
    at: int


class Rating(NamedTuple):
    """How strong somebody is thought to be at a game, after how many games."""

    mu: float
    sigma: float
    games: int


class Conflict(Exception):
    """The store holds something else than the caller thought: a taken seq, an existing table, a taken name."""


class Unavailable(Exception):
    """The database cannot be reached (or is full, or busy); whether what was asked got done is not known."""


class Refused(Exception):
    """The store cannot be opened: in use by another process, written by a newer version, or a driver is missing."""


class Store(Protocol):
    """What both databases can do. Every method may raise `Unavailable`."""

    async def open(self) -> None:
        """Connect and bring the schema up to date; `Refused` where that cannot be."""

    async def close(self) -> None:
        """Write everything that was accepted, then let go. Closing twice is no error."""

    # tables

    async def create(self, facts: Facts, rows: Sequence[Row]) -> None:
        """A new table with the beginning of its log (from seq 0); `Conflict` if there is one of that name."""

    def append(self, table: str, rows: Sequence[Row], facts: Facts | None = None) -> Awaitable[None]:
        """Append all rows or none, and replace the facts with them.

        The first row's seq must be the number of rows the table has, else `Conflict` (an unknown table as well).
        Without rows the facts alone are replaced, whatever the log holds by then.
        """

    async def read(self, table: str, since: int = 0) -> list[Row]:
        """The log from seq `since` on; nothing for an unknown table."""

    async def facts(self, table: str) -> Facts | None:
        """What is known about a table."""

    async def listed(self, status: str, public: bool = True, game: str | None = None, limit: int = 100) -> list[Facts]:
        """Tables of this status that are public (or: that are not), the newest updated first."""

    async def tables_of(
        self, person: str, running: bool | None = None, limit: int = 20, offset: int = 0
    ) -> list[Facts]:
        """Tables where a person sits, the newest updated first; only those that go on (or: that have ended)."""

    async def waking(self, before: int, limit: int = 1000) -> list[str]:
        """Tables that want to be looked at by then, the most urgent first."""

    async def lease(self, tables: Sequence[str], worker: str, now: int, until: int) -> set[str]:
        """Those of the tables that the worker holds from now on: free, expired by `now`, or its own already."""

    async def release(self, worker: str, tables: Sequence[str] | None = None) -> None:
        """Give back these of the worker's leases, or all."""

    # people

    async def add_person(self, person: Person) -> None:
        """`Conflict` if the id, the handle or the account (whatever its case) is taken."""

    async def change_person(self, person: Person) -> None:
        """Replace what is known of a person; `Conflict` if a name is taken or the person unknown."""

    async def person(self, id: str) -> Person | None: ...

    async def person_by_handle(self, handle: str) -> Person | None: ...

    async def person_of_account(self, account: str) -> Person | None:
        """By the account's name, whatever its case."""

    async def add_token(self, digest: bytes, person: str, kind: str, label: str, at: int) -> None: ...

    async def token(self, digest: bytes) -> Token | None: ...

    async def tokens_of(self, person: str, kind: str | None = None) -> list[Token]:
        """The newest first."""

    async def drop_token(self, digest: bytes) -> None: ...

    async def drop_tokens(self, person: str, kind: str) -> None: ...

    # ratings

    async def ratings(self, game: str, people: Sequence[str]) -> dict[str, Rating]:
        """Of those who have one."""

    async def ratings_of(self, person: str) -> dict[str, Rating]:
        """By game."""

    async def rate(
        self, table: str, game: str, changes: Mapping[str, Rating], seen: Mapping[str, Rating] | None = None
    ) -> bool:
        """Set ratings after a table's end, once per table: False, and nothing done, if that was done before.

        `seen`: the ratings that the changes were reckoned from (`Store.ratings`' answer). If one of them is no
        longer so, because two tables ended at once: `Conflict`; ask and reckon again.
        """

    async def best(self, game: str, limit: int = 50) -> list[tuple[str, str, Rating]]:
        """People's ids, names and ratings, by what their strength is at least (mu - 3 sigma)."""


def connect(url: str) -> Store:
    """The store at a URL, not yet open.

    `sqlite:///file.db` (relative), `sqlite:////srv/file.db` (absolute), `sqlite://:memory:` (gone when closed),
    `postgresql://user:password@host/database`.
    """
    scheme, _, rest = url.partition("://")
    if scheme == "sqlite":
        if rest in (":memory:", "/:memory:"):
            path = None
        elif rest.startswith("/") and len(rest) > 1:
            path = rest[1:]
        else:
            raise Refused(f"{url!r} names no file: sqlite:///relative.db or sqlite:////absolute.db")
        try:
            from tsukimi.store.sqlite import SqliteStore
        except ModuleNotFoundError as error:
            raise Refused(f"SQLite needs a package that is not installed: pip install {error.name}") from error
        return SqliteStore(path)
    if scheme in ("postgresql", "postgres"):
        try:
            from tsukimi.store.postgres import PostgresStore
        except ModuleNotFoundError as error:
            raise Refused(f"PostgreSQL needs a package that is not installed: pip install {error.name}") from error
        return PostgresStore(url)
    raise Refused(f"no store for {scheme!r}: sqlite:///file.db or postgresql://user:password@host/database")
