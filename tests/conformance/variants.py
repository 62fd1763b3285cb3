"""Every game, player count, edition and variant, and how to play them at random."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tsukimi
from tsukimi.check.trial import Trial, Variant, canonical, fingerprint, observers, variants
from tsukimi.core.state import State
from tsukimi.games import spec

__all__ = [
    "ALL",
    "IDS",
    "OURS",
    "Variant",
    "canonical",
    "fingerprint",
    "name",
    "new",
    "observers",
    "played",
    "random_game",
]

ALL = [variant for game in tsukimi.games() for variant in variants(spec(game))]
IDS = [str(variant) for variant in ALL]
HERE = Path(tsukimi.__file__).parent
OURS = [variant for variant in ALL if HERE in spec(variant.game).folder.parents]  # not those of other packages


def name(variant: Variant) -> str:
    return str(variant)


def new(variant: Variant, seed: int, **more: Any) -> State:
    return tsukimi.new(variant.game, variant.players, seed=seed, **{**variant.options, **more})


def random_game(variant: Variant, seed: int) -> Iterator[State]:
    """The same state before each decision of a random game, then at its end."""
    return Trial(Variant(*variant)).game(seed)


def played(variant: Variant, seed: int) -> State:
    return Trial(variant).played(seed)
