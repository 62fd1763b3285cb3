"""What a host keeps about people and tables: bans, reports, filtered words, administrators, quarantined tables.

Every change is an `Action` in the audit log, written in the same transaction. Actions are numbered without gaps, in the
order in which they became visible: a worker that reads those after the last one it knows has missed nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import msgspec

PERSON, NETWORK = "person", "network"  # what a ban is on
ADDRESSES = "ban-addresses"  # the action that makes workers ban the addresses a person is connected from


class Action(NamedTuple):
    """One line of the audit log."""

    number: int
    at: int
    by: str
    """Who did it: an account, `command line` or `server`."""
    action: str
    target: str
    detail: str


class Ban(NamedTuple):
    number: int
    kind: str
    value: str
    """A person's id, or a network such as 203.0.113.0/24; a single address is a network, too."""
    reason: str
    at: int
    until: int | None
    by: str

    def active(self, now: int) -> bool:
        return self.until is None or self.until > now


class ReportedLine(msgspec.Struct, frozen=True):
    """A line of chat, as it was when someone was reported."""

    number: int
    at: int
    who: str
    name: str
    text: str


class Report(msgspec.Struct, frozen=True):
    number: int
    at: int
    reporter: str
    person: str
    table: str
    reason: str
    text: str
    chat: list[ReportedLine]
    line: int | None = None
    """The number of the reported line."""
    resolved: int | None = None
    resolved_by: str = ""
    resolution: str = ""


class Quarantine(NamedTuple):
    """Why a table is quarantined."""

    table: str
    game: str
    at: int
    row: int
    problem: str


class Stats(msgspec.Struct, frozen=True):
    people: int
    accounts: int
    tables: dict[str, int]
    """By status."""
    games: dict[str, dict[str, int]]
    """Finished games, by day (2026-11-16, UTC) and game."""
    open_reports: int
    bans: int
    bytes: int
    """Size of the database."""


class ModerationStore(Protocol):
    """The part of `Store` for administration. `by` is named in the audit log."""

    async def actions(self, since: int, limit: int = 1000) -> list[Action]:
        """The audit log after an action, in order."""

    async def last_actions(self, limit: int = 50, offset: int = 0) -> list[Action]:
        """The audit log, newest first."""

    async def last_action(self) -> int: ...

    async def record_action(self, at: int, by: str, action: str, target: str, detail: str = "") -> int:
        """Add a line to the audit log for a change made elsewhere."""

    async def bans(self) -> list[Ban]:
        """Newest first; includes expired ones."""

    async def add_ban(
        self,
        kind: str,
        value: str,
        reason: str,
        at: int,
        until: int | None,
        by: str,
        shown: str = "",
        *,
        addresses: bool = False,
    ) -> Ban:
        """`shown`: what the audit log shows instead of the value. `addresses`: every worker also bans the addresses
        from which the person is connected to it."""

    async def remove_ban(self, number: int, at: int, by: str, shown: str = "") -> Ban | None:
        """The removed ban; None: there is none with that number."""

    async def add_report(self, report: Report, most_open: int) -> int | None:
        """Its number; None if this person already has that many unresolved reports. `report.number` is ignored."""

    async def reports(self, resolved: bool | None = None, limit: int = 50, offset: int = 0) -> list[Report]: ...

    async def reports_by(self, reporter: str) -> list[Report]: ...

    async def report(self, number: int) -> Report | None: ...

    async def resolve_report(self, number: int, resolution: str, at: int, by: str) -> bool:
        """Whether it was unresolved."""

    async def drop_report(self, number: int, at: int, by: str) -> bool:
        """Delete a report and its chat permanently; returns whether there was one."""

    async def filtered_words(self) -> list[str]: ...

    async def change_words(self, add: Sequence[str], remove: Sequence[str], at: int, by: str) -> list[str]:
        """Change the list of filtered words; returns the new one."""

    async def admins(self) -> list[str]:
        """The ids of the administrators."""

    async def is_admin(self, person: str) -> bool: ...

    async def set_admin(self, person: str, on: bool, at: int, by: str, shown: str = "") -> bool:
        """Returns whether that was new."""

    async def quarantine(self, table: str, row: int, problem: str, at: int) -> bool:
        """Quarantine a table whose log cannot be read from this row on; nothing is due there. Returns whether that was new."""

    async def quarantined(self) -> list[Quarantine]:
        """Newest first."""

    async def drop_table(self, table: str, at: int, by: str) -> bool:
        """Delete a quarantined table with its log; False if it is not quarantined."""

    async def table_ids(self, after: str = "", limit: int = 500) -> list[str]:
        """All tables in id order, from `after` on."""

    async def find_tables(self, status: str | None = None, limit: int = 50, offset: int = 0) -> list[str]:
        """Tables of any kind, most recently updated first."""

    async def find_people(self, text: str, limit: int = 50, offset: int = 0) -> list[str]:
        """The ids of people whose name, account, handle or id matches, newest first; all for an empty text."""

    async def stats(self, since: int) -> Stats:
        """`since`: the first day for counting games, in milliseconds."""
