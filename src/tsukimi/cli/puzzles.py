"""`tsukimi puzzles`: positions with one best move. Lists them, plays them, mines them from bot games, solves them again."""

from __future__ import annotations

import os
import random
import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tsukimi.cli.language import current, say
from tsukimi.cli.options import add_help, game_name, subparser, whole_number
from tsukimi.core.errors import BadOptions

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from tsukimi.core.puzzle import Puzzle
    from tsukimi.core.spec import Spec

ACTIONS = ("list", "play", "make", "check", "renew")
GAMES, MOST = 200, 200


def add(subparsers: _SubParsersAction[Any]) -> None:
    parser = subparser(subparsers, "puzzles")
    parser.add_argument("action", nargs="?", choices=ACTIONS, default="list", metavar="|".join(ACTIONS))
    parser.add_argument("game", nargs="?", metavar="GAME")
    parser.add_argument("--games", type=whole_number(1), default=GAMES, metavar="N")
    parser.add_argument("--most", type=whole_number(1), default=MOST, metavar="N")
    parser.add_argument("--seed", type=int, default=None, metavar="S")
    parser.add_argument("--processes", type=whole_number(1), default=os.cpu_count() or 1, metavar="P")
    parser.add_argument("--out", metavar="FILE")
    parser.add_argument("--sample", type=whole_number(1), metavar="N")
    parser.add_argument("--lang", choices=("en", "fr", "es"))
    add_help(parser)


def run(args: Namespace) -> int:
    from tsukimi.games import names, spec

    specs = [spec(game_name(args.game))] if args.game else [spec(name) for name in names()]
    if args.action in ("play", "make", "renew") and not args.game:
        raise BadOptions("puzzle-which-game", action=args.action)
    return {"list": _list, "play": _play, "make": _make, "check": _check, "renew": _renew}[args.action](specs, args)


def _list(specs: list[Spec], args: Namespace) -> int:
    from collections import Counter

    from tsukimi.core.puzzle import puzzles
    from tsukimi.core.words import Words, title

    for spec in specs:
        found = list(puzzles(spec).values())
        if not found:
            continue
        words = Words(spec.name, current(), [])
        themes = Counter(theme for puzzle in found for theme in puzzle.themes)
        fields = {"number": len(found), "low": found[0].rating, "high": found[-1].rating}
        print(f"{title(spec.name, current())}: {say('puzzles', 'list', current(), **fields)}")
        print("  " + ", ".join(f"{words.theme(theme)} ({number})" for theme, number in themes.most_common()))
    return 0


def _play(specs: list[Spec], args: Namespace) -> int:
    from tsukimi.cli.console import Console
    from tsukimi.cli.puzzle_session import play
    from tsukimi.core.puzzle import puzzles

    [spec] = specs
    found = list(puzzles(spec).values())
    if not found:
        raise BadOptions("no-puzzles", game=spec.name)
    random.Random(args.seed).shuffle(found)
    return play(Console(), spec, found, current())


def _make(specs: list[Spec], args: Namespace) -> int:
    from tsukimi.analysis.puzzles import choose, mine
    from tsukimi.cli.progress import progress

    [spec] = specs
    with progress(args.games) as update:
        found = list(
            mine(spec.name, args.games, args.seed or 0, args.processes, lambda done: update(completed=done)),
        )
    _write(choose(found, args.most), args.out)
    return 0


def _renew(specs: list[Spec], args: Namespace) -> int:
    """Those that still hold, with the bots' current values and reasons."""
    from tsukimi.analysis.puzzles import renew
    from tsukimi.cli.progress import progress
    from tsukimi.core.puzzle import BadPuzzle, puzzles

    [spec] = specs
    found = puzzles(spec).values()
    valid: list[Puzzle] = []
    with progress(len(found)) as update:
        for puzzle in found:
            try:
                valid.append(renew(spec.name, puzzle))
            except BadPuzzle as problem:
                print(problem.message(current()), file=sys.stderr)
            update(advance=1)
    _write(valid, args.out)
    return 0


def _write(found: list[Puzzle], file: str | None) -> None:
    from tsukimi.core.puzzle import write

    lines = "".join(write(puzzle) + "\n" for puzzle in found)
    if file is None:
        sys.stdout.write(lines)
    else:
        Path(file).write_text(lines, "utf-8")


def _check(specs: list[Spec], args: Namespace) -> int:
    from tsukimi.analysis.puzzles import check
    from tsukimi.cli.progress import progress
    from tsukimi.core.errors import TsukimiError
    from tsukimi.core.puzzle import puzzles

    wanted: list[tuple[Spec, Puzzle]] = [(spec, puzzle) for spec in specs for puzzle in puzzles(spec).values()]
    if args.sample is not None:
        wanted = random.Random(args.seed).sample(wanted, min(args.sample, len(wanted)))
    bad = 0
    with progress(len(wanted)) as update:
        for spec, puzzle in wanted:
            try:
                check(spec.name, puzzle)
            except TsukimiError as problem:
                bad += 1
                print(f"{spec.name} {puzzle.id}: {problem.message(current())}", file=sys.stderr)
            update(advance=1)
    print(say("puzzles", "checked", current(), number=len(wanted), bad=bad))
    return 1 if bad else 0
