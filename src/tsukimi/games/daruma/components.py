"""Daruma's cards, objectives and round tokens: component data checked and made into a `DarumaTable`.

Format and limits: docs/games/daruma.md. Every error is a `BadComponents` that names the problem and its place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tsukimi.core.errors import BadComponents
from tsukimi.games.daruma.codes import (
    ACTIONS,
    FICTIVE_FOUR,
    MAX_CARDS,
    MAX_COLOURS,
    MAX_KINDS,
    MAX_OBJECTIVES,
    MAX_TOKENS,
    PLACES,
    TOKENS,
)
from tsukimi.games.daruma.position import DarumaTable

GOLD = "gold"
COLOUR = re.compile(r"[a-z-]{1,20}")

Kind = tuple[int, int, int]
Goal = tuple[tuple[int, ...], int]


def load(data: Mapping[str, Any], players: int) -> DarumaTable:
    """The table of these components, checked for that number of players."""
    _keys(data, "", ("colours", "daruma", "objective", "token"))
    colours = (*_colours(data["colours"]), GOLD)
    kinds = _kinds(_list(data["daruma"], "daruma", 1, MAX_KINDS), colours)
    goals = _goals(_list(data["objective"], "objective", players, MAX_OBJECTIVES), colours)
    tokens = _tokens(_list(data["token"], "token", 1, len(TOKENS)))
    _between("daruma.count", sum(count for _, _, count in kinds), PLACES, MAX_CARDS)
    _between("token.count", sum(tokens), players + 4, MAX_TOKENS)
    names = tuple(f"{colours[colour]}.{ACTIONS[action]}" for colour, action, _ in kinds)
    return DarumaTable(colours, names, kinds, goals, tokens)


def _colours(data: object) -> list[str]:
    colours: list[str] = []
    for i, colour in enumerate(_list(data, "colours", 1, MAX_COLOURS), 1):
        where = f"colours[{i}]"
        name = _text(colour, where)
        if not COLOUR.fullmatch(name):
            raise BadComponents("daruma.bad-colour-name", where=where, name=name[:60])
        if name == GOLD:
            raise BadComponents("daruma.gold-listed", where=where)
        _once(name, colours, where)
    return colours


def _kinds(data: list[Any], colours: tuple[str, ...]) -> list[Kind]:
    kinds: list[Kind] = []
    seen: list[str] = []
    for i, entry in enumerate(data, 1):
        where = f"daruma[{i}]"
        _keys(entry, where, ("colour", "action", "count"))
        colour = _one_of(entry["colour"], colours, f"{where}.colour")
        action = _one_of(entry["action"], ACTIONS, f"{where}.action")
        if action == FICTIVE_FOUR and colours[colour] != GOLD:
            raise BadComponents("daruma.not-gold", where=f"{where}.action")
        _once(f"{colours[colour]}.{ACTIONS[action]}", seen, where)
        kinds.append((colour, action, _count(entry["count"], f"{where}.count", MAX_CARDS)))
    return kinds


def _goals(data: list[Any], colours: tuple[str, ...]) -> tuple[Goal, ...]:
    goals = []
    plain = colours[:-1]
    for i, entry in enumerate(data, 1):
        where = f"objective[{i}]"
        _keys(entry, where, ("good", "bad"))
        seen: list[str] = []
        for j, name in enumerate(_list(entry["good"], f"{where}.good", 1, MAX_COLOURS), 1):
            _once(_text(name, f"{where}.good[{j}]"), seen, f"{where}.good[{j}]")
        good = tuple(_one_of(name, plain, f"{where}.good") for name in seen)
        bad = _one_of(entry["bad"], plain, f"{where}.bad")
        _once(plain[bad], seen, f"{where}.bad")
        goals.append((good, bad))
    return tuple(goals)


def _tokens(data: list[Any]) -> tuple[int, int, int]:
    counts = [0, 0, 0]
    for i, entry in enumerate(data, 1):
        where = f"token[{i}]"
        _keys(entry, where, ("kind", "count"))
        kind = _one_of(entry["kind"], TOKENS, f"{where}.kind")
        if counts[kind]:
            raise BadComponents("daruma.twice", where=where, what=TOKENS[kind])
        counts[kind] = _count(entry["count"], f"{where}.count", MAX_TOKENS)
    return counts[0], counts[1], counts[2]


def _keys(data: object, where: str, known: tuple[str, ...]) -> None:
    if not isinstance(data, Mapping):
        raise BadComponents("daruma.not-a-table", where=where)
    within = f"{where}." if where else ""
    for key in data:
        if key not in known:
            raise BadComponents("daruma.unknown-key", where=f"{within}{str(key)[:60]}", known=", ".join(known))
    for key in known:
        if key not in data:
            raise BadComponents("daruma.missing-key", where=f"{within}{key}")


def _list(data: object, where: str, least: int, most: int) -> list[Any]:
    if not isinstance(data, list | tuple):
        raise BadComponents("daruma.not-a-list", where=where)
    _between(where, len(data), least, most)
    return list(data)


def _between(where: str, number: int, least: int, most: int) -> None:
    if number < least:
        raise BadComponents("daruma.too-few", where=where, number=number, least=least)
    if number > most:
        raise BadComponents("daruma.too-many", where=where, number=number, most=most)


def _text(data: object, where: str) -> str:
    if not isinstance(data, str):
        raise BadComponents("daruma.not-a-text", where=where)
    return data


def _one_of(data: object, known: tuple[str, ...], where: str) -> int:
    name = _text(data, where)
    if name not in known:
        raise BadComponents("daruma.unknown-name", where=where, name=name[:60], known=", ".join(known))
    return known.index(name)


def _count(data: object, where: str, most: int) -> int:
    if type(data) is not int:
        raise BadComponents("daruma.not-a-number", where=where)
    _between(where, data, 1, most)
    return data


def _once(name: str, seen: list[str], where: str) -> None:
    if name in seen:
        raise BadComponents("daruma.twice", where=where, what=name)
    seen.append(name)
