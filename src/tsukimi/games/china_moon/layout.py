"""Where to draw the pads of a board that does not say so: in layers along a spiral into the middle of the pond."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import cos, dist, hypot, pi, sin

from tsukimi.games.china_moon.rules import GOAL

Point = tuple[float, float]

TURNS = 1.5
OUTER, INNER = 0.42, 0.2  # the spiral's distance from the middle, at the start and at the goal
LANE = 0.1  # between two arms side by side, where there is room
BAND = 0.14  # the room for all arms side by side
STEPS = 2000


def spiral(
    order: Sequence[int], first: Sequence[int], nexts: Sequence[Sequence[int]]
) -> tuple[tuple[Point, ...], Point, Point]:
    """The spots of the pads (given in an order of the race), of the start and of the goal."""
    layers = _layers(order, first, nexts)
    way = _even_steps(len(layers))
    spots: dict[int, Point] = {}
    for number, pads in enumerate(layers, 1):
        x, y = way[number]
        lane = min(LANE, BAND / max(1, len(pads) - 1))
        for i, pad in enumerate(pads):
            stretch = 1 + (i - (len(pads) - 1) / 2) * lane / hypot(x, y)
            spots[pad] = _inside(0.5 + x * stretch, 0.5 + y * stretch)
    start_x, start_y = way[0]
    return tuple(spots[pad] for pad in range(len(nexts))), _inside(0.5 + start_x, 0.5 + start_y), (0.5, 0.5)


def beyond(near: Sequence[Point], far: Sequence[Point]) -> Point:
    """A spot one more step away from `far` than `near` is."""
    x, y = _mean(near)
    from_x, from_y = _mean(far) if far else (x, y - 0.1)
    return _inside(2 * x - from_x, 2 * y - from_y)


def _layers(order: Sequence[int], first: Sequence[int], nexts: Sequence[Sequence[int]]) -> list[list[int]]:
    """Pads side by side. A pad's layer is its share of the longest way through it, so that a short arm spreads along
    a long one; every step leads to a later layer."""
    from_start, to_goal = dict.fromkeys(order, 1), dict.fromkeys(order, 1)
    for pad in order:
        for after in nexts[pad]:
            if after != GOAL:
                from_start[after] = max(from_start[after], from_start[pad] + 1)
    for pad in reversed(order):
        for after in nexts[pad]:
            if after != GOAL:
                to_goal[pad] = max(to_goal[pad], to_goal[after] + 1)
    longest = max(from_start[pad] + to_goal[pad] for pad in order)
    layers: list[list[int]] = [[] for _ in range(longest - 1)]
    side: dict[int, float] = {pad: i - (len(first) - 1) / 2 for i, pad in enumerate(first)}
    for pad in order:
        for i, after in enumerate(nexts[pad]):
            side.setdefault(after, side[pad] + (i - (len(nexts[pad]) - 1) / 2) / 4)
        layer = from_start[pad] * longest // (from_start[pad] + to_goal[pad])
        layers[layer - 1].append(pad)
    for layer_pads in layers:
        layer_pads.sort(key=lambda pad: side[pad])
    return layers


def _even_steps(steps: int) -> list[Point]:
    """Points at even distances along the spiral, relative to its middle, from the start to just before the goal."""
    curve = [_curve(i / STEPS) for i in range(STEPS + 1)]
    length = [0.0]
    for here, there in pairwise(curve):
        length.append(length[-1] + dist(here, there))
    points, i = [], 0
    for step in range(steps + 1):
        while length[i] < length[-1] * step / (steps + 1):
            i += 1
        points.append(curve[i])
    return points


def _curve(share: float) -> Point:
    radius = OUTER + (INNER - OUTER) * share
    angle = pi / 2 + 2 * pi * TURNS * share
    return radius * cos(angle), radius * sin(angle)


def _mean(points: Sequence[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _inside(x: float, y: float) -> Point:
    return round(min(1.0, max(0.0, x)), 4), round(min(1.0, max(0.0, y)), 4)
