"""The boards: one module per game draws its view. They read the view alone and know no rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Protocol, cast

from tsukimi.cli.style import Style
from tsukimi.cli.words import Words

View = Mapping[str, Any]


class Board(Protocol):
    """What a board module has."""

    def draw(self, view: View, style: Style, names: Sequence[str], lang: str) -> list[str]:
        """The table as its seat sees it, at most 80 columns wide."""

    def headline(self, view: View, words: Words) -> str:
        """A few words beside the game's name: the round, the turn."""

    def gloss(self, move: str, view: View, style: Style, words: Words) -> str:
        """A few words that explain a move's text ("" for none)."""

    def anchors(self, view: View) -> list[str]:
        """The sections of the rules that speak of this moment, the best one first."""

    def recall(self, events: list[dict[str, Any]], view: View) -> list[dict[str, Any]]:
        """The events that may be looked up again while the game goes on."""


def of(game: str) -> Board:
    return cast(Board, import_module(f"tsukimi.cli.boards.{game.replace('-', '_')}"))
