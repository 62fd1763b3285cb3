"""The end of a game: who won, and every seat's points."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tsukimi.cli.language import say
from tsukimi.terminal import Board, View, line

LONGEST = 30
NOBODY = {"actors": (), "seat": None}  # a view in which no seat is marked


def result(view: View, board: Board) -> RenderableType:
    """The winners and the scores, the best first."""
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
    who = joined([board.names[seat] for seat in winners], board.words.lang)
    return Group(line(" ", ("◐ ", "moon"), board.sentence(say("end", code, board.words.lang, who=who))), "", table)


def bar(share: float, longest: int, seat: int) -> Text:
    """A bar in the colour of a seat."""
    return Text(" " + "━" * max(0, round(longest * share)), f"p{seat % 5 + 1}")


def joined(names: list[str], lang: str) -> str:
    """Ana, Bo and Cy."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {say('end', 'and', lang)} {names[-1]}"
