"""The `tsukimi` command: one module per subcommand, each with `add(subparsers)` and `run(args)`, loaded when it is asked for."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import NoReturn

COMMANDS = ("serve", "play", "replay", "rules", "simulate", "arena", "bench")
FAILED, BAD_USAGE, INTERRUPTED = 1, 2, 130


class Parser(ArgumentParser):
    """An argument parser whose complaints are one line."""

    def error(self, message: str) -> NoReturn:
        raise SystemExit(_complain(f"{self.prog}: {message} ({self.prog} --help)", BAD_USAGE))


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit code says how it went: 0 well, 1 failed, 2 bad usage, 130 interrupted."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        return _run(words)
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else FAILED
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader (a pager, `head`) has gone: nothing is wrong, and there is nobody to tell
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _run(words: list[str]) -> int:
    from tsukimi.cli.language import choose
    from tsukimi.core.errors import BadOptions, TsukimiError

    lang = choose(words)
    try:
        module, parser = _parser(words, lang)
        args = parser.parse_args(words)
        code: int = (module or import_module(f"tsukimi.cli.{args.command}")).run(args)
        sys.stdout.flush()
        return code
    except TsukimiError as problem:
        code = BAD_USAGE if isinstance(problem, BadOptions) else FAILED
        return _complain(f"tsukimi: {problem.message(lang)}", code)
    except BrokenPipeError:
        raise
    except OSError as problem:
        where = f"{problem.filename}: " if problem.filename else ""
        return _complain(f"tsukimi: {where}{problem.strerror or problem}", FAILED)


def _parser(words: list[str], lang: str) -> tuple[ModuleType | None, ArgumentParser]:
    """The parser for these words. A known command's module alone is loaded; for help on everything all are."""
    from tsukimi.cli.language import say

    command = words[0] if words and words[0] in COMMANDS else ""
    parser = Parser(prog="tsukimi", description=say("help", "tsukimi", lang))
    parser.add_argument("--version", action="version", version=f"tsukimi {_version()}")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    module = None
    for name in [command] if command else COMMANDS:
        if find_spec(f"tsukimi.cli.{name}") is not None:
            module = import_module(f"tsukimi.cli.{name}")
            module.add(subparsers)
    return module if command else None, parser


def _version() -> str:
    from tsukimi import __version__

    return __version__


def _complain(line: str, code: int) -> int:
    print(" ".join(line.split()), file=sys.stderr)
    return code
