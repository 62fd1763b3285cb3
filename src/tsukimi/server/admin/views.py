"""What an administrator sees, as printed by `tsukimi admin --json` and sent by `/api/admin`."""

from __future__ import annotations

import msgspec

from tsukimi.store.moderation import ReportedLine


class PersonView(msgspec.Struct, frozen=True):
    who: str
    name: str
    account: str | None
    created: int
    banned: bool
    admin: bool


class BanView(msgspec.Struct, frozen=True):
    number: int
    kind: str
    value: str
    """A network; for a person, their handle."""
    name: str
    """The name of the person."""
    reason: str
    at: int
    until: int | None
    by: str
    active: bool


class TableView(msgspec.Struct, frozen=True):
    id: str
    game: str
    status: str
    public: bool
    created: int
    updated: int
    names: list[str | None]
    people: list[str | None]
    """Handles, by seat."""


class ReportView(msgspec.Struct, frozen=True):
    number: int
    at: int
    reporter: str
    reporter_name: str
    who: str
    name: str
    table: str
    reason: str
    text: str
    line: int | None
    chat: list[ReportedLine]
    resolved: int | None
    resolved_by: str
    resolution: str


class QuarantineView(msgspec.Struct, frozen=True):
    table: str
    game: str
    at: int
    row: int
    problem: str


class ActionView(msgspec.Struct, frozen=True):
    number: int
    at: int
    by: str
    action: str
    target: str
    detail: str


class PersonDetails(msgspec.Struct, frozen=True):
    person: PersonView
    bans: list[BanView]
    tables: list[TableView]
    ratings: dict[str, float]


class TableDetails(msgspec.Struct, frozen=True):
    table: TableView
    rows: int
    chat: list[ReportedLine]
