"""The effect of a change to Charuma's master: single rounds in which one changed master plays unchanged ones.

    python bench/rounds.py evaluator.noise=0.3 exploration=2 --seconds 120
    python bench/rounds.py --times auction=10 --ms 5

Rounds start as in games of the rollout policy. Each is played with the changed master in every seat; all bots have the same
seeds, so with a budget of playouts a change that alters no decision counts exactly 0. That, and points instead of wins, show
in minutes what would take hours of whole games. The share of the win after the round is the evaluator's.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Callable
from functools import reduce
from typing import Any

import tsukimi
from tsukimi.bots.budget import Budget
from tsukimi.bots.charuma.engine import EXACT, CharumaEngine, cards_left
from tsukimi.bots.charuma.evaluator import CharumaEvaluator
from tsukimi.core.rng import Rng
from tsukimi.core.state import State
from tsukimi.games.charuma.notation import phase, position

ROUNDS = 4  # before the one that is played, at most
ALL_DEALS = 3200  # playouts of an ending, which is solved
Chooser = Callable[[State, int], int]


def start_of_round(number: int, players: int) -> tuple[State, CharumaEvaluator]:
    """The auction of some round of the game with this number."""
    rng = Rng(number)
    evaluator = CharumaEngine(tsukimi.new("charuma", players=players, seed=0).core, 0).evaluator
    while True:
        state = tsukimi.new("charuma", players=players, seed=f"rounds {rng.number()}")
        earlier = rng.randrange(ROUNDS)
        while not state.over:
            here = position(state.core)
            if here.round > earlier and phase(here) == "auction":
                return state, evaluator
            state.apply(evaluator.policy_move(here, state.actors[0], rng))


def part_of(state: State, seat: int) -> str:
    here = position(state.core)
    if phase(here) == "auction":
        return "auction"
    return "end" if cards_left(here, seat) <= EXACT[state.players] else "tricks"


def chooser(state: State, seed: int, args: argparse.Namespace, changes: list[str], times: dict[str, float]) -> Chooser:
    """A master with these attributes (`evaluator.noise=0.3`), and a multiple of the budget in some parts of a round."""
    engine = CharumaEngine(state.core.copy(), seed)
    for change in changes:
        path, _, value = change.partition("=")
        *owners, name = path.split(".")
        owner: Any = reduce(getattr, owners, engine)
        setattr(owner, name, type(getattr(owner, name))(float(value)))

    def choose(state: State, seat: int) -> int:
        moves = state.core.actions(seat)
        if len(moves) == 1:
            return moves[0]
        part = part_of(state, seat)
        if args.ms:
            budget = Budget(args.ms * times.get(part, 1.0), clock="cpu")
        else:
            budget = Budget(playouts=ALL_DEALS if part == "end" else int(args.playouts * times.get(part, 1.0)))
        return engine.analyse(state, seat, budget)[0].move

    return choose


def play(state: State, bots: list[Chooser], evaluator: CharumaEvaluator) -> tuple[list[int], list[float]]:
    """Everyone's points in the round, and the shares of the win after it."""
    state, here = state.copy(), position(state.core.copy())
    while not state.over and position(state.core).round == here.round:
        seat = state.actors[0]
        state.apply(bots[seat](state, seat), seat)
    after = position(state.core)
    points = [after.owned[seat] - here.owned[seat] for seat in range(state.players)]
    return points, evaluator.shares(after)


def gains(number: int, args: argparse.Namespace, times: dict[str, float]) -> tuple[float, float]:
    """The changed master's lead in points and in share of the win, a mean over all seats."""
    state, evaluator = start_of_round(number, args.players)
    points, share = 0.0, 0.0
    for changed in range(args.players):
        bots = [
            chooser(state, number * 8 + seat, args, args.changes, times)
            if seat == changed
            else chooser(state, number * 8 + seat, args, [], {})
            for seat in range(args.players)
        ]
        won, shares = play(state, bots, evaluator)
        points += won[changed] - (sum(won) - won[changed]) / (args.players - 1)
        share += shares[changed]
    return points / args.players, (share - 1) / args.players


def figure(found: list[float]) -> str:
    half = 1.96 * statistics.stdev(found) / math.sqrt(len(found)) if len(found) > 1 else math.inf
    return f"{statistics.mean(found):+.3f} ± {half:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("changes", nargs="*", metavar="ATTRIBUTE=VALUE", help="of the engine")
    parser.add_argument(
        "--times", nargs="*", default=[], metavar="PART=N", help="auction, tricks or end: N times the budget"
    )
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--playouts", type=int, default=400)
    parser.add_argument("--ms", type=float, default=0.0, help="milliseconds of CPU time a move, instead of playouts")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--first", type=int, default=0, help="the number of the first round")
    args = parser.parse_args()
    times = {part: float(number) for part, _, number in (time.partition("=") for time in args.times)}
    end, found = time.monotonic() + args.seconds, list[tuple[float, float]]()
    while time.monotonic() < end:
        found.append(gains(args.first + len(found), args, times))
    points, shares = ([one[i] for one in found] for i in (0, 1))
    print(
        f"{len(found)} rounds, each on all seats: {figure(points)} points, {figure([100 * one for one in shares])} % of the win"
    )


if __name__ == "__main__":
    main()
