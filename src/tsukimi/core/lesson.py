"""A guided first game: a prepared line of play, including chance, and a coach's comments along the way.

`lesson.toml` next to a game's messages holds it; the texts are in the messages, under `[lesson]`. p1 learns. As long as
the game follows the line, chance and the other seats follow it too; after its end, or once p1 has left it, it
is a game like any other. See docs/adding-a-game.md.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tsukimi.core import setup
from tsukimi.core.errors import TsukimiError
from tsukimi.core.spec import History, Spec
from tsukimi.core.state import State

LEARNER = 0
KEYS = {"before", "say", "show", "move", "otherwise", "replies"}


class BadLesson(TsukimiError):
    """A lesson that cannot be played: `step` is its number, counted from 1 (0: the file as a whole)."""


@dataclass(frozen=True)
class Step:
    """One thing that the coach says: when p1 is to decide, or before another seat does."""

    at: int
    """How many events of the line have happened by then."""
    say: str
    show: tuple[str, ...] = ()
    """What it is about: keys of `[explain]`, each alone, of a seat (`card p1`) or at a place (`spring b2`)."""
    move: str | None = None
    """The suggested move; None if there is more to say first, or in the last step."""
    otherwise: str = ""
    """Why other moves are weaker."""
    replies: tuple[tuple[str, str], ...] = ()
    """Replies to particular moves instead."""
    asked: bool = True
    """Whether p1 is to decide then."""

    def reply(self, move: str) -> str:
        """The reply to a move other than the suggested one."""
        return dict(self.replies).get(move, self.otherwise)


@dataclass(frozen=True)
class Lesson:
    players: int
    options: Mapping[str, str]
    line: History
    steps: tuple[Step, ...]

    def reached(self, state: State) -> int | None:
        """How many events of the line have happened, plus one once the game continues after its end; None once the
        game has left it."""
        standing, length = state.standing, len(self.line)
        follows = standing[:length] == self.line[: len(standing)]
        return min(len(standing), length + 1) if follows else None

    def following(self, state: State) -> tuple[int, int] | None:
        """What happens next in the line: the seat (or CHANCE) and the move; None: nothing."""
        reached = self.reached(state)
        return self.line[reached] if reached is not None and reached < len(self.line) else None

    def texts(self) -> set[str]:
        """The keys of all texts."""
        keys = {text for step in self.steps for text in (step.say, step.otherwise, *dict(step.replies).values())}
        return keys - {""}


@cache
def lesson(spec: Spec) -> Lesson | None:
    """The lesson of a game, if it has one; `BadLesson` says which step is invalid."""
    path = spec.folder / "lesson.toml"
    return read(spec, tomllib.loads(path.read_text("utf-8"))) if path.exists() else None


def read(spec: Spec, data: Mapping[str, Any]) -> Lesson:
    """A lesson from its data: its line is played, and every step must come when p1 is to decide, or another seat if it requires no move."""
    try:
        state = setup.make(spec, data.get("players", spec.seats[0]), data.get("options", {}), None, None)
    except TsukimiError as problem:
        raise BadLesson("lesson-step", step=0, problem=problem) from problem
    steps: list[Step] = []
    for number, entry in enumerate(data.get("step", ()), 1):
        try:
            steps.append(_step(state, entry))
        except TsukimiError as problem:
            raise BadLesson("lesson-step", step=number, problem=problem) from problem
    if not steps or steps[-1].move is not None:
        raise BadLesson("lesson-end")
    return Lesson(state.players, state.options, state.standing, tuple(steps))


def _step(state: State, entry: Mapping[str, Any]) -> Step:
    """A step, after playing the events that lead to it and the move that it requires."""
    if unknown := entry.keys() - KEYS:
        raise BadLesson("lesson-key", key=min(unknown), known=", ".join(sorted(KEYS)))
    for event in entry.get("before", ()):
        _play(state, event)
    learner_decides = LEARNER in state.actors
    replies = tuple(dict(entry.get("replies", {})).items())
    if not learner_decides and (state.chance or not state.actors or replies or "move" in entry):
        raise BadLesson("lesson-nothing-asked")
    at, legal = state.events_so_far, state.legal(LEARNER) if learner_decides else []
    for move, _ in replies:
        if move not in legal:
            state.copy().play(move, LEARNER)  # the game raises the reason
    move = entry.get("move")
    if move is not None:
        if len(legal) > 1 and not entry.get("otherwise"):
            raise BadLesson("lesson-otherwise")
        state.play(move, LEARNER)
    say, show = str(entry.get("say", "")), tuple(entry.get("show", ()))
    return Step(at, say, show, move, entry.get("otherwise", ""), replies, learner_decides)


def _play(state: State, event: str) -> None:
    """An event in record notation."""
    seat, _, move = event.partition(" ")
    if state.chance:
        state.play(event)
    elif seat[:1] == "p" and seat[1:].isdecimal():
        state.play(move, int(seat[1:]) - 1)
    else:
        raise BadLesson("record-event", text=event[:60])
