"""The end of a game: who won, every seat's points, and their breakdown."""

from __future__ import annotations

from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tsukimi.cli.language import say
from tsukimi.core.catalogue import MINUS
from tsukimi.core.sheet import totals
from tsukimi.core.spec import Json
from tsukimi.core.state import State
from tsukimi.terminal import Board, View, line

LONGEST = 30
NAME = 12  # of a seat, at the top of its column
NOBODY = {"actors": (), "seat": None}  # a view in which no seat is marked


def result(view: View, board: Board) -> RenderableType:
    """The winners and the scores, best first."""
    scores, winners = view["scores"], view["winners"]
    most = max(1, *scores)
    table = Table.grid(padding=(0, 1))
    for _ in range(2):
        table.add_column(no_wrap=True)
    table.add_column(justify="right", min_width=4)
    table.add_column(no_wrap=True)
    for seat in sorted(range(len(scores)), key=lambda seat: (seat not in winners, -scores[seat])):
        table.add_row(
            Text(" ●" if seat in winners else "", "moon"),
            board.label(NOBODY, seat, LONGEST),
            Text(str(scores[seat]), "text.bold"),
            bar(scores[seat] / most, LONGEST, seat),
        )
    code = "won" if len(winners) == 1 else "shared"
    winners_ = joined([board.names[seat] for seat in winners], board.words.lang)
    return Group(line(" ", ("◐ ", "moon"), board.sentence(say("end", code, board.words.lang, who=winners_))), "", table)


def score_sheet(state: State, board: Board) -> RenderableType:
    """The rows of the score sheet, a column per seat, the points below; nothing if the game has no sheet."""
    rows = state.score_sheet()
    if not rows:
        return Group()
    table = Table(box=SIMPLE_HEAD, padding=(0, 1), header_style="quiet")
    table.add_column(no_wrap=True)
    for seat in range(state.players):
        table.add_column(board.name(seat, NAME), justify="right")
    part = None
    for row in rows:
        if row.get("part") not in (None, part):
            part = row["part"]
            sums = totals([row for row in rows if row.get("part") == part], state.players)
            table.add_row(
                Text(board.words.part(part), "text.bold"), *[Text(_value(sum_, board), "text.bold") for sum_ in sums]
            )
        indent = "  " if "part" in row else ""
        table.add_row(
            Text(indent + board.words.row(row), "quiet"), *[_cell(row, seat, board) for seat in range(state.players)]
        )
    total = [
        Text(_value(points, board), "moon" if seat in state.winners() else "text.bold")
        for seat, points in enumerate(state.scores())
    ]
    table.add_row(Text(board.words.row({"row": "total"}), "text.bold"), *total)
    return table


def _cell(row: Json, seat: int, board: Board) -> Text:
    quiet = not row.get("counts", True) or "part" in row
    found = Text(_value(row["values"][seat], board), "quiet" if quiet else "text")
    if pieces := row.get("pieces", [0] * (seat + 1))[seat]:
        found = line((f"{pieces} → ", "quiet"), found)
    if mark := row.get("marks", [None] * (seat + 1))[seat]:
        found = Text.assemble(found, (f"\n{board.words.word(mark)}", "quiet"))
    return found


def _value(value: Any, board: Board) -> str:
    if isinstance(value, list):
        return ", ".join(map(board.words.word, value)) or "–"
    return str(value).replace("-", MINUS)


def bar(share: float, longest: int, seat: int) -> Text:
    """A bar in the colour of a seat."""
    return Text(" " + "━" * max(0, round(longest * share)), f"p{seat % 5 + 1}")


def joined(names: list[str], lang: str) -> str:
    """Ana, Bo and Cy."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {say('end', 'and', lang)} {names[-1]}"
