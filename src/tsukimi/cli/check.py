"""`tsukimi check GAME`: whether an installed game satisfies what the library, the bots and the server rely on."""

from __future__ import annotations

import json
from argparse import Namespace
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tsukimi.cli.language import current, say
from tsukimi.cli.options import add_help, game_name, subparser, whole_number

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from tsukimi.check import Result


def add(subparsers: _SubParsersAction[Any]) -> None:
    parser = subparser(subparsers, "check")
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--games", type=whole_number(1), default=20, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="S")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--lang", choices=("en", "fr", "es"))
    add_help(parser)


def run(args: Namespace) -> int:
    from tsukimi import check
    from tsukimi.games import spec

    game = spec(game_name(args.game)).name
    results = check.run(game, seed=args.seed, games=args.games)
    found: list[Result] = list(results) if args.json else _shown(game, results)
    if args.json:
        print(json.dumps([asdict(result) for result in found], indent=2))
    return 0 if all(result.ok for result in found) else 1


def _shown(game: str, results: Any) -> list[Result]:
    """Each result on a line as soon as it is known, then the totals."""
    from rich.text import Text

    from tsukimi.cli.console import Console
    from tsukimi.terminal import item

    console = Console()
    found: list[Result] = []
    words = {ok: say("check", "ok" if ok else "failed", current()) for ok in (True, False)}
    size = max(map(len, words.values()))
    for result in results:
        found.append(result)
        text = Text.assemble(result.name, (f" ({result.detail})" if result.detail else "", "quiet"))
        console.write(item((f"{words[result.ok]:<{size}}  ", "good.bold" if result.ok else "danger.bold"), text))
    failed = sum(not result.ok for result in found)
    console.write("", say("check", "total", current(), game=game, checks=len(found), failed=failed))
    return found
