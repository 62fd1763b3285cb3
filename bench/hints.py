"""Hints whose text contradicts their move: `python bench/hints.py --count 1000`.

Checks that many hints of every game, with all numbers of players, as `tests/bots/test_hints.py` does for a few:
the numbers in a reason support its move, the moves are in order, and the sentences are complete in all languages.
Writes `bench/results/hints.md`; the exit status says whether any hint was wrong.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent / "tests"))
from hint_checks import decisions, problems  # noqa: E402

REPORT = HERE / "results" / "hints.md"
GAMES = {"charuma": (2, 3, 4, 5), "china-moon": (3, 4, 5), "daruma": (2, 3, 4, 5), "dojo": (3, 4, 5)}
PLAYOUTS = 200


def check(game: str, players: int, count: int) -> tuple[Counter[str], list[str]]:
    """How often each reason was given, and what was wrong."""
    codes: Counter[str] = Counter()
    wrong: list[str] = []
    for number, (state, seat) in enumerate(decisions(game, players, count)):
        code, found = problems(state, seat, number, PLAYOUTS)
        codes[code] += 1
        wrong += found
    return codes, wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=1000, help="hints of every game, each in every language")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    lines = [
        "# Hints",
        "",
        f"Written by `bench/hints.py` ({platform.machine()}, Python {platform.python_version()}): hints that contradict their move, or whose words are wrong",
        "in English, French or Spanish.",
        "",
        "| game | hints, each in three languages | kinds of reasons | wrong |",
        "|---|---:|---:|---:|",
    ]
    failed = False
    with ProcessPoolExecutor(args.processes) as pool:
        checks = {
            game: [pool.submit(check, game, players, -(-args.count // len(seats))) for players in seats]
            for game, seats in GAMES.items()
        }
        for game, futures in checks.items():
            results = [future.result() for future in futures]
            codes = sum((codes for codes, _ in results), Counter[str]())
            wrong = [problem for _, found in results for problem in found]
            lines.append(f"| {game} | {codes.total()} | {len(codes)} | {len(wrong)} |")
            print(lines[-1], *wrong[:20], sep="\n", flush=True)
            failed = failed or bool(wrong)
    REPORT.write_text("\n".join(lines) + "\n", "utf-8")
    sys.exit(failed)


if __name__ == "__main__":
    main()
