"""The user's terminal: what `rich` prints, typed answers, the screen cleared between two people."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TextIO

import rich.console
from rich.console import ConsoleDimensions, ConsoleOptions, RenderableType
from rich.segment import Segment, SegmentLines
from rich.text import Text

from tsukimi.terminal.layout import NO_BREAK
from tsukimi.terminal.theme import theme

if TYPE_CHECKING:
    pass

Line = list[Segment]
NARROW, WIDE, PIPED = 60, 100, ConsoleDimensions(80, 40)
GLUE = "\ue000"  # stands in for a no-break space during line wrapping: rich breaks at all kinds of space
SIGNS = re.compile(rf"{NO_BREAK}|[ {NO_BREAK}](?=[:;?!»](?:\s|$))")  # French punctuation stays with its word


class Console(rich.console.Console):
    """Where a command writes and reads. On a terminal it clears and colours; through a pipe it only writes lines."""

    def __init__(self, file: TextIO | None = None, into: TextIO | None = None) -> None:
        out = sys.stdout if file is None else file
        self.into = sys.stdin if into is None else into
        self.on_screen = out.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        self.typed = self.on_screen and self.into.isatty() and into is None
        super().__init__(
            file=file,
            color_system=None if os.environ.get("NO_COLOR") else "auto",
            theme=theme(),
            markup=False,
            emoji=False,
            highlight=False,
        )
        if self.typed:
            _load_line_editing()

    @property
    def colour(self) -> bool:
        return self.color_system is not None

    @property
    def size(self) -> ConsoleDimensions:
        if not self.on_screen:
            return PIPED
        width, height = super().size
        return ConsoleDimensions(max(NARROW, min(WIDE, width)), max(12, height))

    @size.setter
    def size(self, new_size: tuple[int, int]) -> None:
        raise AttributeError("the terminal decides how large it is")

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        if not isinstance(renderable, Text):
            yield from super().render(renderable, options)
            return
        glued = renderable.copy()
        glued.plain = SIGNS.sub(GLUE, glued.plain)
        for segment in super().render(glued, options):
            yield segment._replace(text=segment.text.replace(GLUE, NO_BREAK)) if GLUE in segment.text else segment

    def lines(self, *parts: RenderableType) -> list[Line]:
        """The parts as lines, without trailing blanks."""
        return [self._trimmed(line) for part in parts for line in self.render_lines(part, pad=False)]

    def write(self, *parts: RenderableType) -> None:
        """Each part on a new line; without any, an empty line."""
        self.write_lines(self.lines(*(parts or ("",))))

    def write_lines(self, lines: Sequence[Line]) -> None:
        if lines:
            self.print(SegmentLines(lines, new_lines=True), end="")

    def ask(self, prompt: RenderableType) -> str:
        """One line from the user; EOFError at the end of the input."""
        if self.typed:
            with self.capture() as shown:
                self.print(prompt, end="")
            return input(_with_zero_width_colours(shown.get())).strip()
        self.print(prompt, end="")
        self.file.flush()
        line = self.into.readline()
        if not line:
            raise EOFError
        if not self.into.isatty():
            self.write()
        return line.strip()

    def clear(self, home: bool = True, scrollback: bool = False) -> None:
        """Clear the screen; with `scrollback`, the scrollback too."""
        if self.on_screen:
            super().clear(home)
            if scrollback:
                self.file.write("\x1b[3J")
            self.file.flush()

    def page(self, *parts: RenderableType) -> None:
        """Text to read: through a pager if it does not fit on the screen."""
        lines = self.lines(*parts)
        if self.on_screen and len(lines) >= self.height - 1:
            os.environ["LESS"] = f"{os.environ.get('LESS', '')} -R"
            with self.pager(styles=self.colour):
                self.write_lines(lines)
        else:
            self.write_lines(lines)

    def _trimmed(self, line: Line) -> Line:
        """Without trailing blanks, unless they are coloured."""
        trimmed = list(line)
        while trimmed and not (self.colour and trimmed[-1].style and trimmed[-1].style.bgcolor):
            last = trimmed.pop()
            if text := last.text.rstrip(" "):
                return [*trimmed, last._replace(text=text)]
        return trimmed


def _load_line_editing() -> None:
    try:
        import readline  # noqa: F401  (input() uses it once it is loaded)
    except ImportError:
        pass


def _with_zero_width_colours(prompt: str) -> str:
    """Colours marked as zero-width, so that line editing counts columns correctly."""
    return re.sub(r"(\x1b\[[0-9;]*m)", "\x01\\1\x02", prompt) if "readline" in sys.modules else prompt
