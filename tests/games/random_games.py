"""Decisions of random games, with what is at stake in them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import tsukimi
from tsukimi.core.state import State

Stakes = list[dict[str, Any]]


def decisions(game: str, players: int, games: int, **options: str) -> Iterator[tuple[State, int, dict[str, Stakes]]]:
    """Every decision of some random games: the state (it is played on afterwards), the seat, the stakes of its moves."""
    for seed in range(games):
        state, luck = tsukimi.new(game, players, seed=seed, **options), random.Random(seed)
        while not state.over:
            seat = luck.choice(state.actors)
            yield state, seat, state.stakes(seat)
            state.apply(luck.choice(state.actions(seat)), seat)


def of_kind(stakes: Stakes, *kinds: str) -> Stakes:
    return [stake for stake in stakes if stake["kind"] in kinds]


def the(stakes: Stakes, kind: str) -> dict[str, Any] | None:
    found = of_kind(stakes, kind)
    assert len(found) <= 1
    return found[0] if found else None


def play_on(state: State, luck: random.Random) -> None:
    seat = luck.choice(state.actors)
    state.apply(luck.choice(state.actions(seat)), seat)
