"""Whether `adaptive` works: it gets stronger with every step of its strength, and players of any strength win half the games.

    python bench/adaptive.py --out bench/results/adaptive.md

Deterministic: bots think for a number of playouts, and everything follows from the seeds. Results are stored in
`bench/results/adaptive.jsonl`, and a run continues where the last one stopped.
"""

from __future__ import annotations

import argparse
import itertools
import math
import platform
import statistics
import sys
from pathlib import Path

from tasks import ResultFile, Task, add_options, results
from tsukimi.lab import arena

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from adaptive_season import season

LINES = Path(__file__).parent / "results" / "adaptive.jsonl"
GAMES = {"charuma": 2, "daruma": 3, "dojo": 4, "china-moon": 3}
LADDER = ("adaptive-0", "adaptive-15", "adaptive-30", "adaptive-48", "adaptive-65", "adaptive-83", "adaptive-100")
PEOPLE = ("adaptive-12", "novice", "regular", "master")


PORTION = 10  # deals of one task


def step(game: str, weak: str, strong: str, first: int, playouts: int) -> list[float]:
    """The share of one stronger bot among weaker ones, deal by deal."""
    match = arena.Match(game, [strong, *[weak] * (GAMES[game] - 1)], playouts=playouts)
    return arena.deal_shares(arena.run(match, PORTION, first=first), strong)


def task(game: str, kind: str, *what: object) -> object:
    return {"step": step, "season": one_season}[kind](game, *what)  # type: ignore[operator]


def one_season(game: str, person: str, games: int, playouts: int) -> tuple[list[float], list[float]]:
    return season(game, GAMES[game], person, games, playouts, "adaptive")


def steps(game: str, weak: str, strong: str, deals: int, playouts: int) -> list[Task]:
    return [(game, "step", weak, strong, first, playouts) for first in range(0, deals, PORTION)]


def tasks(game: str, games: int, deals: int, playouts: int) -> list[Task]:
    """The seasons first: one process plays each of them, game after game."""
    seasons: list[Task] = [(game, "season", person, games, playouts) for person in PEOPLE]
    return seasons + [step for pair in itertools.pairwise(LADDER) for step in steps(game, *pair, deals, playouts)]


def report(stored: ResultFile, games: int, deals: int, playouts: int) -> str:
    lines = [
        "# Adaptive opponents",
        "",
        (
            f"Written by `bench/adaptive.py` ({platform.machine()}, Python {platform.python_version()}), {playouts} playouts"
            " a move for `master`."
        ),
        "",
        "## Every step of strength counts",
        (
            f"One stronger bot among weaker ones, {deals} deals with every rotation of the seats: its share of the win with"
            " the 95 % interval. Equal bots would have 50 % (two seats), 33 % (three) or 25 % (four)."
        ),
        "",
        "| game | seats | " + " | ".join(f"{a[9:]} → {b[9:]}" for a, b in itertools.pairwise(LADDER)) + " |",
        "|---|---:|" + "---:|" * (len(LADDER) - 1),
    ]
    for game, players in GAMES.items():
        cells = []
        for pair in itertools.pairwise(LADDER):
            found = [share for step in steps(game, *pair, deals, playouts) for share in stored.get(*step) or []]
            cells.append(f"{100 * statistics.mean(found):.0f} % ± {100 * arena.interval(found):.0f}" if found else "")
        lines.append(f"| {game} | {players} | {' | '.join(cells)} |")
    lines += [
        "",
        "## Half the games",
        (
            f"{games} games one after the other of a bot that stands in for a person: its share of the win in all of them and in"
            " the second half, with the 95 % interval, and the mean strength that it met there."
        ),
        "",
        "| game | seats | person | all games | second half | strength |",
        "|---|---:|---|---:|---:|---:|",
    ]
    for game, person in itertools.product(GAMES, PEOPLE):
        if not (found := stored.get(game, "season", person, games, playouts)):
            continue
        shares, strengths = found
        half = len(shares) // 2
        shown = " | ".join(
            f"{100 * statistics.mean(some):.0f} % ± {196 * statistics.stdev(some) / math.sqrt(len(some)):.0f}"
            for some in (shares, shares[half:])
        )
        lines.append(f"| {game} | {GAMES[game]} | {person} | {shown} | {statistics.mean(strengths[half:]):.0f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=100, help="games of each person")
    parser.add_argument("--deals", type=int, default=40, help="deals of each step")
    parser.add_argument("--playouts", type=int, default=100)
    parser.add_argument("--out", type=Path)
    add_options(parser, [*GAMES], minutes=120.0)
    args = parser.parse_args()
    stored, what = ResultFile(LINES, args.fresh), (args.games, args.deals, args.playouts)
    wanted = [task for game in GAMES if args.only in (None, game) for task in tasks(game, *what)]
    wanted.sort(key=lambda one: one[1])  # "season" before "step"
    for done in results(task, wanted, stored, args.processes, args.minutes):
        print(*done, flush=True)
        if args.out:
            args.out.write_text(report(stored, *what), "utf-8")
    print(report(stored, *what))


if __name__ == "__main__":
    main()
