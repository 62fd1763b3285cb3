"""`tsukimi replay FILE`: a recorded game as a list of events, or step by step."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tsukimi.cli.language import current, say
from tsukimi.cli.options import add_help, subparser

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from rich.console import RenderableType

    from tsukimi.cli.viewer import Viewer
    from tsukimi.core.state import State


def add(subparsers: _SubParsersAction[Any]) -> None:
    parser = subparser(subparsers, "replay")
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--step", action="store_true")
    parser.add_argument("--seat", metavar="K|open", default="open", dest="viewer")
    parser.add_argument("--verify", action="store_true")
    parser.add_argument("--commitment", metavar="HEX")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--lang", choices=("en", "fr", "es"))
    add_help(parser)


def run(args: Namespace) -> int:
    state = read_record(args.file)
    if args.verify or args.commitment:
        return _verify(state, args.commitment, args.json)
    seat = _viewer(args.viewer, state.players)

    from tsukimi.cli.console import Console
    from tsukimi.cli.viewer import Viewer

    console = Console()
    viewer = Viewer(state, seat, current(), console.colour)
    if args.json:
        print(json.dumps(_data(state, viewer.events), indent=2, ensure_ascii=False))
        return 0
    if args.step:
        return viewer.step_through(console)
    console.page(*_shown(state, viewer))
    return 0


def _verify(state: State, commitment: str | None, as_json: bool) -> int:
    """Whether all chance in a table's game followed from its secret and its players' nonces."""
    from tsukimi.core.errors import BadRecord
    from tsukimi.table import fair

    recorded = fair.promised(state)
    if commitment is not None and commitment.strip().lower() != recorded:
        raise BadRecord("verify-other", commitment=recorded, promised=commitment[:64])
    events = fair.check(state)
    if as_json:
        print(json.dumps({"verified": True, "events": events, "commitment": recorded}))
    else:
        print(say("replay", "verified", current(), events=events, commitment=recorded))
    return 0


def read_record(file: str) -> State:
    import tsukimi
    from tsukimi.core.errors import BadRecord

    try:
        text = Path(file).read_text("utf-8")
    except UnicodeDecodeError:
        raise BadRecord("cli.not-text", file=file) from None
    return tsukimi.replay(text, chance="manual")


def _viewer(text: str, players: int) -> int | None:
    """The requested seat; None for all of them."""
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


def _shown(state: State, viewer: Viewer) -> list[RenderableType]:
    """Title, players, a numbered sentence per event, and the result."""
    from rich.rule import Rule
    from rich.text import Text

    from tsukimi.cli.result import result, score_sheet
    from tsukimi.core.words import title
    from tsukimi.terminal import item

    lang, board = viewer.lang, viewer.board
    name = say("replay", "title", lang, game=title(state.game, lang), players=state.players)
    parts: list[RenderableType] = [Rule(Text(name, "moon.bold"), align="left"), viewer.players(), ""]
    digits = len(str(len(viewer.events)))
    for event in viewer.events:
        sentence = board.sentence(board.words.event(event))
        parts.append(item((f"{event['index'] + 1:>{digits}} ", "quiet"), sentence))
    if not state.over:
        return [*parts, "", Text(say("replay", "unfinished", lang), "quiet")]
    return [*parts, "", result(state.view(viewer.seat), board), score_sheet(state, board)]
