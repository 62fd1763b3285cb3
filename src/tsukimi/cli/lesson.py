"""A lesson in the terminal: a game in which chance and the others follow a line, with comments from a coach."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

import tsukimi
from tsukimi.cli.console import Console
from tsukimi.cli.language import say
from tsukimi.cli.opponents import Choose
from tsukimi.cli.picker import Picker
from tsukimi.cli.session import Session
from tsukimi.core.lesson import LEARNER, Lesson, Step
from tsukimi.core.spec import Json
from tsukimi.core.state import State
from tsukimi.terminal import item


class LessonSession(Session):
    def __init__(self, console: Console, state: State, choose: Choose, lang: str, lesson: Lesson) -> None:
        super().__init__(console, state, {LEARNER}, choose, lang)
        self.lesson = lesson
        self.prepared = True  # chance follows the line
        self.read = 0  # how many texts have been read at this position
        self.objected: str | None = None  # a move that the coach has advised against

    def _next(self) -> int:
        """Follow the prepared line until the coach comments; off the line it is a game like any other."""
        while (following := self.lesson.following(self.state)) is not None and not (
            LEARNER in self.state.actors and self._steps()
        ):
            self.state.make(*following)
        prepared = following is not None or self.state.standing == self.lesson.line
        if self.prepared != prepared:
            self.prepared = prepared
            self.state = tsukimi.replay(self.state.record(), chance="manual" if prepared else "auto")
        return super()._next()

    def _steps(self) -> list[Step]:
        """What the coach says at this position, after the comments on the others' moves that led to it."""
        reached = self.lesson.reached(self.state)
        steps = self.lesson.steps
        here = [number for number, step in enumerate(steps) if step.at == reached]
        first = here[0] if here else 0
        while first > 0 and not steps[first - 1].asked:
            first -= 1
        return list(steps[first : here[-1] + 1]) if here else []

    def _draw(self, view: Json, picker: Picker, news: Sequence[str]) -> None:
        super()._draw(view, picker, news)
        steps = self._steps()
        if steps:
            step = steps[self.read]
            number = self.lesson.steps.index(step) + 1
            self._speak(self.words.lesson(step.say), f"{number}/{len(self.lesson.steps)} ")
            more = self.read + 1 < len(steps)
            if step.move is not None or more:
                code = "more" if more else "asks"
                self.console.write(Text(f" {say('learn', code, self.lang, move=step.move)}", "moon"))
        elif self.lesson.reached(self.state) is None:
            self._speak(say("learn", "left", self.lang))

    def _speak(self, text: str, number: str = "") -> None:
        self.console.write("", item((f" ☾ {number}", "moon.bold"), Text(text)))

    def _answered(self, answer: str, seat: int, view: Json, picker: Picker, news: list[str]) -> bool:
        if not answer and self.read + 1 < len(self._steps()):
            self.read += 1
            self._draw(view, picker, news)
            return False
        return super()._answered(answer, seat, view, picker, news)

    def _play(self, move: str, seat: int) -> bool:
        """A move other than the suggested one gets a reply first, and is played if chosen again."""
        steps = self._steps()
        if steps and steps[-1].move not in (None, move) and move != self.objected:
            self.read, self.objected = len(steps) - 1, move
            self._speak(self.words.lesson(steps[-1].reply(move)))
            self.console.write(Text(f" {say('learn', 'again', self.lang, move=move)}", "moon"))
            return False
        self.read, self.objected = 0, None
        return super()._play(move, seat)

    def _undo(self, seat: int) -> bool:
        self.read, self.objected = 0, None
        return super()._undo(seat)
