"""Whether `adaptive` works: it gets stronger with every step of its strength, and players of any strength win half the games.

    python bench/adaptive.py --out bench/results/adaptive.md

Deterministic: bots think for a number of playouts, and everything follows from the seeds.
"""

from __future__ import annotations

import argparse
import itertools
import math
import platform
import statistics
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tsukimi.lab import arena

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from adaptive_season import season

GAMES = {"charuma": 2, "daruma": 3, "dojo": 4, "china-moon": 3}
LADDER = ("adaptive-0", "adaptive-15", "adaptive-30", "adaptive-48", "adaptive-65", "adaptive-83", "adaptive-100")
PEOPLE = ("adaptive-12", "novice", "regular", "master")


def step(game: str, players: int, weak: str, strong: str, deals: int, playouts: int) -> tuple[float, float, int]:
    """The share of one stronger bot among weaker ones, its 95 % interval, and the games."""
    match = arena.Match(game, [strong, *[weak] * (players - 1)], playouts=playouts)
    row = next(one for one in arena.standings(arena.run(match, deals)) if one.name == strong)
    return row.share, row.interval, row.games


def report(games: int, deals: int, playouts: int, processes: int) -> str:
    with ProcessPoolExecutor(processes) as pool:
        steps = {
            (game, weak, strong): pool.submit(step, game, players, weak, strong, deals, playouts)
            for game, players in GAMES.items()
            for weak, strong in itertools.pairwise(LADDER)
        }
        seasons = {
            (game, person): pool.submit(season, game, players, person, games, playouts, "adaptive")
            for game, players in GAMES.items()
            for person in PEOPLE
        }
        lines = [
            "# Adaptive opponents",
            "",
            (
                f"Written by `bench/adaptive.py` ({platform.machine()}, Python {platform.python_version()}), {playouts} playouts"
                " a move for `master`."
            ),
            "",
            "## Each step of the strength is one",
            (
                f"One stronger bot among weaker ones, {deals} deals with every rotation of the seats: its share of the win with"
                " the 95 % interval. Equal bots would have 50 % (two seats), 33 % (three) or 25 % (four)."
            ),
            "",
            "| game | seats | " + " | ".join(f"{a[9:]} → {b[9:]}" for a, b in itertools.pairwise(LADDER)) + " |",
            "|---|---:|" + "---:|" * (len(LADDER) - 1),
        ]
        for game, players in GAMES.items():
            cells = [steps[game, weak, strong].result() for weak, strong in itertools.pairwise(LADDER)]
            shown = " | ".join(f"{100 * share:.0f} % ± {100 * interval:.0f}" for share, interval, _ in cells)
            lines.append(f"| {game} | {players} | {shown} |")
        lines += [
            "",
            "## Half the games",
            (
                f"{games} games one after the other of a bot that stands for a person: its share of the win in all of them and in"
                " the second half, with the 95 % interval, and the mean strength that it met there."
            ),
            "",
            "| game | seats | person | all games | second half | strength |",
            "|---|---:|---|---:|---:|---:|",
        ]
        for (game, person), found in seasons.items():
            shares, strengths = found.result()
            half = len(shares) // 2
            cells = " | ".join(
                f"{100 * statistics.mean(some):.0f} % ± {196 * statistics.stdev(some) / math.sqrt(len(some)):.0f}"
                for some in (shares, shares[half:])
            )
            lines.append(f"| {game} | {GAMES[game]} | {person} | {cells} | {statistics.mean(strengths[half:]):.0f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=100, help="games of each person")
    parser.add_argument("--deals", type=int, default=40, help="deals of each step")
    parser.add_argument("--playouts", type=int, default=100)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    text = report(args.games, args.deals, args.playouts, args.processes)
    print(text)
    if args.out:
        args.out.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
