"""Fits `bots/china_moon/weights.py`: `python bench/fit/china_moon.py OUT.py [seconds of play] [rounds]`.

The judge plays against itself, one ply deep with bursts of random moves in between, so that unusual positions are seen
too. Positions along the way are noted with the winner of their game; a logistic regression over the seats then finds
the weights that explain the winners best. Each round begins with the weights of the one before.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path
from typing import Any, cast

import numpy as np

import tsukimi
from tsukimi.bots.china_moon.judge import PondJudge
from tsukimi.bots.china_moon.weights import WEIGHTS
from tsukimi.core.rng import Rng
from tsukimi.games.china_moon.rules import ChinaMoon

NAMES: tuple[str, ...] = ("points", "grab", "second", "soon", "near", "later", "leader", "followers")
NAMES += ("prizes", "tempo", "harm", "pending", "finish", "best", "swap", "rich")
SEATS, SIGNS, PHASES = 5, len(NAMES), 3
LOOK = 14  # moves that the judge looks at before it decides
BURST, BURST_OF, BLIND = 0.04, 4, 0.06  # how often random moves begin, how many; how often a single one is random
NOTED, NOTED_IN_BURST = 0.06, 0.25  # how many positions are noted
RIDGE = 2e-4
HELD_OUT = 0.1

Array = Any


def play(weights: Array, seconds: float, seed: int) -> tuple[Array, Array, Array]:
    """Positions as signs x phases of each seat, the shares of the win that came of them, and who was there."""
    starts = {n: cast(ChinaMoon, tsukimi.new("china-moon", players=n, chance="manual").core) for n in (3, 4, 5)}
    judge = PondJudge(starts[4].table)
    judge.set_weights(list(weights))
    judge.look = LOOK
    rng, luck = Rng(seed), random.Random(seed)
    seen, won, there, games, end = [], [], [], 0, time.monotonic() + seconds
    while time.monotonic() < end:
        players = luck.choice((3, 4, 4, 4, 5))
        noted, winners = one_game(cast(ChinaMoon, starts[players].copy()), judge, rng, luck)
        shares = [1 / len(winners) if seat in winners else 0.0 for seat in range(SEATS)]
        seen += noted
        won += [shares] * len(noted)
        there += [[seat < players for seat in range(SEATS)]] * len(noted)
        games += 1
    print(f"{games} games, {len(seen)} positions", flush=True)
    return np.array(seen), np.array(won), np.array(there)


def one_game(game: ChinaMoon, judge: PondJudge, rng: Rng, luck: random.Random) -> tuple[list[Array], list[int]]:
    game.sample_chance(rng)
    burst, noted = luck.choice((0, 0, 5, 20)), []
    while not game.over:
        seat = game.actors[0]
        if burst <= 0 and luck.random() < BURST:
            burst = BURST_OF
        if luck.random() < (NOTED_IN_BURST if burst > 0 else NOTED):
            rows, phase = judge.signs(game)
            table = np.zeros((SEATS, SIGNS * PHASES), np.float32)
            for other, row in enumerate(rows):
                table[other] = np.outer(row, phase).ravel()
            noted.append(table)
        blind = burst > 0 or luck.random() < BLIND
        game.apply(game.random_action(seat, rng) if blind else judge.quick(game, seat, rng), seat)
        burst -= 1
    return noted, game.winners()


def fit(seen: Array, won: Array, there: Array, steps: int = 20) -> Array:
    """The weights under which the winners are likeliest (Newton's method, a little ridge)."""
    cut = int(len(seen) * (1 - HELD_OUT))
    scale = np.sqrt((seen**2).mean((0, 1))) + 1e-6
    signs = seen / scale
    weights = np.zeros(SIGNS * PHASES)
    for _ in range(steps):
        guess = shares(signs[:cut], weights, there[:cut])
        slope = np.einsum("ns,nsk->k", guess - won[:cut], signs[:cut]) / cut + 2 * RIDGE * weights
        mean = np.einsum("ns,nsk->nk", guess, signs[:cut])
        bend = np.einsum("ns,nsk,nsl->kl", guess, signs[:cut], signs[:cut], optimize=True) - mean.T @ mean
        step = np.linalg.solve(bend / cut + 2 * RIDGE * np.eye(len(weights)), slope)
        weights = weights - step
        if np.abs(step).max() < 1e-5:
            break
    print(f"loss {loss(signs[:cut], won[:cut], there[:cut], weights):.4f}", end=", ")
    print(f"held out {loss(signs[cut:], won[cut:], there[cut:], weights):.4f}", flush=True)
    return weights / scale


def shares(signs: Array, weights: Array, there: Array) -> Array:
    values = np.where(there, signs @ weights, -1e9)
    odds = np.exp(values - values.max(1, keepdims=True))
    return odds / odds.sum(1, keepdims=True)


def loss(signs: Array, won: Array, there: Array, weights: Array) -> float:
    return float(-(won * np.log(shares(signs, weights, there) + 1e-9)).sum(1).mean())


def main() -> None:
    out = Path(sys.argv[1])
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 120.0
    weights = np.array(WEIGHTS)
    for number in range(int(sys.argv[3]) if len(sys.argv) > 3 else 3):
        weights = fit(*play(weights, seconds, 1000 + number))
    rows = weights.reshape(SIGNS, PHASES)
    lines = [f"    {', '.join(f'{one:.4f}' for one in row)},  # {name}" for name, row in zip(NAMES, rows, strict=True)]
    head = '"""The weights of the judge\'s signs, three per sign (`judge.py`)."""\n\nWEIGHTS = (\n'
    out.write_text(head + "\n".join(lines) + "\n)  # fmt: skip\n", "utf-8")


if __name__ == "__main__":
    main()
