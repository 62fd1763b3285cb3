"""Whether the bots' win probabilities are calibrated: their estimates for positions of new games, and who won.

    python bench/calibrate.py --minutes 20 --processes 2 [--fit] [--only GAME]

Masters play against each other in every game with every number of players; the games are stored in `build/calibration/`,
so that a run resumes where the last one stopped. With `--fit` the corrections in `bots/calibration.json` are fitted to
the even-numbered games. The report, `bench/results/calibration.md`, covers only the odd-numbered ones.
Without `--minutes` nothing is played.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np

import tsukimi
from tasks import whole_lines
from tsukimi import bots
from tsukimi.bots import calibration
from tsukimi.bots.calibration import LEAST, PHASES, phase_of

ROOT = Path(__file__).parent.parent
GAMES = ROOT / "build" / "calibration"
TABLE, REPORT = ROOT / "src/tsukimi/bots/calibration.json", ROOT / "bench/results/calibration.md"
PLAYERS = {"charuma": (2, 3, 4, 5), "china-moon": (3, 4, 5), "daruma": (2, 3, 4, 5), "dojo": (3, 4, 5)}
PLAYOUTS = {"charuma": 60, "china-moon": 300, "daruma": 40, "dojo": 200}  # of the masters, a few milliseconds per move
FITTED, REPORTED = 12, 4  # positions of each game, for the fit and for the report
PRIOR, POOLED = 100.0, 1000.0  # the weight, in positions, of no correction and of the one for all numbers of players
BINS = 10
Array = Any


@dataclass(frozen=True)
class Prediction:
    """The estimates for one position, and the result of its game."""

    players: int
    phase: int
    mover: int
    won: list[float]
    old: list[float]
    """By the evaluator alone, as in 0.1.0."""
    estimate: list[float]
    open: list[float]
    """The shares with all hidden information revealed."""
    known: list[float]
    """The shares given what the seat to move knows."""
    best: float
    """The share of the best move in an analysis of the seat to move."""
    raw_best: float


# ---- games ---------------------------------------------------------------------------------------


def play(seconds: float, first: int, step: int, path: Path) -> None:
    """Play all kinds of games in turn, numbered first, first + step, .."""
    end, number = time.monotonic() + seconds, first
    with path.open("a", encoding="utf-8") as file:
        while time.monotonic() < end:
            for game, numbers in PLAYERS.items():
                for players in numbers:
                    file.write(json.dumps(one_game(game, players, number)) + "\n")
                    file.flush()
            number += step


def one_game(game: str, players: int, number: int) -> dict[str, Any]:
    state = tsukimi.new(game, players=players, seed=f"calibrate {number}")
    budget = bots.Budget(None, PLAYOUTS[game])
    seats = [bots.make("master", state, f"{number} {seat}", budget) for seat in range(players)]
    moves = []
    while not state.over:
        seat = state.actors[0]
        move = seats[seat].choose(state, seat)
        moves.append((seat, move))
        state.apply(move, seat)
    return {"game": game, "players": players, "number": number, "moves": moves, "winners": state.winners()}


def stored() -> list[dict[str, Any]]:
    games = [line for path in sorted(GAMES.glob("*.jsonl")) for line in whole_lines(path)]
    return [game for game in games if game["game"] in PLAYERS]


# ---- the estimates -------------------------------------------------------------------------------


def predictions_of(played: dict[str, Any], positions: int) -> list[Prediction]:
    """Some positions of a game, spread over it."""
    game, players, moves = played["game"], played["players"], played["moves"]
    state = tsukimi.new(game, players=players, seed=f"calibrate {played['number']}")
    engine = bots.engine_for(state, played["number"])
    found: list[dict[str, Any]] = []
    step = max(1, len(moves) // positions)
    for number, (seat, move) in enumerate(moves):
        if number % step == step // 2:
            candidates = engine.analyse(state, seat, bots.Budget(None, PLAYOUTS[game]))
            found.append(
                {
                    "players": players,
                    "phase": phase_of(engine.progress(state.core)),
                    "mover": seat,
                    "old": engine.evaluator.shares(state.core),
                    "estimate": engine.estimate(state.core, engine.rollouts),
                    "open": engine.shares(state.core),
                    "known": engine.shares(state.core, seat),
                    "raw_best": candidates[0].share,
                    "best": engine.believable(state.core, candidates)[0].share,
                }
            )
        state.apply(move, seat)
    winners = state.winners()
    won = [1 / len(winners) if seat in winners else 0.0 for seat in range(players)]
    return [Prediction(won=won, **row) for row in found]


# ---- the fit -------------------------------------------------------------------------------------


def fit_all(predictions: dict[str, list[Prediction]]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for game, everything in predictions.items():
        table[game] = {"moves": [fit_moves([item for item in everything if item.phase == phase]) for phase in range(3)]}
        for players in PLAYERS[game]:
            table[game][str(players)] = []
            for phase in range(len(PHASES)):
                here = [item for item in everything if item.phase == phase]
                pooled = fit(here, np.array([1.0, 0.0]), PRIOR)
                mine = fit([item for item in here if item.players == players], pooled, POOLED)
                table[game][str(players)].append([round(float(weight), 3) for weight in mine])
    return table


def fit(predictions: Sequence[Prediction], prior: Array, strength: float) -> Array:
    """The maximum-likelihood exponent and bonus, with a prior (Newton's method)."""
    if not predictions:
        return prior
    features, won, there = tables(predictions)
    weights, pull = prior.copy(), strength * np.diag([0.1, 0.2])
    for _ in range(20):
        guess = softmax(features @ weights, there)
        slope = np.einsum("ns,nsk->k", guess - won, features) + pull @ (weights - prior)
        mean = np.einsum("ns,nsk->nk", guess, features)
        bend = np.einsum("ns,nsk,nsl->kl", guess, features, features) - mean.T @ mean + pull
        weights = weights - np.linalg.solve(bend, slope)
    return weights


def tables(predictions: Sequence[Prediction]) -> tuple[Array, Array, Array]:
    features, won, there = (
        np.zeros((len(predictions), 5, 2)),
        np.zeros((len(predictions), 5)),
        np.zeros((len(predictions), 5), bool),
    )
    for row, one in enumerate(predictions):
        features[row, : one.players, 0] = [math.log(max(LEAST, share)) for share in one.estimate]
        features[row, one.mover, 1] = 1
        won[row, : one.players] = one.won
        there[row, : one.players] = True
    return features, won, there


def softmax(values: Array, there: Array) -> Array:
    values = np.where(there, values, -1e9)
    odds = np.exp(values - values.max(1, keepdims=True))
    return odds / odds.sum(1, keepdims=True)


def fit_moves(predictions: Sequence[Prediction]) -> list[float]:
    """The factor and the offset for the log-odds of a move's share: a logistic regression."""
    odds = np.array([calibration.log_odds(item.raw_best) for item in predictions])
    won = np.array([item.won[item.mover] for item in predictions])
    features, weights = np.stack([odds, np.ones(len(odds))], 1), np.array([1.0, 0.0])
    for _ in range(20):
        guess = 1 / (1 + np.exp(-features @ weights))
        bend = features.T @ (features * (guess * (1 - guess))[:, None]) + PRIOR * np.diag([0.1, 0.02])
        slope = features.T @ (guess - won) + PRIOR * np.array([0.1, 0.02]) * (weights - np.array([1.0, 0.0]))
        weights = weights - np.linalg.solve(bend, slope)
    return [round(float(weight), 3) for weight in weights]


# ---- the report ----------------------------------------------------------------------------------


def pairs(predictions: Sequence[Prediction], what: str) -> Iterator[tuple[float, float]]:
    """Every estimated share, and the actual share of the win."""
    for item in predictions:
        if what.endswith("best"):
            yield getattr(item, what), item.won[item.mover]
        else:
            yield from zip(getattr(item, what), item.won, strict=True)


def reliability(predictions: Sequence[Prediction], what: str) -> list[tuple[float, float, int]]:
    """For each tenth: the mean estimate, the mean result, and the number of estimates."""
    bins = defaultdict(list)
    for share, won in pairs(predictions, what):
        bins[min(BINS - 1, int(BINS * share))].append((share, won))
    return [
        (sum(s for s, _ in found) / len(found), sum(w for _, w in found) / len(found), len(found))
        for _, found in sorted(bins.items())
    ]


def expected_error(predictions: Sequence[Prediction], what: str) -> float:
    rows = reliability(predictions, what)
    return sum(count * abs(predicted - observed) for predicted, observed, count in rows) / sum(
        count for _, _, count in rows
    )


def chance_error(predictions: Sequence[Prediction], what: str) -> float:
    """The expected error of perfectly calibrated shares, if all positions were independent."""
    rows = reliability(predictions, what)
    deviations = [math.sqrt(2 / math.pi * predicted * (1 - predicted) * count) for predicted, _, count in rows]
    return sum(deviations) / sum(count for _, _, count in rows)


def log_loss(predictions: Sequence[Prediction], what: str) -> float:
    total = 0.0
    for item in predictions:
        shares = [1 / item.players] * item.players if what == "uniform" else getattr(item, what)
        total -= sum(won * math.log(max(1e-4, share)) for won, share in zip(item.won, shares, strict=True) if won)
    return total / len(predictions)


def report(predictions: dict[str, list[Prediction]], games: Sequence[dict[str, Any]]) -> str:
    lines = [HEAD]
    lines += [
        "| game | players | phase | positions | uniform | 0.1.0 | now, open | now, by one seat | error, 0.1.0 | error, open | error, by one seat |"
    ]
    lines += ["|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|"]
    for game, everything in predictions.items():
        lines.append(row(f"**{game}**", "all", "all", everything))
        for number, phase in enumerate(PHASES):
            lines.append(row("", "all", phase, [item for item in everything if item.phase == number]))
        for players in PLAYERS[game]:
            lines.append(row("", str(players), "all", [item for item in everything if item.players == players]))
    lines += [
        "",
        "## The share of the best move",
        MOVES,
        "| game | predicted | won | error, uncorrected | error | by chance |",
    ]
    lines += ["|---|---:|---:|---:|---:|---:|"]
    for game, everything in predictions.items():
        shares = list(pairs(everything, "best"))
        means = [sum(pair[place] for pair in shares) / len(shares) for place in (0, 1)]
        errors = [expected_error(everything, what) for what in ("raw_best", "best")]
        cells = [*means, *errors, chance_error(everything, "best")]
        lines.append(f"| {game} | {' | '.join(f'{cell:.3f}' for cell in cells)} |")
    lines += [
        "",
        "## Reliability",
        "The predicted shares with everything open, and the observed ones (`o`): on the diagonal the two are equal.",
        "",
    ]
    for game, everything in predictions.items():
        lines += [f"### {game}", "```", *plot(reliability(everything, "open")), "```", ""]
    lines += [
        "## Seats",
        SEATS,
        "| game | players | games | p1 | p2 | p3 | p4 | p5 |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    lines += [*seats(games), ""]
    counts = {
        game: [sum((one["game"], one["number"] % 2) == (game, rest) for one in games) for rest in (0, 1)]
        for game in PLAYERS
    }
    played = ", ".join(f"{game} {fitted} and {reported}" for game, (fitted, reported) in counts.items())
    lines += [f"Games, for the fit and for this report: {played}."]
    return "\n".join(lines) + "\n"


HEAD = f"""# Calibration

Written by `make calibrate` (`bench/calibrate.py`): games of masters against each other ({", ".join(f"{game} {count}" for game, count in PLAYOUTS.items())} playouts a move), {REPORTED} positions of each. The corrections were fitted to
games other than these. Log-loss in nats, less is better: everybody equal, the evaluator of 0.1.0 alone, and `bots.shares` with everything open and by what the seat to move knows. The expected error is the mean difference between
the predicted and the observed share, over tenths. Positions of one game are not independent: with some hundred games an error of 0.01 to 0.02 is chance.
"""
MOVES = """
What an analysis says about its best move (hints, reviews), over the same positions: the mean predicted share, how often the seat won, and the expected error with and without the correction; the last column
is what that error would be if every share were exactly right, as these are so few positions.
"""

SEATS = """
How much more often than its equal share each seat won, in percentage points, in all these games of equal masters (those of the fit, too).
"""


def row(game: str, players: str, phase: str, predictions: Sequence[Prediction]) -> str:
    if not predictions:
        return f"| {game} | {players} | {phase} | 0 |" + " |" * 7
    losses = [f"{log_loss(predictions, what):.3f}" for what in ("uniform", "old", "open", "known")]
    errors = [f"{expected_error(predictions, what):.3f}" for what in ("old", "open", "known")]
    return f"| {game} | {players} | {phase} | {len(predictions)} | {' | '.join([*losses, *errors])} |"


def seats(games: Sequence[dict[str, Any]]) -> list[str]:
    """Each seat's share of the win minus an equal share, with its 95 % interval: a line for each kind of game."""
    lines = []
    for game, numbers in PLAYERS.items():
        for players in numbers:
            here = [one["winners"] for one in games if (one["game"], one["players"]) == (game, players)]
            cells = []
            for seat in range(players):
                won = [(seat in winners) / len(winners) for winners in here]
                half = 1.96 * math.sqrt(float(np.var(won)) / len(won))
                cells.append(f"{100 * (float(np.mean(won)) - 1 / players):+.1f} ± {100 * half:.1f}")
            lines.append(f"| {game} | {players} | {len(here)} | {' | '.join([*cells, *[''] * (5 - players)])} |")
    return lines


def plot(rows: list[tuple[float, float, int]], width: int = 50) -> list[str]:
    lines = []
    for predicted, observed, count in rows:
        line = [" "] * (width + 1)
        line[round(width * predicted)] = "·"
        line[round(width * observed)] = "o"
        lines.append(f"predicted {predicted:.2f} |{''.join(line)}| observed {observed:.2f}  ({count})")
    return lines


# ---- main ----------------------------------------------------------------------------------------


def all_predictions(games: Sequence[dict[str, Any]], positions: int, processes: int) -> dict[str, list[Prediction]]:
    predictions: dict[str, list[Prediction]] = {game: [] for game in PLAYERS}
    with ProcessPoolExecutor(processes) as pool:
        for played, found in zip(games, pool.map(predictions_of, games, repeat(positions), chunksize=8), strict=True):
            predictions[played["game"]] += found
    return predictions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=0.0)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--only", choices=[*PLAYERS], help="this game alone; the report is printed, not written")
    options = parser.parse_args()
    if options.only:
        for game in {*PLAYERS} - {options.only}:
            del PLAYERS[game]
    GAMES.mkdir(parents=True, exist_ok=True)
    if options.minutes:
        first = 1 + max((row["number"] for row in stored()), default=-1)
        with ProcessPoolExecutor(options.processes) as pool:
            tasks = [
                pool.submit(play, 60 * options.minutes, first + k, options.processes, GAMES / f"{k}.jsonl")
                for k in range(options.processes)
            ]
            for task in tasks:
                task.result()
    games = stored()
    parts = [[game for game in games if game["number"] % 2 == rest] for rest in (0, 1)]
    if options.fit:
        fitted = fit_all(all_predictions(parts[0], FITTED, options.processes))
        table = {**json.loads(TABLE.read_text("utf-8")), **fitted}
        lines = [f' "{game}": {{\n{rows(by)}\n }}' for game, by in table.items()]
        TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    text = report(all_predictions(parts[1], REPORTED, options.processes), games)
    if not options.only:
        REPORT.write_text(text, "utf-8")
    print(text)


def rows(by: dict[str, Any]) -> str:
    return ",\n".join(f'  "{key}": {json.dumps(numbers)}' for key, numbers in by.items())


if __name__ == "__main__":
    main()
