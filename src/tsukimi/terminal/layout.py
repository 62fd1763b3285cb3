"""Ways to lay out text that `rich` does not have as one call."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

NO_BREAK = "\N{NO-BREAK SPACE}"
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


class FirstFit:
    """The first of several layouts that fits into the width; the last one if none does."""

    def __init__(self, *layouts: RenderableType) -> None:
        self.layouts = layouts

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        unlimited = options.update(width=10 * options.max_width)
        for layout in self.layouts[:-1]:
            if Measurement.get(console, unlimited, layout).maximum <= options.max_width:
                yield layout
                return
        yield self.layouts[-1]
