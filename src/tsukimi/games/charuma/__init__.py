"""Charuma, a trick-taking game with an auction, by Takashi Saito. Rules as played: docs/games/charuma.md."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tsukimi.core.game import Game, Table
from tsukimi.core.spec import Spec
from tsukimi.games.charuma import notation, observation, secrets, stakes, table_hints, view
from tsukimi.games.charuma.deck import Deck
from tsukimi.games.charuma.rules import Charuma

AUCTION = ("on", "off", "from-second")


def _load(data: Mapping[str, Any], players: int) -> Table:
    return Deck(players)


def _start(table: Table, players: int, options: Mapping[str, str]) -> Game:
    assert isinstance(table, Deck)
    first = options.get("first", "random")
    return Charuma(
        table,
        players,
        AUCTION.index(options.get("auction", "on")),
        -1 if first == "random" else int(first[1:]) - 1,
    )


SPEC = Spec(
    name="charuma",
    web_board="charuma",
    seats=(2, 3, 4, 5),
    options={"auction": AUCTION},
    folder=Path(__file__).parent,
    load=_load,
    start=_start,
    text=notation.text,
    fields=observation.fields,
    parse=notation.parse,
    outcomes=notation.outcomes,
    reason=notation.reason,
    public=view.public,
    own=view.own,
    event=view.event,
    open_event=view.open_event,
    resample=secrets.resample,
    stakes=stakes.stakes,
    reveals=table_hints.reveals,
    open_choice=table_hints.open_choice,
    rounds=table_hints.rounds,
    terminal_board="tsukimi.games.charuma.terminal:CharumaBoard",
    engine="tsukimi.bots.charuma.engine:CharumaEngine",
    length=200,
)
