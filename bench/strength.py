"""How strong the bots are: every claim in docs/bots.md as a match, played until its figure is precise enough.

    python bench/strength.py --minutes 60 --ms 20 --processes 2

Each deal is played in every rotation of the seats and counts as one observation. Results are stored in
`bench/results/strength.jsonl` (a line for some deals of one match), so that a run can be stopped at any time and the
next one resumes; the match that will be precise enough soonest goes first. `bench/results/strength.md` is generated from
it. Milliseconds are the CPU time of the searching thread: other work on the machine changes only how long this takes.
Start a new file (`--fresh`) when the bots have changed. `--second` plays other matches, few games with the time that
masters have at a table.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import signal
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tasks import whole_lines
from tsukimi import bots
from tsukimi.lab import arena

HERE = Path(__file__).parent
LINES, REPORT = HERE / "results" / "strength.jsonl", HERE / "results" / "strength.md"
GAMES = ("charuma", "china-moon", "daruma", "dojo")
SCRIPTED = ("charuma", "daruma")  # games with a scripted baseline
AGAINST_GREEDY = {"charuma": (2, 1, 0.80), "china-moon": (4, 4, 0.85), "daruma": (4, 1, 0.55), "dojo": (4, 1, 0.50)}
LEVELS = (("greedy", "random", 1), ("novice", "greedy", 10), ("regular", "novice", 5), ("master", "regular", 2))
EXACT_SHARE, EXACT_POINTS = 0.02, 0.2
SECOND, EXACT_SECOND = 1000.0, 0.08  # milliseconds per move at a table, and how exact these matches have to be
PORTION = 20.0  # seconds of play between two reports
LEAST_DEALS = 20


@dataclass(frozen=True)
class Contest:
    """One bot against others of one kind."""

    game: str
    players: int
    one: str
    rest: str
    times: float = 1.0
    """A factor for both sides' milliseconds."""
    aim: float | None = None
    may_tie: bool = False
    """The claim is only that it is not worse: equal within the interval is enough."""

    exact = EXACT_SHARE

    @property
    def name(self) -> str:
        return f"{self.game} {self.players}: {self.one} - {self.rest}"

    def lineup(self, ms: float) -> tuple[str, ...]:
        one = self.one.replace("twice", f"@{2 * ms * self.times:g}ms")
        return (one, *[self.rest] * (self.players - 1))

    def play(self, ms: float, first: int, deals: int, processes: int) -> list[float]:
        """The one bot's mean share of the win in each of that many deals."""
        lineup = self.lineup(ms)
        match = arena.Match(self.game, lineup, ms=ms * self.times, seed="strength")
        return arena.deal_shares(arena.run(match, deals, processes, first=first), lineup[0])

    def interval(self, found: Sequence[float]) -> float:
        return arena.interval(found) if found else math.inf

    def cells(self, ms: float, found: Sequence[float]) -> list[str]:
        share, half = statistics.mean(found), self.interval(found)
        figure = f"{100 * share:.1f} % ± {100 * half:.1f}"
        aim = "" if self.aim is None else f"{100 * self.aim:.1f} %"
        games = str(len(found) * self.players)
        budget = "" if self.one in ("greedy", "scripted") else f"{ms * self.times:g} ms"
        return [
            self.game,
            str(self.players),
            self._who(),
            budget,
            games,
            figure,
            aim,
            self._verdict(share, half),
        ]

    def _who(self) -> str:
        return f"{self.one.replace('twice', ', twice the time')} against {self.players - 1} {self.rest}"

    def _verdict(self, share: float, half: float) -> str:
        if self.aim is None:
            return ""
        if self.may_tie:
            return "yes" if share + half >= self.aim else "no"
        if abs(share - self.aim) < half:
            return "yes, within the interval" if share >= self.aim else "not yet, within the interval"
        return "yes" if share > self.aim else "no"


@dataclass(frozen=True)
class SecondContest(Contest):
    """With a second a move, the default at a table: a game takes minutes, so that there are few."""

    exact = EXACT_SECOND


@dataclass(frozen=True)
class CheaterContest(Contest):
    """Master against a cheating bot that sees all cards: the cheater's gain in points per hand."""

    exact = EXACT_POINTS

    def play(self, ms: float, first: int, deals: int, processes: int) -> list[float]:
        numbers = range(first, first + deals)
        if processes == 1:
            return [_gap(ms, deal) for deal in numbers]
        with ProcessPoolExecutor(processes) as pool:
            return list(pool.map(_gap, [ms] * deals, numbers))

    def interval(self, found: Sequence[float]) -> float:
        return 1.96 * statistics.stdev(found) / math.sqrt(len(found)) if len(found) > 1 else math.inf

    def cells(self, ms: float, found: Sequence[float]) -> list[str]:
        figure = f"{statistics.mean(found):+.2f} ± {self.interval(found):.2f} points a hand"
        who = "a cheater that sees all cards against master"
        return [self.game, str(self.players), who, f"{ms:g} ms", f"{2 * len(found)} hands", figure, "", ""]


def _gap(ms: float, deal: int) -> float:
    """The cheater is part of the tests, out of reach of every real game."""
    sys.path.append(str(HERE.parent / "tests" / "bots" / "charuma"))
    from test_charuma_bot_cheater import gap

    found: float = gap(deal, bots.Budget(ms, clock="cpu"))
    return found


