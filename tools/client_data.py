"""Writes the common messages, which the browser client bundles, into client/src/generated.

Needs only the sources, so it can run before anything is built. Everything about a game comes from the server at run
time; only the client's tests and its board harness read our games' messages from client/fixtures, and `texts.ts` gives
the type checker each board's text keys.
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
LANGUAGES = ("en", "fr", "es")


def main(source: Path = ROOT / "src" / "tsukimi", client: Path = ROOT / "client") -> None:
    keys: dict[str, list[str]] = {}
    for lang in LANGUAGES:
        common = _toml(source / "core" / "messages" / f"{lang}.toml")
        _write(client / "src" / "generated" / "messages" / f"common.{lang}.json", common)
        keys["common"] = list(common["web"])
        for folder in source.glob("games/*/messages"):
            game = folder.parent.name.replace("_", "-")
            own = _toml(folder / f"{lang}.toml")
            _write(client / "fixtures" / "messages" / f"{game}.{lang}.json", own)
            keys[game] = list(own["web"])
    _write_keys(client / "src" / "generated" / "texts.ts", keys)


def _toml(path: Path) -> dict[str, dict[str, object]]:
    return tomllib.loads(path.read_text("utf-8"))


def _write(path: Path, data: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, ensure_ascii=False), "utf-8")


def _write_keys(path: Path, keys: dict[str, list[str]]) -> None:
    lines = [f"  {json.dumps(board)}: {' | '.join(map(json.dumps, texts))};" for board, texts in sorted(keys.items())]
    path.write_text("\n".join(["export interface WebTexts {", *lines, "}", ""]), "utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
