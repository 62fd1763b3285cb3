"""Request and response bodies of the HTTP API for accounts and a person's data."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from tsukimi.server.common.api import Game, GivenPassword, Me, Password, RawName, Request, TokenInfo

GivenCode = Annotated[str, Meta(max_length=40)]


class SessionInfo(msgspec.Struct, frozen=True):
    """A device where I am logged in. `device` may be empty; `used` is exact to the hour."""

    id: str
    device: str
    at: int
    used: int
    current: bool


# ---- progress ------------------------------------------------------------------------------------

Moment = Annotated[int, Meta(ge=0, le=2**53, description="milliseconds since the epoch, by the device's clock")]


class LessonProgress(Request, frozen=True):
    """The progress of a lesson, and at which table. `at`: when the learner took the last step."""

    table: Annotated[str, Meta(max_length=40)]
    step: Annotated[int, Meta(ge=0, le=1000)]
    of: Annotated[int, Meta(ge=0, le=1000)]
    done: bool
    at: Moment = 0


class Preferences(Request, frozen=True):
    """How the client looks and behaves. `sound`: null: never asked; `at`: when one of them was last changed."""

    theme: Literal["night", "paper", "system"] = "system"
    at_once: bool = False
    sound: bool | None = None
    motion: bool = True
    pace: Literal["calm", "normal", "quick", "instant"] = "normal"
    at: Moment = 0


class Progress(Request, frozen=True):
    """Lessons by game, and preferences."""

    lessons: Annotated[dict[Game, LessonProgress], Meta(max_length=60)] = {}
    preferences: Preferences | None = None


# ---- accounts ------------------------------------------------------------------------------------


class Account(msgspec.Struct, frozen=True):
    """How I can log in and recover my account. `mail`: whether this server sends e-mails; `email` is confirmed, `waiting`
    not yet; `codes`: the number of recovery codes left."""

    name: str | None
    mail: bool
    email: str | None
    waiting: str | None
    totp: bool
    codes: int


class Register(Request, frozen=True):
    name: RawName
    password: Password


class Registered(Me, frozen=True, kw_only=True):
    """`codes`: ten recovery codes, shown only once."""

    codes: list[str]


class Login(Request, frozen=True):
    """`code`: from the authenticator app, or a recovery code, if a second factor is on."""

    name: RawName
    password: GivenPassword
    code: GivenCode = ""


class Confirm(Request, frozen=True):
    """The current password; a guest has none."""

    password: GivenPassword = ""


class ChangePassword(Request, frozen=True):
    password: GivenPassword
    new: Password


class Codes(msgspec.Struct, frozen=True):
    """Ten recovery codes, shown only once; the previous ones are invalid."""

    codes: list[str]


class TotpSetup(msgspec.Struct, frozen=True):
    """A new secret for an authenticator app; `uri` is the same as `secret`, for a QR code."""

    nonce: str
    secret: str
    uri: str


class ConfirmTotp(Request, frozen=True):
    nonce: Annotated[str, Meta(min_length=8, max_length=40)]
    code: GivenCode


class ChangeEmail(Request, frozen=True):
    email: Annotated[str, Meta(min_length=3, max_length=254)]
    password: GivenPassword


class ResetByCode(Request, frozen=True):
    name: RawName
    code: GivenCode
    new: Password


class AskReset(Request, frozen=True):
    name: RawName


class ResetByLink(Request, frozen=True):
    token: Annotated[str, Meta(min_length=20, max_length=100)]
    new: Password


class Done(msgspec.Struct, frozen=True):
    """An empty response."""


class SaidLine(msgspec.Struct, frozen=True):
    table: str
    at: int
    text: str


class GameData(msgspec.Struct, frozen=True):
    """A table where I sat. `record`: the game, once it has ended; null also if its log can no longer be read."""

    table: str
    game: str
    seats: list[int]
    status: str
    created: int
    record: str | None
    chat: list[SaidLine]


class RatingData(msgspec.Struct, frozen=True):
    mu: float
    sigma: float
    games: int


class ReportData(msgspec.Struct, frozen=True):
    """A report I sent to the host."""

    table: str
    at: int
    reason: str
    text: str


class OwnData(msgspec.Struct, frozen=True):
    """Everything stored about me. `chat`: what I wrote at tables where I did not sit."""

    who: str
    name: str
    created: int
    lang: str | None
    account: str | None
    email: str | None
    totp: bool
    recovery_codes: int
    sessions: list[SessionInfo]
    tokens: list[TokenInfo]
    personal_link: int | None
    """When it was made."""
    ratings: dict[str, RatingData]
    progress: dict[str, Any]
    """What I have learned and set, by name."""
    reports: list[ReportData]
    games: list[GameData]
    chat: list[SaidLine]
