"""`tsukimi arena GAME`: matches between bots, the same chance for every rotation of the seats."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tsukimi.cli.language import current, say
from tsukimi.cli.options import chosen_options, described, game_arguments, game_name, helped, seed_of, whole

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from tsukimi.lab.arena import Match, Standing


def add(subparsers: _SubParsersAction[Any]) -> None:
    parser = helped(subparsers, "arena")
    parser.add_argument("game", metavar="GAME")
    game_arguments(parser)
    parser.add_argument("--bots", default="master,greedy", metavar="A,B,..")
    parser.add_argument("--deals", type=whole(1), default=50, metavar="N")
    parser.add_argument("--ms", type=float, default=1000.0, metavar="MS")
    parser.add_argument("--playouts", type=whole(1), metavar="N")
    parser.add_argument("--clock", choices=("cpu", "wall"), default="cpu")
    parser.add_argument("--processes", type=whole(1), default=1, metavar="P")
    parser.add_argument("--out", metavar="FILE")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--lang", choices=("en", "fr", "es"))
    described(parser)


def run(args: Namespace) -> int:
    from tsukimi.cli.progress import Progress
    from tsukimi.lab import arena

    lineup = _lineup(args.bots.split(","), args.players)
    seed = str(seed_of(args) or 0)
    match = arena.Match(game_name(args.game), lineup, chosen_options(args), args.ms, args.playouts, seed, args.clock)
    progress = Progress(args.deals * len(lineup))
    try:
        results = arena.run(match, args.deals, args.processes, lambda done, total: progress.step(1))
    finally:
        progress.close()
    found = arena.data(match, results)
    if args.out:
        Path(args.out).write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    if args.json:
        print(json.dumps(found, indent=2))
    else:
        print(_about(match))
        _show(arena.standings(results))
    return 0


def _about(match: Match) -> str:
    """How long the bots thought, where their names do not say otherwise."""
    kind = match.clock if match.playouts is None else "playouts"
    return say("arena", kind, current(), ms=f"{match.ms:g}", playouts=match.playouts)


def _lineup(names: list[str], players: int | None) -> tuple[str, ...]:
    """The last bot named fills the seats that are left."""
    filled = names + names[-1:] * ((players or 0) - len(names))
    return tuple(filled)


def _show(rows: list[Standing]) -> None:
    heads = [say("arena", word, current()) for word in ("bot", "games", "share", "score", "time", "rating")]
    table = [heads, *(_cells(row) for row in rows)]
    widths = [max(len(line[column]) for line in table) for column in range(len(heads))]
    for line in table:
        print("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)))


def _cells(row: Standing) -> list[str]:
    rating = "" if row.rating is None else f"{row.rating[0]:.1f} ± {row.rating[1]:.1f}"
    share = f"{100 * row.share:.1f} % ± {100 * row.interval:.1f}"
    return [row.name, str(row.games), share, f"{row.score:.1f}", f"{row.ms:.0f} ms", rating]
