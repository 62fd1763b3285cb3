"""The legal moves as a numbered list: in columns, by pages, narrowed by typing how a move begins."""

from __future__ import annotations

from collections.abc import Sequence

from tsukimi.cli.style import Style, pad, width


class Picker:
    """One decision's moves. Numbers stay the same whatever is shown."""

    def __init__(self, moves: Sequence[str], glosses: Sequence[str] = ()) -> None:
        self.moves = list(moves)
        self.glosses = list(glosses) or [""] * len(self.moves)
        self.prefix = ""
        self._page = 0
        self._pages = 1

    @property
    def found(self) -> list[int]:
        """The moves that begin as typed, as places in the list."""
        return [i for i, move in enumerate(self.moves) if move.lower().startswith(self.prefix)]

    @property
    def pages(self) -> tuple[int, int]:
        """The page shown and how many there are."""
        return self._page + 1, self._pages

    def turn(self) -> None:
        """To the next page; from the last back to the first."""
        self._page = (self._page + 1) % self._pages

    def narrow(self, text: str) -> bool:
        """Show only moves that begin so; False (and no change) if there are none."""
        prefix = " ".join(text.lower().split())
        if not any(move.lower().startswith(prefix) for move in self.moves):
            return False
        self.prefix, self._page = prefix, 0
        return True

    def move(self, text: str) -> str | None:
        """The move that a text names: its number, its own text, or nothing when only one is left to choose."""
        if text.isascii() and text.isdecimal():
            return self.moves[int(text) - 1] if 1 <= int(text) <= len(self.moves) else None
        if not text:
            return self.moves[self.found[0]] if len(self.found) == 1 else None
        same = [move for move in self.moves if move.lower() == " ".join(text.lower().split())]
        return text if text in self.moves else same[0] if len(same) == 1 else None

    def lines(self, style: Style, columns: int, rows: int) -> list[str]:
        """The page as lines, read down the columns."""
        found = self.found
        digits = len(str(len(self.moves)))
        longest = max(width(self.moves[i]) for i in found)
        cells = [self._cell(i, style, digits, longest) for i in found]
        across = max(1, (columns + 2) // (max(map(width, cells)) + 3))
        room = max(1, rows) * across
        self._pages = -(-len(cells) // room)
        self._page = min(self._page, self._pages - 1)
        shown = cells[self._page * room : (self._page + 1) * room]
        down = -(-len(shown) // across)
        size = max(map(width, shown))
        lines = []
        for row in range(down):
            lines.append(" " + "   ".join(pad(cell, size) for cell in shown[row::down]).rstrip())
        return lines

    def _cell(self, place: int, style: Style, digits: int, longest: int) -> str:
        number = style(f"{place + 1:>{digits}}", "quiet")
        move, gloss = self.moves[place], self.glosses[place]
        shown = style(move[: len(self.prefix)], "quiet") + style(move[len(self.prefix) :], "moon", bold=True)
        return f"{number} {pad(shown, longest) if gloss else shown}{'  ' + gloss if gloss else ''}"
