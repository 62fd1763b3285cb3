"""The masters of version 0.1.0 as a fixed baseline: one current master against frozen ones, with equal time.

    python bench/frozen.py --minutes 20 --ms 20

The first run checks out the last commit of 0.1.0 into `build/frozen` and compiles it there (a few minutes). It then
runs as a separate program that receives the record line by line; its master, as always, uses only what its seat may
know of it. Results are stored in `bench/results/frozen.jsonl`, and a run resumes where the last one stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from strength import GAMES, Contest, Record, run, written
from tsukimi import bots
from tsukimi.core.state import State

ROOT = Path(__file__).parent.parent
COMMIT = "34944b5"  # the last commit of 0.1.0
CACHE = ROOT / "build" / "frozen"
LINES, REPORT = ROOT / "bench/results/frozen.jsonl", ROOT / "bench/results/frozen.md"
AIMS = {"charuma": 0.36, "china-moon": 0.43, "daruma": 1 / 3, "dojo": 0.36}
KEPT = 8  # bots that the program holds; a match has fewer at a time

# Runs with the modules of 0.1.0. Each line asks one bot for a move and has what has happened since its last one.
PROGRAM = f"""
import json, sys
import tsukimi
from tsukimi import bots

held = {{}}
for line in sys.stdin:
    asked = json.loads(line)
    if asked["bot"] not in held:
        if len(held) >= {KEPT}:
            del held[next(iter(held))]
        state = tsukimi.new(asked["game"], players=asked["players"], chance="manual", **asked["options"])
        bot = bots.make("master", state, asked["seed"], bots.Budget(asked["ms"], asked["playouts"], clock=asked["clock"]))
        held[asked["bot"]] = state, bot
    state, bot = held[asked["bot"]]
    for line in asked["lines"]:
        who, _, move = line.partition(" ")
        if who[0] == "p" and who[1:].isdigit():
            state.play(move, int(who[1:]) - 1)
        else:
            state.play(line)
    print(state.text(bot.choose(state, asked["seat"]), asked["seat"]), flush=True)
"""


def build() -> Path:
    """The compiled package of 0.1.0."""
    package, source = CACHE / "package", CACHE / "source"
    if not (package / ".done").exists():
        source.mkdir(parents=True, exist_ok=True)
        archive = subprocess.run(["git", "archive", COMMIT], cwd=ROOT, check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", source], input=archive, check=True)
        wanted = ["--only", "/core/", "/games/", "/bots/"]
        subprocess.run([sys.executable, "hatch_build.py", package, *wanted], cwd=source, check=True)
        (package / ".done").touch()
    return package


class FrozenBot:
    """The master of 0.1.0 in one seat of one game. All of them share a program."""

    _program: subprocess.Popen[str] | None = None
    _numbers: Iterator[int] = count()

    def __init__(self, state: State, seed: int, budget: bots.Budget) -> None:
        self._lines_sent = 0
        self._start: dict[str, Any] = {
            "bot": next(self._numbers),
            "game": state.game,
            "players": state.players,
            "options": state.options,
            "seed": seed,
            "ms": budget.ms,
            "playouts": budget.playouts,
            "clock": budget.clock,
        }

    def choose(self, state: State, seat: int) -> int:
        lines = state.lines()
        program = self._started()
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write(json.dumps({**self._start, "seat": seat, "lines": lines[self._lines_sent :]}) + "\n")
        program.stdin.flush()
        self._lines_sent = len(lines)
        return state.parse(program.stdout.readline().rstrip("\n"), seat)

    @classmethod
    def _started(cls) -> subprocess.Popen[str]:
        if cls._program is None:
            cls._program = subprocess.Popen(
                [sys.executable, "-c", PROGRAM],
                env={**os.environ, "PYTHONPATH": str(build())},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        return cls._program


def contests() -> list[Contest]:
    return [Contest(game, 3, "master", "frozen", aim=AIMS[game], may_tie=game == "daruma") for game in GAMES]


def report(record: Record) -> str:
    return written(
        record,
        contests(),
        "# Against the masters of 0.1.0",
        "",
        f"Written by `bench/frozen.py` ({platform.machine()}, Python {platform.python_version()}): the share of the win of one current master",
        f"against two of 0.1.0 (commit {COMMIT}, compiled alike), 33.3 % is even, with its 95 % interval over deals, each played with every",
        "rotation of the seats. Everybody has the same time, that of the thread that thinks.",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=20.0, help="how long to play at most")
    parser.add_argument("--ms", type=float, default=20.0, help="milliseconds of CPU time a move")
    parser.add_argument("--only", default="", metavar="WORD", help="matches whose name contains this")
    parser.add_argument("--processes", type=int, default=1, help="matches played side by side")
    args = parser.parse_args()
    build()
    bots.register("frozen", FrozenBot)
    record = Record(LINES)
    try:
        run(
            [contest for contest in contests() if args.only in contest.name],
            record,
            args.ms,
            60 * args.minutes,
            args.processes,
        )
    except KeyboardInterrupt:
        print("stopped; the results so far are stored", file=sys.stderr)
    finally:
        REPORT.write_text(report(record), "utf-8")


if __name__ == "__main__":
    main()
