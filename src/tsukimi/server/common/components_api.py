"""Request and response bodies for component sets: the workshop's part of the API."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from tsukimi.server.common.api import Players, Problem, Request

LONGEST_TEXT = 30_000  # characters: ten times our longest
Components = dict[str, Any]


class Draft(Request, frozen=True):
    """A set of components, as data or as the text of a TOML file."""

    data: Components | None = None
    text: Annotated[str, Meta(max_length=LONGEST_TEXT)] = ""


class NewComponentReport(Request, frozen=True):
    data: Components
    players: Players


class CheckedComponents(msgspec.Struct, frozen=True):
    """A checked set of components. `seats`: the supported numbers of players. `problem`: what makes it unplayable
    for some or all of them. `text`: the set as a TOML file. `view`: a spectator's view at the start of a
    game with it."""

    seats: list[int]
    problem: Problem | None
    data: Components | None
    text: str
    view: Any
    choices: dict[str, list[str]]
    """The known values of fields (`pad.kind`)."""


class SeatReport(msgspec.Struct, frozen=True):
    win_share: float
    win_share_95: tuple[float, float]
    mean_score: float


class ComponentReport(msgspec.Struct, frozen=True):
    """What some quick games between simple bots say about a set. `never`: types of events that happened in no game."""

    games: int
    seats: list[SeatReport]
    mean_decisions: float
    lead_changes: float
    never: list[str]
