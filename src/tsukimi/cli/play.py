"""`tsukimi play [GAME]`: a game in the terminal, against the computer or with friends at one keyboard."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path
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

    from tsukimi.cli.console import Console
    from tsukimi.core.state import State

BOT_NAMES = ("Aki", "Botan", "Chiyo", "Daigo", "Emi")
LONGEST_NAME = 16


def add(subparsers: _SubParsersAction[Any]) -> None:
    parser = subparser(subparsers, "play")
    parser.add_argument("game", nargs="?", metavar="GAME")
    game_arguments(parser)
    parser.add_argument("--seat", type=whole_number(1), metavar="K", default=1)
    parser.add_argument("--hotseat", action="store_true")
    parser.add_argument("--bots", default="regular", metavar="A,B,..")
    parser.add_argument("--ms", type=float, default=1000.0, metavar="MS")
    parser.add_argument("--names", metavar="ANA,BO")
    parser.add_argument("--lang", choices=("en", "fr", "es"))
    parser.add_argument("--save", metavar="FILE")
    parser.add_argument("--resume", metavar="FILE")
    add_help(parser)


def run(args: Namespace) -> int:
    from tsukimi.cli.console import Console
    from tsukimi.cli.opponents import listed_names, opponents
    from tsukimi.cli.practice import Practice
    from tsukimi.cli.session import Session

    console, lang = Console(), current()
    try:
        state = _state(args, console, lang)
    except EOFError:
        console.write()
        return 0
    humans = set(range(state.players)) if args.hotseat else {_seat(args.seat, state.players)}
    set_names(state, humans, args.names)
    listed = listed_names(args.bots)
    practice = Practice(state, humans, listed)
    named = ",".join(map(practice.bot, listed))
    session = Session(console, state, humans, opponents(named, state, humans, seed_of(args), args.ms), lang)
    session.file = args.save
    code = session.run()
    if change := practice.learn():
        console.write("", say("adaptive", change, lang))
    return code


def _state(args: Namespace, console: Console, lang: str) -> State:
    """The game that the arguments, or the menu answers, ask for."""
    import tsukimi
    from tsukimi.cli import menu
    from tsukimi.games import spec

    if args.resume:
        return tsukimi.replay(Path(args.resume).read_text("utf-8"), seed=seed_of(args))
    if args.game is None:
        console.clear()
        console.write(*menu.banner(lang))
        game = menu.choose_game(console, lang)
        players = args.players or menu.choose_players(console, spec(game).seats, lang)
        args.hotseat = args.hotseat or menu.choose_hotseat(console, lang)
        if args.hotseat and not args.names:
            args.names = menu.choose_names(console, players, lang)
    else:
        game = game_name(args.game)
        players = args.players or usual_players(spec(game).seats)
    return tsukimi.new(game, players=players, seed=seed_of(args), components=args.components, **chosen_options(args))


def _seat(number: int, players: int) -> int:
    from tsukimi.core.errors import BadOptions

    if number > players:
        raise BadOptions("cli.seat", seat=number, players=players)
    return number - 1


def set_names(state: State, humans: set[int], names: str | None) -> None:
    """Names for the seats: the given ones for people in order, bots' names for the others."""
    given = [name.strip() for name in (names or "").split(",") if name.strip()]
    user = os.environ.get("USER", "").strip().capitalize()
    if not given and len(humans) == 1 and user and user != "Root":
        given = [user]
    for seat in range(state.players):
        if seat in humans:
            name = given.pop(0) if given else state.names.get(seat, f"p{seat + 1}")
        else:
            name = state.names.get(seat, BOT_NAMES[seat % len(BOT_NAMES)])
        state.names[seat] = name[:LONGEST_NAME]
