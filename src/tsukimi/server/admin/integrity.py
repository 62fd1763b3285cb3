"""Whether every log can be replayed and matches what the lists say about its table."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Sequence

import msgspec

from tsukimi.server.tables import listing
from tsukimi.server.tables.committed import Unreadable, read_table
from tsukimi.store import QUARANTINED, Row, Store, Summary
from tsukimi.table.errors import OldRules

FINE, OLD = "fine", "old rules"


class Finding(msgspec.Struct, frozen=True):
    """What a check found about a table. `verdict`: fine, old rules, unreadable, gap or summary."""

    table: str
    verdict: str
    row: int = 0
    problem: str = ""

    @property
    def bad(self) -> bool:
        return self.verdict not in (FINE, OLD)


async def check(store: Store, sample: int | None = None) -> AsyncIterator[Finding]:
    """Every table, or a random sample. Those in quarantine are known to be unreadable and left out."""
    tables = await all_tables(store)
    chosen = tables if sample is None or sample >= len(tables) else random.sample(tables, sample)
    for table in chosen:
        rows, summary = await store.read(table), await store.summary(table)
        if summary is None or summary.status == QUARANTINED:
            continue
        found = check_log(table, rows, summary)
        if found.verdict == "summary":  # a server may have been writing in between
            rows, summary = await store.read(table), await store.summary(table)
            if summary is None:
                continue
            found = check_log(table, rows, summary)
        yield found


async def all_tables(store: Store) -> list[str]:
    found: list[str] = []
    while more := await store.table_ids(found[-1] if found else ""):
        found += more
    return found


def check_log(table: str, rows: Sequence[Row], summary: Summary | None) -> Finding:
    for number, row in enumerate(rows):
        if row.seq != number:
            return Finding(table, "gap", number, f"row {number} is missing")
    if not rows:
        return Finding(table, "gap", 0, "the log is empty")
    try:
        found = read_table(rows)
    except OldRules as problem:
        return Finding(table, OLD, 0, problem.message())
    except Unreadable as problem:
        return Finding(table, "unreadable", problem.row, problem.reason)
    if found.id != table:
        return Finding(table, "unreadable", 0, f"this is the log of table {found.id}")
    if summary is not None:
        expected = listing.summarize(found)
        seen, due = (summary.status, summary.people), (expected.status, expected.people)
        if seen != due:
            return Finding(table, "summary", len(rows) - 1, f"listed as {summary.status}, is {expected.status}")
    return Finding(table, FINE)
