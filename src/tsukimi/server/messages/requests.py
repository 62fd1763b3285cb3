"""What a client sends at a table."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from tsukimi.server.messages.fields import Id, Level, Message, Move, Name, Nonce, Seat, Text
from tsukimi.table.settings import Settings


class Hello(Message, frozen=True):
    """The first message on a connection, and again whenever the client wants the whole state."""

    v: int
    seen: int = 0
    """How many events of the game this client has: only later ones are sent."""
    look: Seat | None = None
    """Pass and play: the viewpoint, one of the person's own seats."""


class Play(Message, frozen=True):
    """A move for a decision. `decision` is the number that came with the question."""

    id: Id
    decision: int
    move: Move
    seat: Seat | None = None
    """Needed only by someone with several seats."""


class Plan(Message, frozen=True):
    """A move decided in advance, played as soon as the seat has to decide and the move is legal; null cancels it."""

    id: Id
    move: Move | None
    seat: Seat | None = None


class Why(Message, frozen=True):
    """Asks why a move cannot be made now; answered by `reason`."""

    id: Id
    move: Move
    seat: Seat | None = None


class AskStakes(Message, frozen=True, tag="stakes"):
    """Asks what each legal move of a decision gains, risks or costs, as far as the seat may know; answered by `stakes`."""

    id: Id
    decision: int
    seat: Seat | None = None


class Hint(Message, frozen=True):
    """Asks for a hint; answered by `advice`."""

    id: Id
    lang: Literal["en", "fr", "es"] = "en"
    seat: Seat | None = None


class Log(Message, frozen=True):
    """Asks for game events older than those in the welcome; answered by `events`."""

    id: Id
    before: Annotated[int, Meta(ge=0)]
    """The number of an event: those before it are sent, as many as fit into one message."""


class Undo(Message, frozen=True):
    """Take back your own last move: immediately if nothing was revealed since, else if everyone agrees."""

    id: Id
    seat: Seat | None = None


class Vote(Message, frozen=True):
    """The answer to an open proposal (`table.proposal`)."""

    id: Id
    yes: bool


class Abort(Message, frozen=True):
    """Propose ending the game without a result."""

    id: Id


class Resign(Message, frozen=True):
    id: Id


class Sit(Message, frozen=True):
    """Take a free seat (null: any), or your own again under another name. `nonce`: as in the request `nonce`."""

    id: Id
    seat: Seat | None = None
    name: Name | None = None
    nonce: Nonce = ""


class GiveNonce(Message, frozen=True, tag="nonce"):
    """The client's own random hex for its seat: it goes into the dice. Once, before the start."""

    id: Id
    nonce: Annotated[Nonce, Meta(min_length=1)]
    seat: Seat | None = None


class Stand(Message, frozen=True):
    """Leave the seat: before the start it becomes free, during the game a bot takes over; a rated game is lost."""

    id: Id


class Bot(Message, frozen=True):
    """Host: put a bot in a free seat (null: any), or change the level of one."""

    id: Id
    level: Level
    seat: Seat | None = None


class Kick(Message, frozen=True):
    """Host: free a seat before the start; during the game a bot takes over the seat for good."""

    id: Id
    seat: Seat


class Change(Message, frozen=True):
    """Host, before the start: change settings, players or options."""

    id: Id
    settings: Settings | None = None
    players: Annotated[int, Meta(ge=2, le=5)] | None = None
    options: dict[str, str] | None = None


class Start(Message, frozen=True):
    """Host: start. All seats must be taken."""

    id: Id


class Pause(Message, frozen=True):
    """Host: stop or start the clocks. In a rated game, anyone: propose a pause, or end it."""

    id: Id
    on: bool


class Ready(Message, frozen=True):
    """Ends the intermission after a round for this seat; the game continues when everyone is ready. Also answers
    the ready check of a quick match."""

    id: Id
    seat: Seat | None = None


class Time(Message, frozen=True):
    """Give another seat extra time (15 s live, a day otherwise)."""

    id: Id
    seat: Seat


class Say(Message, frozen=True):
    """Chat."""

    id: Id
    text: Text


class Mute(Message, frozen=True):
    """Host: stop a person (by the chat line's `who`) from chatting, or allow it again."""

    id: Id
    who: Id
    on: bool = True


class Rematch(Message, frozen=True):
    """After the end: a new table with the same people; answered by `done` with the table's id."""

    id: Id


class Ping(Message, frozen=True):
    """At least every minute. Sent again immediately with the pong's `now` as `echo`, it lets the server measure the lag."""

    t: float
    """Anything; returned in `pong`."""
    echo: int | None = None


Request = (
    Hello | Play | Plan | Why | AskStakes | Hint | Log | Undo | Vote | Abort | Resign | Sit | GiveNonce | Stand | Bot | Kick | Change
    | Start | Pause | Ready | Time | Say | Mute | Rematch | Ping
)  # fmt: skip
