"""Output for terminals without Unicode: characters that cannot be written are replaced by similar ones."""

from __future__ import annotations

import codecs
import sys

_SIMILAR = {
    "-": "─━╌┄–—═−",
    "|": "│┃┊║▐▌",
    "+": "╭╮╰╯┌┐└┘├┤┬┴┼",
    ".": "·…◌",
    "*": "•◆★●✿◉",
    "o": "○◇☆◠◡◐",
    "#": "█■▪▄▀▓",
    ">": "▸→»›",
    "<": "◂←«",
    "^": "▲△↑",
    "v": "▼↓",
    "x": "×",
    "'": "’",
    " ": "\N{NO-BREAK SPACE}",
}
_ASCII = {letter: plain for plain, letters in _SIMILAR.items() for letter in letters}


def tolerate_old_terminals() -> None:
    """Make standard output replace what its encoding lacks."""
    codecs.register_error("tsukimi", _replace)
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="tsukimi")


def _replace(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    missing = problem.object[problem.start : problem.end]
    return "".join(_ASCII.get(letter, "?") for letter in missing), problem.end
