"""Arguments shared by several commands: a game, its players, its options, a seed."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tsukimi.cli.language import current, say, table

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from tsukimi.cli import Parser

PREFIX = "option_"  # of the names under which argparse keeps the games' own options


def subparser(subparsers: _SubParsersAction[Any], name: str) -> Parser:
    """A subcommand's parser; its help is in the language requested on the command line."""
    about = say("help", name, current())
    parser: Parser = subparsers.add_parser(name, help=about, description=about)
    return parser


def add_help(parser: ArgumentParser) -> None:
    """Give every argument its help from the command's texts."""
    texts = table("argument", current())
    for action in parser._actions:
        if action.help is None or action.dest == "help":
            action.help = texts.get(action.dest)


def game_arguments(parser: Parser) -> None:
    """--players, --seed, --option and so on, and a flag for each option of the game."""
    parser.add_argument("--players", type=int, metavar="N")
    parser.add_argument("--seed", metavar="S")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", type=_pair)
    parser.add_argument("--first", metavar="VALUE", dest=f"{PREFIX}first", help=table("argument", current())["first"])
    parser.add_argument("--components", metavar="FILE")
    parser.games_options = True


def add_option_flags(parser: Parser, argv: Sequence[str]) -> None:
    """`--auction off` for `--option auction=off`: the options of the named game, or of all games."""
    from tsukimi.core.words import title
    from tsukimi.games import names, spec

    named = [name for word in argv if (name := game_name(word)) in names()]
    texts: dict[str, list[str]] = {}
    for game in named[:1] or names():
        for option, values in spec(game).options.items():
            texts.setdefault(option, []).append(f"{title(game, current())}: {', '.join(values)}")
    for option, about in texts.items():
        if f"--{option}" not in parser._option_string_actions:
            parser.add_argument(f"--{option}", metavar="VALUE", dest=PREFIX + option, help="; ".join(about))
    for action in parser._actions:
        if action.dest == "game":
            action.help = ", ".join(names())


def chosen_options(args: Namespace) -> dict[str, str]:
    """The game's options, from --option NAME=VALUE and from their own flags."""
    flags = {name.removeprefix(PREFIX): value for name, value in vars(args).items() if name.startswith(PREFIX)}
    return {**dict(args.option), **{name: value for name, value in flags.items() if value is not None}}


def seed_of(args: Namespace) -> int | str | None:
    """The seed as `tsukimi.new` takes it: an integer if it looks like one."""
    text: str | None = args.seed
    return int(text) if text is not None and text.lstrip("-").isdecimal() and text.isascii() else text


def game_name(text: str) -> str:
    """A game's name however it is written: China Moon, china_moon, CHINA-MOON."""
    return "-".join(text.lower().replace("_", " ").replace("-", " ").split())


def usual_players(seats: tuple[int, ...]) -> int:
    return 3 if 3 in seats else seats[0]


def whole_number(least: int) -> Callable[[str], int]:
    """An argument type: an integer with that minimum."""

    def number(text: str) -> int:
        digits = text.replace("_", "")
        if not (digits.isascii() and digits.isdecimal()) or int(digits) < least:
            raise ArgumentTypeError(say("error", "number", current(), text=text, least=least))
        return int(digits)

    return number


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise ArgumentTypeError(say("error", "pair", current(), text=text))
    return name, value
