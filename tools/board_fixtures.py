"""Whole games, step by step, as every seat saw them: fixtures for the board harness (client/fixtures, not committed)."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import tsukimi
from tsukimi import bots
from tsukimi.core.zones import zones
from tsukimi.games import spec

OUT = Path(__file__).parent.parent / "client" / "fixtures"


def game(name: str, players: int, seed: int, level: str = "greedy", **options: str) -> list[dict[str, object]]:
    state = tsukimi.new(name, players=players, seed=seed, **options)
    thinkers = [bots.make(level, state, seed) for _ in range(players)]
    chance = random.Random(seed)
    steps, seen = [], 0
    while True:
        seats: list[int | None] = [None, *range(players)]
        keys = ["spectator" if seat is None else str(seat) for seat in seats]
        steps.append(
            {
                "line": state.lines()[-1],
                "views": {key: _view(state, seat) for key, seat in zip(keys, seats, strict=True)},
                "events": {key: state.events(seat, seen) for key, seat in zip(keys, seats, strict=True)},
                "legal": {str(seat): state.legal(seat) for seat in state.actors},
                "stakes": {str(seat): state.stakes(seat) for seat in state.actors},
            }
        )
        if state.over:
            return steps
        seen = len(state.history)
        seat = chance.choice(state.actors)
        state.apply(thinkers[seat].choose(state, seat), seat)


def _view(state: tsukimi.State, seat: int | None) -> dict[str, object]:
    """A view with its zones, so that the generic board can draw every game."""
    view = state.view(seat)
    return {**view, "zones": zones(view)}


VARIANTS = {
    "dojo.white": (4, {"belt": "white"}),
    "dojo.black": (3, {"belt": "black"}),
    "dojo.black5": (5, {"belt": "black"}),
}
RANDOM = {"charuma.2p", "china-moon.4p", "daruma.4p", "dojo.4p"}  # positions that sensible play never reaches


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[1:] or tsukimi.games():
        games = {f"{name}.{players}p": (players, {}) for players in spec(name).seats}
        games |= {key: found for key, found in VARIANTS.items() if key.startswith(name)}
        for key, (players, options) in games.items():
            steps = game(name, players, 7 + players, "random" if key in RANDOM else "greedy", **options)
            (OUT / f"{key}.json").write_text(json.dumps(steps), "utf-8")
            print(key, len(steps), "steps")


if __name__ == "__main__":
    main()
