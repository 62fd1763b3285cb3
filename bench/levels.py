"""Counts absurd moves in games between novices and between regulars: `python bench/levels.py --games 500`.

All seats of a game have the same level; every other game has one player more. A decision is examined if one of its moves
would be a blunder compared with another (`Engine.is_blunder`: in Charuma, giving up a sure trick) or if the game may already
be won. The best move is then found by an analysis with more playouts than the level has. A move it calls a blunder is
judged again with ten times the playouts, to see what it costs: a blunder in a lost game costs nothing.
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
from tasks import Kept, add_options, results
from tsukimi import bots
from tsukimi.bots.levels import CERTAIN
from tsukimi.core.state import State

HERE = Path(__file__).parent
LINES, REPORT = HERE / "results" / "levels.jsonl", HERE / "results" / "levels.md"
PORTION = 5  # games of one task
PLAYERS = {"charuma": (2, 3), "china-moon": (3, 4), "daruma": (2, 3), "dojo": (3, 4)}
LEVELS = ("novice", "regular")
REFERENCE, SECOND_LOOK = bots.Budget(playouts=2000), bots.Budget(playouts=20_000)
COSTS = 0.02  # of the win: what nobody notices is not laughed at
THROWN_AWAY = 0.9  # a won game is thrown away by a move below this share
LOOKED_AT = 12  # moves compared with the chosen one, to decide whether a decision is analysed


def portion(game: str, level: str, first: int, playouts: int) -> Counter[str]:
    """What was counted in some games."""
    return sum((play(game, level, first + number, playouts) for number in range(PORTION)), Counter())


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
            found += judged(state, seat, move, number)
        state.apply(move, seat)
    return found


def judged(state: State, seat: int, move: int, seed: int) -> Counter[str]:
    """Whether a decision was a chance to blunder, and whether it was taken."""
    engine = bots.engine_for(state, seed)
    moves = state.actions(seat)
    others = [other for other in moves if other != move]
    step = -(-len(others) // LOOKED_AT)
    may = any(engine.is_blunder(state, seat, other, move) for other in others[::step])
    could = any(engine.is_blunder(state, seat, move, other) for other in others[::step])
    late = engine.progress(state.core) > 0.6
    counted: Counter[str] = Counter(decisions=1)
    if not (may or could or late):
        return counted
    known = engine.analyse(state, seat, REFERENCE)
    best = known[0]
    if _is_bad(engine, state, seat, move, known):
        engine = bots.engine_for(state, seed)
        known = engine.judge(state, seat, move, SECOND_LOOK)
        best = known[0]
    share = next(candidate.share for candidate in known if candidate.move == move)
    counted["looked at"] += 1
    if any(engine.is_blunder(state, seat, best.move, other) for other in moves):
        counted["chances"] += 1
        blunder = engine.is_blunder(state, seat, best.move, move)
        counted["blunders"] += blunder
        counted["costly"] += blunder and best.share - share > COSTS
    if best.share > CERTAIN:
        counted["won"] += 1
        counted["thrown away"] += share < THROWN_AWAY
    return counted


def _is_bad(engine: bots.Engine, state: State, seat: int, move: int, known: list[bots.Candidate]) -> bool:
    best, share = known[0], next(candidate.share for candidate in known if candidate.move == move)
    return engine.is_blunder(state, seat, best.move, move) or (best.share > CERTAIN and share < THROWN_AWAY)


def row(game: str, level: str, found: Counter[str]) -> str:
    chances, costly, won = found["chances"], found["costly"], found["won"]
    part = f"{100 * costly / chances:.1f} %" if chances else ""
    blunders = [found["blunders"], costly, part]
    cells = [game, level, found["games"], found["decisions"], chances, *blunders, won, found["thrown away"]]
    return f"| {' | '.join(map(str, cells))} |"


def report(kept: Kept, playouts: int, firsts: range) -> str:
    lines = [
        "# What novice and regular overlook",
        "",
        f"Written by `bench/levels.py` ({platform.machine()}, Python {platform.python_version()}; {playouts} playouts of master's): decisions in which the best",
        "move by an analysis of 2,000 playouts makes others a blunder (Charuma: leaving a sure trick; China Moon: taking the black lily for",
        "nothing, not winning at once, ending the game lost; Daruma: drinking on with three fours), how many of them were blundered, how many",
        f"of those cost more than {100 * COSTS:g} % of the win by an analysis of 20,000 playouts, and decisions in games already won, and how many of these were thrown away (a share below {THROWN_AWAY}). Dojo has no blunders of this kind.",
        "",
        "| game | level | games | decisions | chances to blunder | blunders | costly | part | won | thrown away |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for game, level in product(PLAYERS, LEVELS):
        found = sum((Counter(kept.get(game, level, first, playouts)) for first in firsts), Counter[str]())
        if found:
            lines.append(row(game, level, found))
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=500, help="of every game and level")
    parser.add_argument("--playouts", type=int, default=30_000, help="of a master; the levels use their part")
    add_options(parser, [*PLAYERS], minutes=60.0)
    args = parser.parse_args()
    kept, firsts = Kept(LINES, args.fresh), range(0, args.games, PORTION)
    games = [args.only] if args.only else [*PLAYERS]
    tasks = [(game, level, first, args.playouts) for first in firsts for game, level in product(games, LEVELS)]
    for game, level, first, _ in results(portion, tasks, kept, args.processes, args.minutes):
        print(f"{game}, {level}: games {first} to {first + PORTION - 1}", flush=True)
        REPORT.write_text(report(kept, args.playouts, firsts), "utf-8")
    print(report(kept, args.playouts, firsts))


if __name__ == "__main__":
    main()
