"""Matches between bots: the same chance for every seat rotation, shares of the win with confidence intervals.

    match = Match("dojo", ["master", MyBot(), "greedy"], playouts=200)
    for row in standings(run(match, deals=50)):
        print(row.name, row.share, row.interval)

A line-up consists of bot names (`master`, with its own budget `master@50ms` or `master@800`, or a program, `cmd:PROGRAM`),
bots themselves, or bot factories (see `tsukimi.bots.Factory`).
"""

from __future__ import annotations

import math
import pickle
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field, replace
from typing import Any, cast

import tsukimi
from tsukimi import bots
from tsukimi.bots.budget import CLOCKS
from tsukimi.bots.external import ExternalBot, programs
from tsukimi.core.errors import BadOptions, TsukimiError
from tsukimi.core.source import rng_of

Entrant = str | bots.Bot | bots.Factory


@dataclass(frozen=True)
class Match:
    """What is played: an entrant per seat, and the budget of those without their own."""

    game: str
    lineup: Sequence[Entrant]
    options: Mapping[str, str] = field(default_factory=dict)
    ms: float | None = 1000.0
    playouts: int | None = None
    seed: str = "0"
    clock: str = "cpu"
    """How milliseconds are measured: `cpu` (the thinking thread's CPU time, whatever else the machine does) or
    `wall`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "lineup", tuple(self.lineup))
        for entrant in self.lineup:
            if not (isinstance(entrant, str) or bots.is_bot(entrant) or callable(entrant)):
                raise BadOptions("not-a-bot", bot=repr(entrant)[:60])

    @property
    def players(self) -> int:
        return len(self.lineup)

    @property
    def names(self) -> tuple[str, ...]:
        """The entrants' names, in order: for objects their `name`, else that of their class or function. The same
        entrant always has the same name, and different entrants never share one."""
        names: dict[int | str, str] = {}
        keys = [entrant if isinstance(entrant, str) else id(entrant) for entrant in self.lineup]
        for key, entrant in zip(keys, self.lineup, strict=True):
            if key not in names:
                name, number = _name(entrant), 2
                while name in names.values():
                    name, number = f"{_name(entrant)} {number}", number + 1
                names[key] = name
        return tuple(names[key] for key in keys)


def _name(entrant: Entrant) -> str:
    if isinstance(entrant, str):
        return entrant
    name = getattr(entrant, "name", None) or getattr(entrant, "__name__", None)
    return name if isinstance(name, str) else type(entrant).__name__


@dataclass(frozen=True)
class Result:
    """One game: which deal, who sat where, and how it ended."""

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
    progress: Callable[[int, int], None] | None = None,
    first: int = 0,
) -> list[Result]:
    """Play that many deals, starting with the deal numbered `first`, each in every rotation of the line-up. With several
    processes, bots are pickled, and a bot object is a fresh copy in every game."""
    tasks = [(deal, rotation) for deal in range(first, first + deals) for rotation in range(match.players)]
    results: list[Result] = []
    for result in _results(match, tasks, processes):
        results.append(result)
        if progress:
            progress(len(results), len(tasks))
    return sorted(results, key=lambda result: (result.deal, result.seats))


def _results(match: Match, tasks: list[tuple[int, int]], processes: int) -> Iterator[Result]:
    if processes == 1:
        yield from (play(match, *task) for task in tasks)
        return
    data = _pickled(match)
    with ProcessPoolExecutor(processes) as pool:
        for done in as_completed([pool.submit(_play_pickled, data, *task) for task in tasks]):
            yield done.result()


def play(match: Match, deal: int, rotation: int) -> Result:
    """One game, with the line-up rotated by that many seats."""
    order = [(seat + rotation) % match.players for seat in range(match.players)]
    seats = tuple(match.names[place] for place in order)
    state = tsukimi.new(match.game, players=match.players, seed=f"arena {match.seed} {deal}", **match.options)
    spent, decisions = [0.0] * match.players, [0] * match.players
    with programs() as start_program:
        players = [
            bot_for(match.lineup[place], match, state, f"{match.seed} {deal} {rotation} {seat}", start_program)
            for seat, place in enumerate(order)
        ]
        while not state.over:
            seat = state.actors[0]
            now = time.perf_counter if isinstance(players[seat], ExternalBot) else CLOCKS[match.clock]
            started = now()
            move = players[seat].choose(state, seat)
            spent[seat] += now() - started
            decisions[seat] += 1
            try:
                state.apply(move, seat)
            except TsukimiError as problem:
                raise BadOptions("bot-failed", bot=seats[seat][:60], problem=problem) from problem
        for bot in players:
            if isinstance(bot, ExternalBot):
                bot.finish(state)
    winners = state.winners()
    shares = tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(match.players))
    return Result(deal, seats, shares, tuple(state.scores()), tuple(decisions), tuple(spent))


def bot_for(
    entrant: Entrant, match: Match, state: tsukimi.State, seed: str, start_program: Callable[[str], ExternalBot]
) -> bots.Bot:
    """A bot for a game, from an entrant with the match's budget or its own."""
    if not isinstance(entrant, str):
        if bots.is_bot(entrant):
            return entrant
        return bots.made_by(cast(bots.Factory, entrant), state, rng_of(seed).number(), _budget(match))
    if entrant.startswith("cmd:"):
        return start_program(entrant[4:])
    name, _, limit = entrant.partition("@")
    return bots.make(name, state, seed, _budget(match, entrant, limit))


