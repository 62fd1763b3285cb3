"""The encoding of a game's observations, by the game's name."""

from __future__ import annotations

import tsukimi
from tsukimi.core.encoding import Encoding
from tsukimi.core.setup import Components

__all__ = ["Encoding", "encoding"]


def encoding(game: str, players: int, kind: str = "onehot", components: Components = None, **options: str) -> Encoding:
    """The encoding of a game's observations, for use with batches."""
    start = tsukimi.new(game, players, chance="manual", components=components, **options)
    return Encoding(start.spec, start.core, kind)
