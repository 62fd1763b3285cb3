"""`tsukimi rules GAME`: the rules in our own words, to read on a terminal."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from tsukimi.cli.language import current
from tsukimi.cli.options import described, game_name, helped

if TYPE_CHECKING:
    from argparse import _SubParsersAction


def add(subparsers: _SubParsersAction[Any]) -> None:
    parser = helped(subparsers, "rules")
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--section", metavar="ANCHOR")
    parser.add_argument("--lang", choices=("en", "fr", "es"))
    described(parser)


def run(args: Namespace) -> int:
    from tsukimi.cli import guide, markdown
    from tsukimi.cli.console import Console
    from tsukimi.core.errors import BadOptions
    from tsukimi.games import spec

    lang = current()
    found = spec(game_name(args.game))
    text = guide.text(found, lang)
    if args.section:
        part = markdown.section(text, args.section)
        if part is None:
            raise BadOptions("cli.no-section", section=args.section, known=", ".join(markdown.anchors(text)))
        text = part
    console = Console()
    console.page(markdown.render(text, console.style, min(console.columns, 96)))
    return 0
