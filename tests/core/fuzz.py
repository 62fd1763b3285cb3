"""Calls everything that a position, a batch and their helpers offer to Python, with junk; run compiled, in a process of its own."""

from __future__ import annotations

import random
import sys

import kuhn
import numpy as np

import tsukimi
from tsukimi.core import batch, chunk, events, game, python_game, rng
from tsukimi.core.rng import Rng

SLOW = {"playouts", "copies"}  # with a large number they run for long, which is what was asked for


def junk(luck, things):
    return luck.choice(
        [
            lambda: luck.randrange(-3, 8),
            lambda: luck.randrange(-(2**66), 2**66),
            lambda: luck.randrange(900),
            lambda: luck.choice([None, True, 1.5, "p1", b"x", [], [1, 2], {}, (), float("nan")]),
            lambda: luck.choice([np.int32(1), np.int64(-1), np.float64(2), np.zeros(3, int), np.bool_(1)]),
            lambda: Rng(luck.randrange(99)),
            lambda: luck.choice(things),
        ]
    )()


def callables(thing):
    for name in dir(thing):
        if name in ("__class__", "__subclasshook__", "__init_subclass__", "__new__", "__dir__", "__sizeof__"):
            continue
        try:
            found = getattr(thing, name)
        except Exception:
            continue
        if callable(found):
            yield name, found


def main(seed: int) -> None:
    luck = random.Random(seed)
    tsukimi.games.register(kuhn.SPEC)
    things = []
    for name in tsukimi.games():
        for players in tsukimi.games.spec(name).seats:
            state = tsukimi.new(name, players, seed=seed)
            for _ in range(luck.randrange(12)):
                if not state.over:
                    state.apply(luck.choice(state.actions()))
            things += [state.core.copy(), tsukimi.new(name, players, chance="manual").core.copy(), state.core.table]
            full = {"threads": 2, "masks": True, "seat": "random", "encoding": "onehot", "terminal": True}
            things += [tsukimi.batch(name, players, games=3, seed=seed, **full), state._event_log()]
            things += [tsukimi.batch(name, players, games=3, seed=seed)]
            things += [type(state.core), type(state.core.table), type(state.core).__new__(type(state.core))]
    things += [Rng(1), Rng, game.Game, batch.Batch, chunk.Chunk, chunk.Chunk.__new__(chunk.Chunk), events.EventLog]
    things += [python_game.PythonGame, python_game.Cell, python_game.CellArray, rng.Rng.__new__(rng.Rng)]
    for _ in range(6):
        for thing in list(things):
            for name, call in [("()", thing) if callable(thing) else ("copy", lambda: None), *callables(thing)]:
                arguments = [junk(luck, things) for _ in range(luck.randrange(4))]
                if name in SLOW:
                    arguments = [Rng(1), luck.randrange(-1, 3)]
                try:
                    call(*arguments)
                except Exception:
                    pass
            for name in dir(thing):  # the data are not to be written
                try:
                    if luck.random() < 0.2 and not name.startswith("__"):
                        setattr(thing, name, junk(luck, things))
                except Exception:
                    pass
    print("alive")


if __name__ == "__main__":
    main(int(sys.argv[1]))
