"""Checks of seats, moves and numbers that callers pass. Integers may be NumPy's; booleans do not count as integers."""

from __future__ import annotations

import operator

from tsukimi.core.errors import BadOptions, MalformedMove


def integer(value: object) -> int | None:
    """The value as an integer; None if it is not one."""
    if type(value) is int:
        return value
    if isinstance(value, bool) or type(value).__name__ in ("bool", "bool_"):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def seat_of(value: object, players: int) -> int:
    """A seat that exists."""
    seat = integer(value)
    if seat is None or not 0 <= seat < players:
        raise BadOptions("no-such-seat", seat=shown(value), players=players)
    return seat


def observer_of(value: object, players: int) -> int:
    """A seat that exists, or a spectator (None or -1)."""
    return -1 if value is None or integer(value) == -1 else seat_of(value, players)


def number_of(value: object) -> int:
    """The number of a move or an outcome."""
    number = integer(value)
    if number is None:
        raise MalformedMove("moves-not-integers", kind=type(value).__name__)
    if not 0 <= number < 2**31:
        raise MalformedMove("no-such-move", move=shown(value))
    return number


def between(name: str, value: object, low: int, high: int) -> int:
    """An argument that is an integer from `low` to `high`."""
    number = integer(value)
    if number is None:
        raise BadOptions("not-an-integer", name=name, kind=type(value).__name__)
    if not low <= number <= high:
        raise BadOptions("out-of-range", name=name, value=shown(value), low=low, high=high)
    return number


def shown(value: object) -> str:
    """A value in an error message, truncated."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 60 else text[:60] + ".."
