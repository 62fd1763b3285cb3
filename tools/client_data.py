"""Writes what the browser client takes from the Python side into client/src/generated: messages and rules texts.

Needs nothing but the sources, so that it can run before anything is built.
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
LANGUAGES = ("en", "fr", "es")


def main(source: Path = ROOT / "src" / "tsukimi", out: Path = ROOT / "client" / "src" / "generated") -> None:
    folders = {folder.parent.name.replace("_", "-"): folder.parent for folder in source.glob("games/*/messages")}
    for lang in LANGUAGES:
        _write(out / "messages" / f"common.{lang}.json", _toml(source / "core" / "messages" / f"{lang}.toml"))
        for game, folder in folders.items():
            _write(out / "messages" / f"{game}.{lang}.json", _toml(folder / "messages" / f"{lang}.toml"))
            guide = (folder / "guide" / f"{lang}.md").read_text("utf-8")
            _write(out / "guide" / f"{game}.{lang}.json", {"markdown": guide})


def _toml(path: Path) -> object:
    return tomllib.loads(path.read_text("utf-8"))


def _write(path: Path, data: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, ensure_ascii=False), "utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
