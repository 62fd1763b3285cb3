"""Where tables, people and ratings are stored: SQLite for one process, PostgreSQL for several.

A table is a log: numbered rows that are only ever appended. The first to append a number wins; anyone else gets
`Conflict` and reads what they missed. Once an `await` has returned, its data is on disk. The store knows nothing about
games: rows and listings are opaque bytes, and a table's `Summary` is what can be queried without reading its log.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec

from tsukimi.store.moderation import ModerationStore

QUARANTINED = "quarantined"  # the status of a table whose log cannot be read
ENDED = frozenset({"over", "aborted", QUARANTINED})  # the statuses of a table that is no longer played


class Row(NamedTuple):
    """One encoded event of a table's log."""

    seq: int
    at: int  # milliseconds since the epoch
    data: bytes


class Summary(msgspec.Struct):
    """A table at a glance; replaced as a whole along with an append."""

    table: str
    game: str
    players: int
    status: str
    public: bool
    created: int
    updated: int
    due: int | None  # when the scheduler must look at the table next (a clock, a bot); None: never
    people: list[str | None]  # person by seat
    listing: bytes  # anything else that lists show


class Person(msgspec.Struct):
    """A player, with or without an account. `id` is internal, `handle` is public."""

    id: str
    handle: str
    name: str
    created: int
    lang: str | None = None
    account: str | None = None
    password: str | None = None  # a hash
    email: str | None = None  # verified
    totp: str | None = None  # what the secret of the second factor is derived from; None: no second factor
    totp_step: int = 0  # the time step of the last code that was accepted
    sessions_from: int = 0  # cookies issued earlier (in seconds) are invalid


class Token(msgspec.Struct):
    """A credential of a person; only its digest is stored."""

    digest: bytes
    person: str
    kind: str
    label: str
    at: int
    used: int = 0  # when last, if that is known


class Rating(NamedTuple):
    """An estimate of a person's strength at a game, and the number of games behind it."""

    mu: float
    sigma: float
    games: int


class RatingChanges(NamedTuple):
    """New ratings after a game, and those they were computed from (for people who had one)."""

    game: str
    before: Mapping[str, Rating]
    after: Mapping[str, Rating]


class Conflict(Exception):
    """The data is not as the caller assumed: a taken seq, an existing table, a taken name."""


class StaleRatings(Conflict):
    """A rating has changed since it was read, because two tables ended at the same time: read and compute again."""


class StoredReview(NamedTuple):
    """The review of a finished table: its data, or how many of its decisions a worker had judged, and when."""

    worker: str
    at: int
    done: int
    total: int
    data: bytes | None


class Opening(NamedTuple):
    """Who opens a table and from where, and how many running tables they may have opened."""

    person: str
    address: str
    most_of_person: float
    most_of_address: float


class TooManyTables(Exception):
    """This person or address has reached the limit on running tables."""

    def __init__(self, kind: str, number: int) -> None:
        super().__init__(f"the {kind} has {number} running tables")
        self.kind, self.number = kind, number


class Unavailable(Exception):
    """The database is unreachable, full or busy; it is not known whether the request took effect."""


class Refused(Exception):
    """The store cannot be opened: used by another process, written by a newer version, or its driver is missing."""


