"""Dojo: recruit disciples, challenge the dealer, train them in three rows and four columns. See docs/games/dojo.md."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tsukimi.core.game import Table
from tsukimi.core.spec import Spec
from tsukimi.games.dojo import components, notation, observation, secrets, sheet, stakes, table_hints, view
from tsukimi.games.dojo.dojos import Tatamis
from tsukimi.games.dojo.rules import Dojo


def start(table: Table, players: int, options: Mapping[str, str]) -> Dojo:
    assert isinstance(table, Tatamis)
    first = options["first"]
    seat = -1 if first == "random" else notation.SEATS.index(first)
    return Dojo(table, players, notation.VARIANTS.index(options["belt"]), seat)


SPEC = Spec(
    name="dojo",
    web_board="dojo",
    seats=(3, 4, 5),
    options={"belt": notation.VARIANTS},
    beginner={"belt": "white"},
    folder=Path(__file__).parent,
    load=components.load,
    component_choices={"tatami.disciple": notation.DISCIPLES},
    start=start,
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
    score_sheet=sheet.score_sheet,
    reveals=table_hints.reveals,
    advance=table_hints.advance,
    terminal_board="tsukimi.games.dojo.terminal:DojoBoard",
    engine="tsukimi.bots.dojo.engine:DojoEngine",
    length=140,
)
