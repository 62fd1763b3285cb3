"""The words of a game on a terminal, where every player's name has a colour."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tsukimi.core import words

Paint = Callable[[int, str], str]


class Words(words.Words):
    """The words of one game in one language, with the names of its players, painted."""

    def __init__(self, game: str, lang: str, names: Sequence[str], paint: Paint = lambda seat, name: name) -> None:
        super().__init__(game, lang, names)
        self._paint = paint

    def name(self, seat: int) -> str:
        return self._paint(seat, self.names[seat])
