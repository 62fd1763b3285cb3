"""The events of a table. A table *is* the log of its events: reading it from the start gives the table.

Each event is one durable row; its kind and its fields are the on-disk format, which older logs follow.
It contains secrets, so the log never leaves the server as it is.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from tsukimi.table.settings import Settings

Maker = Literal["person", "bot", "clock", "forced", "plan"]


class Event(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag=lambda name: name.lower()
):
    by: str = ""
    """The person whose command it was; empty: the table itself."""
    key: str = ""
    """The id that the client gave the command: the same command sent twice counts once."""


class Opened(Event, frozen=True):
    table: str
    game: str
    players: int
    options: dict[str, str]
    settings: Settings
    secret: str
    components: dict[str, Any] | None = None
    local: bool = False
    match: bool = False
    """A quick match: the server seats people, and they agree to start."""
    lesson: bool = False
    """The game's lesson: chance and bots follow its line for as long as the game does."""
    record: bool = False
    """Started elsewhere: earlier chance is taken as given, and nothing is guaranteed about it."""
    rules: int = 0
    """The version of the game's rules; 0 in older logs without one, which means 1."""

    @property
    def promises_dice(self) -> bool:
        """Whether all of the game's chance follows from the secret: not if some of it is prepared."""
        return not (self.lesson or self.record)


class Changed(Event, frozen=True):
    settings: Settings
    players: int
    options: dict[str, str]


class Sat(Event, frozen=True):
    """A person or a bot takes a seat."""

    seat: int
    name: str
    person: str = ""
    handle: str = ""
    nonce: str = ""
    level: str = ""


class Nonce(Event, frozen=True):
    """What a seat adds to the game's chance, before the start."""

    seat: int
    nonce: str


class Renamed(Event, frozen=True):
    """A person changes their name at the table."""

    seat: int
    name: str


class Left(Event, frozen=True):
    """A seat becomes free (before the start)."""

    seat: int
    kicked: bool = False


class Hosted(Event, frozen=True):
    """Another person becomes the host."""

    person: str


class Started(Event, frozen=True):
    chance: list[str] = []


class Moved(Event, frozen=True):
    seat: int
    move: str
    chance: list[str] = []
    maker: Maker = "person"
    lag: int = 0
    """Milliseconds of network lag that the clock credits back."""


class Undone(Event, frozen=True):
    moves: int
    seat: int


class Planned(Event, frozen=True):
    seat: int
    move: str | None


class Proposed(Event, frozen=True):
    what: Literal["undo", "abort", "pause"]
    seat: int
    moves: int = 0


class Voted(Event, frozen=True):
    seat: int
    yes: bool


class Away(Event, frozen=True):
    """A bot plays for an absent person; `gone` for good (kicked or left during the game)."""

    seat: int
    gone: bool = False


class Back(Event, frozen=True):
    seat: int
    handle: str = ""


class Paused(Event, frozen=True):
    on: bool


class Called(Event, frozen=True):
    """The ready check of a quick match: everyone seated has to answer by then."""

    until: int


class Ready(Event, frozen=True):
    seat: int


class Given(Event, frozen=True):
    """Extra time for a seat."""

    seat: int
    ms: int


class Resigned(Event, frozen=True):
    """A seat that has lost regardless: its person resigned, or left a rated game or ran out of time there."""

    seat: int
    lost_by: Literal["", "time", "left"] = ""


class Aborted(Event, frozen=True):
    pass


class Rated(Event, frozen=True):
    """With the last events of a rated game: the new ratings as displayed, and how they changed, by seat."""

    ratings: list[float | None]
    changes: list[float | None]


class Said(Event, frozen=True):
    handle: str
    name: str
    text: str
    seat: int | None = None


class Muted(Event, frozen=True):
    handle: str
    on: bool


class Again(Event, frozen=True):
    """A rematch was opened at another table."""

    table: str


class Forgotten(Event, frozen=True):
    """A person has been deleted: their name and chat here are removed, the game stays."""

    person: str


AnyEvent = (
    Opened | Changed | Sat | Renamed | Nonce | Called | Left | Hosted | Started | Moved | Undone | Planned | Proposed
    | Voted | Away | Back | Paused | Ready | Given | Resigned | Aborted | Rated | Said | Muted | Again | Forgotten
)  # fmt: skip


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(AnyEvent).decode
