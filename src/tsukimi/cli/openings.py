"""`tsukimi openings GAME`: what masters choose first, as a short page in three languages."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tsukimi.cli.language import current, say
from tsukimi.cli.options import add_help, game_name, subparser, whole_number

if TYPE_CHECKING:
    from argparse import _SubParsersAction

GAMES, PLAYOUTS = 400, 100


def add(subparsers: _SubParsersAction[Any]) -> None:
    parser = subparser(subparsers, "openings")
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--games", type=whole_number(1), default=GAMES, metavar="N")
    parser.add_argument("--playouts", type=whole_number(1), default=PLAYOUTS, metavar="N")
    parser.add_argument("--processes", type=whole_number(1), default=os.cpu_count() or 1, metavar="P")
    parser.add_argument("--out", metavar="FOLDER", help=say("openings", "out", current()))
    parser.add_argument("--lang", choices=("en", "fr", "es"))
    add_help(parser)


def run(args: Namespace) -> int:
    from tsukimi.cli.progress import progress
    from tsukimi.core.catalogue import LANGUAGES
    from tsukimi.lab.openings import page, study

    with progress(args.games) as update:
        found = study(
            game_name(args.game), args.games, args.playouts, args.processes, lambda games: update(advance=games)
        )
    if args.out is None:
        print(page(found, current()), end="")
        return 0
    folder = Path(args.out)
    folder.mkdir(parents=True, exist_ok=True)
    for lang in LANGUAGES:
        (folder / f"{lang}.md").write_text(page(found, lang), "utf-8")
    return 0
