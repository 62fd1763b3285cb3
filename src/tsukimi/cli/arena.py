"""`tsukimi arena GAME`: matches between bots, with the same chance for every seat rotation."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tsukimi.cli.language import current, say
from tsukimi.cli.options import add_help, chosen_options, game_arguments, game_name, seed_of, subparser, whole_number

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from tsukimi.lab.arena import Match, Standing


def add(subparsers: _SubParsersAction[Any]) -> None:
    parser = subparser(subparsers, "arena")
    parser.add_argument("game", metavar="GAME")
    game_arguments(parser)
    parser.add_argument("--bots", default="master,greedy", metavar="A,B,..")
    parser.add_argument("--deals", type=whole_number(1), default=50, metavar="N")
    parser.add_argument("--ms", type=float, default=1000.0, metavar="MS")
    parser.add_argument("--playouts", type=whole_number(1), metavar="N")
    parser.add_argument("--clock", choices=("cpu", "wall"), default="cpu")
    parser.add_argument("--processes", type=whole_number(1), default=1, metavar="P")
    parser.add_argument("--out", metavar="FILE")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--lang", choices=("en", "fr", "es"))
    add_help(parser)


def run(args: Namespace) -> int:
    from tsukimi.cli.progress import progress
    from tsukimi.lab import arena, ladder

    bots = _bots(args.bots.split(","), args.players)
    seed = str(seed_of(args) or 0)
    match = arena.Match(game_name(args.game), bots, chosen_options(args), args.ms, args.playouts, seed, args.clock)
    with progress(args.deals * len(bots)) as update:
        results = arena.run(match, args.deals, args.processes, lambda done, total: update(advance=1))
    data = arena.data(match, results)
    if args.out:
        out = Path(args.out)
        text = ladder.page(match, results) if out.suffix == ".html" else json.dumps(data, indent=1) + "\n"
        out.write_text(text, "utf-8")
    if args.json:
        print(json.dumps(data, indent=2))
    else:
        _show(match, arena.standings(results))
    return 0


def _bots(names: list[str], players: int | None) -> tuple[str, ...]:
    """A bot per seat: the last one named plays the remaining seats."""
    return tuple(names + names[-1:] * ((players or 0) - len(names)))


def _show(match: Match, rows: list[Standing]) -> None:
    from rich.table import Table
    from rich.text import Text

    from tsukimi.cli.console import Console

    kind = match.clock if match.playouts is None else "playouts"
    about = say("arena", kind, current(), ms=f"{match.ms:g}", playouts=match.playouts)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for head in ("bot", "games", "share", "score", "time", "rating"):
        table.add_column(say("arena", head, current()), justify="left" if head == "bot" else "right", no_wrap=True)
    for row in rows:
        rating = "" if row.rating is None else f"{row.rating[0]:.1f} ± {row.rating[1]:.1f}"
        share = Text(f"{100 * row.share:.1f} % ± {100 * row.interval:.1f}", "text.bold")
        name = Text(row.name, "moon.bold")
        table.add_row(name, str(row.games), share, f"{row.score:.1f}", f"{row.ms:.0f} ms", rating)
    Console().write(Text(about, "quiet"), "", table)
