"""The terminal a person sits at: lines out, answers in, the screen cleared between two people."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from typing import TextIO

from tsukimi.cli.style import Style, style_for

NARROW, WIDE = 60, 100
_LOOKS = {
    "-": "─━╌┄–—═",
    "|": "│┃┊║▐▌",
    "+": "╭╮╰╯┌┐└┘├┤┬┴┼",
    ".": "·…◌",
    "*": "•◆★●✿◉",
    "o": "○◇☆◠◡",
    "#": "█■▪▄▀▓",
    ">": "▸→»",
    "<": "◂←«",
    "^": "▲△↑",
    "v": "▼↓",
    "x": "×",
    "'": "’",
}
_ASCII = str.maketrans({letter: plain for plain, letters in _LOOKS.items() for letter in letters})


class Console:
    """Where a command writes and reads. On a terminal it clears and colours; through a pipe it only writes lines."""

    def __init__(self, out: TextIO | None = None, into: TextIO | None = None, style: Style | None = None) -> None:
        self.out = sys.stdout if out is None else out
        self.into = sys.stdin if into is None else into
        self.style = style_for(self.out) if style is None else style
        self.screen = self.out.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        self.typed = self.screen and self.into.isatty() and into is None
        self._plain_letters = not (getattr(self.out, "encoding", None) or "utf-8").lower().startswith("utf")
        if self.typed:
            _line_editing()

    @property
    def columns(self) -> int:
        return max(NARROW, min(WIDE, shutil.get_terminal_size((80, 24)).columns if self.screen else 80))

    @property
    def rows(self) -> int:
        return max(12, shutil.get_terminal_size((80, 24)).lines) if self.screen else 40

    def write(self, lines: Iterable[str] | str = "") -> None:
        text = lines if isinstance(lines, str) else "\n".join(lines)
        self.out.write(self._spelt(text) + "\n")

    def status(self, text: str) -> None:
        """One line that is written over by what comes next; on a screen only."""
        if self.screen:
            self.out.write("\r\x1b[K" + self._spelt(text))
            self.out.flush()

    def ask(self, prompt: str) -> str:
        """One line from the person; EOFError at the end of the input."""
        self.out.flush()
        if self.typed:
            return input(_unmeasured(self._spelt(prompt))).strip()
        self.out.write(self._spelt(prompt))
        self.out.flush()
        line = self.into.readline()
        if not line:
            raise EOFError
        if not self.into.isatty():
            self.out.write("\n")
        return line.strip()

    def clear(self, scrollback: bool = False) -> None:
        """An empty screen; with `scrollback` nothing can be scrolled back to either."""
        if self.screen:
            self.out.write("\x1b[H\x1b[2J" + ("\x1b[3J" if scrollback else ""))
            self.out.flush()

    def page(self, lines: Sequence[str]) -> None:
        """Lines to read: through a pager when they are more than the screen holds."""
        if not self.screen or len(lines) < self.rows - 1 or not self._paged("\n".join(lines) + "\n"):
            self.write(lines)

    def _paged(self, text: str) -> bool:
        command = os.environ.get("PAGER") or "less -R"
        program = command.split()[0]
        if shutil.which(program) is None:
            return False
        environment = {**os.environ, "LESS": os.environ.get("LESS", "") + " -R", "LESSCHARSET": "utf-8"}
        self.out.flush()
        try:
            subprocess.run(command.split(), input=text.encode("utf-8"), env=environment, check=False)
        except (OSError, BrokenPipeError):
            return False
        return True

    def _spelt(self, text: str) -> str:
        if not self._plain_letters:
            return text
        encoding = self.out.encoding or "ascii"
        return text.translate(_ASCII).encode(encoding, "replace").decode(encoding)


def _line_editing() -> None:
    try:
        import readline  # noqa: F401  (input() uses it once it is loaded)
    except ImportError:
        pass


def _unmeasured(prompt: str) -> str:
    """Colours marked as taking no room, so that line editing counts columns rightly."""
    if "readline" not in sys.modules:
        return prompt
    import re

    return re.sub(r"(\x1b\[[0-9;]*m)", "\x01\\1\x02", prompt)
