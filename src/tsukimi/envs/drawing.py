"""The result of `render()`: the terminal board as text or as an image, drawn from a view, so that it shows no secrets."""

from __future__ import annotations

import unicodedata
from io import StringIO
from typing import TYPE_CHECKING, Any

import numpy as np

from tsukimi.core.state import State

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from rich.console import Console, RenderableType

COLUMNS = 80
CELL_WIDTH, CELL_HEIGHT = 9, 18  # pixels
LATIN = 0x250  # the letters of Pillow's font
ROWS = 26  # at least: images of one game have the same size
NIGHT, MOON = (18, 23, 43), (243, 234, 216)
Colour = tuple[int, ...]


def render(state: State, mode: str | None, seat: int | None = None) -> Any:
    """The table as a seat (None: a spectator) sees it, in one of the modes `ansi`, `rgb_array`, `human`."""
    if mode == "rgb_array":
        return picture(state, seat)
    if mode == "ansi":
        return text(state, seat)
    if mode == "human":
        print(text(state, seat))
    return None


def text(state: State, seat: int | None = None) -> str:
    """The board as plain text."""
    console = _console()
    console.print(_board(state, seat))
    written = console.file
    assert isinstance(written, StringIO)
    return written.getvalue()


def picture(state: State, seat: int | None = None) -> Any:
    """The board in colours, an array of height x width x 3."""
    from PIL import Image, ImageDraw, ImageFont

    lines, font = _console().render_lines(_board(state, seat)), ImageFont.load_default(14)
    size = ((COLUMNS + 2) * CELL_WIDTH, (max(len(lines), ROWS) + 2) * CELL_HEIGHT)
    image = Image.new("RGB", size, NIGHT)
    pen = ImageDraw.Draw(image)
    for row, line in enumerate(lines, 1):
        column = 1
        for segment in line:
            style = segment.style
            ink = tuple(style.color.get_truecolor()) if style and style.color else MOON
            ground = tuple(style.bgcolor.get_truecolor()) if style and style.bgcolor else None
            for letter in segment.text:
                left, top = column * CELL_WIDTH, row * CELL_HEIGHT
                if ground:
                    pen.rectangle((left, top, left + CELL_WIDTH, top + CELL_HEIGHT - 1), ground)
                if ord(letter) < LATIN:
                    pen.text((left + CELL_WIDTH / 2, top + 14), letter, ink, font, anchor="ms")
                else:
                    _sign(pen, letter, left, top, ink)
                column += 1
    return np.array(image, np.uint8)


def _sign(pen: ImageDraw, sign: str, left: int, top: int, ink: Colour) -> None:
    """A character that Pillow's font lacks: box lines, blocks, and a dot for all others."""
    words = set(unicodedata.name(sign, "").split())
    middle, centre = left + CELL_WIDTH // 2, top + CELL_HEIGHT // 2
    right, bottom = left + CELL_WIDTH, top + CELL_HEIGHT
    if "BOX" in words:
        if words & {"LEFT", "HORIZONTAL"}:
            pen.line((left, centre, middle, centre), ink)
        if words & {"RIGHT", "HORIZONTAL"}:
            pen.line((middle, centre, right, centre), ink)
        if words & {"UP", "VERTICAL"}:
            pen.line((middle, top, middle, centre), ink)
        if words & {"DOWN", "VERTICAL"}:
            pen.line((middle, centre, middle, bottom), ink)
    elif "BLOCK" in words:
        half = {"UPPER": (left, top, right, centre), "LOWER": (left, centre, right, bottom)}
        pen.rectangle(next((box for word, box in half.items() if word in words), (left, top, right, bottom)), ink)
    elif not sign.isspace():
        hollow = "WHITE" in words
        pen.ellipse((middle - 3, centre - 3, middle + 3, centre + 3), None if hollow else ink, ink)


def _board(state: State, seat: int | None) -> RenderableType:
    from tsukimi.terminal import board_class

    names = [f"p{other + 1}" for other in range(state.players)]
    return board_class(state.spec)(state.game, "en", names, colour=True).draw(state.view(seat))


def _console() -> Console:
    from rich.console import Console

    from tsukimi.terminal.theme import theme

    return Console(file=StringIO(), width=COLUMNS, theme=theme({}), color_system=None, highlight=False)
