"""`tsukimi admin`: administering a server's database, even while the server is running."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from tsukimi.cli.language import current, say
from tsukimi.cli.options import add_help, subparser, whole_number
from tsukimi.core.errors import BadOptions

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from tsukimi.cli import Parser

STATUSES = ("open", "playing", "over", "aborted", "quarantined")
# The arguments of each command: a name alone is required; the name of a flag, or of several words, has its own options.
PERSON: tuple[str, dict[str, Any]] = ("who", {"metavar": "WHO"})
REASON: tuple[str, dict[str, Any]] = ("--reason", {"default": "", "metavar": "TEXT"})
FOR: tuple[str, dict[str, Any]] = ("--for", {"dest": "duration", "metavar": "TIME"})
TABLE: tuple[str, dict[str, Any]] = ("table", {"metavar": "TABLE"})
ADDRESSES: tuple[str, dict[str, Any]] = ("--addresses", {"action": "store_true"})
NUMBER: tuple[str, dict[str, Any]] = ("number", {"metavar": "N", "type": whole_number(1)})
WORDS: tuple[str, dict[str, Any]] = ("words", {"metavar": "WORD", "nargs": "+"})
PAGE: tuple[str, dict[str, Any]] = ("--page", {"metavar": "N", "type": whole_number(1), "default": 1})
YES: tuple[str, dict[str, Any]] = ("--yes", {"action": "store_true"})
FILE: tuple[str, dict[str, Any]] = ("backup_file", {"metavar": "FILE"})
LINES: tuple[str, dict[str, Any]] = ("list_file", {"metavar": "FILE"})

COMMANDS: dict[str, dict[str, list[tuple[str, dict[str, Any]]]] | list[tuple[str, dict[str, Any]]]] = {
    "people": {
        "find": [("text", {"metavar": "TEXT", "nargs": "?", "default": ""}), PAGE],
        "show": [PERSON],
        "rename": [PERSON, ("name", {"metavar": "NAME"})],
        "ban": [PERSON, REASON, FOR, ADDRESSES],
    },
    "tables": {
        "list": [("--status", {"choices": STATUSES}), PAGE],
        "show": [TABLE],
        "close": [TABLE],
    },
    "bans": {
        "list": [],
        "add": [("target", {"metavar": "WHO|ADDRESS|NETWORK"}), REASON, FOR, ADDRESSES],
        "remove": [NUMBER],
    },
    "reports": {
        "list": [("--all", {"action": "store_true"}), PAGE],
        "show": [NUMBER],
        "resolve": [NUMBER, ("--note", {"default": "", "metavar": "TEXT"})],
        "drop": [NUMBER, YES],
    },
    "filter": {
        "list": [],
        "add": [WORDS],
        "remove": [WORDS],
        "load": [LINES],
        "test": [("text", {"metavar": "TEXT"})],
    },
    "quarantine": {
        "list": [],
        "show": [TABLE],
        "retry": [TABLE],
        "export": [TABLE],
        "drop": [TABLE, YES],
    },
    "check": [("--sample", {"metavar": "N", "type": whole_number(1)}), ("--quarantine", {"action": "store_true"})],
    "backup": [FILE],
    "restore": [FILE, YES],
    "stats": [("--days", {"metavar": "N", "type": whole_number(1), "default": 14})],
    "log": [PAGE],
    "admins": [],
    "grant": [PERSON],
    "revoke": [PERSON],
}


def add(subparsers: _SubParsersAction[Any]) -> None:
    parser = subparser(subparsers, "admin")
    inner = parser.add_subparsers(dest="group", required=True, metavar="COMMAND", parser_class=type(parser))
    for group, commands in COMMANDS.items():
        about = say("admin-help", group, current())
        one = inner.add_parser(group, help=about, description=about)
        if isinstance(commands, list):
            _arguments(one, commands)
            continue
        verbs = one.add_subparsers(dest="verb", required=True, metavar="COMMAND", parser_class=type(parser))
        for verb, arguments in commands.items():
            about = say("admin-help", f"{group}-{verb}", current())
            _arguments(verbs.add_parser(verb, help=about, description=about), arguments)


def _arguments(parser: Parser, arguments: list[tuple[str, dict[str, Any]]]) -> None:
    for name, options in arguments:
        parser.add_argument(name, **options)
    parser.add_argument("--database", metavar="URL")
    parser.add_argument("--config", metavar="FILE")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--lang", choices=("en", "fr", "es"))
    add_help(parser)


def run(args: Namespace) -> int:
    import asyncio

    from tsukimi.cli.admin import maintenance, operations
    from tsukimi.server import config
    from tsukimi.store import Refused, Unavailable

    chosen = config.load({"database": args.database}, file=args.config, create=False)
    name = f"{args.group}_{args.verb}" if getattr(args, "verb", None) else args.group
    try:
        if name in ("backup", "restore"):
            code: int = getattr(maintenance, name)(args, chosen.database)
            return code
        return asyncio.run(operations.run(name, args, chosen.database))
    except (Refused, Unavailable) as problem:
        raise BadOptions("server-admin-open", problem=str(problem)) from problem
