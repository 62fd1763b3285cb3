"""The protocol's JSON schema and the client's TypeScript types, generated from `tsukimi.server.messages`.

`python tools/protocol.py types` and `.. schema` print them; `.. write` writes both files (client/src/lib/protocol.ts,
docs/protocol.schema.json); `.. check` fails if they are out of date.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from tsukimi.server import messages

ROOT = Path(__file__).parent.parent
TYPES = ROOT / "client" / "src" / "lib" / "protocol.ts"
SCHEMA = ROOT / "docs" / "protocol.schema.json"
ROOTS = {"Request": messages.Request, "Answer": messages.Answer, "LobbyUpdate": messages.LobbyUpdate}


def components() -> dict[str, Any]:
    _, found = msgspec.json.schema_components(tuple(ROOTS.values()))
    return found


def schema() -> str:
    roots, found = msgspec.json.schema_components(tuple(ROOTS.values()))
    data = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Tsukimi protocol {messages.PROTOCOL}",
        "oneOf": [{"title": name, **one} for name, one in zip(ROOTS, roots, strict=True)],
        "$defs": json.loads(json.dumps(found)),
    }
    return json.dumps(data, indent=1) + "\n"


def types() -> str:
    roots, found = msgspec.json.schema_components(tuple(ROOTS.values()), ref_template="{name}")
    parts = ["// Generated from the server's messages by tools/protocol.py; do not edit.", ""]
    parts.append(f"export const PROTOCOL = {messages.PROTOCOL};")
    for name in sorted(found):
        parts += ["", *_interface(name, found[name])]
    for name, root in zip(ROOTS, roots, strict=True):
        parts += ["", f"export type {name} = {_type(root)};"]
    return "\n".join(parts) + "\n"


def _interface(name: str, data: dict[str, Any]) -> list[str]:
    if "properties" not in data:
        return [f"export type {name} = {_type(data)};"]
    lines = [f"/** {data['description'].strip()} */"] if data.get("description") else []
    needed = set(data.get("required", []))
    # The server sends every field; only requests may omit those with a default.
    sent = name not in {kind.__name__ for kind in messages.Request.__args__}
    lines.append(f"export interface {name} {{")
    for key, value in data["properties"].items():
        mark = "" if key in needed or sent else "?"
        lines.append(f"  {key}{mark}: {_type(value)};")
    return [*lines, "}"]


def _type(data: dict[str, Any]) -> str:
    if "$ref" in data:
        return str(data["$ref"])
    if "enum" in data:
        return " | ".join(json.dumps(value) for value in data["enum"])
    for key in ("anyOf", "oneOf"):
        if key in data:
            return " | ".join(_type(part) for part in data[key])
    kind = data.get("type")
    if kind == "array":
        if "prefixItems" in data:
            return "[" + ", ".join(_type(part) for part in data["prefixItems"]) + "]"
        inner = _type(data.get("items", {}))
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if kind == "object":
        return f"Record<string, {_type(data.get('additionalProperties', {}))}>"
    plain = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}
    return plain.get(str(kind), "unknown")


def main() -> int:
    word = sys.argv[1] if len(sys.argv) > 1 else "types"
    if word == "types":
        print(types(), end="")
    elif word == "schema":
        print(schema(), end="")
    elif word == "write":
        TYPES.write_text(types(), "utf-8")
        SCHEMA.write_text(schema(), "utf-8")
    elif word == "check":
        stale = [path for path, text in ((TYPES, types()), (SCHEMA, schema())) if path.read_text("utf-8") != text]
        if stale:
            print("out of date (run `python tools/protocol.py write`):", *stale)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
