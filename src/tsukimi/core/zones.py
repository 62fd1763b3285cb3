"""A view as zones: what lies where, for game-independent boards.

A zone belongs to a seat or to the table, and holds cards or a counter:
`{"name": "hand", "seat": 0, "cards": ["K", None]}` (None: face down, "": an empty place),
`{"name": "pot", "seat": None, "value": 6}`.
A value of True is a mark without a number (folded, dealer). Zones are computed only from a view, so they show
nothing that the view does not.

- The dicts of a list with one dict per player (`"seats"`) belong to the seats; so do lists of lists and of numbers
  with one item per player, and a dict with its `"seat"`.
- Other lists of texts or numbers are cards, where "?" is face down and None an empty place; so is a single one under a
  key that ends in `card`.
- Numbers and short texts are counters, True is a mark; False and None are left out.
- A number under a key that names a seat (`dealer`, `winner`, `.._seat`) is a mark of that seat.
- Nested parts are named by their path: `trick led`, `groups 2 bid`; an item with a `"name"` by that: `groups A bid`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tsukimi.core.words import SEAT_FIELDS

Zone = dict[str, Any]
SHOWN_ELSEWHERE = frozenset(
    ("game", "players", "options", "over", "actors", "winners", "scores", "seat", "phase", "ask", "moves", "zones")
)
SHORT = 40  # characters: longer texts are not counters


def zones(view: Mapping[str, Any]) -> list[Zone]:
    """The zones of a view, in the order of its keys."""
    players = view["players"]
    return [
        zone
        for key, value in view.items()
        if key not in SHOWN_ELSEWHERE
        for zone in _zones(key, key, value, None, players)
    ]


def _zones(name: str, key: str, value: Any, seat: int | None, players: int) -> Iterator[Zone]:
    """The zones of one part of a view; `key` is the last part of its name."""
    if isinstance(value, Mapping):
        yield from _dict(name, value, seat, players)
    elif isinstance(value, list | tuple):
        yield from _list(name, key, value, seat, players)
    elif key == "card" or key.endswith("_card"):
        if value is None or isinstance(value, str | int):
            yield _cards(name, seat, [] if value is None else [value])
    elif seat is None and _names_seat(key, value, players):
        yield {"name": name, "seat": value, "value": True}
    elif value is True or (isinstance(value, int | float) and not isinstance(value, bool)) or _is_short(value):
        yield {"name": name, "seat": seat, "value": value}


def _dict(name: str, parts: Mapping[str, Any], seat: int | None, players: int) -> Iterator[Zone]:
    owner = parts.get("seat")
    mine = seat is None and _names_seat("seat", owner, players)
    for key, part in parts.items():
        if not (mine and key == "seat"):
            yield from _zones(f"{name} {key}".lstrip(), str(key), part, owner if mine else seat, players)


def _list(name: str, key: str, items: Any, seat: int | None, players: int) -> Iterator[Zone]:
    if seat is None and _one_per_player(items, players):
        for owner, item in enumerate(items):
            yield from _zones("" if isinstance(item, Mapping) else name, key, item, owner, players)
    elif all(item is None or isinstance(item, str | int | float) for item in items):
        yield _cards(name, seat, items)
    else:
        for number, item in enumerate(items, 1):
            yield from _item(name, key, number, item, seat, players)


def _item(name: str, key: str, number: int, item: Any, seat: int | None, players: int) -> Iterator[Zone]:
    """An item of a list: it is named by its own name, by its seat, or by its number."""
    own = item.get("name") if isinstance(item, Mapping) else None
    if _is_short(own):
        parts = {inner: part for inner, part in item.items() if inner != "name"}
        yield from _zones(f"{name} {own}", key, parts, seat, players)
    elif seat is None and isinstance(item, Mapping) and _names_seat("seat", item.get("seat"), players):
        yield from _zones(name, key, item, seat, players)
    else:
        yield from _zones(f"{name} {number}", key, item, seat, players)


def _cards(name: str, seat: int | None, items: Any) -> Zone:
    return {
        "name": name,
        "seat": seat,
        "cards": [None if item == "?" else "" if item is None else str(item) for item in items],
    }


def _one_per_player(items: Any, players: int) -> bool:
    """Lists of texts are cards, however many there are; things with names or seats of their own are listed."""
    if len(items) != players or any(isinstance(item, str) for item in items):
        return False
    if any(isinstance(item, Mapping) and {"name", "seat", "owner"} & item.keys() for item in items):
        return False
    return any(item is not None for item in items)


def _names_seat(key: str, value: Any, players: int) -> bool:
    return (key in SEAT_FIELDS or key.endswith("_seat")) and type(value) is int and 0 <= value < players


def _is_short(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= SHORT
