"""A board: read from data, checked, and turned into the tables that the rules play on.

The format and its limits are in docs/games/china-moon.md. Any board that passes
the checks here can be played to its end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tsukimi.core.errors import BadComponents
from tsukimi.games.china_moon.layout import Point, beyond, spiral
from tsukimi.games.china_moon.pond import Pond
from tsukimi.games.china_moon.rules import GOAL, LILY, LILY_PADS, MAX_PADS, PLACES, START

KINDS = ("blank", "lily", "prankster", "spring", "butterfly")
LONGEST_ID = 24
MAX_WAYS = 200
_ID = re.compile(r"[a-z0-9_.-]+")
_RESERVED = ("start", "goal")


@dataclass(frozen=True, eq=False)
class Board:
    """The pads in the file's order, and everything about them that never changes."""

    ids: tuple[str, ...]
    numbers: Mapping[str, int]
    """Of the pads and the goal by name."""
    kinds: tuple[int, ...]
    nexts: tuple[tuple[int, ...], ...]
    """Where each pad leads (GOAL among them)."""
    first: tuple[int, ...]
    """Where the start leads."""
    lily_pads: tuple[int, ...]
    """In the file's order, but the last of the race (the black lily's) at the end."""
    spots: tuple[Point, ...]
    start_spot: Point
    goal_spot: Point
    ahead: tuple[int, ...]
    """For each place the set of places one step on."""
    line: tuple[int, ...]
    """For each place the only way on from it, up to the next fork or the goal, as far as the file has it in order."""
    two_on: tuple[int, ...]
    """For each place where a move ends when no frog is in the way."""
    near: tuple[int, ...]
    """For each place the pads whose frogs would be in that way."""
    behind: tuple[int, ...]
    """For each pad (64 numbers apiece) the sets of pads at exactly 0, 1, 2, .. steps behind it."""
    necks: tuple[int, ...]
    """For each fork that comes after another the only way to it."""
    fork_bits: int
    """So many bits number the arms of any fork."""
    slot_bits: int
    """So many bits number the landings of any frog, however the frogs stand."""

    @cached_property
    def names(self) -> dict[int, str]:
        """The name of every place by number."""
        return {number: name for name, number in self.numbers.items()} | {START: "start"}

    def place(self, name: str) -> int | None:
        """The number of a pad or of the goal by name."""
        return self.numbers.get(name)

    def name(self, place: int) -> str:
        """The name of a place by number."""
        return self.names[place]

    def onward(self, place: int) -> tuple[int, ...]:
        """The places one step on, in the file's order."""
        return self.first if place == START else () if place == GOAL else self.nexts[place]


def load(data: Mapping[str, Any], players: int) -> Pond:
    """Component data as the rules' table; `BadComponents` says what is wrong and where."""
    _keys(data, {"start", "pad"}, {"start", "pad", "start_xy", "goal_xy"}, "components")
    pads = _pads(data["pad"])
    ids = tuple(pad["id"] for pad in pads)
    numbers = {name: number for number, name in enumerate(ids)} | {"goal": GOAL}
    nexts = tuple(_onward(pad["next"], numbers, pad["id"]) for pad in pads)
    first = _onward(data["start"], {name: numbers[name] for name in ids}, "start")
    ways = len(first) + sum(map(len, nexts))
    if ways > MAX_WAYS:
        raise _bad("board-ways", ways=ways, most=MAX_WAYS)
    kinds = tuple(KINDS.index(pad["kind"]) for pad in pads)
    order = _race_order(ids, first, nexts)
    lily_pads = _lily_pads(ids, kinds, nexts, order)
    spots, start_spot, goal_spot = _spots(data, pads, order, first, nexts)
    ahead = _ahead(first, nexts)
    two_on = tuple(_union(ahead, ahead[place]) | ahead[place] & 1 << GOAL for place in range(PLACES))
    near = tuple((ahead[place] | two_on[place]) & ~(1 << GOAL) for place in range(PLACES))
    return Pond(
        Board(
            ids,
            numbers,
            kinds,
            nexts,
            first,
            lily_pads,
            spots,
            start_spot,
            goal_spot,
            ahead,
            _lines(ahead),
            two_on,
            near,
            _behind(nexts),
            _necks(first, nexts, order),
            (max(len(onward) for onward in (first, *nexts)) - 1).bit_length(),
            _slot_bits(first, nexts),
        )
    )


# ---- the file's content ------------------------------------------------------------------


