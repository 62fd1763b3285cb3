"""Every message of the WebSocket at a table, and of the lobby. JSON; `type` tells the kind; see docs/protocol.md.

The JSON schema and the client's TypeScript types are made from these structs (tools/protocol.py).
A request carries an `id` chosen by the client; its answer is `done` or `error` with that id. The same `id` sent
again by the same person (after a broken connection) is answered again, but counts once.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from tsukimi.table.settings import Settings

PROTOCOL = 1

Id = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_.:-]+$")]
Name = Annotated[str, Meta(min_length=1, max_length=24)]
Move = Annotated[str, Meta(min_length=1, max_length=200)]
Text = Annotated[str, Meta(min_length=1, max_length=500)]
Nonce = Annotated[str, Meta(max_length=64, pattern=r"^[0-9a-f]*$")]
Seat = Annotated[int, Meta(ge=0, le=4)]
Level = Literal["random", "greedy", "novice", "regular", "master"]


class _Message(
    msgspec.Struct, frozen=True, tag_field="type", tag=lambda name: name.lower(), forbid_unknown_fields=True
):
    pass


# ---- from the client -----------------------------------------------------------------------------


class Hello(_Message, frozen=True):
    """The first message on a connection, and again whenever the client wants everything anew."""

    v: int
    seen: int = 0
    """How many events of the game this client has: only later ones are sent."""
    look: Seat | None = None
    """Pass and play: the seat to look as (one's own)."""


class Play(_Message, frozen=True):
    """A move for a decision. `decision` is the number that came with the question."""

    id: Id
    decision: int
    move: Move
    seat: Seat | None = None
    """Needed only by someone who sits on several seats."""


class Plan(_Message, frozen=True):
    """A move decided in advance, played as soon as it is asked and legal; null forgets it."""

    id: Id
    move: Move | None
    seat: Seat | None = None


class Why(_Message, frozen=True):
    """Asks why a move cannot be made now; answered by `reason`."""

    id: Id
    move: Move
    seat: Seat | None = None


class Hint(_Message, frozen=True):
    """Asks for advice; answered by `advice`."""

    id: Id
    lang: Literal["en", "fr", "es"] = "en"
    seat: Seat | None = None


class Undo(_Message, frozen=True):
    """Take back the last own move: at once where nothing was revealed since, else everybody is asked."""

    id: Id
    seat: Seat | None = None


class Vote(_Message, frozen=True):
    """The answer to a proposal that stands (`table.proposal`)."""

    id: Id
    yes: bool


class Abort(_Message, frozen=True):
    """Propose to end the game without a result."""

    id: Id


class Resign(_Message, frozen=True):
    id: Id


class Sit(_Message, frozen=True):
    """Take a free seat (null: any), or the own one again under another name. `nonce`: random hex of the client's own, it goes into the dice."""

    id: Id
    seat: Seat | None = None
    name: Name | None = None
    nonce: Nonce = ""


class Stand(_Message, frozen=True):
    """Leave the seat: before the start it is free again, during the game a bot takes over."""

    id: Id


class Bot(_Message, frozen=True):
    """Host: put a bot on a free seat (null: on any), or change the level of one."""

    id: Id
    level: Level
    seat: Seat | None = None


class Kick(_Message, frozen=True):
    """Host: free a seat before the start; during the game a bot takes the seat for good."""

    id: Id
    seat: Seat


class Change(_Message, frozen=True):
    """Host, before the start: other settings, players or options."""

    id: Id
    settings: Settings | None = None
    players: Annotated[int, Meta(ge=2, le=5)] | None = None
    options: dict[str, str] | None = None


class Start(_Message, frozen=True):
    """Host: begin. All seats must be taken."""

    id: Id


class Pause(_Message, frozen=True):
    """Host: stop or start the clocks."""

    id: Id
    on: bool


class Ready(_Message, frozen=True):
    """Seen enough of the finished round; the game goes on when everybody is ready."""

    id: Id
    seat: Seat | None = None


class Time(_Message, frozen=True):
    """Give another seat extra time (15 s live, a day otherwise)."""

    id: Id
    seat: Seat


class Say(_Message, frozen=True):
    """Chat."""

    id: Id
    text: Text


class Mute(_Message, frozen=True):
    """Host: take the word from a person (by the chat line's `who`), or give it back."""

    id: Id
    who: Id
    on: bool = True


class Rematch(_Message, frozen=True):
    """After the end: a new table with the same people; answered by `done` with the table's id."""

    id: Id


class Ping(_Message, frozen=True):
    """At least every minute. Sent again at once with the pong's `now` as `echo`, it tells the server your lag."""

    t: float
    """Anything; comes back in `pong`."""
    echo: int | None = None


Request = (
    Hello | Play | Plan | Why | Hint | Undo | Vote | Abort | Resign | Sit | Stand | Bot | Kick | Change | Start
    | Pause | Ready | Time | Say | Mute | Rematch | Ping
)  # fmt: skip


# ---- from the server -----------------------------------------------------------------------------


class SeatInfo(msgspec.Struct, frozen=True):
    kind: Literal["free", "person", "bot"]
    name: str = ""
    level: Level | None = None
    online: bool = False
    away: bool = False
    """A bot plays here until the person is back."""
    resigned: bool = False
    host: bool = False
    ready: bool = True
    """False: has not said yet that the game may go on after a round."""
    rating: float | None = None
    who: str | None = None
    """A public handle of the person (for mute and profile); not their identity."""


class Proposal(msgspec.Struct, frozen=True):
    what: Literal["undo", "abort"]
    by: int
    moves: int
    votes: list[bool | None]
    """By seat; null: has not answered (bots always agree)."""


class Clocks(msgspec.Struct, frozen=True):
    running: list[int]
    """The seats whose time runs."""
    left: list[float | None]
    """Milliseconds of reserve by seat, at the moment of sending; null: without limit."""
    extra: list[float | None]
    """Milliseconds of the running decision that do not count against the reserve."""


class Result(msgspec.Struct, frozen=True):
    scores: list[int]
    winners: list[int]
    resigned: list[int]
    ratings: list[float | None]
    """The change of each seat's rating; null: not rated."""


class Fairness(msgspec.Struct, frozen=True):
    commitment: str
    nonces: list[str]
    secret: str | None
    """Told when the game has ended."""


class TableInfo(msgspec.Struct, frozen=True):
    id: str
    game: str
    players: int
    options: dict[str, str]
    settings: Settings
    status: Literal["open", "playing", "paused", "round", "over", "aborted"]
    """`round`: a pause to look after a round."""
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


class You(msgspec.Struct, frozen=True):
    name: str
    who: str
    seats: list[int]
    host: bool
    look: int | None
    """The seat whose knowledge is sent; null: a spectator's."""
    muted: bool = False
    silenced: list[str] = []
    """For the host: the handles of those whose word was taken."""


class Question(msgspec.Struct, frozen=True):
    """What is asked of the seat that looks."""

    decision: int
    moves: list[str]


class GameInfo(msgspec.Struct, frozen=True):
    """The game as the looking seat knows it. `events` are those from number `since` on."""

    since: int
    events: list[Any]
    view: Any
    question: Question | None
    asked: list[int]
    """Seats that must decide now, and have not."""
    plan: str | None
    plans: list[str]
    """Moves that may be decided in advance now."""
    undo: Literal["no", "free", "ask"]
    clocks: Clocks


class ChatLine(msgspec.Struct, frozen=True):
    number: int
    at: int
    who: str
    name: str
    seat: int | None
    text: str


class Welcome(_Message, frozen=True):
    v: int
    now: int
    you: You
    table: TableInfo
    game: GameInfo | None
    chat: list[ChatLine]


class Table(_Message, frozen=True):
    """Something about the table changed: seats, settings, proposals, status. `you` too."""

    you: You
    table: TableInfo


class Game(_Message, frozen=True):
    """The game went on by one step. If `game.since` is not the number of events you have, say `hello` again."""

    game: GameInfo
    table: TableInfo | None = None
    """Sent along when it changed with the step."""


class Chat(_Message, frozen=True):
    line: ChatLine


class Done(_Message, frozen=True):
    id: str
    table: str | None = None


class Error(_Message, frozen=True):
    """`code` and `params` are those of the catalogue of messages; `message` is the English sentence."""

    id: str | None
    code: str
    params: dict[str, Any]
    message: str


class Reason(_Message, frozen=True):
    id: str
    legal: bool
    code: str | None
    params: dict[str, Any]


class Advice(_Message, frozen=True):
    id: str
    moves: list[tuple[str, float, float | None]]
    """Move, estimated share of the win, expected score; the best first."""
    sentence: str


class Pong(_Message, frozen=True):
    t: float
    now: int


Answer = Welcome | Table | Game | Chat | Done | Error | Reason | Advice | Pong


# ---- the lobby (`/ws/lobby`): nothing is asked, the list is told anew when it changes ---------------


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


class Lobby(_Message, frozen=True):
    open: list[Listed]
    running: list[Listed]
    """Public games in play that may be watched."""
    yours: list[Listed]
    online: int


Told = Lobby | Error
