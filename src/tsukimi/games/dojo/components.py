"""The tatamis as data: `components.toml`, or a user's own file of the same form. See docs/games/dojo.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tsukimi.core.errors import BadComponents
from tsukimi.games.dojo.dojos import Tatamis
from tsukimi.games.dojo.notation import DISCIPLES

ENTRY_LIMIT = 30
COUNT_LIMIT = 100
CARDS_PER_PLAYER = 12


def load(data: Mapping[str, Any], players: int) -> Tatamis:
    """The box, checked for that number of players."""
    for key in data:
        if key != "tatami":
            raise BadComponents("dojo.unknown-key", where="components", key=str(key)[:60])
    entries = data.get("tatami")
    if not isinstance(entries, list) or not entries:
        raise BadComponents("dojo.no-tatami")
    if len(entries) > ENTRY_LIMIT:
        raise BadComponents("dojo.too-many-entries", number=len(entries), most=ENTRY_LIMIT)
    counts = [0] * 30
    for number, entry in enumerate(entries, 1):
        kind, count = _entry(f"tatami {number}", entry)
        if counts[kind]:
            raise BadComponents("dojo.twice", where=f"tatami {number}")
        counts[kind] = count
    if sum(counts) < CARDS_PER_PLAYER * players:
        raise BadComponents("dojo.too-few", number=sum(counts), players=players, least=CARDS_PER_PLAYER * players)
    return Tatamis(counts)


def _entry(where: str, entry: object) -> tuple[int, int]:
    if not isinstance(entry, Mapping):
        raise BadComponents("dojo.not-a-table", where=where)
    for key in entry:
        if key not in ("disciple", "belt", "count"):
            raise BadComponents("dojo.unknown-key", where=where, key=str(key)[:60])
    disciple = entry.get("disciple")
    if not isinstance(disciple, str) or disciple not in DISCIPLES:
        raise BadComponents("dojo.bad-disciple", where=where, value=_shown(disciple), known=", ".join(DISCIPLES))
    belt = _number(where, entry, "belt", 5)
    return DISCIPLES.index(disciple) * 5 + belt - 1, _number(where, entry, "count", COUNT_LIMIT)


def _number(where: str, entry: Mapping[str, Any], key: str, most: int) -> int:
    value = entry.get(key)
    if type(value) is not int or not 1 <= value <= most:
        raise BadComponents("dojo.bad-number", where=where, key=key, value=_shown(value), most=most)
    return value


def _shown(value: object) -> str:
    return "-" if value is None else ascii(value)[:60]
