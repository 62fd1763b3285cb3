"""Request and response bodies for puzzles, and what is stored about someone who solves them."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from tsukimi.server.common.api import InLanguage, Request
from tsukimi.server.messages import Level

FIRST_RATING = 1200


class PuzzleProgress(msgspec.Struct, frozen=True):
    """As stored. `done`: the answered puzzles, by game, latest last."""

    rating: float = FIRST_RATING
    tried: int = 0
    solved: int = 0
    streak: int = 0
    best_streak: int = 0
    done: dict[str, list[str]] = {}


class PuzzleStanding(msgspec.Struct, frozen=True):
    """My puzzle rating. `streak`: my correct answers in a row; `best_streak`: the longest ever."""

    rating: int
    tried: int
    solved: int
    streak: int
    best_streak: int


class PuzzleTheme(msgspec.Struct, frozen=True):
    theme: str
    name: str
    number: int


class PuzzleGame(msgspec.Struct, frozen=True):
    """How many puzzles a game has, how many I have answered, and their themes."""

    game: str
    number: int
    done: int
    themes: list[PuzzleTheme]


class PuzzleId(msgspec.Struct, frozen=True):
    game: str
    id: str


class PuzzleOfTheDay(PuzzleId, frozen=True):
    """`date`: the day in UTC; `done`: whether I have answered it."""

    date: str
    done: bool


class Puzzles(msgspec.Struct, frozen=True):
    """`day` is null if no game has puzzles."""

    games: list[PuzzleGame]
    day: PuzzleOfTheDay | None
    standing: PuzzleStanding


class Puzzle(PuzzleId, frozen=True):
    """A position, as the seat to move knows it, with its legal moves; it does not reveal the answer."""

    players: int
    seat: int
    names: list[str]
    rating: int
    view: Any
    events: list[Any]
    moves: list[str]
    done: bool


class Answer(Request, frozen=True):
    move: Annotated[str, Meta(min_length=1, max_length=1000)]


class Answered(msgspec.Struct, frozen=True):
    """`moves`: the best ones and the given one, with their shares of the win, best first. `sentence`: why the answer
    is best. `exact`: calculated, not searched. `change`: in my rating; null if this puzzle had been answered before."""

    right: bool
    answer: str
    moves: list[tuple[str, float]]
    sentence: str
    exact: bool
    themes: list[str]
    change: int | None
    standing: PuzzleStanding


class PlayOnPuzzle(Request, frozen=True):
    level: Level = "master"


class NextPuzzle(InLanguage, frozen=True):
    game: Annotated[str, Meta(max_length=40)] = ""
    theme: Annotated[str, Meta(max_length=40)] = ""
