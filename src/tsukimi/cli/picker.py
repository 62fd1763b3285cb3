"""The legal moves as a numbered list: in columns, by pages, narrowed down by typing the start of a move."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from tsukimi.terminal import line, pad

GAP = 3


class Picker:
    """One decision's moves, each with an explanation and its stakes. Numbers stay the same whatever is shown."""

    def __init__(self, moves: Sequence[str], glosses: Sequence[Text] = (), stakes: Sequence[str] = ()) -> None:
        self.moves = list(moves)
        self.glosses = list(glosses) or [Text()] * len(self.moves)
        self.stakes = list(stakes) or [""] * len(self.moves)
        self.prefix = ""
        self._page = 0
        self._pages = 1

    @property
    def found(self) -> list[int]:
        """The moves that start with what was typed, as indexes in the list."""
        return [i for i, move in enumerate(self.moves) if move.lower().startswith(self.prefix)]

    @property
    def pages(self) -> tuple[int, int]:
        """The current page and the number of pages."""
        return self._page + 1, self._pages

    def turn_page(self) -> None:
        """To the next page; from the last back to the first."""
        self._page = (self._page + 1) % self._pages

    def narrow(self, text: str) -> bool:
        """Show only moves that start with this; False (and no change) if there are none."""
        prefix = " ".join(text.lower().split())
        if not any(move.lower().startswith(prefix) for move in self.moves):
            return False
        self.prefix, self._page = prefix, 0
        return True

    def move(self, text: str) -> str | None:
        """The move for a text: its number, its own text, or nothing if there is only one left to choose."""
        if text.isascii() and text.isdecimal():
            return self.moves[int(text) - 1] if 1 <= int(text) <= len(self.moves) else None
        if not text:
            return self.moves[self.found[0]] if len(self.found) == 1 else None
        same = [move for move in self.moves if move.lower() == " ".join(text.lower().split())]
        return text if text in self.moves else same[0] if len(same) == 1 else None

    def lines(self, columns: int, rows: int) -> list[Text]:
        """The page as lines, ordered down the columns."""
        cells = [self._cell(place) for place in self.found]
        for cell in cells:
            cell.truncate(columns - 2, overflow="ellipsis")
        size = max(cell.cell_len for cell in cells)
        across = max(1, (columns - 1 + GAP) // (size + GAP))
        room = max(1, rows) * across
        self._pages = -(-len(cells) // room)
        self._page = min(self._page, self._pages - 1)
        shown = cells[self._page * room : (self._page + 1) * room]
        down = -(-len(shown) // across)
        return [line(" ", Text(" " * GAP).join(pad(cell, size) for cell in shown[row::down])) for row in range(down)]

    def _cell(self, place: int) -> Text:
        digits = len(str(len(self.moves)))
        found = self.found
        move, gloss, typed = self.moves[place], self.glosses[place], len(self.prefix)
        cell = line((f"{place + 1:>{digits}} ", "quiet"), (move[:typed], "quiet"), (move[typed:], "moon.bold"))
        wide = digits + 1 + max(len(self.moves[other]) for other in found)
        if longest := max(self.glosses[other].cell_len for other in found):
            cell, wide = line(pad(cell, wide), "  ", gloss), wide + 2 + longest
        return line(pad(cell, wide), "  ", self.stakes[place]) if self.stakes[place] else cell
