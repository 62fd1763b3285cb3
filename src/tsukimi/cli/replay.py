"""`tsukimi replay FILE`: a recorded game told from its beginning to its end, or gone through step by step."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tsukimi.cli.language import current, say
from tsukimi.cli.options import described, helped

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from tsukimi.cli.console import Console
    from tsukimi.core.state import State


def add(subparsers: _SubParsersAction[Any]) -> None:
    parser = helped(subparsers, "replay")
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--step", action="store_true")
    parser.add_argument("--seat", metavar="K|open", default="open", dest="watched")
    parser.add_argument("--verify", action="store_true")
    parser.add_argument("--commitment", metavar="HEX")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--lang", choices=("en", "fr", "es"))
    described(parser)


def run(args: Namespace) -> int:
    from tsukimi.cli.console import Console
    from tsukimi.cli.watching import Film

    state = _read(args.file)
    lang = current()
    if args.verify or args.commitment:
        return _verify(state, args.commitment, args.json)
    film = Film(state, _watched(args.watched, state.players), lang)
    if args.json:
        print(json.dumps(_data(state, film.events), indent=2, ensure_ascii=False))
        return 0
    console = Console()
    if args.step:
        return film.step_through(console)
    console.page(_told(console, state, film, lang))
    return 0


def _verify(state: State, promised: str | None, as_json: bool) -> int:
    """Whether all chance of a table's game followed from its secret and its players' numbers."""
    from tsukimi.core.errors import BadRecord
    from tsukimi.table import fair

    shown = fair.promised(state)
    if promised is not None and promised.strip().lower() != shown:
        raise BadRecord("verify-other", commitment=shown, promised=promised[:64])
    checked = fair.check(state)
    if as_json:
        print(json.dumps({"verified": True, "events": checked, "commitment": shown}))
    else:
        print(say("replay", "verified", current(), events=checked, commitment=shown))
    return 0


def _read(file: str) -> State:
    import tsukimi
    from tsukimi.core.errors import BadRecord

    try:
        text = Path(file).read_text("utf-8")
    except UnicodeDecodeError:
        raise BadRecord("cli.not-text", file=file) from None
    return tsukimi.replay(text, chance="manual")


def _watched(text: str, players: int) -> int | None:
    """The seat that is meant; None for all of them."""
    from tsukimi.core.errors import BadOptions

    if text == "open":
        return None
    number = text.removeprefix("p")
    if not (number.isascii() and number.isdecimal() and 1 <= int(number) <= players):
        raise BadOptions("cli.no-seat", text=text)
    return int(number) - 1


def _data(state: State, events: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "game": state.game,
        "players": state.players,
        "options": state.options,
        "names": {f"p{seat + 1}": name for seat, name in sorted(state.names.items())},
        "events": events,
        "over": state.over,
        "scores": state.scores() if state.over else None,
        "winners": state.winners(),
    }


def _told(console: Console, state: State, film: Any, lang: str) -> list[str]:
    from tsukimi.cli.ending import ending
    from tsukimi.cli.style import rule, wrap

    style, words = console.style, film.words(console.style)
    title = say("replay", "title", lang, game=say("game", state.game, lang), players=state.players)
    lines = [rule(console.columns, style, style(title, "moon", bold=True)), *film.head(style), ""]
    digits = len(str(len(film.events)))
    for event in film.events:
        number = style(f"{event['index'] + 1:>{digits}} ", "quiet")
        lines += wrap(words.event(event), console.columns, number)
    if not state.over:
        return [*lines, "", style(say("replay", "unfinished", lang), "quiet")]
    return [*lines, "", *ending(state.view(film.seat), style, words)]
