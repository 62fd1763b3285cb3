"""The quality of reviews: do the accuracies rank the players, is a planted blunder found, do the numbers add up?

    python bench/review.py --games 40 --ms 200 --processes 2 --out bench/results/review.md

Each game has one `master` among `greedy` bots, in every seat in turn. Its review gives the accuracies. Then one of its
decisions is replaced by the worst move: one where, according to another search with three times the budget, that costs at
least 0.2 of the win. It counts as found if the review calls it a mistake or a blunder.
Results are stored in `bench/results/review.jsonl`; a run resumes where the last one stopped.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import tsukimi
from tasks import ResultFile, add_options, results
from tsukimi import analysis, bots
from tsukimi.bots.budget import Budget
from tsukimi.core.rng import Rng

LINES = Path(__file__).parent / "results" / "review.jsonl"
GAMES = (("charuma", 2), ("china-moon", 3), ("daruma", 2), ("dojo", 3))
MASTER = Budget(playouts=2000)
CLEAR = 0.2  # of the win: what a planted blunder costs at least


@dataclass(frozen=True)
class Played:
    game: str
    players: int
    decisions: int
    seconds: float
    """CPU time of the review."""
    master: int
    best_greedy: int
    mean_greedy: float
    off: float
    """The largest difference between luck plus play and the result."""
    planted: str
    """How the planted blunder was judged; empty if there was no suitable decision."""


def play_and_review(number: int, ms: float) -> dict[str, Any]:
    """What became of one game, a `Played`."""
    game, players = GAMES[number % len(GAMES)]
    seat = number // len(GAMES) % players
    state = tsukimi.new(game, players=players, seed=number)
    seats = [bots.make("master" if one == seat else "greedy", state, number, MASTER) for one in range(players)]
    while not state.over:
        mover = state.actors[0]
        state.apply(seats[mover].choose(state, mover), mover)
    began, budget = time.process_time(), Budget(ms, clock="cpu")
    found = analysis.review(state, budget, number)
    seconds = time.process_time() - began
    accuracies = [player.accuracy or 0 for player in found.seats]
    greedy = [accuracy for other, accuracy in enumerate(accuracies) if other != seat]
    off = max(abs(1 / players + seat.luck + seat.own + seat.others - seat.result) for seat in found.seats)
    played = Played(
        game, players, len(found.decisions), seconds, accuracies[seat], max(greedy), sum(greedy) / len(greedy), off,
        planted(state, number, budget),
    )  # fmt: skip
    return asdict(played)


def planted(state: tsukimi.State, number: int, budget: Budget) -> str:
    """The judgement of the worst move at some decision where it is clearly bad."""
    rng, places = Rng(number), analysis.decisions(state)
    for _ in range(60):
        place = places[rng.randrange(len(places))]
        here, seat, move = analysis.at(state, place)
        if len(here.actions(seat)) < 2:
            continue
        worst = bots.engine_for(here, number + 1).judge(here, seat, move, budget)[-1].move
        known = bots.engine_for(here, number + 2).judge(here, seat, worst, budget.scaled(3))
        lost = known[0].share - next(candidate.share for candidate in known if candidate.move == worst)
        if lost >= CLEAR:
            here.apply(worst, seat)
            return analysis.assemble(here, [analysis.judge(here, place, budget, number)]).decisions[0].judgement
    return ""


def lines(games: list[Played], ms: float) -> Iterator[str]:
    yield "# Reviews"
    yield ""
    yield f"`bench/review.py --games {len(games)} --ms {ms:g}`: one `master` among `greedy` bots, {ms:g} ms of CPU time a decision."
    yield ""
    yield "| game | games | decisions | CPU s a review | accuracy of master | of greedy (mean) | master above the mean | master first | planted blunders found |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for name in [*dict.fromkeys(game.game for game in games), "all"]:
        some = [game for game in games if name in ("all", game.game)]
        planted = [game for game in some if game.planted]
        hits = sum(game.planted in ("mistake", "blunder") for game in planted)
        above = sum(game.master > game.mean_greedy for game in some)
        first = sum(game.master >= game.best_greedy for game in some)
        yield (
            f"| {name} | {len(some)} | {mean(one.decisions for one in some):.0f} | {mean(one.seconds for one in some):.1f}"
            f" | {mean(one.master for one in some):.0f} | {mean(one.mean_greedy for one in some):.0f}"
            f" | {above} of {len(some)} | {first} of {len(some)} | {hits} of {len(planted)} |"
        )
    yield ""
    yield f"Luck and play differ from the result by at most {max(one.off for one in games):.5f} (numbers have four digits)."
    yield ""
    yield (
        "`master` plays by the engine that judges, with a search of its own, so its accuracy is a little flattered."
        f" A planted blunder is a move that costs at least {CLEAR} of the win by another search of the same engine with"
        " three times the budget; it is found if it is called a mistake or a blunder."
    )


def mean(values: object) -> float:
    found = [float(value) for value in values]  # type: ignore[attr-defined]
    return sum(found) / len(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40, help="of all kinds together")
    parser.add_argument("--ms", type=float, default=200.0)
    parser.add_argument("--out", type=Path)
    add_options(parser, [game for game, _ in GAMES], minutes=60.0)
    args = parser.parse_args()
    stored = ResultFile(LINES, args.fresh)
    tasks = [(number, args.ms) for number in range(args.games)]
    wanted = [task for task in tasks if args.only in (None, GAMES[task[0] % len(GAMES)][0])]
    for task in results(play_and_review, wanted, stored, args.processes, args.minutes):
        print(stored.get(*task), flush=True)
        if args.out:
            args.out.write_text(report(stored, tasks), "utf-8")
    print(report(stored, tasks))


def report(stored: ResultFile, tasks: list[tuple[int, float]]) -> str:
    """About all of these games that have been played."""
    return "\n".join(lines([Played(**found) for task in tasks if (found := stored.get(*task))], tasks[0][1])) + "\n"


if __name__ == "__main__":
    main()
