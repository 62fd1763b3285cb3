"""Writes what the browser client takes from the Python side: the common messages into client/src/generated.

Needs nothing but the sources, so that it can run before anything is built. Everything about a game comes from the
server at run time; only the client's tests and its board harness read our games' messages from client/fixtures.
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
LANGUAGES = ("en", "fr", "es")


def main(source: Path = ROOT / "src" / "tsukimi", client: Path = ROOT / "client") -> None:
    for lang in LANGUAGES:
        common = _toml(source / "core" / "messages" / f"{lang}.toml")
        _write(client / "src" / "generated" / "messages" / f"common.{lang}.json", common)
        for folder in source.glob("games/*/messages"):
            game = folder.parent.name.replace("_", "-")
            _write(client / "fixtures" / "messages" / f"{game}.{lang}.json", _toml(folder / f"{lang}.toml"))


def _toml(path: Path) -> object:
    return tomllib.loads(path.read_text("utf-8"))


def _write(path: Path, data: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, ensure_ascii=False), "utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
