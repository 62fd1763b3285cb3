"""`tsukimi serve`: the table for browsers, with everything it needs in one process."""

from __future__ import annotations

import os
import sys
import webbrowser
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from tsukimi.cli.language import current, say
from tsukimi.cli.options import add_help, subparser
from tsukimi.core.errors import BadOptions

if TYPE_CHECKING:
    from argparse import _SubParsersAction

OPTIONS = ("host", "port", "database", "bus", "public_url", "log_level", "log_format")


def add(subparsers: _SubParsersAction[Any]) -> None:
    parser = subparser(subparsers, "serve")
    parser.add_argument("--host", metavar="ADDRESS")
    parser.add_argument("--port", metavar="N", type=int)
    parser.add_argument("--database", metavar="URL")
    parser.add_argument("--bus", metavar="URL")
    parser.add_argument("--config", metavar="FILE")
    parser.add_argument("--public-url", metavar="URL")
    parser.add_argument("--open", action="store_true")
    parser.add_argument("--log-level", choices=("debug", "info", "warning", "error"))
    parser.add_argument("--log-format", choices=("text", "json"))
    parser.add_argument("--lang", choices=("en", "fr", "es"))
    add_help(parser)


def run(args: Namespace) -> int:
    from tsukimi.server import app, config, listen
    from tsukimi.server.monitoring import logs
    from tsukimi.store import Refused, Unavailable

    chosen = config.load({name: getattr(args, name) for name in OPTIONS}, file=args.config)
    logs.configure(chosen.log_level, chosen.log_format)
    with listen.bind(chosen) as listening:
        where = listen.address(chosen, listening)
        try:
            listen.run(app.build(chosen), chosen, listening, lambda: _ready(where, args.open))
        except (Refused, Unavailable, ConnectionError) as problem:
            raise BadOptions("server-open", problem=str(problem)) from problem
    return 0


def _ready(where: str, show: bool) -> None:
    print(say("serve", "ready", current(), address=where), flush=True)
    if show and _desktop():
        webbrowser.open(where)


def _desktop() -> bool:
    """Whether there is a screen for a browser to appear on."""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
