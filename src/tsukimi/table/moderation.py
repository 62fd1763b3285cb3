"""Commands of the server's operator: no player has to agree."""

from __future__ import annotations

from tsukimi.table import events as e
from tsukimi.table.errors import TableError
from tsukimi.table.table import Table


def close(table: Table) -> list[e.Event]:
    """End the table without a result."""
    if table.ended:
        raise TableError("table-ended")
    return [e.Aborted()]


def rename(table: Table, person: str, name: str) -> list[e.Event]:
    """Rename a person's seat. (In pass and play the names are those of others at the same device.)"""
    if table.local:
        return []
    return [
        e.Renamed(seat=seat, name=name)
        for seat, one in enumerate(table.seats)
        if one.person == person and one.name != name
    ]
