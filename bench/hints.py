"""Hints whose text contradicts their move: `python bench/hints.py --count 1000`.

Checks that many hints of every game, with all numbers of players, as `tests/bots/test_hints.py` does for a few:
the numbers in a reason support its move, the moves are in order, and the sentences are complete in all languages.
Writes `bench/results/hints.md`; the exit status says whether any hint was wrong.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent / "tests"))
from hint_checks import decisions, problems  # noqa: E402

REPORT = HERE / "results" / "hints.md"
GAMES = {"charuma": (2, 3, 4, 5), "china-moon": (3, 4, 5), "daruma": (2, 3, 4, 5), "dojo": (3, 4, 5)}
PLAYOUTS = 200


def check(game: str, count: int) -> tuple[Counter[str], list[str]]:
    """How often each reason was given, and what was wrong."""
    codes: Counter[str] = Counter()
    wrong: list[str] = []
    for players in GAMES[game]:
        for number, (state, seat) in enumerate(decisions(game, players, -(-count // len(GAMES[game])))):
            code, found = problems(state, seat, number, PLAYOUTS)
            codes[code] += 1
            wrong += found
    return codes, wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=1000, help="hints of every game, each in every language")
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
    for game in GAMES:
        codes, wrong = check(game, args.count)
        lines.append(f"| {game} | {codes.total()} | {len(codes)} | {len(wrong)} |")
        print(lines[-1], *wrong[:20], sep="\n", flush=True)
        failed = failed or bool(wrong)
    REPORT.write_text("\n".join(lines) + "\n", "utf-8")
    sys.exit(failed)


if __name__ == "__main__":
    main()
