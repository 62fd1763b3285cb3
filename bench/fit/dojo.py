"""Dojo: what the evaluator leaves out at the ends of rounds, as held-out log-loss of the winner.

    python bench/calibrate.py --only dojo --minutes 10 --processes 2
    python bench/fit/dojo.py --players 3

Reads the masters' games of `build/calibration/`. Every row is a softmax over the seats, fitted to two thirds of the games
and reported for the rest, in turn: the patterns' values with a temperature for each round, and that with other features by
phase of the game. Differences are from the first of these, with 95 % intervals over games.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

import tsukimi
from tsukimi import bots

GAMES = Path(__file__).parents[2] / "build" / "calibration"
FEATURES = ("dealer", "score", "won", "trophies")
PHASES = ((0, 5), (5, 9), (9, 12))  # rounds: early, middle, late
FOLDS, PULL = 3, 2.0
Array = Any


def positions(played: dict[str, Any]) -> list[tuple[int, Array, Array, Array]]:
    """At the end of each round: its number, the evaluator's shares, the values and the other features of each seat."""
    players = played["players"]
    state, found = tsukimi.new("dojo", players=players, seed=f"calibrate {played['number']}"), []
    evaluator = bots.engine_for(state, 0).evaluator
    before = state.core.round
    for seat, move in played["moves"]:
        state.apply(move, seat)
        core = state.core
        if core.round == before or state.over:
            continue
        before = core.round
        spots = {field.name: field.offset for field in state.spec.fields(core)}
        seen, values, others = core.observation(0), [], []
        for one in range(players):
            trophies = seen[spots[f"seat{one}.trophies"] :][:12]
            values.append(evaluator.patterns.value_of(core, one))
            others.append([core.dealer == one, state.scores()[one], core.won[one], sum(kind > 0 for kind in trophies)])
        found.append((before, np.array(evaluator.shares(core)), np.array(values), np.array(others, float)))
    return found


def softmax(values: Array) -> Array:
    odds = np.exp(values - values.max(1, keepdims=True))
    return odds / odds.sum(1, keepdims=True)


def fitted(features: Array, won: Array, train: Array, pull: float) -> Array:
    """The shares of all positions by maximum likelihood on some of them, with a prior (Newton's method)."""
    known, size = features[train], features.shape[2]
    weights = np.zeros(size)
    for _ in range(10):
        guess = softmax(known @ weights)
        slope = np.einsum("ns,nsk->k", guess - won[train], known) + pull * weights
        mean = np.einsum("ns,nsk->nk", guess, known)
        scaled = (np.sqrt(guess)[:, :, None] * known).reshape(-1, size)
        weights = weights - np.linalg.solve(scaled.T @ scaled - mean.T @ mean + pull * np.eye(size), slope)
    return softmax(features @ weights)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--games", type=int, default=100_000, help="at most")
    args = parser.parse_args()
    rows = [json.loads(line) for path in sorted(GAMES.glob("*.jsonl")) for line in path.read_text("utf-8").splitlines()]
    games = [row for row in rows if (row["game"], row["players"]) == ("dojo", args.players)][: args.games]
    found = [(number, *position) for number, game in enumerate(games) for position in positions(game)]
    game, rounds, present, values, others = (np.array(part) for part in zip(*found, strict=True))
    shares = [[(seat in game["winners"]) / len(game["winners"]) for seat in range(args.players)] for game in games]
    won = np.array(shares)[game]
    others = (others - others.mean((0, 1))) / (others.std((0, 1)) + 1e-9)
    base = values[:, :, None] * (rounds[:, None] == np.arange(1, 12))[:, None, :]
    phases = [(low <= rounds) & (rounds < high) for low, high in PHASES]

    def loss(kind: str) -> Array:
        if kind == "present":
            return -(won * np.log(np.maximum(present, 1e-4))).sum(1)
        which = [place for place, name in enumerate(FEATURES) if kind in (name, "all")]
        features = np.concatenate([base, *(others[:, :, which] * phase[:, None, None] for phase in phases)], 2)
        losses = np.zeros(len(game))
        for fold in range(FOLDS):
            test = game % FOLDS == fold
            guess = fitted(features, won, ~test, PULL if which else 0.01)
            losses[test] = -(won[test] * np.log(np.maximum(guess[test], 1e-4))).sum(1)
        return losses

    print(f"{len(games)} games, {len(game)} ends of rounds; early, middle, late, all, and the difference")
    plain = loss("temperature")
    for kind in ("present", "temperature", *FEATURES, "all"):
        losses = loss(kind)
        off = np.bincount(game, losses - plain) / np.bincount(game)
        cells = [f"{losses[rows].mean():.4f}" for rows in (*phases, rounds >= 0)]
        print(f"{kind:12} {' '.join(cells)} {off.mean():+.4f} ± {1.96 * off.std() / len(games) ** 0.5:.4f}", flush=True)


if __name__ == "__main__":
    main()
