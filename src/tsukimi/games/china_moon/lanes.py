"""A track that forks and joins, laid out in lanes from left to right: where each pad goes, and the lines between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

LEFT, RIGHT, UP, DOWN = 1, 2, 4, 8
LINES = {
    0: " ",
    LEFT: "─",
    RIGHT: "─",
    LEFT | RIGHT: "─",
    UP | DOWN: "│",
    UP: "│",
    DOWN: "│",
    RIGHT | DOWN: "╭",
    LEFT | DOWN: "╮",
    RIGHT | UP: "╰",
    LEFT | UP: "╯",
    LEFT | RIGHT | DOWN: "┬",
    LEFT | RIGHT | UP: "┴",
    UP | DOWN | RIGHT: "├",
    UP | DOWN | LEFT: "┤",
    LEFT | RIGHT | UP | DOWN: "┼",
}
Spot = tuple[int, int]  # (layer, lane)


def in_order(nexts: Mapping[str, Sequence[str]], first: Sequence[str]) -> list[str]:
    """Pads such that every one comes after all that lead to it."""
    order: list[str] = []
    seen: set[str] = set()

    def visit(pad: str) -> None:
        if pad in nexts and pad not in seen:
            seen.add(pad)
            for after in reversed(nexts[pad]):
                visit(after)
            order.append(pad)

    for pad in reversed(first):
        visit(pad)
    return order[::-1]


def spots(nexts: Mapping[str, Sequence[str]], first: Sequence[str]) -> dict[str, Spot]:
    """Each pad's layer and lane. A short arm is spread along a long one; an arm keeps its lane."""
    order = in_order(nexts, first)
    from_start, to_goal = dict.fromkeys(order, 1), dict.fromkeys(order, 1)
    for pad in order:
        for after in nexts[pad]:
            if after in from_start:
                from_start[after] = max(from_start[after], from_start[pad] + 1)
    for pad in reversed(order):
        to_goal[pad] = max([1, *(to_goal[after] + 1 for after in nexts[pad] if after in to_goal)])
    longest = max(from_start[pad] + to_goal[pad] for pad in order)
    preferred: dict[str, int] = {}
    for lane, pad in enumerate(first):
        preferred.setdefault(pad, lane)
    found: dict[str, Spot] = {}
    taken: set[Spot] = set()
    for pad in order:
        layer, lane = from_start[pad] * longest // (from_start[pad] + to_goal[pad]) - 1, preferred[pad]
        while (layer, lane) in taken:
            lane += 1
        taken.add((layer, lane))
        found[pad] = layer, lane
        for more, after in enumerate(nexts[pad]):
            preferred[after] = min(preferred.get(after, 99), lane + more)
    return found


def gaps(nexts: Mapping[str, Sequence[str]], where: Mapping[str, Spot]) -> tuple[dict[Spot, int], set[Spot], set[Spot]]:
    """The lines: directions in the gap after (layer, lane); lanes that a line runs straight through at (layer, lane);
    gaps that a line crosses on its way down below (layer, lane)."""
    turns: dict[Spot, int] = {}
    through: set[Spot] = set()
    below: set[Spot] = set()
    for pad, afters in nexts.items():
        for after in afters:
            if pad in where and after in where:
                _edge(where[pad], where[after], len(afters) > 1, turns, through, below)
    return turns, through, below


def _edge(here: Spot, there: Spot, early: bool, turns: dict[Spot, int], through: set[Spot], below: set[Spot]) -> None:
    """One line: it changes lanes right after a fork, otherwise right before it arrives."""
    (layer, lane), (goal, other) = here, there
    bend = layer if early else goal - 1
    for at in range(layer, goal):
        row = lane if at < bend or (at == bend and lane == other) else other
        if at != bend or lane == other:
            turns[at, row] = turns.get((at, row), 0) | LEFT | RIGHT
        if at > layer:
            through.add((at, lane if at <= bend else other))
    if lane != other:
        down = lane < other
        turns[bend, lane] = turns.get((bend, lane), 0) | LEFT | (DOWN if down else UP)
        turns[bend, other] = turns.get((bend, other), 0) | RIGHT | (UP if down else DOWN)
        for row in range(min(lane, other), max(lane, other)):
            below.add((bend, row))
            if row not in (lane, other):
                turns[bend, row] = turns.get((bend, row), 0) | UP | DOWN
