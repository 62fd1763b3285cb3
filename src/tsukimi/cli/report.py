"""`tsukimi report GAME`: what a designer wants to know about a game, on one page."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tsukimi.cli.language import current, say
from tsukimi.cli.options import add_help, chosen_options, game_arguments, subparser, whole_number
from tsukimi.cli.simulate import chosen_simulation, simulation_arguments

if TYPE_CHECKING:
    from argparse import _SubParsersAction

GAMES, VARIANT_GAMES = 400, 100


def add(subparsers: _SubParsersAction[Any]) -> None:
    parser = subparser(subparsers, "report")
    parser.add_argument("game", metavar="GAME")
    game_arguments(parser)
    simulation_arguments(parser, games=GAMES, bots="greedy")
    parser.add_argument("--compare", metavar="FILE")
    parser.add_argument("--variants", type=whole_number(0), default=VARIANT_GAMES, metavar="N")
    parser.add_argument("--out", metavar="FILE", help=say("report", "out", current()))
    parser.add_argument("--lang", choices=("en", "fr", "es"))
    add_help(parser)


def run(args: Namespace) -> int:
    import tsukimi
    from tsukimi.cli.progress import progress
    from tsukimi.lab.report import plan, report

    wanted = chosen_simulation(args)
    compared: list[tuple[str, Any]] = []
    if args.compare:
        options = chosen_options(args)
        other = tsukimi.new(wanted.game, wanted.players, chance="manual", components=args.compare, **options)
        compared.append((Path(args.compare).name, other.components))
    planned = plan(wanted, args.variants, compared)
    with progress(planned.games) as update:
        page = report(planned, args.processes, lambda games: update(advance=games))
    out = Path(args.out or f"{wanted.game}-report.html")
    out.write_text(page, "utf-8")
    print(say("report", "written", current(), file=str(out)))
    return 0
