"""Daruma: paint the eyes of darumas with ones, and beware of the fours. Rules: docs/games/daruma.md."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tsukimi.core.game import Game, Table
from tsukimi.core.spec import Spec
from tsukimi.games.daruma.codes import ACTIONS, TOKENS
from tsukimi.games.daruma.components import GOLD, load
from tsukimi.games.daruma.notation import outcomes, parse, text
from tsukimi.games.daruma.observation import fields
from tsukimi.games.daruma.position import DarumaTable
from tsukimi.games.daruma.reasons import reason
from tsukimi.games.daruma.rules import Daruma
from tsukimi.games.daruma.secrets import resample
from tsukimi.games.daruma.sheet import score_sheet
from tsukimi.games.daruma.stakes import stakes
from tsukimi.games.daruma.view import event, open_event, own, public


def start(table: Table, players: int, options: Mapping[str, str]) -> Game:
    """The position before the first event. The editions differ in one rule: whether a sweep may be repeated."""
    assert isinstance(table, DarumaTable)
    first = options.get("first", "random")
    return Daruma(table, players, options.get("edition", "fr") == "fr", -1 if first == "random" else int(first[1:]) - 1)


SPEC = Spec(
    name="daruma",
    web_board="daruma",
    seats=(2, 3, 4, 5),
    options={"edition": ("fr", "es")},
    folder=Path(__file__).parent,
    load=load,
    component_choices={
        "daruma.colour": ("@colours", GOLD),
        "daruma.action": ACTIONS,
        "objective.good": ("@colours",),
        "objective.bad": ("@colours",),
        "token.kind": TOKENS,
    },
    start=start,
    text=text,
    fields=fields,
    parse=parse,
    outcomes=outcomes,
    reason=reason,
    public=public,
    own=own,
    event=event,
    open_event=open_event,
    resample=resample,
    stakes=stakes,
    score_sheet=score_sheet,
    terminal_board="tsukimi.games.daruma.terminal:DarumaBoard",
    engine="tsukimi.bots.daruma.engine:DarumaEngine",
    length=90,
)
