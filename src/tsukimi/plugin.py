"""Everything an external package needs to add a game: see docs/adding-a-game.md."""

from __future__ import annotations

from tsukimi.core.errors import BadComponents, IllegalMove, MalformedMove
from tsukimi.core.game import Game, Table
from tsukimi.core.python_game import Cell, Cells, PerSeat, PythonGame, draw
from tsukimi.core.python_spec import make_spec
from tsukimi.core.rng import Rng
from tsukimi.core.spec import CHANCE, SPECTATOR, Field, History, Spec

OVER = -2
"""A game's `turn` once it has ended."""

__all__ = [
    "CHANCE",
    "OVER",
    "SPECTATOR",
    "BadComponents",
    "Cell",
    "Cells",
    "Field",
    "Game",
    "History",
    "IllegalMove",
    "MalformedMove",
    "PerSeat",
    "PythonGame",
    "Rng",
    "Spec",
    "Table",
    "draw",
    "make_spec",
]
