"""The result of a `tsukimi admin` command, as tables for people or as JSON for programs."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any

import msgspec
from rich import box
from rich.table import Table
from rich.text import Text

from tsukimi.cli.console import Console
from tsukimi.cli.language import current, say
from tsukimi.server.admin.views import ReportView
from tsukimi.store.moderation import Stats

TIMES = frozenset({"at", "created", "updated", "until", "resolved"})
# Lists show these fields of a struct; details and JSON have everything.
LISTED = {
    "PersonView": ("who", "name", "account", "created", "banned", "admin"),
    "BanView": ("number", "value", "name", "reason", "until", "by", "active"),
    "TableView": ("id", "game", "status", "updated", "names"),
    "ReportView": ("number", "at", "name", "who", "reason", "text", "table", "resolved"),
    "ReportedLine": ("number", "at", "name", "who", "text"),
}


def show(found: Any, as_json: bool) -> None:
    if as_json:
        print(json.dumps(msgspec.to_builtins(found), indent=2, ensure_ascii=False))
    elif found is not None:
        _write(Console(), found)


def _write(console: Console, found: Any) -> None:
    if isinstance(found, Stats):
        _write_stats(console, found)
    elif isinstance(found, str):
        console.write(found)
    elif isinstance(found, list):
        console.write(*([_table(found)] if found else [Text(say("admin", "nothing", current()), "quiet")]))
    else:
        _write_one(console, found)


def _write_one(console: Console, found: Any) -> None:
    """The fields of a struct; structs and lists of structs come last."""
    plain = Table.grid(padding=(0, 2))
    more: list[tuple[str, Any]] = []
    for name in found.__struct_fields__:
        value = getattr(found, name)
        if isinstance(value, msgspec.Struct):
            _write_one(console, value)
        elif isinstance(value, list) and value and isinstance(value[0], msgspec.Struct):
            more.append((name, value))
        elif name != "chat" and value not in ([], {}, ""):
            plain.add_row(Text(_title(name), "quiet"), _cell(name, value))
    if plain.row_count:
        console.write(plain)
    for name, value in more:
        console.write("", Text(_title(name), "moon.bold"), _table(value, _reported_line(found)))


def _reported_line(found: Any) -> int | None:
    return found.line if isinstance(found, ReportView) else None


def _table(items: Sequence[Any], marked: int | None = None) -> Table:
    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    if isinstance(items[0], str):
        shown.add_column(_title("word"))
        for word in items:
            shown.add_row(word)
        return shown
    names = LISTED.get(type(items[0]).__name__, items[0].__struct_fields__)
    for name in names:
        shown.add_column(_title(name), no_wrap=name in TIMES or name in ("id", "table", "who", "number"))
    for item in items:
        style = "moon" if marked is not None and item.number == marked else None
        shown.add_row(*(_cell(name, getattr(item, name)) for name in names), style=style)
    return shown


def _write_stats(console: Console, stats: Stats) -> None:
    plain = Table.grid(padding=(0, 2))
    tables = ", ".join(f"{number} {status}" for status, number in stats.tables.items()) or "0"
    rows = {
        "people": str(stats.people),
        "accounts": str(stats.accounts),
        "tables": tables,
        "open_reports": str(stats.open_reports),
        "bans": str(stats.bans),
        "bytes": f"{stats.bytes / 1e6:.1f} MB",
    }
    for name, text in rows.items():
        plain.add_row(Text(_title(name), "quiet"), text)
    console.write(plain)
    games = sorted({game for day in stats.games.values() for game in day})
    if games:
        by_day = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
        by_day.add_column(_title("day"))
        for game in games:
            by_day.add_column(game, justify="right")
        for day, numbers in stats.games.items():
            by_day.add_row(day, *(str(numbers.get(game, "")) for game in games))
        console.write("", Text(_title("games"), "moon.bold"), by_day)


def _cell(name: str, value: Any) -> str:
    if name in TIMES and isinstance(value, int):
        return time.strftime("%Y-%m-%d %H:%M", time.gmtime(value // 1000))
    if isinstance(value, bool):
        return say("admin", "yes" if value else "no", current())
    if value is None:
        return say("admin", "never", current()) if name == "until" else "–"
    if isinstance(value, list):
        return ", ".join("–" if item is None else str(item) for item in value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {number}" for key, number in value.items())
    return "".join(
        sign if sign.isprintable() else "\ufffd" for sign in str(value)
    )  # nobody may control the host's terminal


def _title(name: str) -> str:
    return say("admin-column", name, current())
