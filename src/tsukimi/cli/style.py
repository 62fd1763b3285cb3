"""Colour and layout of text on a terminal: paint, measure, pad, wrap, put side by side."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import TextIO

NIGHT = {
    "text": "#f3ead8",
    "quiet": "#8e93bd",
    "edge": "#4a558c",
    "moon": "#f2c14e",
    "danger": "#e4572e",
    "good": "#7fc796",
    "ink": "#12172b",
    "red": "#d1495b",
    "orange": "#edae49",
    "yellow": "#f6e27f",
    "green": "#5fa777",
    "blue": "#4f8fcf",
    "purple": "#8f6bb3",
    "gold": "#d9a441",
    "white": "#f3ead8",
    "pink": "#e88fb4",
    "black": "#6b6f86",
    "water": "#3b6f8f",
    "leaf": "#3b7d60",
    "shade": "#24503f",
    "surface": "#2c3560",
    "p1": "#f2c14e",
    "p2": "#6fb7e9",
    "p3": "#e88fb4",
    "p4": "#8fce8f",
    "p5": "#c39bea",
}
PAPER = NIGHT | {
    "text": "#2b2431",
    "quiet": "#6f6473",
    "edge": "#b3a283",
    "moon": "#b9770e",
    "danger": "#b93a17",
    "good": "#3c7a50",
    "surface": "#e2d5bb",
    "p1": "#b9770e",
    "p2": "#1f6fa8",
    "p3": "#b0447a",
    "p4": "#3c7a50",
    "p5": "#7747a8",
}
PLAIN, INDEXED, TRUE = 0, 8, 24
_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_SPACE = re.compile(r"[ \n\t]+(?![:;?!»](?:[ \n\t]|$))")  # French signs stay with their word
_RESET = "\x1b[0m"


class Style:
    """How text is painted: not at all, in 256 colours, or in all of them."""

    def __init__(self, depth: int = PLAIN, palette: Mapping[str, str] = NIGHT) -> None:
        self.depth = depth
        self.palette = palette

    def __call__(self, text: str, ink: str = "", ground: str = "", bold: bool = False) -> str:
        """The text in a colour of the palette, on another, bold if wanted."""
        codes = ["1"] if bold else []
        codes += [self._code(38, ink)] if ink else []
        codes += [self._code(48, ground)] if ground else []
        return f"\x1b[{';'.join(codes)}m{text}{_RESET}" if codes and self.depth and text else text

    def chip(self, text: str, ground: str) -> str:
        """A small coloured tile with dark letters; [in brackets] where there is no colour."""
        return self(text, "ink", ground, bold=True) if self.depth else text

    def _code(self, kind: int, name: str) -> str:
        colour = self.palette.get(name, self.palette["text"])
        red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
        if self.depth == TRUE:
            return f"{kind};2;{red};{green};{blue}"
        return f"{kind};5;{_indexed(red, green, blue)}"


def style_for(out: TextIO, environment: Mapping[str, str] = os.environ) -> Style:
    """Colours when they are welcome: on a terminal, without NO_COLOR; FORCE_COLOR asks for them anyway."""
    forced = bool(environment.get("FORCE_COLOR"))
    term = environment.get("TERM", "")
    if environment.get("NO_COLOR") or not (forced or (out.isatty() and term not in ("", "dumb"))):
        return Style(PLAIN)
    depth = TRUE if environment.get("COLORTERM", "") in ("truecolor", "24bit") else INDEXED
    ground = environment.get("COLORFGBG", "").rpartition(";")[2]
    return Style(depth, PAPER if ground in ("7", "15") else NIGHT)


def _indexed(red: int, green: int, blue: int) -> int:
    """The nearest of the 6 x 6 x 6 cube and the grey ramp."""
    steps = (0, 95, 135, 175, 215, 255)
    near = [min(range(6), key=lambda i: abs(steps[i] - part)) for part in (red, green, blue)]
    grey = max(0, min(23, round(((red + green + blue) / 3 - 8) / 10)))
    cube = [steps[i] for i in near]
    shade = [8 + 10 * grey] * 3
    away = [sum((a - b) ** 2 for a, b in zip(it, (red, green, blue), strict=True)) for it in (cube, shade)]
    return 16 + 36 * near[0] + 6 * near[1] + near[2] if away[0] <= away[1] else 232 + grey


# ---- layout ------------------------------------------------------------------------------------


def bare(text: str) -> str:
    """The text without its colours."""
    return _ESCAPE.sub("", text)


def width(text: str) -> int:
    """How many columns the text takes."""
    plain = bare(text)
    if plain.isascii():
        return len(plain)
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else not unicodedata.combining(c) for c in plain)


def pad(text: str, columns: int, align: str = "<") -> str:
    """Filled with spaces to that many columns: left "<", right ">" or in the middle "^"."""
    room = max(0, columns - width(text))
    before = {"<": 0, ">": room, "^": room // 2}[align]
    return " " * before + text + " " * (room - before)


def clip(text: str, columns: int) -> str:
    """The text without colours, cut to that many columns."""
    plain = bare(text)
    if width(plain) <= columns:
        return plain
    while plain and width(plain) > columns - 1:
        plain = plain[:-1]
    return plain + "…"


def wrap(text: str, columns: int, first: str = "", rest: str | None = None) -> list[str]:
    """Broken at spaces to lines of at most that many columns, `first` before the first line, `rest` before the others."""
    rest = " " * width(first) if rest is None else rest
    lines, line, used = [], first, width(first)
    fresh = True
    for word in _SPACE.split(text.strip(" \n\t")):
        size = width(word)
        if not fresh and used + 1 + size > columns:
            lines.append(line)
            line, used, fresh = rest, width(rest), True
        line += word if fresh else f" {word}"
        used += size + (not fresh)
        fresh = False
    return [*lines, line]


def beside(blocks: Sequence[Sequence[str]], gap: str = "  ") -> list[str]:
    """Blocks of lines side by side, each as wide as its widest line."""
    blocks = [block for block in blocks if block]
    height = max((len(block) for block in blocks), default=0)
    wide = [max(map(width, block)) for block in blocks]
    rows = []
    for i in range(height):
        cells = [pad(block[i] if i < len(block) else "", size) for block, size in zip(blocks, wide, strict=True)]
        rows.append(gap.join(cells).rstrip())
    return rows


def flow(cells: Sequence[str], columns: int, gap: str = "  ", indent: str = "") -> list[str]:
    """Cells one after the other, in as many lines as they need."""
    lines, line = list[str](), ""
    for cell in cells:
        if line and width(indent) + width(line) + width(gap) + width(cell) > columns:
            lines.append(indent + line)
            line = cell
        else:
            line = line + gap + cell if line else cell
    return [*lines, indent + line] if line else lines


def box(lines: Sequence[str], style: Style, title: str = "", ink: str = "edge", inner: int = 0) -> list[str]:
    """A frame with round corners around lines, a title in its upper edge."""
    inner = max([inner, width(title) + 2, *map(width, lines)])
    head = f" {title} " if title else ""
    top = (
        style("╭" + ("─" if head else ""), ink) + head + style("─" * (inner + 2 - width(head) - bool(head)) + "╮", ink)
    )
    side = style("│", ink)
    body = [f"{side} {pad(line, inner)} {side}" for line in lines]
    return [top, *body, style("╰" + "─" * (inner + 2) + "╯", ink)]


def rule(columns: int, style: Style, title: str = "") -> str:
    """A line across, with a title in it."""
    if not title:
        return style("─" * columns, "edge")
    rest = max(0, columns - width(title) - 4)
    return f"{style('──', 'edge')} {title} {style('─' * rest, 'edge')}"
