"""`tsukimi review FILE`: what each decision in a recorded game cost, and how much was luck."""

from __future__ import annotations

import json
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from tsukimi.cli.language import current, say
from tsukimi.cli.options import add_help, subparser, whole_number
from tsukimi.core.catalogue import MINUS

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from rich.console import RenderableType
    from rich.text import Text

    from tsukimi.analysis import Decision, Review, TurningPoint
    from tsukimi.core.state import State
    from tsukimi.terminal import Board

MS = 200
STYLES = {"inaccuracy": "moon", "mistake": "moon.bold", "blunder": "moon.bold"}


def add(subparsers: _SubParsersAction[Any]) -> None:
    parser = subparser(subparsers, "review")
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--ms", type=whole_number(1), default=MS, metavar="MS")
    parser.add_argument("--seed", type=int, default=0, metavar="S")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--lang", choices=("en", "fr", "es"))
    add_help(parser)


def run(args: Namespace) -> int:
    from tsukimi.analysis import data, decisions, review, worded
    from tsukimi.bots import Budget
    from tsukimi.cli.progress import progress
    from tsukimi.cli.replay import read_record

    state = read_record(args.file)
    with progress(len(decisions(state))) as update:
        found = review(
            state, Budget(args.ms, clock="cpu"), args.seed, progress=lambda done, total: update(completed=done)
        )
    if args.json:
        names = [state.names.get(seat, f"p{seat + 1}") for seat in range(state.players)]
        print(json.dumps(worded(data(found), names, current()), indent=2, ensure_ascii=False))
        return 0
    from tsukimi.cli.console import Console

    console = Console()
    console.page(*_shown(state, found, console.colour))
    return 0


def _shown(state: State, found: Review, colour: bool) -> list[RenderableType]:
    from rich.rule import Rule
    from rich.text import Text

    from tsukimi.cli.viewer import Viewer
    from tsukimi.core.words import title

    lang = current()
    board = Viewer(state, None, lang, colour).board
    name = say("review", "title", lang, game=title(state.game, lang), players=state.players)
    parts: list[RenderableType] = [Rule(Text(name, "moon.bold"), align="left"), "", _players(found, board)]
    parts += [Text(say("review", "even", lang, even=_percent(1 / state.players)), "quiet")]
    if not state.over:
        parts.append(Text(say("review", "unfinished", lang), "quiet"))
    parts += ["", Text(say("review", "turning", lang), "moon.bold")]
    parts += [_turning_point(point, found, state, board) for point in found.turning_points]
    if not found.turning_points:
        parts.append(Text(say("review", "none", lang), "quiet"))
    parts += ["", Text(say("review", "decisions", lang), "moon.bold")]
    return [*parts, *(_decision(decision, state, board) for decision in found.decisions)]


def _players(found: Review, board: Board) -> RenderableType:
    from rich.table import Table
    from rich.text import Text

    lang = current()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="quiet")
    table.add_column("")
    for head in ("luck", "own", "others", "result", "accuracy"):
        table.add_column(say("review", head, lang), justify="right", no_wrap=True)
    for seat, one in enumerate(found.seats):
        changes = [_percent(value, signed=True) for value in (one.luck, one.own, one.others)]
        accuracy = "–" if one.accuracy is None else str(one.accuracy)
        table.add_row(board.name(seat, 20), *changes, Text(_percent(one.result), "text.bold"), accuracy)
    return table


def _turning_point(point: TurningPoint, found: Review, state: State, board: Board) -> RenderableType:
    one = found.decisions[point.decision]
    if point.cause == "move":
        return _decision(one, state, board)
    percent = _percent(point.change, signed=True)
    lucky = say("review", "lucky", current(), percent=percent, who=board.names[point.seat])
    after = found.decisions[min(point.decision + 1, len(found.decisions) - 1)]
    events = state.events(after.seat)
    drawn = " ".join(board.words.event(events[number]) for number in point.drawn)
    return _item(point.drawn[0], drawn, lucky, board, state)


def _decision(one: Decision, state: State, board: Board) -> RenderableType:
    from rich.text import Text

    lang = current()
    judgement = Text(say("review", one.judgement, lang), STYLES.get(one.judgement, "quiet"))
    if one.judgement in ("best", "good", "forced"):
        return _line(one, judgement, board, state)
    better = say("review", "better", lang, move=_event_text(state, one, one.best, board))
    why = board.words.why(*one.why) if one.why is not None else ""
    return _line(
        one, Text.assemble(judgement, f" {_percent(-one.loss, signed=True)}\n{better} ", (why, "quiet")), board, state
    )


def _line(one: Decision, text: str | Text, board: Board, state: State) -> RenderableType:
    return _item(one.event, _event_text(state, one, one.move, board), text, board, state)


def _item(event: int, said: str, text: str | Text, board: Board, state: State) -> RenderableType:
    from rich.text import Text

    from tsukimi.terminal import item

    digits = len(str(state.events_so_far))
    return item((f"{event + 1:>{digits}} ", "quiet"), Text.assemble(board.sentence(said), " ", text))


def _event_text(state: State, one: Decision, move: str, board: Board) -> str:
    """How a move appears in the list of events."""
    from tsukimi.analysis import at

    here = at(state, one.event)[0]
    here.play(move, one.seat)
    return board.words.event(here.events(one.seat)[-1])


def _percent(share: float, signed: bool = False) -> str:
    text = f"{100 * share:+.0f}" if signed else f"{100 * share:.0f}"
    return f"{'+0' if signed and text in ('-0', '+0') else text} %".replace("-", MINUS)