def _budget(match: Match, entrant: str = "", limit: str = "") -> bots.Budget:
    """The budget after the `@` in an entrant's name, else the match's; a number of playouts replaces its time."""
    ms, playouts = match.ms, match.playouts
    try:
        if limit.endswith("ms"):
            ms, playouts = float(limit[:-2]), None
        elif limit:
            ms, playouts = None, int(limit)
    except ValueError:
        raise BadOptions("bad-option", option=entrant[:60], value=limit[:60], known="50ms, 800") from None
    return bots.Budget(ms if playouts is None else None, playouts, clock=match.clock)


# ---- other processes -----------------------------------------------------------------------------


def _pickled(match: Match) -> bytes:
    """The match, and what was registered in this process under its names."""
    used = {name.partition("@")[0] for name in match.lineup if isinstance(name, str)}
    registered = {name: factory for name in used if (factory := bots.registered(name))}
    for name, entrant in [*zip(match.names, match.lineup, strict=True), *registered.items()]:
        try:
            pickle.dumps(entrant)
        except Exception as problem:  # pickle can raise anything
            raise BadOptions("bot-not-picklable", bot=name[:60], problem=str(problem)[:200]) from problem
    return pickle.dumps((match, registered))


def _play_pickled(data: bytes, deal: int, rotation: int) -> Result:
    try:
        match, registered = pickle.loads(data)
    except (AttributeError, ImportError) as problem:  # defined in a notebook, which this process has not run
        raise BadOptions("bot-not-picklable", bot="?", problem=str(problem)[:200]) from problem
    for name, factory in registered.items():
        bots.register(name, factory)
    return play(match, deal, rotation)


# ---- figures -------------------------------------------------------------------------------------


def standings(results: list[Result], rated: bool = True) -> list[Standing]:
    """Each bot's record, best first; rated only if openskill is installed. The interval counts a deal's rotations
    as one observation, because they share their chance."""
    names = sorted({name for result in results for name in result.seats})
    ratings = _ratings(results) if rated else {}
    rows = [_standing(name, results, ratings.get(name)) for name in names]
    return sorted(rows, key=lambda row: -row.share)


def _standing(name: str, results: list[Result], rating: tuple[float, float] | None) -> Standing:
    scores, seconds, decisions, games = [], 0.0, 0, 0
    for result in results:
        games += name in result.seats
        for seat, player in enumerate(result.seats):
            if player == name:
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
    """A bot's mean share of the win in each deal, over all its seats there."""
    per_deal: dict[int, list[float]] = {}
    for result in results:
        for share, player in zip(result.shares, result.seats, strict=True):
            if player == name:
                per_deal.setdefault(result.deal, []).append(share)
    return [statistics.mean(per_deal[deal]) for deal in sorted(per_deal)]


def interval(means: Sequence[float]) -> float:
    """Half the 95 % interval of a share, from its means per deal. One lost and one won deal are added: without
    them, a few deals with the same result would look like certainty."""
    return 1.96 * statistics.stdev([*means, 0.0, 1.0]) / math.sqrt(len(means) + 2)


def _ratings(results: list[Result]) -> Mapping[str, tuple[float, float]]:
    from tsukimi.ratings import Ratings

    try:
        ratings = Ratings()
    except ImportError:
        return {}
    for result in results:
        if len(set(result.seats)) > 1:
            ratings.record(result.seats, [-share for share in result.shares])
    return ratings.table()


def data(match: Match, results: list[Result]) -> dict[str, Any]:
    """The match and its standings, as JSON-compatible data."""
    return {
        "match": asdict(replace(match, lineup=match.names)),
        "games": len(results),
        "standings": [asdict(row) for row in standings(results)],
    }
