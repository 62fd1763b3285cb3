"""`tsukimi rules GAME`: a game's rules in the terminal."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from tsukimi.cli.language import current
from tsukimi.cli.options import add_help, game_name, subparser

if TYPE_CHECKING:
    from argparse import _SubParsersAction


def add(subparsers: _SubParsersAction[Any]) -> None:
    parser = subparser(subparsers, "rules")
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--section", metavar="ANCHOR")
    parser.add_argument("--lang", choices=("en", "fr", "es"))
    add_help(parser)


def run(args: Namespace) -> int:
    from tsukimi.cli import guide
    from tsukimi.cli.console import Console
    from tsukimi.core.errors import BadOptions
    from tsukimi.games import spec

    text = guide.text(spec(game_name(args.game)), current())
    if args.section:
        part = guide.section(text, [args.section])
        if part is None:
            raise BadOptions("cli.no-section", section=args.section, known=", ".join(guide.anchors(text)))
        text = part
    console = Console()
    console.page(guide.rendered(text, console.colour))
    return 0