def _bad(problem: str, **params: object) -> BadComponents:
    shown = {name: value if isinstance(value, int) else _short(value) for name, value in params.items()}
    return BadComponents(f"china-moon.{problem}", **shown)


def _short(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 40 else text[:40] + ".."


def _keys(data: object, needed: set[str], known: set[str], where: str) -> None:
    if not isinstance(data, Mapping):
        raise _bad("board-table", where=where)
    for key in data:
        if key not in known:
            raise _bad("board-key", where=where, key=key, known=", ".join(sorted(known)))
    for key in sorted(needed):
        if key not in data:
            raise _bad("board-missing", where=where, key=key)


def _pads(pads: object) -> Sequence[Mapping[str, Any]]:
    if not isinstance(pads, list | tuple) or not pads:
        raise _bad("board-pads")
    if len(pads) > MAX_PADS:
        raise _bad("board-too-many", pads=len(pads), most=MAX_PADS)
    seen = set()
    for number, pad in enumerate(pads, 1):
        _keys(pad, {"id", "kind", "next"}, {"id", "kind", "next", "x", "y"}, f"[[pad]] {number}")
        name = pad["id"]
        if not isinstance(name, str) or not _ID.fullmatch(name) or len(name) > LONGEST_ID or name in _RESERVED:
            raise _bad("board-id", number=number, id=name, longest=LONGEST_ID)
        if name in seen:
            raise _bad("board-twice", id=name)
        seen.add(name)
        if pad["kind"] not in KINDS:
            raise _bad("board-kind", id=name, kind=pad["kind"], known=", ".join(KINDS))
    return pads


def _onward(names: object, numbers: Mapping[str, int], where: str) -> tuple[int, ...]:
    if not isinstance(names, list | tuple) or not names:
        raise _bad("board-next-empty", where=where)
    for name in names:
        if not isinstance(name, str) or name not in numbers:
            raise _bad("board-next-unknown", where=where, next=name)
    if len(set(names)) < len(names):
        raise _bad("board-next-twice", where=where)
    return tuple(numbers[name] for name in names)


def _spot(value: object, where: str) -> Point:
    if isinstance(value, list | tuple) and len(value) == 2 and all(_within(number) for number in value):
        return float(value[0]), float(value[1])
    raise _bad("board-xy", where=where)


def _within(number: object) -> bool:
    return isinstance(number, int | float) and not isinstance(number, bool) and 0 <= number <= 1


# ---- what makes a race --------------------------------------------------------------------


def _race_order(ids: Sequence[str], first: Sequence[int], nexts: Sequence[Sequence[int]]) -> list[int]:
    """Every pad after all those that lead to it. As all pads lead on and none in a circle, all ways end in the goal."""
    reached, waiting = set(first), list(first)
    while waiting:
        for pad in _pads_of(nexts[waiting.pop()]):
            if pad not in reached:
                reached.add(pad)
                waiting.append(pad)
    for pad, name in enumerate(ids):
        if pad not in reached:
            raise _bad("board-unreached", id=name)
    open_ways = [0] * len(ids)
    for onward in nexts:
        for pad in _pads_of(onward):
            open_ways[pad] += 1
    order = [pad for pad, ways in enumerate(open_ways) if not ways]
    for pad in order:  # grows while it is walked
        for after in _pads_of(nexts[pad]):
            open_ways[after] -= 1
            if not open_ways[after]:
                order.append(after)
    if len(order) < len(ids):
        raise _bad("board-cycle", id=next(ids[pad] for pad in range(len(ids)) if pad not in order))
    return order


def _lily_pads(
    ids: Sequence[str], kinds: Sequence[int], nexts: Sequence[Sequence[int]], order: Sequence[int]
) -> tuple[int, ...]:
    lilies = [pad for pad, kind in enumerate(kinds) if kind == LILY]
    if len(lilies) != LILY_PADS:
        raise _bad("board-lilies", found=len(lilies), needed=LILY_PADS)
    more_after: dict[int, bool] = {}
    for pad in reversed(order):
        more_after[pad] = any(kinds[after] == LILY or more_after[after] for after in _pads_of(nexts[pad]))
    last = [pad for pad in lilies if not more_after[pad]]
    if len(last) != 1:
        raise _bad("board-last-lily", ids=", ".join(ids[pad] for pad in last))
    return (*(pad for pad in lilies if pad != last[0]), last[0])


def _pads_of(places: Sequence[int]) -> Iterator[int]:
    return (place for place in places if place != GOAL)


def _spots(
    data: Mapping[str, Any],
    pads: Sequence[Mapping[str, Any]],
    order: Sequence[int],
    first: Sequence[int],
    nexts: Sequence[Sequence[int]],
) -> tuple[tuple[Point, ...], Point, Point]:
    """Where to draw the pads, the start and the goal: as the file specifies, or along a spiral into the pond's middle."""
    if not any("x" in pad or "y" in pad for pad in pads):
        spots, start, goal = spiral(order, first, nexts)
    else:
        spots = tuple(_spot([pad.get("x"), pad.get("y")], pad["id"]) for pad in pads)
        last = [pad for pad, onward in enumerate(nexts) if GOAL in onward]
        before_last = [pad for pad, onward in enumerate(nexts) if set(onward) & set(last)]
        second = [after for pad in first for after in _pads_of(nexts[pad])]
        start = beyond([spots[pad] for pad in first], [spots[pad] for pad in second])
        goal = beyond([spots[pad] for pad in last], [spots[pad] for pad in before_last])
    if "start_xy" in data:
        start = _spot(data["start_xy"], "start_xy")
    if "goal_xy" in data:
        goal = _spot(data["goal_xy"], "goal_xy")
    return spots, start, goal


# ---- sets of places -----------------------------------------------------------------------


def _ahead(first: Sequence[int], nexts: Sequence[Sequence[int]]) -> tuple[int, ...]:
    ahead = [0] * PLACES
    for place, onward in [*enumerate(nexts), (START, first)]:
        ahead[place] = sum(1 << after for after in onward)
    return tuple(ahead)


def _union(ahead: Sequence[int], places: int) -> int:
    """All places one step on from a set of places; nothing comes after the goal."""
    result = 0
    places &= ~(1 << GOAL)
    while places:
        result |= ahead[places.bit_length() - 1]
        places ^= 1 << places.bit_length() - 1
    return result


def _behind(nexts: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Pads by their distance backwards, through every arm, the shortest way counting."""
    before = [0] * GOAL
    for pad, onward in enumerate(nexts):
        for after in _pads_of(onward):
            before[after] |= 1 << pad
    table: list[int] = []
    for pad in range(64):
        rings = [1 << pad] if pad < len(nexts) else [0]
        seen = rings[0]
        while ring := _union(before, rings[-1]) & ~seen:
            seen |= ring
            rings.append(ring)
        table += rings + [0] * (64 - len(rings))
    return tuple(table)


def _lines(ahead: Sequence[int]) -> tuple[int, ...]:
    """Where the pads of the only way on stand in the file's order, the next free pad is the lowest bit that is free."""
    lines = []
    for place in range(PLACES):
        line, onward, last = 0, ahead[place], 0
        while onward and not onward & onward - 1 and onward > last:
            line |= onward
            last = onward
            onward = ahead[onward.bit_length() - 1]
        lines.append(line)
    return tuple(lines)


def _necks(first: Sequence[int], nexts: Sequence[Sequence[int]], order: Sequence[int]) -> tuple[int, ...]:
    """Back from the fork along the pads that alone lead to one another; another fork is no part of it."""
    before: list[list[int]] = [[START] if pad in first else [] for pad in range(len(nexts))]
    for pad, onward in enumerate(nexts):
        for after in _pads_of(onward):
            before[after].append(pad)
    forks = {pad for pad, onward in [*enumerate(nexts), (START, first)] if len(onward) > 1}
    after_fork: set[int] = set()
    necks = []
    for pad in order:
        if any(other in forks or other in after_fork for other in before[pad]):
            after_fork.add(pad)
            if pad in forks:
                neck, back = 1 << pad, before[pad]
                while len(back) == 1 and back[0] not in forks:
                    neck |= 1 << back[0]
                    back = before[back[0]]
                necks.append(neck)
    return tuple(necks)


def _slot_bits(first: Sequence[int], nexts: Sequence[Sequence[int]]) -> int:
    """Two steps and fourteen other frogs to jump over: no move is longer than 16 pads, so a frog has at most as many
    landings as there are ways of 16 steps."""
    ways = [1] * GOAL + [1]
    for _ in range(15):
        ways = [sum(ways[after] for after in onward) for onward in nexts] + [1] * (GOAL + 1 - len(nexts))
    most = max(sum(ways[pad] for pad in first), *(sum(ways[after] for after in onward) for onward in nexts))
    return (most - 1).bit_length()
