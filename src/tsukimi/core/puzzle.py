"""Puzzles: positions with one best move, given what the seat to move knows.

`puzzles.jsonl` next to a game's messages holds them, one per line; `tsukimi puzzles make` writes it. See docs/puzzles.md.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from tsukimi.core import setup
from tsukimi.core.errors import TsukimiError
from tsukimi.core.record import play_event
from tsukimi.core.spec import Spec
from tsukimi.core.state import State

FILE = "puzzles.jsonl"
OF_THE_DAY = (1000, 1700)  # the ratings of puzzles that suit everyone


class BadPuzzle(TsukimiError):
    """An invalid puzzle: `line` is its line in the file, counted from 1."""


@dataclass(frozen=True)
class Puzzle:
    id: str
    players: int
    options: Mapping[str, str]
    events: tuple[str, ...]
    """How the position arose, as lines of a record."""
    seat: int
    """Who is to move."""
    answer: str
    shares: tuple[float, ...]
    """The share of the win after each legal move, in order, given what the seat can know."""
    rating: int
    """How hard it is: a player with this rating finds the answer half the time."""
    themes: tuple[str, ...]
    why: tuple[str, Mapping[str, Any]]
    """Why the answer is best: a code and its fields, as given by the bots."""
    exact: bool
    """Whether the shares were calculated to the end; otherwise a long search found them, twice."""

    def state(self, spec: Spec) -> State:
        """The position, with future chance pending; `BadPuzzle` or another error says why it is invalid."""
        state = setup.make(spec, self.players, self.options, None, None)
        for event in self.events:
            play_event(state, event)
        if self.seat not in state.actors:
            raise BadPuzzle("puzzle-nothing-asked")
        legal = state.legal(self.seat)
        if self.answer not in legal or len(legal) != len(self.shares):
            raise BadPuzzle("puzzle-other-moves")
        return state

    def share(self, legal: Sequence[str], move: str) -> float:
        return self.shares[legal.index(move)]


def expectation(rating: float, other: float) -> float:
    """Elo's formula: how often the first is expected to beat the second, or to solve a puzzle."""
    return float(1 / (1 + 10 ** ((other - rating) / 400)))


def identify(players: int, options: Mapping[str, str], events: Sequence[str]) -> str:
    """The id of a puzzle: the same for the same position."""
    text = json.dumps([players, sorted(options.items()), list(events)])
    return hashlib.blake2b(text.encode(), digest_size=4).hexdigest()


def write(puzzle: Puzzle) -> str:
    """One line of the file. Shares are written in thousandths."""
    fields = {
        "id": puzzle.id,
        "players": puzzle.players,
        "options": dict(puzzle.options),
        "events": list(puzzle.events),
        "seat": puzzle.seat,
        "answer": puzzle.answer,
        "shares": [round(1000 * share) for share in puzzle.shares],
        "rating": puzzle.rating,
        "themes": list(puzzle.themes),
        "why": list(puzzle.why),
        "exact": puzzle.exact,
    }
    return json.dumps(fields, separators=(",", ":"))


def read(path: Path) -> Iterator[Puzzle]:
    """The puzzles in a file; none if there is no file."""
    if not path.exists():
        return
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            yield _puzzle(json.loads(line))
        except (ValueError, KeyError, TypeError) as problem:
            raise BadPuzzle("puzzle-unreadable", line=number, file=path.name) from problem


def _puzzle(fields: Mapping[str, Any]) -> Puzzle:
    code, facts = fields["why"]
    return Puzzle(
        fields["id"],
        fields["players"],
        fields["options"],
        tuple(fields["events"]),
        fields["seat"],
        fields["answer"],
        tuple(share / 1000 for share in fields["shares"]),
        fields["rating"],
        tuple(fields["themes"]),
        (code, facts),
        fields["exact"],
    )


@cache
def puzzles(spec: Spec) -> Mapping[str, Puzzle]:
    """The puzzles shipped with a game, by id, easiest first."""
    found = sorted(read(spec.folder / FILE), key=lambda one: (one.rating, one.id))
    return {puzzle.id: puzzle for puzzle in found}


def of_the_day(specs: Sequence[Spec], day: date) -> tuple[Spec, Puzzle] | None:
    """The puzzle of a day, the same everywhere: games take turns, and each game's puzzles come in their own order."""
    able = sorted((spec for spec in specs if puzzles(spec)), key=lambda one: one.name)
    if not able:
        return None
    turn, place = divmod(day.toordinal(), len(able))
    game = able[place]
    low, high = OF_THE_DAY
    fitting = [puzzle for puzzle in puzzles(game).values() if low <= puzzle.rating <= high] or list(
        puzzles(game).values()
    )
    shuffled = sorted(fitting, key=lambda one: hashlib.blake2b(one.id.encode()).digest())
    return game, shuffled[turn % len(shuffled)]
