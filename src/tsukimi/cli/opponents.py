"""Who plays the seats where nobody sits: bots by name, thinking while the person sees for how long."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor, TimeoutError
from typing import TYPE_CHECKING

from tsukimi.core.state import State

if TYPE_CHECKING:
    from tsukimi.bots import Bot

Choose = Callable[[State, int], int]
TICK = 0.1


def opponents(names: str, state: State, humans: Collection[int], seed: int | str | None, ms: float) -> Choose:
    """Bots for the seats without a person, in their order; the last one named plays all that are left."""
    from tsukimi import bots

    listed = [name.strip() for name in names.split(",") if name.strip()] or ["regular"]
    sitting: dict[int, Bot] = {}
    for seat in range(state.players):
        if seat not in humans:
            name = listed.pop(0) if len(listed) > 1 else listed[0]
            sitting[seat] = bots.make(name, state, None if seed is None else f"{seed}/{seat}", bots.Budget(ms))
    return lambda state, seat: sitting[seat].choose(state, seat)


def watched(choose: Choose, state: State, seat: int, tell: Callable[[float], None]) -> int:
    """What a bot chooses; meanwhile `tell` hears every tenth of a second how long it has been thinking."""
    started = time.perf_counter()
    with ThreadPoolExecutor(1) as pool:
        task = pool.submit(choose, state, seat)
        while True:
            try:
                return task.result(TICK)
            except TimeoutError:
                tell(time.perf_counter() - started)
