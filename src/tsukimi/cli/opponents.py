"""The bots for the seats without a person."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from tsukimi.core.state import State

if TYPE_CHECKING:
    from tsukimi.bots import Bot

Choose = Callable[[State, int], int]


def listed_names(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()] or ["regular"]


def opponents(names: str, state: State, humans: Collection[int], seed: int | str | None, ms: float) -> Choose:
    """Bots for the seats without a person, in order; the last one named plays all remaining seats."""
    from tsukimi import bots

    listed = listed_names(names)
    seated: dict[int, Bot] = {}
    for seat in range(state.players):
        if seat not in humans:
            name = listed.pop(0) if len(listed) > 1 else listed[0]
            seated[seat] = bots.make(name, state, None if seed is None else f"{seed}/{seat}", bots.Budget(ms))
    return lambda state, seat: seated[seat].choose(state, seat)
