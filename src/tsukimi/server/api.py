"""The bodies of the HTTP API, asked and answered. OpenAPI's schemas are made from these structs (openapi.py)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tsukimi.server.messages import Level, Listed, Name, Nonce, SeatInfo
from tsukimi.store import Rating
from tsukimi.table.settings import Settings

Lang = Literal["en", "fr", "es"]
Game = Annotated[str, Meta(min_length=1, max_length=40)]
Players = Annotated[int, Meta(ge=2, le=5)]
Word = Annotated[str, Meta(max_length=60)]
RawName = Annotated[str, Meta(min_length=1, max_length=200, description="1 to 24 characters once trimmed")]
Password = Annotated[str, Meta(min_length=8, max_length=200)]
GivenPassword = Annotated[str, Meta(max_length=200)]
"""At the login a password that is too short is wrong, not malformed."""


class Problem(msgspec.Struct, frozen=True):
    """Why a request was refused. `code` and `params` are those of the catalogue of messages, `message` is in English."""

    code: str
    params: dict[str, Any]
    message: str


class _Wish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a client sends: a field that we do not know is a mistake worth telling."""


# ---- games and people --------------------------------------------------------------------------


class GameKind(msgspec.Struct, frozen=True):
    """A game that can be played here: its numbers of players, its options (the first value is the default).

    `title`, `summary` and `duration` (may be empty) are in the language asked for. `board`: the name of a board
    that the client has for this game; empty: the generic one, which draws the view's `zones`.
    """

    name: str
    seats: list[int]
    options: dict[str, list[str]]
    title: str
    summary: str
    duration: str
    board: str
    has_components: bool


class Guide(msgspec.Struct, frozen=True):
    """A game's rules text as HTML; empty where there is none in this language."""

    html: str


class Standing(msgspec.Struct, frozen=True):
    rating: float
    games: int


class Me(msgspec.Struct, frozen=True):
    """Who I am here. `who` is a public handle, not the identity; `account` is null for a guest."""

    who: str
    name: str
    lang: Lang | None
    account: str | None
    ratings: dict[str, Standing]


class ChangeMe(_Wish, frozen=True):
    name: RawName | UnsetType = UNSET
    lang: Lang | UnsetType | None = UNSET


class Link(msgspec.Struct, frozen=True):
    """The personal link: whoever opens it is this person. A new one makes the former one useless."""

    link: str


class NewToken(_Wish, frozen=True):
    label: Annotated[str, Meta(max_length=60)] = ""


class Token(msgspec.Struct, frozen=True):
    """A bearer token for programs. It is told this once."""

    token: str


class TokenInfo(msgspec.Struct, frozen=True):
    """What is known of a token: not the token."""

    id: str
    label: str
    at: int


class Register(_Wish, frozen=True):
    name: RawName
    password: Password


class Login(_Wish, frozen=True):
    name: RawName
    password: GivenPassword


class Ranked(msgspec.Struct, frozen=True):
    who: str
    name: str
    rating: float
    games: int


# ---- tables ------------------------------------------------------------------------------------


class NewTable(_Wish, frozen=True):
    """A table to open. The creator sits on the first seat; with `names` (pass and play) on the first ones."""

    game: Game
    players: Players
    options: Annotated[dict[Word, Word], Meta(max_length=10)] = {}
    settings: Settings = Settings()
    bots: Annotated[list[Level], Meta(max_length=5)] = []
    """Put on the last seats."""
    names: Annotated[list[Name], Meta(min_length=1, max_length=5)] | None = None
    name: Name | None = None
    nonce: Nonce = ""
    start: bool = False
    """Begin at once; all seats must be taken."""


class Match(_Wish, frozen=True):
    game: Game
    players: Players


class Made(msgspec.Struct, frozen=True):
    """The table's id: it is played at /t/ID, over /ws/table/ID."""

    id: str


class PlayedGame(Listed, frozen=True, kw_only=True):
    """A game in somebody's list; `seat` is theirs. `scores` and `winners` are null until it has ended."""

    ended: int | None = None
    scores: list[int] | None = None
    winners: list[int] | None = None
    seat: int = 0


class PlayedGames(msgspec.Struct, frozen=True):
    games: list[PlayedGame]
    more: bool


class Profile(msgspec.Struct, frozen=True):
    """What everybody may know of a person. `games`: the last public ones that have ended."""

    name: str
    account: str | None
    ratings: dict[str, Standing]
    games: list[PlayedGame]


class Step(msgspec.Struct, frozen=True):
    """One move with its chance (step 0: the setup), as the watched seat saw it."""

    at: int
    events: list[Any]
    view: Any
    views: list[Any] | None
    mover: int | None


class Replay(msgspec.Struct, frozen=True):
    total: int
    game: str
    names: list[str]
    seats: list[SeatInfo]
    steps: list[Step]


# ---- queries -----------------------------------------------------------------------------------


class Spoken(msgspec.Struct, frozen=True):
    lang: Lang = "en"


class Page(msgspec.Struct, frozen=True):
    page: Annotated[int, Meta(ge=0, le=10_000)] = 0


class ReplayPart(msgspec.Struct, frozen=True):
    seat: Literal["spectator", "open", "0", "1", "2", "3", "4"] = "spectator"
    start: Annotated[int, Meta(ge=0, le=1_000_000)] = msgspec.field(default=0, name="from")
    count: Annotated[int, Meta(ge=1, le=200)] = 100


def shown(rating: Rating) -> float:
    """The number that people see: what the rating is at least (three deviations below the mean), as lists are sorted."""
    return round(rating.mu - 3 * rating.sigma, 1)


def standings(ratings: dict[str, Rating]) -> dict[str, Standing]:
    return {game: Standing(shown(rating), rating.games) for game, rating in ratings.items()}
