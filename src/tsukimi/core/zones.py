"""A view as zones: what lies where, for boards that know no game.

A zone belongs to a seat or to the table, and holds cards or a counter:
`{"name": "hand", "seat": 0, "cards": ["K", None]}` (None: face down), `{"name": "pot", "seat": None, "value": 6}`.
A value of True is a mark without a number (folded, dealer). Zones are computed from a view alone, so they show
nothing that the view does not.

- The dicts of a list with one dict per player (`"seats"`) belong to the seats; so do lists of lists and of numbers
  with one item per player.
- Other lists of texts or numbers are cards; so is a single text, None or "?" under a key that ends in `card`.
- Numbers and short texts are counters, True is a mark; False and None are left out.
- A number under a key that names a seat (`dealer`, `winner`, `.._seat`) is a mark of that seat.
- Nested parts are named by their path: `trick led`, `groups 2 bid`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tsukimi.core.words import SEAT_FIELDS

Zone = dict[str, Any]
SHOWN_ELSEWHERE = frozenset(
    ("game", "players", "options", "over", "actors", "winners", "scores", "seat", "phase", "ask", "moves", "zones")
)
FACE_DOWN = (None, "?")
SHORT = 40  # characters: longer texts are no counters


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
        for inner, part in value.items():
            yield from _zones(f"{name} {inner}", str(inner), part, seat, players)
    elif isinstance(value, list | tuple):
        yield from _list(name, key, value, seat, players)
    elif key == "card" or key.endswith("_card"):
        if value is None or isinstance(value, str | int):
            yield _cards(name, seat, [value])
    elif seat is None and _names_seat(key, value, players):
        yield {"name": name, "seat": value, "value": True}
    elif value is True or (isinstance(value, int | float) and not isinstance(value, bool)) or _is_short(value):
        yield {"name": name, "seat": seat, "value": value}


def _list(name: str, key: str, items: Any, seat: int | None, players: int) -> Iterator[Zone]:
    if seat is None and _one_per_player(items, players):
        for owner, item in enumerate(items):
            if isinstance(item, Mapping):
                for inner, part in item.items():
                    yield from _zones(str(inner), str(inner), part, owner, players)
            else:
                yield from _zones(name, key, item, owner, players)
    elif all(item is None or isinstance(item, str | int | float) for item in items):
        yield _cards(name, seat, items)
    else:
        for number, item in enumerate(items, 1):
            yield from _zones(f"{name} {number}", key, item, seat, players)


def _cards(name: str, seat: int | None, items: Any) -> Zone:
    return {"name": name, "seat": seat, "cards": [None if item in FACE_DOWN else str(item) for item in items]}


def _one_per_player(items: Any, players: int) -> bool:
    """Texts alone are cards, however many they are."""
    if len(items) != players or any(isinstance(item, str) for item in items):
        return False
    return any(item is not None for item in items)


def _names_seat(key: str, value: Any, players: int) -> bool:
    return (key in SEAT_FIELDS or key.endswith("_seat")) and type(value) is int and 0 <= value < players


def _is_short(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= SHORT
