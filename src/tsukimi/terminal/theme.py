"""The colours: `moon` is an ink, `moon.bold` the same in bold, `on.moon` dark letters on that colour."""

from __future__ import annotations

import os
from collections.abc import Mapping

from rich.theme import Theme

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


def theme(environment: Mapping[str, str] = os.environ) -> Theme:
    """The theme for a dark terminal, or for a light one if the terminal reports that it is light."""
    ground = environment.get("COLORFGBG", "").rpartition(";")[2]
    palette = PAPER if ground in ("7", "15") else NIGHT
    styles: dict[str, str] = {}
    for name, colour in palette.items():
        styles |= {name: colour, f"{name}.bold": f"bold {colour}", f"on.{name}": f"bold {palette['ink']} on {colour}"}
    moon, edge = palette["moon"], palette["edge"]
    styles |= {
        "back": f"{palette['text']} on {palette['surface']}",  # a card face down
        "rule.line": edge,
        "table.header": palette["quiet"],
        "bar.complete": moon,
        "bar.finished": moon,
        "bar.back": edge,
        "progress.percentage": palette["text"],
        "progress.remaining": palette["quiet"],
        "status.spinner": moon,
        "markdown.h1": f"bold {moon}",
        "markdown.h2": f"bold {moon}",
        "markdown.h3": f"bold {palette['text']}",
        "markdown.code": palette["good"],
        "markdown.item.bullet": moon,
        "markdown.item.number": moon,
        "markdown.table.border": edge,
        "markdown.table.header": f"bold {moon}",
        "markdown.block_quote": palette["quiet"],
        "markdown.link": palette["p2"],
    }
    return Theme(styles)
