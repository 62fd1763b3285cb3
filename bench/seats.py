"""Whether a seat is favoured when equal bots play: how often each seat wins, in every game and number of players.

    python bench/seats.py --minutes 60 --games 1000

Results are stored in `bench/results/seats.jsonl`, and a run resumes where the last one stopped, with the match that has
the fewest games. `bench/results/seats.md` is generated from it. Start a new file when the bots have changed.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import tsukimi
from tasks import whole_lines
from tsukimi import bots

HERE = Path(__file__).parent
LINES, REPORT = HERE / "results" / "seats.jsonl", HERE / "results" / "seats.md"
GAMES = {"charuma": (2, 3, 4, 5), "china-moon": (3, 4, 5), "daruma": (2, 3, 4, 5), "dojo": (3, 4, 5)}
LIMIT = 4.0  # percentage points
BATCH = 50  # games between two checks of the time

Key = tuple[str, int]
Shares = list[list[float]]


def matches() -> list[Key]:
    return [(game, players) for game, numbers in GAMES.items() for players in numbers]


def play(game: str, players: int, number: int, level: str, playouts: int) -> list[float]:
    """Each seat's share of the win in one game."""
    state = tsukimi.new(game, players=players, seed=f"seats {number}")
    budget = bots.Budget(playouts=playouts)
    seats = [bots.make(level, state, f"seats {number} {seat}", budget) for seat in range(players)]
    while not state.over:
        seat = state.actors[0]
        state.apply(seats[seat].choose(state, seat), seat)
    winners = state.core.winners()
    return [round(1 / len(winners), 4) if seat in winners else 0.0 for seat in range(players)]


def stored() -> dict[Key, Shares]:
    found: dict[Key, Shares] = {key: [] for key in matches()}
    for row in whole_lines(LINES):
        found[row["game"], row["players"]] += row["shares"]
    return found


def wanted_matches(found: dict[Key, Shares], only: str) -> list[tuple[Key, Shares]]:
    return [(key, shares) for key, shares in found.items() if only in f"{key[0]} {key[1]}"]


def row(game: str, players: int, shares: Shares) -> str:
    games, cells, most = len(shares), [], 0.0
    for seat in range(players):
        mean = sum(share[seat] for share in shares) / games
        half = 1.96 * math.sqrt(sum((share[seat] - mean) ** 2 for share in shares) / (games - 1) / games)
        off = 100 * (mean - 1 / players)
        most = max(most, abs(off))
        cells.append(f"{off:+.1f} ± {100 * half:.1f}")
    verdict = "yes" if most <= LIMIT else "no"
    return f"| {game} | {players} | {games} | {' | '.join(cells + [''] * (5 - players))} | {verdict} |"


def report(found: dict[Key, Shares], level: str, playouts: int) -> str:
    lines = [
        "# Seats",
        "",
        f"Written by `bench/seats.py` ({platform.machine()}, Python {platform.python_version()}): how much more often than its equal share each seat wins when",
        f"equal bots play ({level}, {playouts} playouts), in percentage points with 95 % intervals. No seat should be off by more than {LIMIT:g} points over",
        "1,000 games; with fewer games chance alone is off by more.",
        "",
        f"| game | players | games | p1 | p2 | p3 | p4 | p5 | within {LIMIT:g} |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---|",
        *[row(*key, shares) for key, shares in found.items() if len(shares) > 1],
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60.0, help="how long to play at most")
    parser.add_argument("--games", type=int, default=1000, help="of every game and number of players")
    parser.add_argument(
        "--only", default="", metavar="WORD", help="games whose name, with the number of players, contains this"
    )
    parser.add_argument("--level", default="master")
    parser.add_argument("--playouts", type=int, default=60)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="games at the same time")
    args = parser.parse_args()
    found, end = stored(), time.monotonic() + 60 * args.minutes
    with ProcessPoolExecutor(args.processes) as pool:
        while time.monotonic() < end:
            (game, players), done = min(wanted_matches(found, args.only), key=lambda one: len(one[1]))
            wanted = min(max(BATCH, 4 * args.processes), args.games - len(done))
            if wanted <= 0:
                break
            numbers = range(len(done), len(done) + wanted)
            tasks = [pool.submit(play, game, players, number, args.level, args.playouts) for number in numbers]
            shares = [task.result() for task in tasks]
            done += shares
            with LINES.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"game": game, "players": players, "shares": shares}) + "\n")
            REPORT.write_text(report(found, args.level, args.playouts), "utf-8")
            print(row(game, players, done), flush=True)
    REPORT.write_text(report(found, args.level, args.playouts), "utf-8")


if __name__ == "__main__":
    main()
