"""Who sits at a table, and what they vote on. Immutable values, so that copies of a table share them."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec


class Seat(msgspec.Struct, frozen=True, gc=False):
    name: str = ""
    person: str = ""
    handle: str = ""
    nonce: str = ""
    level: str = ""
    """The bot that plays here; empty for a person."""
    away: bool = False
    """A bot plays until the person is back."""
    gone: bool = False
    """A bot plays for good."""
    resigned: bool = False
    lost_by: str = ""
    """For a seat that lost without resigning: `time` or `left`."""
    ready: bool = True
    timeouts: int = 0

    @property
    def taken(self) -> bool:
        return bool(self.person or self.level)

    @property
    def by_bot(self) -> bool:
        return bool(self.level) or self.away or self.gone or self.resigned

    @property
    def here(self) -> bool:
        """Whether a person decides for this seat."""
        return bool(self.person) and not (self.gone or self.resigned)


class Proposal(msgspec.Struct, frozen=True):
    what: Literal["undo", "abort", "pause"]
    seat: int
    moves: int
    votes: dict[int, bool]


class Refusal(msgspec.Struct, frozen=True):
    """A refused proposal, and the seat that refused it."""

    what: Literal["undo", "abort", "pause"]
    by: int
    seat: int


class MadeMove(msgspec.Struct, frozen=True, gc=False):
    """A move that has not been taken back, with what is needed to take it back."""

    seat: int
    person: str
    """Who decided it; empty for a bot, a clock, a forced move."""
    shown: bool
    """Whether it revealed something, or chance followed it."""
    decided: bool = True
    """Whether a person, a bot or the clock chose it: False for forced moves."""

    @property
    def makes_practice(self) -> bool:
        """Whether taking it back makes the game practice: it showed something, or was a bot's or the clock's."""
        return self.shown or (self.decided and not self.person)


class UndoOption(NamedTuple):
    """How a seat can take back its own last move: how many moves that is, and whether it makes the game practice."""

    how: Literal["no", "free", "ask"]
    moves: int = 0
    practice: bool = False


NO_UNDO = UndoOption("no")
