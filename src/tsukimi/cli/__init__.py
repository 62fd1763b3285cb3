"""The `tsukimi` command: one module per subcommand, each with `add(subparsers)` and `run(args)`, loaded when it is asked for."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from tsukimi.core.errors import BadOptions

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
        code: int = module.run(parser.parse_args(words))
        sys.stdout.flush()
        return code
    except TsukimiError as problem:
        code = BAD_USAGE if isinstance(problem, BadOptions) else FAILED
        return _complain(f"tsukimi: {problem.message(lang)}", code)
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package in ("", "tsukimi"):
            raise
        return _complain(f"tsukimi: {_extra(words[0], package).message(lang)}", FAILED)
    except BrokenPipeError:
        raise
    except OSError as problem:
        where = f"{problem.filename}: " if problem.filename else ""
        return _complain(f"tsukimi: {where}{problem.strerror or problem}", FAILED)


def _parser(words: list[str], lang: str) -> tuple[ModuleType, ArgumentParser]:
    """The command's module, the only one that is loaded, and the parser for these words."""
    from tsukimi.cli.language import say
    from tsukimi.cli.options import helped

    parser = Parser(prog="tsukimi", description=say("help", "tsukimi", lang))
    parser.add_argument("--version", action="version", version=f"tsukimi {_version()}")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    if not words or words[0] not in COMMANDS:  # help on everything, or a complaint
        for name in COMMANDS:
            helped(subparsers, name)
        parser.parse_args(words)
    module = import_module(f"tsukimi.cli.{words[0]}")
    module.add(subparsers)
    return module, parser


def _extra(command: str, package: str) -> BadOptions:
    """The bare package needs NumPy alone: what to install for a command that needs more."""
    from tsukimi.core.errors import BadOptions

    extra = "tsukimi[serve]" if command == "serve" else "tsukimi[terminal]" if package == "rich" else package
    return BadOptions("server-extra", name=command, extra=extra)


def _version() -> str:
    from tsukimi import __version__

    return __version__


def _complain(line: str, code: int) -> int:
    print(" ".join(line.split()), file=sys.stderr)
    return code
