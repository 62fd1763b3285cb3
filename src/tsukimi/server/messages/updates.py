"""What the server sends: answers to requests, and updates to everyone at a table or in the lobby."""

from __future__ import annotations

from typing import Any

from tsukimi.server.messages.fields import Message
from tsukimi.server.messages.parts import ChatLine, GameInfo, Listed, TableInfo, You


class Welcome(Message, frozen=True):
    v: int
    now: int
    you: You
    table: TableInfo
    game: GameInfo | None
    chat: list[ChatLine]


class Table(Message, frozen=True):
    """Something about the table changed: seats, settings, proposals, status. `you` too."""

    you: You
    table: TableInfo


class Game(Message, frozen=True):
    """A step of the game. If `game.since` is larger than the number of events you have, send `hello` again."""

    game: GameInfo
    table: TableInfo | None = None
    """Included if it changed with the step."""


class Chat(Message, frozen=True):
    line: ChatLine


class Done(Message, frozen=True):
    id: str
    table: str | None = None


class Error(Message, frozen=True):
    """`code` and `params` belong to the message catalogue; `message` is the English sentence."""

    id: str | None
    code: str
    params: dict[str, Any]
    message: str


class Reason(Message, frozen=True):
    id: str
    legal: bool
    code: str | None
    params: dict[str, Any]


class Stakes(Message, frozen=True):
    """What is at stake in each legal move of a decision, by move: each `{kind, ..}`, with a text in the game's `[stake]`."""

    id: str
    decision: int
    moves: dict[str, list[dict[str, Any]]]
    retractable: list[str] = []
    """The moves after which the same seat decides again and can take them back immediately: they need no confirmation."""


class Advice(Message, frozen=True):
    id: str
    moves: list[tuple[str, float, float | None]]
    """Move, estimated share of the win, expected score; best first."""
    sentence: str


class Events(Message, frozen=True):
    """Older events of the game, from number `since` on; there are none before 0."""

    id: str
    since: int
    events: list[Any]


class Pong(Message, frozen=True):
    t: float
    now: int


Answer = Welcome | Table | Game | Chat | Done | Error | Reason | Stakes | Advice | Events | Pong


class Lobby(Message, frozen=True):
    open: list[Listed]
    running: list[Listed]
    """Public games in play that may be watched."""
    yours: list[Listed]
    online: int


LobbyUpdate = Lobby | Error
