"""What boards on a terminal are made of: a theme, a few ways to lay out text, and the board that any game gets.

A game's own board (`Spec.terminal_board`) is a subclass of `Board`. The package needs `rich` and is imported when a
board is drawn, not when a game is.
"""

from tsukimi.terminal.board import Board, View, board_class
from tsukimi.terminal.layout import NO_BREAK, beside, clip, item, line, pad

__all__ = ["NO_BREAK", "Board", "View", "beside", "board_class", "clip", "item", "line", "pad"]
