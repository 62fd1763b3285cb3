"""Every game, player count, edition and variant, and how to play them at random."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from typing import Any

import tsukimi
from tsukimi.core.state import State
from tsukimi.games import spec

Variant = tuple[str, int, dict[str, str]]


def variants() -> list[Variant]:
    found = []
    for game in tsukimi.games():
        for players in spec(game).seats:
            names = list(spec(game).options)
            for values in itertools.product(*spec(game).options.values()):
                found.append((game, players, dict(zip(names, values, strict=True))))
    return found


def name(variant: Variant) -> str:
    game, players, options = variant
    return "-".join([game, str(players), *options.values()])


ALL = variants()
IDS = [name(variant) for variant in ALL]


def new(variant: Variant, seed: int, **more: Any) -> State:
    game, players, options = variant
    return tsukimi.new(game, players=players, seed=seed, **options, **more)


def random_game(variant: Variant, seed: int) -> Iterator[State]:
    """The same state before each decision of a random game, then at its end."""
    state, luck = new(variant, seed), random.Random(seed)
    while not state.over:
        yield state
        seat = luck.choice(state.actors)
        state.apply(luck.choice(state.actions(seat)), seat)
    yield state


def played(variant: Variant, seed: int) -> State:
    *_, state = random_game(variant, seed)
    return state


def observers(state: State) -> list[int | None]:
    return [*range(state.players), None]


def canonical(data: Any) -> str:
    """Bytes that two equal pieces of data share; fails on what is not JSON."""
    return json.dumps(data, sort_keys=True, allow_nan=False)


def fingerprint(state: State) -> str:
    """All that can be seen of a state from outside."""
    return canonical(
        [
            state.record(),
            [state.view(seat) for seat in observers(state)],
            [state.events(seat) for seat in observers(state)],
            [state.legal(seat) for seat in range(state.players)],
            state.scores(),
            state.winners(),
            state.actors,
            state.chance,
        ]
    )
