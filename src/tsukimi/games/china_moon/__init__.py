"""China Moon, a race of frogs by Bruno Faidutti, for 3 to 5 players. The rules: docs/games/china-moon.md."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tsukimi.core.game import Table
from tsukimi.core.spec import Spec
from tsukimi.games.china_moon import notation, observation, secrets, sheet, stakes, view
from tsukimi.games.china_moon.components import KINDS, load
from tsukimi.games.china_moon.pond import Pond
from tsukimi.games.china_moon.rules import ChinaMoon


def start(pond: Table, players: int, options: Mapping[str, str]) -> ChinaMoon:
    """The frogs on the start; who begins is drawn unless an option sets it."""
    assert isinstance(pond, Pond)
    first = options.get("first", "random")
    return ChinaMoon(pond, players, -1 if first == "random" else int(first[1:]) - 1)


SPEC = Spec(
    name="china-moon",
    web_board="china-moon",
    seats=(3, 4, 5),
    options={},
    folder=Path(__file__).parent,
    load=load,
    component_choices={"pad.kind": KINDS},
    start=start,
    text=notation.text,
    fields=observation.fields,
    parse=notation.parse,
    outcomes=notation.outcomes,
    chance=False,
    reason=notation.reason,
    public=view.public,
    own=view.own,
    event=view.event,
    open_event=view.open_event,
    resample=secrets.resample,
    stakes=stakes.stakes,
    score_sheet=sheet.score_sheet,
    terminal_board="tsukimi.games.china_moon.terminal:ChinaMoonBoard",
    engine="tsukimi.bots.china_moon.engine:ChinaMoonEngine",
    length=100,
)
