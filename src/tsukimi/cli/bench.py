"""`tsukimi bench`: how fast the games run on this machine, compared with OpenSpiel's C++ if it is installed."""

from __future__ import annotations

import json
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tsukimi.cli.options import add_help, subparser, whole_number

if TYPE_CHECKING:
    from argparse import _SubParsersAction


def add(subparsers: _SubParsersAction[Any]) -> None:
    parser = subparser(subparsers, "bench")
    parser.add_argument("--rounds", type=whole_number(1), default=5, metavar="N")
    parser.add_argument("--seconds", type=float, default=1.0, metavar="S")
    parser.add_argument("--out", metavar="FILE")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--lang", choices=("en", "fr", "es"))
    add_help(parser)


def run(args: Namespace) -> int:
    from tsukimi.cli.progress import progress
    from tsukimi.lab.speed import measure, report

    with progress() as update:
        rows = measure(args.seconds, args.rounds, lambda text: update(description=text))
    if args.json:
        print(json.dumps([asdict(row) for row in rows], indent=2))
    else:
        print(report(rows), end="")
    if args.out:
        Path(args.out).parent.mkdir(parents=True, exist_ok=True)
        Path(args.out).write_text(report(rows), "utf-8")
    return 0
