"""`tsukimi learn GAME`: a guided first game in the terminal, against novices."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from tsukimi.cli.language import current
from tsukimi.cli.options import add_help, game_name, subparser

if TYPE_CHECKING:
    from argparse import _SubParsersAction

NOVICE_MS = 200.0


def add(subparsers: _SubParsersAction[Any]) -> None:
    parser = subparser(subparsers, "learn")
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--lang", choices=("en", "fr", "es"))
    add_help(parser)


def run(args: Namespace) -> int:
    import tsukimi
    from tsukimi.cli.console import Console
    from tsukimi.cli.lesson import LessonSession
    from tsukimi.cli.opponents import opponents
    from tsukimi.cli.play import set_names
    from tsukimi.core.errors import BadOptions
    from tsukimi.core.lesson import LEARNER, lesson
    from tsukimi.games import spec

    game = game_name(args.game)
    found = lesson(spec(game))
    if found is None:
        raise BadOptions("no-lesson", game=game)
    state = tsukimi.new(game, found.players, chance="manual", **found.options)
    set_names(state, {LEARNER}, None)
    choose = opponents("novice", state, {LEARNER}, None, NOVICE_MS)
    return LessonSession(Console(), state, choose, current(), found).run()
