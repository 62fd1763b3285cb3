"""Plots as inline SVG, drawn for a phone's width and scaled up on larger screens; no scripts, no other files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import accumulate

WIDTH = 320
COLOURS = ("#2f5d8c", "#c4551b")  # of the first and the second set that are compared
INK, GRID, QUIET = "#1f2430", "#d9d4c7", "#6b6a66"
BINS = 24
Interval = tuple[float, float, float]  # value, low, high


class Plot(str):
    """The text of an SVG, which a notebook shows as an image."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(self)


def _svg(height: float, about: str, parts: Sequence[str]) -> Plot:
    body, label = "".join(parts), escape(about, quote=True)
    return Plot(f'<svg viewBox="0 0 {WIDTH} {height:g}" role="img" aria-label="{label}">{body}</svg>')


def _text(x: float, y: float, text: str, anchor: str = "start", colour: str = INK, size: float = 12) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" font-size="{size}">{escape(text)}</text>'
    )


def _line(x: float, y: float, x2: float, y2: float, colour: str, width: float = 1, dash: str = "") -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}"{dashed}/>'


def _number(number: int) -> str:
    return f"−{-number}" if number < 0 else f"{number}"


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def intervals(rows: Sequence[tuple[str, Sequence[Interval]]], reference: float, about: str) -> Plot:
    """Values with their intervals, one row each (two with two sets), and a reference line."""
    left, right, row_height = 28, WIDTH - 54, 14
    most = max(high for _, sets in rows for _, _, high in sets) * 1.05
    parts, y = [], 8.0

    def x(value: float) -> float:
        return left + (right - left) * value / most

    for label, sets in rows:
        parts.append(_text(0, y + 6 + row_height * len(sets) / 2, label))
        for number, (value, low, high) in enumerate(sets):
            middle, colour = y + row_height / 2, COLOURS[number]
            parts.append(
                f'<rect x="{left}" y="{y + 2:.1f}" width="{x(value) - left:.1f}" height="{row_height - 4}" rx="2" fill="{colour}" fill-opacity=".35"/>'
            )
            parts += [
                _line(x(low), middle, x(high), middle, colour, 2),
                *[_line(x(end), middle - 3, x(end), middle + 3, colour, 2) for end in (low, high)],
                f'<circle cx="{x(value):.1f}" cy="{middle:.1f}" r="3.2" fill="{colour}"/>',
                _text(WIDTH, middle + 4, f"{100 * value:.1f} %", "end"),
            ]
            y += row_height
        y += 8
    parts.append(_line(x(reference), 2, x(reference), y - 4, INK, 1, "4 3"))
    parts.append(_text(x(reference), y + 8, f"equal: {100 * reference:.1f} %", "middle", QUIET))
    return _svg(y + 12, about, parts)


def ladder(rows: Sequence[tuple[str, Interval]], reference: float, about: str) -> Plot:
    """Names with their values and intervals, one below the other, and a reference line."""
    right = WIDTH - 54
    most = max(high for _, (_, _, high) in rows) * 1.05
    parts, y, colour = [], 0.0, COLOURS[0]

    def x(value: float) -> float:
        return right * value / most

    for name, (value, low, high) in rows:
        middle = y + 26
        parts += [
            _text(0, y + 13, name),
            f'<rect x="0" y="{middle - 5:.1f}" width="{x(value):.1f}" height="10" rx="2" fill="{colour}" fill-opacity=".35"/>',
            _line(x(low), middle, x(high), middle, colour, 2),
            *[_line(x(end), middle - 3, x(end), middle + 3, colour, 2) for end in (low, high)],
            f'<circle cx="{x(value):.1f}" cy="{middle:.1f}" r="3.2" fill="{colour}"/>',
            _text(WIDTH, middle + 4, f"{100 * value:.1f} %", "end"),
        ]
        y += 40
    parts.append(_line(x(reference), 16, x(reference), y - 4, INK, 1, "4 3"))
    parts.append(_text(x(reference), y + 8, f"equal: {100 * reference:.1f} %", "middle", QUIET))
    return _svg(y + 14, about, parts)


