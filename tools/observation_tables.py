"""The tables in docs/games/*.md that explain observations, generated from the games' labelled fields.

`python tools/observation_tables.py write` writes them between their markers; `.. check` fails if they are out of date.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import tsukimi
from tsukimi.core.spec import Field
from tsukimi.games import spec

GAMES = Path(__file__).parent.parent / "docs" / "games"
BEGIN, END = "<!-- observation fields: tools/observation_tables.py -->", "<!-- end of observation fields -->"
SEAT = re.compile(r"seat(\d+)\.(\w+)")


def table(game: str) -> str:
    """The fields of a game with its standard components and its smallest number of players."""
    players = min(spec(game).seats)
    core = tsukimi.new(game, players, chance="manual").core
    fields = spec(game).fields(core)
    lines = [
        BEGIN,
        f"{core.observation_size} numbers with {players} players and the standard components (for other sets:",
        "`spec.fields(position)`):",
        "",
        "| from | how many | field | range | meaning |",
        "|---:|---:|---|---|---|",
    ]
    for field in fields:
        seat = SEAT.fullmatch(field.name)
        if seat is None or seat[1] == "0":
            lines.append(_row(field, fields))
    return "\n".join([*lines, END])


def _row(field: Field, fields: tuple[Field, ...]) -> str:
    name, start = field.name, str(field.offset)
    if seat := SEAT.fullmatch(name):
        next_one = next(other for other in fields if other.name == f"seat1.{seat[2]}")
        name, start = f"seat*i*.{seat[2]}", f"{field.offset} + {next_one.offset - field.offset} *i*"
    wide = f"{field.low} to {field.high}" if field.high < 32767 else f"from {field.low}"
    return f"| {start} | {field.length} | {name} | {wide} | {field.meaning} |"


def page(game: str) -> tuple[Path, str]:
    """The path of a game's page, and its text with an up-to-date table."""
    path = GAMES / f"{game}.md"
    text = path.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise SystemExit(f"{path} has no markers for the table: {BEGIN} .. {END}")
    return path, before + table(game) + after


def main() -> None:
    if sys.argv[1:] not in (["write"], ["check"]):
        raise SystemExit(__doc__)
    stale = []
    for path in sorted(GAMES.glob("*.md")):
        path, text = page(path.stem)
        if path.read_text("utf-8") != text:
            stale.append(path.name)
            if sys.argv[1] == "write":
                path.write_text(text, "utf-8")
    if stale and sys.argv[1] == "check":
        raise SystemExit(f"out of date: {', '.join(stale)}; run `python tools/observation_tables.py write`")


if __name__ == "__main__":
    main()
