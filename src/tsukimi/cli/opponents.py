"""Who plays the seats where nobody sits: a function from a state and a seat to a move's number."""

from __future__ import annotations

import random
from collections.abc import Callable

from tsukimi.core.state import State

Choose = Callable[[State, int], int]
NAMES = ("random",)


def opponent(name: str, seed: int | str | None) -> Choose:
    """An opponent by name; the same seed makes the same choices."""
    luck = random.Random(None if seed is None else f"{name}/{seed}")

    def choose(state: State, seat: int) -> int:
        return luck.choice(state.actions(seat))

    return {"random": choose}[name]
