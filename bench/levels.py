"""Counts absurd moves in games between novices and between regulars: `python bench/levels.py --games 500`.

All seats of a game have the same level; every other game has one player more. A decision is examined if one of its moves
would be a blunder compared with another (`Engine.is_blunder`: in Charuma, giving up a sure trick) or if the game may already
be won. The best move is then found by an analysis with more playouts than the level has. Writes `bench/results/levels.md`.
"""

from __future__ import annotations

import argparse
import platform
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import product, repeat
from pathlib import Path

import tsukimi
from tsukimi import bots
from tsukimi.bots.levels import CERTAIN
from tsukimi.core.state import State

REPORT = Path(__file__).parent / "results" / "levels.md"
PLAYERS = {"charuma": (2, 3), "china-moon": (3, 4), "daruma": (2, 3), "dojo": (3, 4)}
LEVELS = ("novice", "regular")
REFERENCE = bots.Budget(playouts=2000)
THROWN_AWAY = 0.9  # a won game is thrown away by a move below this share
LOOKED_AT = 12  # moves compared with the chosen one, to decide whether a decision is analysed


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
    best, shares = known[0], {candidate.move: candidate.share for candidate in known}
    counted["looked at"] += 1
    if any(engine.is_blunder(state, seat, best.move, other) for other in moves):
        counted["chances"] += 1
        counted["blunders"] += engine.is_blunder(state, seat, best.move, move)
    if best.share > CERTAIN:
        counted["won"] += 1
        counted["thrown away"] += shares[move] < THROWN_AWAY
    return counted


def row(game: str, level: str, found: Counter[str]) -> str:
    chances, blunders, won = found["chances"], found["blunders"], found["won"]
    part = f"{100 * blunders / chances:.1f} %" if chances else ""
    cells = [game, level, found["games"], found["decisions"], chances, blunders, part, won, found["thrown away"]]
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=500, help="of every game and level")
    parser.add_argument("--playouts", type=int, default=10_000, help="of a master; the levels use their part")
    parser.add_argument("--processes", type=int, default=2)
    args = parser.parse_args()
    lines = [
        "# What novice and regular overlook",
        "",
        f"Written by `bench/levels.py` ({platform.machine()}, Python {platform.python_version()}; {args.playouts} playouts of master's): decisions in which the best",
        "move by an analysis of 2,000 playouts makes others a blunder (Charuma: leaving a sure trick; China Moon: taking the black lily for",
        "nothing, not winning at once, ending the game lost; Daruma: drinking on with three fours), how many of them were blundered, and",
        f"decisions in games already won, and how many of these were thrown away (a share below {THROWN_AWAY}). Dojo has no blunders of this kind.",
        "",
        "| game | level | games | decisions | chances to blunder | blunders | part | won | thrown away |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    with ProcessPoolExecutor(args.processes) as pool:
        for game, level in product(PLAYERS, LEVELS):
            games = pool.map(play, repeat(game), repeat(level), range(args.games), repeat(args.playouts))
            lines.append(row(game, level, sum(games, Counter())))
            print(lines[-1], flush=True)
            REPORT.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
