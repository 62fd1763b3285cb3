"""`tsukimi simulate GAME`: many random games, and how often each seat wins."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tsukimi.cli.language import current, say
from tsukimi.cli.options import (
    add_help,
    chosen_options,
    game_arguments,
    game_name,
    seed_of,
    subparser,
    usual_players,
    whole_number,
)

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from tsukimi.core.game import Game

CHUNK = 50  # games that share a generator: the result does not depend on the number of threads
Z = 1.96  # standard deviations of a 95 % interval
LONGEST_BAR = 24


@dataclass
class Tally:
    """The results of some games, added up."""

    games: int = 0
    decisions: int = 0
    longest: int = 0
    wins: list[float] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    squares: list[int] = field(default_factory=list)

    def count(self, game: Game, decisions: int) -> None:
        scores, winners = game.scores(), game.winners()
        if not self.wins:
            self.wins, self.points, self.squares = [0.0] * len(scores), [0] * len(scores), [0] * len(scores)
        self.games += 1
        self.decisions += decisions
        self.longest = max(self.longest, decisions)
        for seat in winners:
            self.wins[seat] += 1 / len(winners)
        for seat, score in enumerate(scores):
            self.points[seat] += score
            self.squares[seat] += score * score

    def add(self, other: Tally) -> None:
        self.longest = max(self.longest, other.longest)
        self.games += other.games
        self.decisions += other.decisions
        for name in ("wins", "points", "squares"):
            mine, more = getattr(self, name), getattr(other, name)
            setattr(self, name, [a + b for a, b in zip(mine, more, strict=True)] if mine else list(more))


def add(subparsers: _SubParsersAction[Any]) -> None:
    parser = subparser(subparsers, "simulate")
    parser.add_argument("game", metavar="GAME")
    game_arguments(parser)
    parser.add_argument("--games", type=whole_number(1), default=1000, metavar="N")
    parser.add_argument("--threads", type=whole_number(1), default=1, metavar="T")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--lang", choices=("en", "fr", "es"))
    add_help(parser)


def run(args: Namespace) -> int:
    import time

    import tsukimi
    from tsukimi.games import spec

    game = game_name(args.game)
    players = usual_players(spec(game).seats) if args.players is None else args.players
    options = chosen_options(args)
    start = tsukimi.new(game, players=players, chance="manual", components=args.components, **options)
    began = time.perf_counter()
    tally = _simulate(start.core.copy(), args.games, seed_of(args), args.threads)
    seconds = time.perf_counter() - began
    result = _result(tally, game, start.options, seconds)
    if args.json:
        print(json.dumps(result, indent=2))
    else:
        _show(result, current())
    return 0


def _simulate(start: Game, games: int, seed: int | str | None, threads: int) -> Tally:
    from concurrent.futures import ThreadPoolExecutor
    from secrets import token_hex

    from tsukimi.cli.progress import progress

    root = token_hex(16) if seed is None else f"{type(seed).__name__}:{seed}"
    chunks = [(f"{root}/{low}", min(CHUNK, games - low)) for low in range(0, games, CHUNK)]
    tally = Tally()
    with progress(games) as update, ThreadPoolExecutor(threads) as pool:
        try:
            for part in _in_order(pool, start, chunks, 4 * threads):
                tally.add(part)
                update(advance=part.games)
        finally:
            pool.shutdown(cancel_futures=True)
    return tally


def _in_order(pool: Any, start: Game, chunks: list[tuple[str, int]], ahead: int) -> Iterator[Tally]:
    """The chunks' results in order, at most `ahead` of them under way, so that Ctrl-C stops soon."""
    waiting = []
    for chunk in chunks:
        waiting.append(pool.submit(_chunk, start, *chunk))
        if len(waiting) >= ahead:
            yield waiting.pop(0).result()
    for one in waiting:
        yield one.result()


def _chunk(start: Game, seed: str, games: int) -> Tally:
    from tsukimi.core.source import rng_of

    rng, worker, tally = rng_of(seed), start.copy(), Tally()
    for _ in range(games):
        worker.assign(start)
        decisions = worker.playout(rng)
        tally.count(worker, decisions)
    return tally


# ---- the result --------------------------------------------------------------------------------


def _result(tally: Tally, game: str, options: dict[str, str], seconds: float) -> dict[str, Any]:
    return {
        "game": game,
        "players": len(tally.wins),
        "options": options,
        "games": tally.games,
        "seats": [_seat(tally, seat) for seat in range(len(tally.wins))],
        "mean_decisions": tally.decisions / tally.games,
        "most_decisions": tally.longest,
        "seconds": seconds,
        "games_per_second": tally.games / seconds,
    }


def _seat(tally: Tally, seat: int) -> dict[str, Any]:
    n, total = tally.games, tally.points[seat]
    low, high = interval(tally.wins[seat] / n, n)
    variance = max(0.0, tally.squares[seat] / n - (total / n) ** 2)
    return {
        "seat": seat + 1,
        "win_share": tally.wins[seat] / n,
        "win_share_95": [low, high],
        "mean_score": total / n,
        "score_deviation": variance**0.5,
    }


def interval(share: float, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share (a shared win counts as its part, which makes it a little too wide)."""
    spread = Z * Z / games
    middle = (share + spread / 2) / (1 + spread)
    half = Z / (1 + spread) * (share * (1 - share) / games + spread / (4 * games)) ** 0.5
    return max(0.0, middle - half), min(1.0, middle + half)


def _show(result: dict[str, Any], lang: str) -> None:
    from rich.table import Table
    from rich.text import Text

    from tsukimi.cli.console import Console
    from tsukimi.cli.result import bar
    from tsukimi.core.words import title

    name, games = title(result["game"], lang), f"{result['games']:,}"
    heading = say("simulate", "title", lang, games=games, game=name, players=result["players"])
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for head in ("seat", "wins", "interval", "score"):
        table.add_column(say("simulate", head, lang), justify="left" if head == "seat" else "right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for seat, row in enumerate(result["seats"]):
        low, high = row["win_share_95"]
        table.add_row(
            Text(f"p{row['seat']}", f"p{seat % 5 + 1}.bold"),
            Text(f"{100 * row['win_share']:.1f} %", "text.bold"),
            f"{100 * low:.1f} .. {100 * high:.1f} %",
            f"{row['mean_score']:.2f} ± {row['score_deviation']:.2f}",
            bar(row["win_share"], LONGEST_BAR, seat),
        )
    mean, speed = f"{result['mean_decisions']:.1f}", f"{result['games_per_second']:,.0f}"
    pace = say("simulate", "pace", lang, mean=mean, most=result["most_decisions"], speed=speed)
    Console().write(Text(heading, "moon.bold"), "", table, "", pace)