class Store(ModerationStore, Protocol):
    """What both databases offer. Every method may raise `Unavailable`."""

    on_failure: Callable[[Unavailable], None]
    """Called with every failure of the database itself, in any thread."""

    async def open(self) -> None:
        """Connect and migrate the schema; `Refused` if that is impossible."""

    async def close(self) -> None:
        """Write everything that was accepted, then disconnect. Closing twice is not an error."""

    @property
    def waiting(self) -> int:
        """How many requests are waiting for the database."""

    async def probe(self) -> None:
        """Perform a write that leaves no trace."""

    # tables

    async def create(self, summary: Summary, rows: Sequence[Row]) -> None:
        """Create a table with the first rows of its log (from seq 0); `Conflict` if the id exists."""

    async def create_for(self, opening: Opening, summary: Summary, rows: Sequence[Row]) -> None:
        """`create`, unless the person or the address has too many running tables: `TooManyTables`."""

    async def attend(self, tables: Sequence[str], at: int) -> None:
        """Record that someone is connected to these tables."""

    async def lobby_tables(
        self, status: str, attended: int, limit: int, most_of_person: int, most_of_address: int
    ) -> list[Summary]:
        """Public tables with a status: those attended since then first, most recently updated first; at most that many
        per opener and per address."""

    async def expired_tables(self, empty: int, waiting: int, abandoned: int, limit: int = 100) -> list[str]:
        """Tables that nobody has been connected to, or changed, since these times: waiting public ones with nobody
        seated, waiting public ones, and all others with nothing due."""

    def append(
        self, table: str, rows: Sequence[Row], summary: Summary | None = None, ratings: RatingChanges | None = None
    ) -> Awaitable[None]:
        """Append all rows or none, and replace the summary and change the ratings with them.

        The first row's seq must be the length of the log, else `Conflict` (as for an unknown table).
        Without rows only the summary is replaced, whatever the log holds by then. `StaleRatings`: nothing was appended.
        """

    async def rewrite(self, table: str, rows: Sequence[Row]) -> None:
        """Replace the data of rows in the log, to remove what people have a right to have removed."""

    async def read(self, table: str, since: int = 0) -> list[Row]:
        """The log from seq `since` on; empty for an unknown table."""

    async def log_lengths(self, tables: Sequence[str]) -> dict[str, int]:
        """How many rows the logs of these tables have."""

    async def summary(self, table: str) -> Summary | None: ...

    async def close_table(self, table: str, status: str) -> bool:
        """Give a table that cannot be played any more this status; nothing is due there. Returns whether that was new."""

    async def list_tables(
        self, status: str, public: bool = True, game: str | None = None, limit: int = 100
    ) -> list[Summary]:
        """Public (or private) tables with a status, most recently updated first."""

    async def tables_of(
        self, person: str, running: bool | None = None, limit: int = 20, offset: int = 0
    ) -> list[Summary]:
        """Tables where a person sits, most recently updated first; optionally only running or only ended ones."""

    async def due_tables(self, before: int, limit: int = 1000) -> list[str]:
        """Tables that the scheduler must look at by then, most urgent first; without those that another process
        runs (and with PostgreSQL those that this one runs)."""

    async def lease(self, tables: Sequence[str], worker: str, now: int, until: int) -> set[str]:
        """Lease tables to a worker for some seconds; returns those it now holds: free, expired by `now`, or already
        its own. With SQLite that is all of them: the file belongs to one process."""

    async def release(self, worker: str, tables: Sequence[str] | None = None) -> None:
        """Release these of the worker's leases, or all."""

    # reviews

    async def review(self, table: str) -> StoredReview | None: ...

    async def claim_review(self, table: str, worker: str, at: int, total: int, stale: int) -> bool:
        """Whether this worker may make the review: nobody has, and nobody else has made progress on it since `stale`."""

    async def save_review(self, table: str, worker: str, at: int, done: int, data: bytes | None = None) -> None:
        """The progress of the worker that has claimed the review; with data, it is done."""

    # people

    async def add_person(self, person: Person) -> None:
        """`Conflict` if the id, the handle or the account name (ignoring case) is taken."""

    async def update_person(self, before: Person, after: Person) -> Person:
        """Write the fields in which `after` differs from `before`, and no others; returns the person as stored.

        `Conflict` if one of these fields is no longer as in `before`, a name is taken or the person is unknown.
        """

    async def person(self, id: str) -> Person | None: ...

    async def person_by_handle(self, handle: str) -> Person | None: ...

    async def person_by_account(self, account: str) -> Person | None:
        """By account name, ignoring case."""

    async def delete_person(self, id: str) -> None:
        """Delete a person with their tokens, progress, ratings and resolved reports; games that they played stay."""

    async def add_token(self, digest: bytes, person: str, kind: str, label: str, at: int) -> None: ...

    async def put_token(self, token: Token, over: str = "") -> None:
        """Add a token, or replace one with the same digest if it is of the kind `over`."""

    async def take_token(self, digest: bytes, kind: str) -> Token | None:
        """Delete a token and return it: if several try, one gets it."""

    async def replace_tokens(self, person: str, kind: str, tokens: Sequence[Token]) -> None:
        """Replace all of a person's tokens of a kind with these, in one step."""

    async def token(self, digest: bytes) -> Token | None: ...

    async def tokens_of(self, person: str, kind: str | None = None) -> list[Token]:
        """Newest first."""

    async def delete_token(self, digest: bytes) -> None: ...

    async def delete_tokens(self, person: str, kind: str) -> None: ...

    async def progress(self, person: str) -> dict[str, bytes]:
        """What a person has learned and set, by name."""

    async def change_progress(self, person: str, name: str, before: bytes | None, after: bytes) -> None:
        """`Conflict` if it is no longer as `before` (None: there is none), or the person is unknown."""

    async def add_speaker(self, person: str, table: str) -> None:
        """Remember that a person has written in the chat of a table."""

    async def spoken_at(self, person: str) -> list[str]:
        """The tables where a person has written in the chat."""

    # ratings

    async def ratings(self, game: str, people: Sequence[str]) -> dict[str, Rating]:
        """The ratings of those people who have one."""

    async def ratings_of(self, person: str) -> dict[str, Rating]:
        """By game."""

    async def leaderboard(self, game: str, limit: int = 50) -> list[tuple[Person, Rating]]:
        """The best players, ordered by the lower bound of their rating (mu - 3 sigma)."""


def connect(url: str, beside: bool = False) -> Store:
    """The store for a URL, not yet open. `beside`: for a program that works on it while a server may be running.

    `sqlite:///file.db` (relative), `sqlite:////srv/file.db` (absolute), `sqlite://:memory:` (lost when closed),
    `postgresql://user:password@host/database`.
    """
    scheme, _, rest = url.partition("://")
    if scheme == "sqlite":
        if rest in (":memory:", "/:memory:"):
            path = None
        elif rest.startswith("/") and len(rest) > 1:
            path = rest[1:]
        else:
            raise Refused(f"{url!r} does not name a file: sqlite:///relative.db or sqlite:////absolute.db")
        try:
            from tsukimi.store.sqlite import SqliteStore
        except ModuleNotFoundError as error:
            raise Refused(f"SQLite needs a package that is not installed: pip install {error.name}") from error
        return SqliteStore(path, beside)
    if scheme in ("postgresql", "postgres"):
        try:
            from tsukimi.store.postgres import PostgresStore
        except ModuleNotFoundError as error:
            raise Refused(f"PostgreSQL needs a package that is not installed: pip install {error.name}") from error
        return PostgresStore(url)
    raise Refused(f"no store for {scheme!r}: sqlite:///file.db or postgresql://user:password@host/database")
