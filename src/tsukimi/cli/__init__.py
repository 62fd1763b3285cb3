"""The `tsukimi` command: one module per subcommand, each with `add(subparsers)` and `run(args)`, imported when used."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import Any, NoReturn

COMMANDS = ("serve", "play", "replay", "rules", "simulate", "arena", "bench", "check")
FAILED, BAD_USAGE, INTERRUPTED = 1, 2, 130


class Parser(ArgumentParser):
    """An argument parser that reports errors in one line and adds flags that depend on the game when it is used."""

    games_options = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        if self.games_options:
            from tsukimi.cli.options import add_option_flags

            add_option_flags(self, args or ())
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        raise SystemExit(_report(f"{self.prog}: {message} ({self.prog} --help)", BAD_USAGE))


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0 done, 1 failed, 2 bad usage, 130 interrupted."""
    from tsukimi.cli.ascii import tolerate_old_terminals

    tolerate_old_terminals()
    try:
        return _run(list(sys.argv[1:] if argv is None else argv))
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else FAILED
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader (a pager, `head`) has gone: that is no failure
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _run(argv: list[str]) -> int:
    from tsukimi.cli.language import say, set_language
    from tsukimi.core.errors import BadOptions, TsukimiError

    lang = set_language(argv)
    try:
        module, parser = _parser(argv, lang)
        args = parser.parse_args(argv)
        code: int = (module or import_module(f"tsukimi.cli.{args.command}")).run(args)
        sys.stdout.flush()
        return code
    except TsukimiError as problem:
        code = BAD_USAGE if isinstance(problem, BadOptions) else FAILED
        return _report(f"tsukimi: {problem.message(lang)}", code)
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] != "rich":
            raise
        return _report(f"tsukimi: {say('error', 'no-rich', lang)}", FAILED)
    except BrokenPipeError:
        raise
    except OSError as problem:
        where = f"{problem.filename}: " if problem.filename else ""
        return _report(f"tsukimi: {where}{problem.strerror or problem}", FAILED)


def _parser(argv: list[str], lang: str) -> tuple[ModuleType | None, ArgumentParser]:
    """The parser for these arguments. Of a command that is named only its own module is imported, else all are."""
    from tsukimi import __version__
    from tsukimi.cli.language import say

    command = argv[0] if argv and argv[0] in COMMANDS else ""
    parser = Parser(prog="tsukimi", description=say("help", "tsukimi", lang))
    parser.add_argument("--version", action="version", version=f"tsukimi {__version__}")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    module = None
    for name in [command] if command else COMMANDS:
        module = import_module(f"tsukimi.cli.{name}")
        module.add(subparsers)
    return module if command else None, parser


def _report(line: str, code: int) -> int:
    print(" ".join(line.split()), file=sys.stderr)
    return code
