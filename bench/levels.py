"""Counts absurd moves in games between novices and between regulars: `python bench/levels.py --games 500`.

All seats of a game have the same level; every other game has one player more. A decision is examined if some of its moves
look absurd by the rules (`Engine.absurd`: in Charuma, leaving a sure trick) or if the game may already be won. A move
that looks absurd, or that seems to give up a won game, is judged by an analysis with 20,000 playouts, many more than the
level has: it is a blunder unless it is better there than every move that does not look absurd, and a costly one if it
costs more than 2 % of the win; a blunder in a lost game costs nothing. A game is won if the best move's share is above
99.9 %, and thrown away by a move below 90 %, by both analyses.
Results are stored in `bench/results/levels.jsonl`; a run resumes where the last one stopped and writes
`bench/results/levels.md`.
"""

from __future__ import annotations

import argparse
import platform
from collections import Counter
from itertools import product
from pathlib import Path

import tsukimi
from tasks import ResultFile, add_options, results
from tsukimi import bots
from tsukimi.core.state import State

HERE = Path(__file__).parent
LINES, REPORT = HERE / "results" / "levels.jsonl", HERE / "results" / "levels.md"
CHUNK = 5  # games of one task
PLAYERS = {"charuma": (2, 3), "china-moon": (3, 4), "daruma": (2, 3), "dojo": (3, 4)}
LEVELS = ("novice", "regular")
LATE = 0.6  # how far a game must have progressed to count as possibly won
REFERENCE, SECOND_LOOK = bots.Budget(playouts=2000), bots.Budget(playouts=20_000)
COLUMNS = ("games", "decisions", "chances", "absurd", "blunders", "costly", "won", "thrown away")
COSTS = 0.02  # of the win: a smaller loss does not make a blunder costly
CERTAIN, THROWN_AWAY = 0.999, 0.9  # shares: a won game, and a move that throws it away


def play_games(game: str, level: str, first: int, playouts: int) -> Counter[str]:
    """What was counted in some games."""
    return sum((play(game, level, first + number, playouts) for number in range(CHUNK)), Counter())


def play(game: str, level: str, number: int, playouts: int) -> Counter[str]:
    """What was counted in one game."""
    players = PLAYERS[game][number % 2]
    state = tsukimi.new(game, players=players, seed=f"levels {number}")
    budget = bots.Budget(playouts=playouts)
    seats = [bots.make(level, state, f"levels {number} {seat}", budget) for seat in range(players)]
    found: Counter[str] = Counter(games=1)
    while not state.over:
        seat = state.actors[0]
        move = seats[seat].choose(state, seat)
        if len(state.actions(seat)) > 1:
            found += judge_move(state, seat, move, number)
        state.apply(move, seat)
    return found


def judge_move(state: State, seat: int, move: int, seed: int) -> Counter[str]:
    """Whether a decision was a chance to blunder, and whether it was taken."""
    engine = bots.engine_for(state, seed)
    absurd = engine.absurd(state, seat)
    counted: Counter[str] = Counter(decisions=1, chances=int(bool(absurd)), absurd=int(move in absurd))
    if move not in absurd and engine.progress(state.core) <= LATE:
        return counted
    known = engine.analyse(state, seat, REFERENCE)
    won, thrown_away = _won(known, move)
    if move in absurd or thrown_away:
        known = bots.engine_for(state, seed).judge(state, seat, move, SECOND_LOOK)
        won, thrown_away = _won(known, move)
    if move in absurd:
        lost = max(candidate.share for candidate in known if candidate.move not in absurd) - _share(known, move)
        counted += Counter(blunders=int(lost >= 0), costly=int(lost > COSTS))
    return counted + Counter({"won": int(won), "thrown away": int(thrown_away)})


def _won(known: list[bots.Candidate], move: int) -> tuple[bool, bool]:
    """Whether the game is won, and thrown away by this move."""
    won = known[0].share > CERTAIN
    return won, won and _share(known, move) < THROWN_AWAY


def _share(known: list[bots.Candidate], move: int) -> float:
    return next(candidate.share for candidate in known if candidate.move == move)


def row(game: str, level: str, playouts: int, found: Counter[str]) -> str:
    counts = [playouts, *(found[name] for name in COLUMNS)]
    return f"| {' | '.join(map(str, [game, level, *counts]))} |"


def report(stored: ResultFile) -> str:
    counted: dict[tuple[str, str, int], Counter[str]] = {}
    for (game, level, _, playouts), found in stored.items():
        counted.setdefault((game, level, playouts), Counter()).update(found)
    lines = [
        "# What novice and regular overlook",
        "",
        f"Written by `bench/levels.py` ({platform.machine()}, Python {platform.python_version()}): for a master's budget of that many playouts (novice and regular use a fraction of it), decisions in which some moves look",
        "absurd (Charuma: leaving a sure trick; China Moon: taking the black lily, not winning at once, ending the game lost; Daruma: drinking on with three",
        "fours; Dojo has no such moves), how many such moves were played, how many of these were blunders (by an analysis of 20,000 playouts another move",
        f"was at least as good), and how many cost more than {100 * COSTS:g} % of the win; late decisions in games already won (a share above {100 * CERTAIN:g} %), and how many threw them away (below {100 * THROWN_AWAY:g} %).",
        "",
        "| game | level | playouts | games | decisions | chances | absurd moves | blunders | costly | won | thrown away |",
        f"|---|---|---:|{'---:|' * len(COLUMNS)}",
    ]
    lines += [row(*key, found) for key, found in sorted(counted.items())]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=500, help="of every game and level")
    parser.add_argument("--playouts", type=int, default=30_000, help="of a master; the levels use a fraction of them")
    add_options(parser, [*PLAYERS], minutes=60.0)
    args = parser.parse_args()
    stored, firsts = ResultFile(LINES, args.fresh), range(0, args.games, CHUNK)
    games = [args.only] if args.only else [*PLAYERS]
    tasks = [(game, level, first, args.playouts) for first in firsts for game, level in product(games, LEVELS)]
    for game, level, first, _ in results(play_games, tasks, stored, args.processes, args.minutes):
        print(f"{game}, {level}: games {first} to {first + CHUNK - 1}", flush=True)
        REPORT.write_text(report(stored), "utf-8")
    print(report(stored))


if __name__ == "__main__":
    main()