def histogram(sets: Sequence[Mapping[int, int]], unit: str, about: str) -> Plot:
    """How often each number occurs: filled for the first set, a line for the second."""
    low, high = min(min(counts) for counts in sets), max(max(one) for one in sets)
    step = max(1, -(-(high - low + 1) // BINS))
    bins = range(low, high + 1, step)
    shares = []
    for counts in sets:
        total = sum(counts.values())
        shares.append([sum(counts.get(n, 0) for n in range(start, start + step)) / total for start in bins])
    height, base, most = 156, 122, max(max(share) for share in shares)
    width = WIDTH / len(bins)
    parts = [_line(0, base, WIDTH, base, INK)]
    for number, heights in enumerate(shares):
        tops = [base - 110 * share / most for share in heights]
        if number == 0:
            parts += [
                f'<rect x="{i * width + 0.5:.1f}" y="{top:.1f}" width="{max(width - 1, 0.5):.1f}" height="{base - top:.1f}" fill="{COLOURS[0]}" fill-opacity="{0.75 if len(sets) == 1 else 0.4}"/>'
                for i, top in enumerate(tops)
            ]
        else:
            path = " ".join(f"{i * width:.1f},{top:.1f} {(i + 1) * width:.1f},{top:.1f}" for i, top in enumerate(tops))
            parts.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[number]}" stroke-width="2"/>')
    marks = sorted({0, len(bins) // 2, len(bins) - 1})
    for mark in marks:
        anchor = "start" if mark == 0 else "end" if mark == len(bins) - 1 and mark else "middle"
        at = {"start": 0.0, "middle": (mark + 0.5) * width, "end": float(WIDTH)}[anchor]
        label = _number(bins[mark]) + ("" if step == 1 else f" to {_number(bins[mark] + step - 1)}")
        parts.append(_text(at, base + 14, label, anchor, QUIET))
    parts.append(_text(WIDTH / 2, base + 27, unit, "middle", QUIET))
    parts.append(_text(0, 10, f"{percent(most)} of the games", "start", QUIET))
    return _svg(height, about, parts)


def settled(sets: Sequence[Sequence[float]], about: str) -> Plot:
    """The fraction of games that is settled after each tenth."""
    left, base, top = 46, 124, 10
    right = WIDTH - 8
    parts = []
    for share in (0, 0.5, 1):
        y = base - (base - top) * share
        parts += [_line(left, y, right, y, GRID), _text(left - 6, y + 4, percent(share), "end", QUIET)]
    for number, one in enumerate(sets):
        points = [
            (left + (right - left) * i / (len(one) - 1), base - (base - top) * y) for i, y in enumerate(accumulate(one))
        ]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[number]}" stroke-width="2.5"/>')
    for part, label, anchor in ((0.0, "start", "start"), (0.5, "half of the moves", "middle"), (1.0, "end", "end")):
        parts.append(_text(left + (right - left) * part, base + 16, label, anchor, QUIET))
    return _svg(150, about, parts)


def gains(rows: Sequence[tuple[str, Sequence[Interval | None]]], about: str) -> Plot:
    """What correlates with winning, as points with intervals to the left and right of zero."""
    known = [one for _, sets in rows for one in sets if one]
    most = max(max(abs(low), abs(high)) for _, low, high in known)
    centre, half, row_height = WIDTH / 2, WIDTH / 2 - 6, 13

    def x(value: float) -> float:
        return centre + half * value / most

    count = max(len(sets) for _, sets in rows)
    height = len(rows) * (row_height * count + 22) + 24
    parts = [_line(centre, 0, centre, height - 20, GRID, 1, "4 3")]
    y = 0.0
    for name, sets in rows:
        parts.append(_text(0, y + 14, name))
        for number, one in enumerate(sets):
            middle = y + 18 + row_height * (number + 0.5)
            if one:
                value, low, high = one
                parts.append(_line(x(low), middle, x(high), middle, COLOURS[number], 2))
                parts.append(f'<circle cx="{x(value):.1f}" cy="{middle:.1f}" r="3.2" fill="{COLOURS[number]}"/>')
        y += row_height * count + 22
    parts.append(_text(0, height - 6, f"−{percent(most)}", "start", QUIET))
    parts.append(_text(centre, height - 6, "no difference", "middle", QUIET))
    parts.append(_text(WIDTH, height - 6, f"+{percent(most)}", "end", QUIET))
    return _svg(height, about, parts)
