"""The parts of the server's messages: the table, its seats, the game as seen from one viewpoint."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from tsukimi.server.messages.fields import Level
from tsukimi.table.settings import Settings


class SeatInfo(msgspec.Struct, frozen=True):
    kind: Literal["free", "person", "bot"]
    name: str = ""
    """Empty for a free seat, and for a person who has been deleted."""
    level: Level | None = None
    online: bool = False
    away: bool = False
    """A bot plays here until the person is back."""
    resigned: bool = False
    host: bool = False
    ready: bool = True
    """False: the intermission, or the ready check of a quick match, waits for this seat."""
    rating: float | None = None
    who: str | None = None
    """A public handle of the person (for mute and profile); not their identity."""
    lost_by: Literal["", "time", "left"] = ""
    """For a seat that has lost a rated game without resigning: why."""
    replaced: bool = False
    """The host has given the seat to a bot, for good."""


class Refusal(msgspec.Struct, frozen=True):
    """The last proposal was refused."""

    what: Literal["undo", "abort", "pause"]
    by: int
    """The seat that proposed it."""
    seat: int
    """The seat that refused."""


class Proposal(msgspec.Struct, frozen=True):
    what: Literal["undo", "abort", "pause"]
    by: int
    moves: int
    votes: list[bool | None]
    """By seat; null: has not answered (bots always agree)."""


class Clocks(msgspec.Struct, frozen=True):
    running: list[int]
    """The seats whose clocks are running."""
    left: list[int | None]
    """Milliseconds of reserve by seat, at the time of sending; null: no limit."""
    extra: list[int | None]
    """Milliseconds of the current decision that do not count against the reserve."""


class SheetRow(msgspec.Struct, frozen=True):
    """A row of the score sheet, with its text in the `[sheet]` table of the game's messages."""

    row: str
    values: list[int | list[int | str]]
    """By seat. In rows that do not count, a value may be a list of things."""
    counts: bool = True
    """The values of the rows that count add up to the scores."""
    part: int | None = None
    """The number of the round that the row belongs to."""
    number: int | None = None
    group: str | None = None
    """The code of what the row is compared as part of: only the sums of such rows tell two seats apart."""
    pieces: list[int] | None = None
    """By seat: how many things earned the points."""
    marks: list[str | None] | None = None
    """By seat: a thing that belongs to the row and changes what is counted, here or elsewhere."""
    gains: list[int] | None = None
    """By seat: the points of all rows that are owed to it."""
    breaks_ties: Literal["most", "fewest"] | None = None


class Result(msgspec.Struct, frozen=True):
    scores: list[int]
    winners: list[int]
    resigned: list[int]
    ratings: list[float | None]
    """The change in each seat's rating; null: not rated."""
    places: list[int]
    """Each seat's rank, from 1; ranks can be shared."""
    sheet: list[SheetRow]
    """The breakdown of the scores; empty if the game was not finished, or has no score sheet."""


class Fairness(msgspec.Struct, frozen=True):
    commitment: str
    nonces: list[str]
    secret: str | None
    """Revealed when the game has ended."""
    chance: Literal["none", "first", "all"] = "all"
    """What is left to chance in this game: nothing, only who starts, or more."""


class TableInfo(msgspec.Struct, frozen=True):
    id: str
    game: str
    players: int
    options: dict[str, str]
    settings: Settings
    status: Literal["open", "playing", "paused", "round", "over", "aborted"]
    """`round`: the intermission after a round."""
    seats: list[SeatInfo]
    spectators: int
    proposal: Proposal | None
    fairness: Fairness
    result: Result | None
    rematch: str | None
    thinking: list[int]
    """Bots that are thinking now."""
    local: bool = False
    """Pass and play: one person has several seats on one device."""
    match: bool = False
    """A quick match: the server assigns the seats, and the settings are fixed."""
    ready_by: int | None = None
    """A quick match: the server time when the ready check ends; null: there is none."""
    practice: bool = False
    """Chance, something revealed or a bot's answer was taken back: the game never counts."""
    counts: bool = False
    """Ratings are at stake."""
    refusal: Refusal | None = None
    lesson: bool = False
    """A guided first game (`GET /api/games/GAME/lesson`)."""
    own_components: bool = False
    """Played with a custom set of components, not the game's own."""


class You(msgspec.Struct, frozen=True):
    name: str
    who: str
    seats: list[int]
    host: bool
    look: int | None
    """The viewpoint: the seat whose knowledge is sent; null: a spectator's."""
    muted: bool = False
    silenced: list[str] = []
    """For the host: the handles of muted people."""


class Question(msgspec.Struct, frozen=True):
    """What the viewpoint's seat has to decide."""

    decision: int
    moves: list[str]


class Moment(msgspec.Struct, frozen=True):
    """An intermediate position of a step: the game after its first events, up to number `events`."""

    events: int
    view: Any
    asked: list[int]


class Automatic(msgspec.Struct, frozen=True):
    """An automatic move: the only legal one, one planned before, or one made when time ran out."""

    event: int
    why: Literal["forced", "plan", "clock"]


class GameInfo(msgspec.Struct, frozen=True):
    """The game as seen from its viewpoint. `events` are those from number `since` on; in a welcome, only the last ones."""

    since: int
    events: list[Any]
    view: Any
    question: Question | None
    asked: list[int]
    """Seats that have to decide now and have not yet."""
    plan: str | None
    plans: list[str]
    """Moves that may be decided in advance now."""
    undo: Literal["no", "free", "ask"]
    clocks: Clocks
    moments: list[Moment] = []
    """If one step has several moves, or ends a round: the positions before the last."""
    automatic: list[Automatic] = []
    """Which of the events are automatic moves."""
    lesson: int | None = None
    """In a lesson: how many events of its prepared line have happened, plus one once it is over; null: the game has left it."""
    undo_practice: bool = False
    """Taking back makes the game practice."""


class ChatLine(msgspec.Struct, frozen=True):
    number: int
    at: int
    who: str
    name: str
    seat: int | None
    text: str


class Listed(msgspec.Struct, frozen=True):
    id: str
    game: str
    players: int
    options: dict[str, str]
    status: str
    names: list[str | None]
    """By seat; null: free."""
    clock: str
    created: int
    yours: bool = False
    asked: bool = False
    """It is your turn there."""
    spectators: bool = True
    rated: bool = False
    practice: bool = False
