"""`tsukimi bench`: how fast the games play here, beside OpenSpiel's C++ where it is installed."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tsukimi.cli.options import described, helped, whole

if TYPE_CHECKING:
    from argparse import _SubParsersAction


def add(subparsers: _SubParsersAction[Any]) -> None:
    parser = helped(subparsers, "bench")
    parser.add_argument("--rounds", type=whole(1), default=5, metavar="N")
    parser.add_argument("--seconds", type=float, default=1.0, metavar="S")
    parser.add_argument("--out", metavar="FILE")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--lang", choices=("en", "fr", "es"))
    described(parser)


def run(args: Namespace) -> int:
    from tsukimi.lab.speed import measure, report

    rows = measure(args.seconds, args.rounds, _tell if sys.stderr.isatty() else lambda text: None)
    if sys.stderr.isatty():
        _tell("")
    if args.json:
        print(json.dumps([asdict(row) for row in rows], indent=2))
    else:
        print(report(rows), end="")
    if args.out:
        Path(args.out).parent.mkdir(parents=True, exist_ok=True)
        Path(args.out).write_text(report(rows), "utf-8")
    return 0


def _tell(text: str) -> None:
    print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
