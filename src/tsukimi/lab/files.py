"""The result of a simulation in a file: figures as JSON, rows as JSON Lines or Parquet."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tsukimi.core.errors import BadOptions
from tsukimi.core.spec import Json

FIGURES, ROWS = (".json",), (".jsonl", ".parquet")


def holds_rows(file: Path) -> bool:
    """Whether the file is for rows; `BadOptions` if we cannot write that format."""
    if file.suffix not in (*FIGURES, *ROWS):
        raise BadOptions("bad-option", option="out", value=file.name[:60], known=", ".join([*FIGURES, *ROWS]))
    if file.suffix == ".parquet":
        import pyarrow.parquet  # noqa: F401  (better to miss it now than after a night of games)
    return file.suffix in ROWS


def write(file: Path, figures: Json, rows: Mapping[str, list[Any]]) -> None:
    """Write the whole file, or nothing."""
    unfinished = file.with_name(file.name + ".new")
    if file.suffix == ".parquet":
        import pyarrow
        from pyarrow import parquet

        about = {"tsukimi": json.dumps({key: figures[key] for key in ("game", "players", "options", "bots", "seed")})}
        table = pyarrow.table(dict(rows))
        parquet.write_table(table.replace_schema_metadata(about), unfinished, compression="zstd")
    else:
        columns = list(rows)
        lines = (json.dumps(dict(zip(columns, row, strict=True))) for row in zip(*rows.values(), strict=True))
        text = (
            "".join(f"{line}\n" for line in lines) if file.suffix == ".jsonl" else json.dumps(figures, indent=1) + "\n"
        )
        unfinished.write_text(text, "utf-8")
    os.replace(unfinished, file)