def contests() -> Iterator[Contest]:
    for game, (players, times, aim) in AGAINST_GREEDY.items():
        yield Contest(game, players, "master", "greedy", times, aim=aim)
    for game in GAMES:
        yield Contest(game, 3, "master", "flat", aim=1 / 3 + 0.08)
    for game in SCRIPTED:
        yield Contest(game, 3, "master", "scripted", aim=1 / 3 + 0.10)
        yield Contest(game, 3, "scripted", "greedy", aim=1 / 3 + 0.10)
    for one, rest, times in LEVELS:
        for game in GAMES:
            yield Contest(game, 3, one, rest, times, aim=1 / 3 + 0.10)
    for game in GAMES:
        yield Contest(game, 3, "mastertwice", "master", aim=1 / 3, may_tie=True)
    yield CheaterContest("charuma", 2, "cheater", "master")


def second_contests() -> Iterator[Contest]:
    yield SecondContest("china-moon", 3, "master", "master@200ms")
    for game in GAMES:
        yield SecondContest(game, 3, "master", "greedy")


class Record:
    """The results so far, by match and milliseconds."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._found: dict[tuple[str, float], list[float]] = {}
        self._seconds: dict[tuple[str, float], float] = {}
        for line in whole_lines(path):
            self._take(line)

    def found(self, contest: Contest, ms: float) -> list[float]:
        return self._found.get((contest.name, ms), [])

    def budgets(self) -> list[float]:
        return sorted({ms for _, ms in self._found})

    def pace(self, contest: Contest, ms: float) -> float | None:
        """Seconds that a deal took on average."""
        found = self.found(contest, ms)
        return self._seconds[contest.name, ms] / len(found) if found else None

    def add(self, contest: Contest, ms: float, found: list[float], seconds: float) -> None:
        rounded = [round(value, 4) for value in found]
        line = {"match": contest.name, "ms": ms, "seconds": round(seconds, 2), "deals": rounded}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        self._take(line)

    def _take(self, line: dict[str, Any]) -> None:
        key = line["match"], line["ms"]
        self._found.setdefault(key, []).extend(line["deals"])
        self._seconds[key] = self._seconds.get(key, 0.0) + line["seconds"]


def soonest(wanted: list[Contest], record: Record, ms: float) -> Contest | None:
    """The match that needs the least time to be precise enough, or one with too few deals; None if all are precise enough."""

    def missing(contest: Contest) -> float:
        """Seconds; negative for those with too few deals."""
        found, pace = record.found(contest, ms), record.pace(contest, ms)
        if pace is None or len(found) < LEAST_DEALS:
            return len(found) - LEAST_DEALS
        return pace * len(found) * max(0.0, (contest.interval(found) / contest.exact) ** 2 - 1)

    return min([contest for contest in wanted if missing(contest)], key=missing, default=None)


def run(wanted: list[Contest], record: Record, ms: float, seconds: float, processes: int) -> None:
    """Play until everything is precise enough or the time is up."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and (contest := soonest(wanted, record, ms)):
        pace = record.pace(contest, ms)
        room = min(PORTION, end - time.monotonic())
        least = max(1, processes // contest.players)  # enough for all processes
        deals = least if pace is None else max(least, min(100, int(room / max(pace, 1e-4))))
        started, first = time.monotonic(), len(record.found(contest, ms))
        found = contest.play(ms, first, deals, processes)
        record.add(contest, ms, found, time.monotonic() - started)
        _report(contest, ms, record.found(contest, ms), end)


def _report(contest: Contest, ms: float, found: list[float], end: float) -> None:
    left = max(0.0, end - time.monotonic()) / 60
    print(f"{' | '.join(contest.cells(ms, found))} ({left:.0f} min left)", flush=True)


def report(record: Record) -> str:
    return written(
        record,
        [*contests(), *second_contests()],
        "# Strength",
        "",
        f"Written by `bench/strength.py` ({platform.machine()}, Python {platform.python_version()}): shares of the win with their 95 % interval",
        "over deals, each deal played with every rotation of the seats. The time of a move is the thread's own CPU time, so",
        "other work on the machine does not change it. A weaker level uses a fraction of that time (novice 10 %, regular 15 %).",
    )


def written(record: Record, wanted: Sequence[Contest], *introduction: str) -> str:
    """The results of these matches as a table, below an introduction."""
    head = ["game", "players", "match", "time of a move", "games", "result", "aim", "reached"]
    lines = [*introduction, "", f"| {' | '.join(head)} |", "|---|---:|---|---:|---:|---:|---:|---|"]
    for ms in record.budgets():
        for contest in wanted:
            if found := record.found(contest, ms):
                lines.append(f"| {' | '.join(contest.cells(ms, found))} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60.0, help="how long to play at most")
    parser.add_argument("--ms", type=float, default=20.0, help="milliseconds of CPU time a move, small ones first")
    parser.add_argument("--second", action="store_true", help="the matches with a second a move instead")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="games at the same time")
    parser.add_argument("--only", default="", metavar="WORD", help="matches whose name contains this")
    parser.add_argument("--fresh", action="store_true", help="forget earlier results")
    args = parser.parse_args()
    if args.fresh:
        LINES.unlink(missing_ok=True)
    record = Record(LINES)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    possible, ms = (second_contests(), SECOND) if args.second else (contests(), args.ms)
    try:
        wanted = [contest for contest in possible if args.only in contest.name]
        run(wanted, record, ms, 60 * args.minutes, args.processes)
    except KeyboardInterrupt:
        print("stopped; the results so far are stored", file=sys.stderr)
    finally:
        REPORT.write_text(report(record), "utf-8")


if __name__ == "__main__":
    main()
