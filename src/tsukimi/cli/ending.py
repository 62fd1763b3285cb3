"""The end of a game: who won, and every seat's points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tsukimi.cli.language import say
from tsukimi.cli.style import Style, pad, width
from tsukimi.cli.words import Words

LONG = 30


def ending(view: Mapping[str, Any], style: Style, words: Words) -> list[str]:
    """The winners and the scores, the best first."""
    scores, winners = view["scores"], view["winners"]
    size = max(width(name) for name in words.names)
    most = max(1, *scores)
    lines = []
    for seat in sorted(range(len(scores)), key=lambda seat: (seat not in winners, -scores[seat])):
        crown = style("●", "moon") if seat in winners else " "
        bar = style("━" * max(0, round(LONG * scores[seat] / most)), f"p{seat + 1}")
        number = style(f"{scores[seat]:>4}", "text", bold=True)
        lines.append(
            f" {crown} {style(f'p{seat + 1}', 'quiet')} {pad(words.name(seat), size)} {number}  {bar}".rstrip()
        )
    code = "won" if len(winners) == 1 else "shared"
    title = say("end", code, words.lang, who=joined([words.name(seat) for seat in winners], words.lang))
    return [f" {style('◐', 'moon')} {title}", "", *lines]


def joined(names: list[str], lang: str) -> str:
    """Ana, Bo and Cy."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {say('end', 'and', lang)} {names[-1]}"
