"""Ways to lay out text that `rich` does not have as one call."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

Part = str | Text | tuple[str, str]


def line(*parts: Part) -> Text:
    """One line of parts, each plain, styled or `(text, style)`."""
    return Text.assemble(*parts, no_wrap=True, overflow="ellipsis")


def pad(text: str | Text, columns: int, align: str = "left", style: str = "") -> Text:
    """Filled with spaces to that many columns: "left", "right" or "center"."""
    filled = text.copy() if isinstance(text, Text) else Text(text)
    room = max(0, columns - filled.cell_len)
    before = {"left": 0, "right": room, "center": room // 2}[align]
    filled.pad_left(before)
    filled.pad_right(room - before)
    if style:
        filled.stylize(style)
    return filled


def clip(text: str, columns: int) -> str:
    """Cut to that many columns, with an ellipsis."""
    cut = Text(text)
    cut.truncate(max(0, columns), overflow="ellipsis")
    return cut.plain


def beside(blocks: Iterable[Iterable[RenderableType]], gap: int = 2) -> Table:
    """Blocks of lines side by side, each as wide as its widest line."""
    grid = Table.grid(padding=(0, gap))
    columns = [Group(*block) for block in blocks]
    for _ in columns:
        grid.add_column(no_wrap=True)
    grid.add_row(*columns)
    return grid


def item(mark: Part, text: str | Text) -> Table:
    """A paragraph with a mark before its first line."""
    grid = Table.grid()
    grid.add_column(no_wrap=True)
    grid.add_column()
    grid.add_row(line(mark), text)
    return grid
