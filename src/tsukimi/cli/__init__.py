"""The `tsukimi` command: one module per subcommand, each with `add(subparsers)` and `run(args)`, imported when used."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from tsukimi.core.errors import BadOptions

EXTRAS = {"rich": "terminal", "pyarrow": "lab", "ray": "ray"}  # by the package that only they install
COMMANDS = (
    "serve",
    "admin",
    "play",
    "learn",
    "replay",
    "review",
    "puzzles",
    "rules",
    "simulate",
    "openings",
    "report",
    "arena",
    "bench",
    "check",
)
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
    except BrokenPipeError:  # the reader (a pager, `head`) has gone: not a failure
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _run(argv: list[str]) -> int:
    from tsukimi.cli.language import set_language
    from tsukimi.core.errors import BadOptions, TsukimiError

    lang = set_language(argv)
    try:
        module, parser = _parser(argv, lang)
        code: int = module.run(parser.parse_args(argv))
        sys.stdout.flush()
        return code
    except TsukimiError as problem:
        code = BAD_USAGE if isinstance(problem, BadOptions) else FAILED
        return _report(f"tsukimi: {problem.message(lang)}", code)
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package in ("", "tsukimi"):
            raise
        return _report(f"tsukimi: {_missing(argv[0], package).message(lang)}", FAILED)
    except BrokenPipeError:
        raise
    except OSError as problem:
        where = f"{problem.filename}: " if problem.filename else ""
        return _report(f"tsukimi: {where}{problem.strerror or problem}", FAILED)


def _parser(argv: list[str], lang: str) -> tuple[ModuleType, ArgumentParser]:
    """The command's module, the only one that is imported, and the parser for these arguments."""
    from tsukimi import __version__
    from tsukimi.cli.language import say
    from tsukimi.cli.options import subparser

    parser = Parser(prog="tsukimi", description=say("help", "tsukimi", lang))
    parser.add_argument("--version", action="version", version=f"tsukimi {__version__}")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    if not argv or argv[0] not in COMMANDS:  # help on everything, or an error
        for name in COMMANDS:
            subparser(subparsers, name)
        parser.parse_args(argv)
    module = import_module(f"tsukimi.cli.{argv[0]}")
    module.add(subparsers)
    return module, parser


def _missing(command: str, package: str) -> BadOptions:
    """The bare package needs only NumPy: what to install for a command that needs more."""
    from tsukimi.core.errors import BadOptions

    extra = "serve" if command in ("serve", "admin") else EXTRAS.get(package)
    return BadOptions("server-extra", name=command, extra=f"tsukimi[{extra}]" if extra else package)


def _report(line: str, code: int) -> int:
    print(" ".join(line.split()), file=sys.stderr)
    return code
