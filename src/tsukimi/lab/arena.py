"""Matches between bots: the same chance for every rotation of the seats, shares of the win with their intervals."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from typing import Any

import tsukimi
from tsukimi import bots
from tsukimi.bots.budget import CLOCKS
from tsukimi.bots.external import ExternalBot, opened


@dataclass(frozen=True)
class Match:
    """What is played: one bot's name per seat (its budget may follow: `master@50ms`, `master@800`)."""

    game: str
    lineup: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    ms: float | None = 1000.0
    playouts: int | None = None
    seed: str = "0"
    clock: str = "cpu"
    """Whose milliseconds: `cpu` (the thinking thread's own, whatever else the machine does) or `wall`."""

    @property
    def players(self) -> int:
        return len(self.lineup)


@dataclass(frozen=True)
class Result:
    """One game: which deal and rotation, who sat where, what came of it."""

    deal: int
    seats: tuple[str, ...]
    shares: tuple[float, ...]
    scores: tuple[int, ...]
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]


@dataclass(frozen=True)
class Standing:
    """A bot's record: mean share of the win with its 95 % interval, mean score, time per decision."""

    name: str
    games: int
    share: float
    interval: float
    score: float
    ms: float
    rating: tuple[float, float] | None = None


def run(
    match: Match,
    deals: int,
    processes: int = 1,
    tell: Callable[[int, int], None] | None = None,
    first: int = 0,
) -> list[Result]:
    """So many deals, from the deal numbered `first` on, each with every rotation of the line-up."""
    tasks = [(match, deal, turn) for deal in range(first, first + deals) for turn in range(match.players)]
    results: list[Result] = []
    for result in _results(tasks, processes):
        results.append(result)
        if tell:
            tell(len(results), len(tasks))
    return sorted(results, key=lambda result: (result.deal, result.seats))


def _results(tasks: list[tuple[Match, int, int]], processes: int) -> Iterator[Result]:
    if processes == 1:
        yield from (play(*task) for task in tasks)
        return
    with ProcessPoolExecutor(processes) as pool:
        for done in as_completed([pool.submit(play, *task) for task in tasks]):
            yield done.result()


def play(match: Match, deal: int, turn: int) -> Result:
    """One game, the line-up turned by so many seats."""
    seats = tuple(match.lineup[(seat + turn) % match.players] for seat in range(match.players))
    state = tsukimi.new(match.game, players=match.players, seed=f"arena {match.seed} {deal}", **match.options)
    spent, decisions = [0.0] * match.players, [0] * match.players
    with opened() as close:
        sitting = [
            _bot(name, match, state, f"{match.seed} {deal} {turn} {seat}", close) for seat, name in enumerate(seats)
        ]
        while not state.over:
            seat = state.actors[0]
            now = time.perf_counter if isinstance(sitting[seat], ExternalBot) else CLOCKS[match.clock]
            started = now()
            move = sitting[seat].choose(state, seat)
            spent[seat] += now() - started
            decisions[seat] += 1
            state.apply(move, seat)
        for bot in sitting:
            if isinstance(bot, ExternalBot):
                bot.finish(state)
    winners = state.winners()
    shares = tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(match.players))
    return Result(deal, seats, shares, tuple(state.scores()), tuple(decisions), tuple(spent))


def _bot(name: str, match: Match, state: tsukimi.State, seed: str, close: Callable[[Any], Any]) -> bots.Bot:
    kind, _, budget = name.partition("@")
    ms, playouts = match.ms, match.playouts
    if budget.endswith("ms"):
        ms, playouts = float(budget[:-2]), None
    elif budget:
        ms, playouts = None, int(budget)
    if playouts is not None:
        ms = None
    if kind.startswith("cmd:"):
        return close(kind[4:])  # type: ignore[no-any-return]
    return bots.make(kind, state, seed, bots.Budget(ms, playouts, clock=match.clock))


def standings(results: list[Result]) -> list[Standing]:
    """Each bot's record. The interval counts a deal's rotations as one observation: they share their chance."""
    names = sorted({name for result in results for name in result.seats})
    ratings = _ratings(results)
    rows = [_standing(name, results, ratings.get(name)) for name in names]
    return sorted(rows, key=lambda row: -row.share)


def _standing(name: str, results: list[Result], rating: tuple[float, float] | None) -> Standing:
    scores, seconds, decisions, games = [], 0.0, 0, 0
    for result in results:
        games += name in result.seats
        for seat, sitting in enumerate(result.seats):
            if sitting == name:
                scores.append(result.scores[seat])
                seconds += result.seconds[seat]
                decisions += result.decisions[seat]
    means = deal_shares(results, name)
    return Standing(
        name,
        games,
        statistics.mean(means),
        interval(means),
        statistics.mean(scores),
        1000 * seconds / max(1, decisions),
        rating,
    )


def deal_shares(results: list[Result], name: str) -> list[float]:
    """A bot's mean share of the win in each deal, over all seats that it had there."""
    per_deal: dict[int, list[float]] = {}
    for result in results:
        for share, sitting in zip(result.shares, result.seats, strict=True):
            if sitting == name:
                per_deal.setdefault(result.deal, []).append(share)
    return [statistics.mean(per_deal[deal]) for deal in sorted(per_deal)]


def interval(means: Sequence[float]) -> float:
    """Half of the 95 % interval of a share, from its means in the deals. One lost and one won deal are imagined
    besides: without them a few deals that all went alike would look like certainty."""
    return 1.96 * statistics.stdev([*means, 0.0, 1.0]) / math.sqrt(len(means) + 2)


def _ratings(results: list[Result]) -> Mapping[str, tuple[float, float]]:
    try:
        from tsukimi.ratings import Ratings

        ratings = Ratings()
    except ImportError:
        return {}
    for result in results:
        if len(set(result.seats)) > 1:
            ratings.record(result.seats, [-share for share in result.shares])
    return ratings.table()


def data(match: Match, results: list[Result]) -> dict[str, Any]:
    """The match and its standings, as JSON-able data."""
    return {"match": asdict(match), "games": len(results), "standings": [asdict(row) for row in standings(results)]}
