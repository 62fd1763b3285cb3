"""The entries of a table's log. A table *is* this log: whoever reads it from the beginning has the table.

Each entry is one durable row. What is secret stands in it (the log never leaves the server as it is).
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from tsukimi.table.settings import Settings

Maker = Literal["person", "bot", "clock", "forced", "plan"]


class Entry(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag=lambda name: name.lower()
):
    by: str = ""
    """The person who wanted it; empty: the table itself."""
    key: str = ""
    """The person's own name for the wish: the same wish sent twice counts once."""


class Opened(Entry, frozen=True):
    table: str
    game: str
    players: int
    options: dict[str, str]
    settings: Settings
    secret: str
    components: dict[str, Any] | None = None
    local: bool = False


class Changed(Entry, frozen=True):
    settings: Settings
    players: int
    options: dict[str, str]


class Sat(Entry, frozen=True):
    """A person or a bot takes a seat."""

    seat: int
    name: str
    person: str = ""
    handle: str = ""
    nonce: str = ""
    level: str = ""


class Left(Entry, frozen=True):
    """A seat is free again (before the start)."""

    seat: int
    kicked: bool = False


class Hosted(Entry, frozen=True):
    """The rights of the host go to another person."""

    person: str


class Started(Entry, frozen=True):
    chance: list[str] = []


class Moved(Entry, frozen=True):
    seat: int
    move: str
    chance: list[str] = []
    maker: Maker = "person"
    lag: int = 0
    """Milliseconds that the network took and the clock gives back."""


class Undone(Entry, frozen=True):
    moves: int
    seat: int


class Planned(Entry, frozen=True):
    seat: int
    move: str | None


class Proposed(Entry, frozen=True):
    what: Literal["undo", "abort"]
    seat: int
    moves: int = 0


class Voted(Entry, frozen=True):
    seat: int
    yes: bool


class Away(Entry, frozen=True):
    """A bot plays for a person who is gone; `gone` for good (kicked or left during the game)."""

    seat: int
    gone: bool = False


class Back(Entry, frozen=True):
    seat: int
    handle: str = ""


class Paused(Entry, frozen=True):
    on: bool


class Ready(Entry, frozen=True):
    seat: int


class Given(Entry, frozen=True):
    """Extra time for a seat."""

    seat: int
    ms: int


class Resigned(Entry, frozen=True):
    seat: int


class Aborted(Entry, frozen=True):
    pass


class Said(Entry, frozen=True):
    handle: str
    name: str
    text: str
    seat: int | None = None


class Muted(Entry, frozen=True):
    handle: str
    on: bool


class Again(Entry, frozen=True):
    """A rematch was opened at another table."""

    table: str


Any_ = (
    Opened | Changed | Sat | Left | Hosted | Started | Moved | Undone | Planned | Proposed | Voted | Away | Back
    | Paused | Ready | Given | Resigned | Aborted | Said | Muted | Again
)  # fmt: skip


class Made(msgspec.Struct, frozen=True, gc=False):
    """A move that stands, for those who want to take it back. Not an entry, but what the table keeps of one."""

    seat: int
    person: str
    """Who decided it; empty for a bot, a clock, a forced move."""
    shown: bool
    """Whether it revealed something, or dice fell after it."""


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Any_).decode
