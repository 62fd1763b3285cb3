"""Fits `bots/china_moon/weights.py`: `python bench/fit/china_moon.py OUT.py [seconds of play] [rounds]`.

The evaluator plays against itself, one ply deep, with bursts of random moves so that unusual positions occur. Some
positions are recorded with the winner of their game, and a logistic regression over the seats fits the weights to the
winners. Each round starts with the previous round's weights.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path
from typing import Any, cast

import numpy as np

import tsukimi
from tsukimi.bots.china_moon.evaluator import ChinaMoonEvaluator
from tsukimi.bots.china_moon.weights import WEIGHTS
from tsukimi.core.rng import Rng
from tsukimi.games.china_moon.rules import ChinaMoon

NAMES: tuple[str, ...] = ("points", "grab", "second", "soon", "near", "later", "leader", "followers")
NAMES += ("prizes", "tempo", "harm", "pending", "finish", "best", "swap", "rich")
SEATS, FEATURES, PHASES = 5, len(NAMES), 3
BURST, BURST_LENGTH, RANDOM = 0.04, 4, 0.06  # how often a burst of random moves starts, its length; single random moves
RECORDED, RECORDED_IN_BURST = 0.06, 0.25  # the part of the positions that is recorded
RIDGE = 2e-4
HELD_OUT = 0.1

Array = Any


def play(weights: Array, seconds: float, seed: int) -> tuple[Array, Array, Array]:
    """Positions as features x phases of each seat, the shares of the win at the end, and which seats were taken."""
    starts = {n: cast(ChinaMoon, tsukimi.new("china-moon", players=n, chance="manual").core) for n in (3, 4, 5)}
    evaluator = ChinaMoonEvaluator(starts[4].table)
    evaluator.set_weights(list(weights))
    rng, luck = Rng(seed), random.Random(seed)
    seen, won, there, games, end = [], [], [], 0, time.monotonic() + seconds
    while time.monotonic() < end:
        players = luck.choice((3, 4, 4, 4, 5))
        recorded, winners = one_game(cast(ChinaMoon, starts[players].copy()), evaluator, rng, luck)
        shares = [1 / len(winners) if seat in winners else 0.0 for seat in range(SEATS)]
        seen += recorded
        won += [shares] * len(recorded)
        there += [[seat < players for seat in range(SEATS)]] * len(recorded)
        games += 1
    print(f"{games} games, {len(seen)} positions", flush=True)
    return np.array(seen), np.array(won), np.array(there)


def one_game(
    game: ChinaMoon, evaluator: ChinaMoonEvaluator, rng: Rng, luck: random.Random
) -> tuple[list[Array], list[int]]:
    game.sample_chance(rng)
    burst, recorded = luck.choice((0, 0, 5, 20)), []
    while not game.over:
        seat = game.actors[0]
        if burst <= 0 and luck.random() < BURST:
            burst = BURST_LENGTH
        if luck.random() < (RECORDED_IN_BURST if burst > 0 else RECORDED):
            rows, phase = evaluator.features(game)
            table = np.zeros((SEATS, FEATURES * PHASES), np.float32)
            for other, row in enumerate(rows):
                table[other] = np.outer(row, phase).ravel()
            recorded.append(table)
        at_random = burst > 0 or luck.random() < RANDOM
        game.apply(game.random_action(seat, rng) if at_random else evaluator.greedy_move(game, seat), seat)
        burst -= 1
    return recorded, game.winners()


def fit(seen: Array, won: Array, there: Array, steps: int = 20) -> Array:
    """The weights of maximum likelihood (Newton's method, with a ridge penalty)."""
    cut = int(len(seen) * (1 - HELD_OUT))
    scale = np.sqrt((seen**2).mean((0, 1))) + 1e-6
    features = seen / scale
    weights = np.zeros(FEATURES * PHASES)
    for _ in range(steps):
        guess = shares(features[:cut], weights, there[:cut])
        slope = np.einsum("ns,nsk->k", guess - won[:cut], features[:cut]) / cut + 2 * RIDGE * weights
        mean = np.einsum("ns,nsk->nk", guess, features[:cut])
        bend = np.einsum("ns,nsk,nsl->kl", guess, features[:cut], features[:cut], optimize=True) - mean.T @ mean
        step = np.linalg.solve(bend / cut + 2 * RIDGE * np.eye(len(weights)), slope)
        weights = weights - step
        if np.abs(step).max() < 1e-5:
            break
    print(f"loss {loss(features[:cut], won[:cut], there[:cut], weights):.4f}", end=", ")
    print(f"held out {loss(features[cut:], won[cut:], there[cut:], weights):.4f}", flush=True)
    return weights / scale


def shares(features: Array, weights: Array, there: Array) -> Array:
    values = np.where(there, features @ weights, -1e9)
    odds = np.exp(values - values.max(1, keepdims=True))
    return odds / odds.sum(1, keepdims=True)


def loss(features: Array, won: Array, there: Array, weights: Array) -> float:
    return float(-(won * np.log(shares(features, weights, there) + 1e-9)).sum(1).mean())


def main() -> None:
    out = Path(sys.argv[1])
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 120.0
    weights = np.array(WEIGHTS)
    for number in range(int(sys.argv[3]) if len(sys.argv) > 3 else 3):
        weights = fit(*play(weights, seconds, 1000 + number))
    rows = weights.reshape(FEATURES, PHASES)
    lines = [f"    {', '.join(f'{one:.4f}' for one in row)},  # {name}" for name, row in zip(NAMES, rows, strict=True)]
    head = '"""The weights of the evaluator\'s features, three per feature (`features.py`)."""\n\nWEIGHTS = (\n'
    out.write_text(head + "\n".join(lines) + "\n)  # fmt: skip\n", "utf-8")


if __name__ == "__main__":
    main()
