"""Request and response bodies of the HTTP API. The OpenAPI schemas are generated from these structs (openapi.py)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tsukimi.server.messages import Level, Listed, Name, SeatInfo
from tsukimi.store import Rating
from tsukimi.table.settings import Settings

Lang = Literal["en", "fr", "es"]
Game = Annotated[str, Meta(min_length=1, max_length=40)]
Players = Annotated[int, Meta(ge=2, le=5)]
Word = Annotated[str, Meta(max_length=60)]
RawName = Annotated[str, Meta(min_length=1, max_length=200, description="1 to 24 characters once trimmed")]
Password = Annotated[str, Meta(min_length=8, max_length=200)]
GivenPassword = Annotated[str, Meta(max_length=200)]
"""In a login, a password that is too short is wrong, not malformed."""


class Problem(msgspec.Struct, frozen=True):
    """Why a request failed. `code` and `params` belong to the message catalogue, `message` is in English."""

    code: str
    params: dict[str, Any]
    message: str


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a client sends: an unknown field is an error worth reporting."""


# ---- games and people --------------------------------------------------------------------------


class NetworkInfo(msgspec.Struct, frozen=True):
    """A neural network to play against (`net:NAME` as a level): only with these numbers of players and options."""

    name: str
    players: int
    options: dict[str, str]


class GameInfo(msgspec.Struct, frozen=True):
    """An installed game: its numbers of players, its options (the first value is the default), its texts.

    `option_names` names options (`belt`) and their values (`belt=white`); `beginner` are the options to offer a
    first-time player. `title`, `summary` and `duration` (may be empty) are in the requested language. `board`: the name of a board
    that the web client has for this game; empty: the generic one, which draws the view's `zones`.
    """

    name: str
    seats: list[int]
    options: dict[str, list[str]]
    option_names: dict[str, str]
    beginner: dict[str, str]
    title: str
    summary: str
    duration: str
    board: str
    has_components: bool
    has_lesson: bool
    has_rounds: bool
    has_chance: bool
    networks: list[NetworkInfo]


class Guide(msgspec.Struct, frozen=True):
    """A game's rules as HTML, its rules in three minutes, and what masters choose first; empty if it has none."""

    html: str
    brief: str = ""
    openings: str = ""


class LessonStep(msgspec.Struct, frozen=True):
    """What the coach says when `at` events of the prepared line have happened. `say`, `otherwise` (the reply to moves
    other than `move`) and the values of `replies` (replies to some of them) are `[lesson]` messages; `show` are the
    components that it is about."""

    at: int
    say: str
    show: list[str]
    move: str | None
    otherwise: str
    replies: dict[str, str]


class Lesson(msgspec.Struct, frozen=True):
    """A game's guided first game."""

    players: int
    steps: list[LessonStep]


class Standing(msgspec.Struct, frozen=True):
    rating: float
    games: int


class Me(msgspec.Struct, frozen=True):
    """Who I am. `who` is my public handle; `account` is null for a guest."""

    who: str
    name: str
    lang: Lang | None
    account: str | None
    ratings: dict[str, Standing]
    admin: bool = False
    """Whether I may use the admin page."""


class ChangeMe(Request, frozen=True):
    name: RawName | UnsetType = UNSET
    lang: Lang | UnsetType | None = UNSET


class Link(msgspec.Struct, frozen=True):
    """The personal link: anyone who opens it becomes this person. A new one revokes the previous one."""

    link: str


class NewToken(Request, frozen=True):
    label: Annotated[str, Meta(max_length=60)] = ""


class Token(msgspec.Struct, frozen=True):
    """A bearer token for programs. It is shown only once."""

    token: str


class TokenInfo(msgspec.Struct, frozen=True):
    """A token without its secret."""

    id: str
    label: str
    at: int


class Ranked(msgspec.Struct, frozen=True):
    who: str
    name: str
    rating: float
    games: int


# ---- tables ------------------------------------------------------------------------------------


class NewTable(Request, frozen=True):
    """A table to open. The creator takes the first seat, or with `names` (pass and play) the first seats."""

    game: Game
    players: Players
    options: Annotated[dict[Word, Word], Meta(max_length=10)] = {}
    settings: Settings = Settings()
    bots: Annotated[list[Level], Meta(max_length=5)] = []
    """They take the last seats."""
    names: Annotated[list[Name], Meta(min_length=1, max_length=5)] | None = None
    name: Name | None = None
    components: dict[str, Any] | None = None
    """A custom set replacing the game's (`POST /api/games/GAME/components` checks one)."""
    start: bool = False
    """Start immediately, without a nonce from the creator; all seats must be taken."""


class NewLesson(Request, frozen=True):
    game: Game


class Match(Request, frozen=True):
    game: Game
    players: Players


class Created(msgspec.Struct, frozen=True):
    """The table's id: it is played at /t/ID, over /ws/table/ID."""

    id: str


class NewReport(Request, frozen=True):
    """Reports someone at a table to the host. `line`: the number of the chat line in question."""

    who: Annotated[str, Meta(min_length=1, max_length=40)]
    reason: Literal["chat", "name", "cheating", "leaving", "other"]
    text: Annotated[str, Meta(max_length=500)] = ""
    line: Annotated[int, Meta(ge=0, le=1_000_000_000)] | None = None


class Reported(msgspec.Struct, frozen=True):
    number: int


class PlayedGame(Listed, frozen=True, kw_only=True):
    """A game in a person's history; `seat` is theirs. `scores` and `winners` are null until it has ended."""

    ended: int | None = None
    scores: list[int] | None = None
    winners: list[int] | None = None
    seat: int = 0


class PlayedGames(msgspec.Struct, frozen=True):
    games: list[PlayedGame]
    more: bool


class Profile(msgspec.Struct, frozen=True):
    """A person's public profile. `games`: the latest finished public ones."""

    name: str
    account: str | None
    ratings: dict[str, Standing]
    games: list[PlayedGame]


class Step(msgspec.Struct, frozen=True):
    """One move with the chance events after it (step 0: the setup), as the chosen seat saw it."""

    at: int
    events: list[Any]
    view: Any
    views: list[Any] | None
    mover: int | None


class Replay(msgspec.Struct, frozen=True):
    """Some steps of a game: as many as requested, or as fit into one response."""

    total: int
    game: str
    names: list[str]
    seats: list[SeatInfo]
    steps: list[Step]


# ---- queries -----------------------------------------------------------------------------------


class InLanguage(msgspec.Struct, frozen=True):
    lang: Lang = "en"


class Page(msgspec.Struct, frozen=True):
    page: Annotated[int, Meta(ge=0, le=10_000)] = 0


class ReplayPart(msgspec.Struct, frozen=True):
    seat: Literal["spectator", "open", "0", "1", "2", "3", "4"] = "spectator"
    start: Annotated[int, Meta(ge=0, le=1_000_000)] = msgspec.field(default=0, name="from")
    count: Annotated[int, Meta(ge=1, le=200)] = 100


def displayed_rating(rating: Rating) -> float:
    """The number shown to people: a conservative estimate, three standard deviations below the mean. Lists are sorted by
    the same number, but what is shown starts at 0."""
    return max(0.0, round(rating.mu - 3 * rating.sigma, 1))


def standings(ratings: dict[str, Rating]) -> dict[str, Standing]:
    return {game: Standing(displayed_rating(rating), rating.games) for game, rating in ratings.items()}
