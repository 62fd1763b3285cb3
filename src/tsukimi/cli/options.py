"""What several commands ask for on the command line: a game, its players, its options, a seed."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from typing import TYPE_CHECKING, Any

from tsukimi.cli.language import current, say, table

if TYPE_CHECKING:
    from argparse import _SubParsersAction

DIRECT = ("edition", "auction", "belt", "first")


def helped(subparsers: _SubParsersAction[Any], name: str) -> ArgumentParser:
    """A subcommand's parser; its help is in the language that the command line asks for."""
    about = say("help", name, current())
    parser: ArgumentParser = subparsers.add_parser(name, help=about, description=about)
    return parser


def described(parser: ArgumentParser) -> None:
    """Give every argument its help from the catalogue."""
    texts = table("argument", current())
    for action in parser._actions:
        if action.help is None or action.dest == "help":
            action.help = texts.get(action.dest)


def game_arguments(parser: ArgumentParser, players: int | None = None) -> None:
    parser.add_argument("--players", type=int, metavar="N", default=players)
    parser.add_argument("--seed", metavar="S")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", type=_pair)
    for name in DIRECT:
        parser.add_argument(f"--{name}", metavar="VALUE")
    parser.add_argument("--components", metavar="FILE")


def chosen_options(args: Namespace) -> dict[str, str]:
    """The game's options, from --option NAME=VALUE and from the direct flags."""
    direct = {name: value for name in DIRECT if (value := getattr(args, name)) is not None}
    return {**dict(args.option), **direct}


def seed_of(args: Namespace) -> int | str | None:
    """A whole number if it looks like one, as `tsukimi.new` would be given it."""
    text: str | None = args.seed
    return int(text) if text is not None and text.lstrip("-").isdecimal() and text.isascii() else text


def game_name(text: str) -> str:
    """A game's name however it is written: China Moon, china_moon, CHINA-MOON."""
    return "-".join(text.lower().replace("_", " ").replace("-", " ").split())


def usual_players(seats: tuple[int, ...]) -> int:
    return 3 if 3 in seats else seats[0]


def whole(least: int) -> Any:
    """An argument type: a whole number, at least that."""

    def number(text: str) -> int:
        if not (text.isascii() and text.isdecimal()) or int(text) < least:
            raise ArgumentTypeError(say("error", "number", current(), text=text, least=least))
        return int(text)

    return number


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise ArgumentTypeError(say("error", "pair", current(), text=text))
    return name, value
