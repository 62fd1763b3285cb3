"""Bots in any language: a program that reads lines from its standard input and answers on its standard output.

    > new {"game": "charuma", "players": 3, "seat": 0, "options": {..}}
    > choose {"view": {..}, "events": [..], "legal": ["bid 0 A", ..]}
    < bid 0 A
    > end {"scores": [26, 19, 22], "winners": [0]}

See docs/bots.md. What the program is told is what its seat may know: the view, and the events since its last decision.
"""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from tsukimi.core.errors import BadOptions, TsukimiError
from tsukimi.core.state import State


class ExternalBot:
    """A program that plays one seat of one game."""

    def __init__(self, command: str) -> None:
        self._command, self._told = command, 0
        try:
            self._program = subprocess.Popen(
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
            )
        except (OSError, ValueError) as problem:
            raise BadOptions("bot-failed", bot=command[:60], problem=str(problem)[:200]) from problem
        self._begun = False

    def choose(self, state: State, seat: int) -> int:
        if not self._begun:
            self._begun = True
            hello = {"game": state.game, "players": state.players, "seat": seat, "options": state.options}
            self._say("new", hello)
        events = state.events(seat, since=self._told)
        self._told += len(events)
        self._say("choose", {"view": state.view(seat), "events": events, "legal": state.legal(seat)})
        answer = self._hear()
        try:
            move = state.parse(answer, seat)
            state.text(move, seat)
        except TsukimiError as problem:
            raise BadOptions("bot-failed", bot=self._command[:60], problem=problem) from problem
        return move

    def finish(self, state: State) -> None:
        """Tell how the game ended."""
        self._say("end", {"scores": state.scores(), "winners": state.winners()})

    def close(self) -> None:
        with suppress(OSError):
            if self._program.stdin:
                self._program.stdin.close()
        try:
            self._program.wait(2)
        except subprocess.TimeoutExpired:
            self._program.kill()
            self._program.wait()
        if self._program.stdout:
            self._program.stdout.close()

    def _say(self, word: str, data: object) -> None:
        try:
            assert self._program.stdin is not None
            self._program.stdin.write(f"{word} {json.dumps(data)}\n")
            self._program.stdin.flush()
        except OSError as problem:
            raise BadOptions("bot-failed", bot=self._command[:60], problem=str(problem)) from problem

    def _hear(self) -> str:
        assert self._program.stdout is not None
        line = self._program.stdout.readline(2000)
        if not line:
            raise BadOptions("bot-failed", bot=self._command[:60], problem="no answer")
        return line.rstrip("\r\n")


@contextmanager
def opened() -> Iterator[Callable[[str], ExternalBot]]:
    """Start programs that are stopped again at the end."""
    programs: list[ExternalBot] = []

    def start(command: str) -> ExternalBot:
        programs.append(ExternalBot(command))
        return programs[-1]

    try:
        yield start
    finally:
        for program in programs:
            program.close()
