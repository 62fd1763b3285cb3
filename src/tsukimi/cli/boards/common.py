"""What the boards share: the label of a seat, a word of the command's own texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tsukimi.cli.language import say
from tsukimi.cli.style import Style, clip, pad

LONG = 12


def label(view: Mapping[str, Any], style: Style, names: Sequence[str], seat: int, size: int = 0) -> str:
    """`▸p2 Botan`: the arrow for those who may act, a dot after the viewer's own name."""
    arrow = style("▸", "moon", bold=True) if seat in view["actors"] else " "
    mark = f"p{seat + 1}"
    name = clip(names[seat], LONG)
    shown = style(mark, mark) if name == mark else f"{style(mark, 'quiet')} {style(name, mark, bold=True)}"
    own = style("•", "moon") if seat == view["seat"] else ""
    return pad(f"{arrow}{shown}{own}", size)


def label_size(names: Sequence[str]) -> int:
    """How wide the labels of these names get."""
    return max(2 if name == f"p{seat + 1}" else 3 + len(clip(name, LONG)) for seat, name in enumerate(names)) + 2


def told(lang: str, code: str, **fields: object) -> str:
    """A word of the boards' own."""
    return say("board", code, lang, **fields)
