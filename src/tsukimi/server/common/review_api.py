"""Request and response bodies for reviews, and for games imported from records."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from tsukimi.server.common.api import Request
from tsukimi.server.messages import Level

LONGEST_RECORD = 60_000  # characters: a request is not larger
Judgement = Literal["forced", "best", "good", "inaccuracy", "mistake", "blunder"]


class TurningPoint(msgspec.Struct, frozen=True):
    """`decision`: its index in the list. `move`: it lost this much itself; `luck`: what followed it changed this much for
    `seat`: the events `drawn`, as the seat that decided next saw them."""

    decision: int
    cause: Literal["move", "luck"]
    seat: int
    change: float
    drawn: list[Any] = []


class Decision(msgspec.Struct, frozen=True):
    """`event`: its number in the replay. Chances are by seat: as the deciding seat could know them before and after
    its move, and with all hidden information revealed. `moves`: the best ones and the played one, with their shares of the win.
    `view`: what the deciding seat saw, where another move was better, so that this one can be put into words."""

    event: int
    seat: int
    move: str
    best: str
    share: float
    best_share: float
    loss: float
    judgement: Judgement
    moves: list[tuple[str, float]]
    before: list[float]
    after: list[float]
    open_before: list[float]
    open_after: list[float]
    luck: list[float]
    sentence: str
    view: Any | None = None


class ReviewedSeat(msgspec.Struct, frozen=True):
    """`result` = 1 / players + `luck` + `own` + `others`."""

    result: float
    luck: float
    own: float
    others: float
    accuracy: int | None
    counts: dict[Judgement, int]


class Review(msgspec.Struct, frozen=True):
    game: str
    players: int
    over: bool
    deal: list[float]
    decisions: list[Decision]
    turning_points: list[TurningPoint]
    seats: list[ReviewedSeat]


class ReviewStatus(msgspec.Struct, frozen=True):
    """`none`: not requested; `waiting`: behind `ahead` others; `running`: `done` of `total` decisions are judged."""

    state: Literal["none", "waiting", "running", "done"]
    done: int = 0
    total: int = 0
    ahead: int = 0
    review: Review | None = None


class Record(Request, frozen=True):
    """A record, as `tsukimi.replay` reads it."""

    text: Annotated[str, Meta(max_length=LONGEST_RECORD)]


class PlayOn(Request, frozen=True):
    """From this step of the replay, in this seat, against bots of this level."""

    step: Annotated[int, Meta(ge=0, le=1_000_000)]
    seat: Annotated[int, Meta(ge=0, le=4)]
    level: Level = "master"
