"""Bots in any language: a program that reads lines from standard input and answers on standard output.

    > new {"game": "charuma", "players": 3, "seat": 0, "options": {..}}
    > choose {"view": {..}, "events": [..], "legal": ["bid 0 A", ..]}
    < bid 0 A
    > end {"scores": [26, 19, 22], "winners": [0]}

See docs/bots.md. The program receives what its seat may know: the view, and the events since its last decision.
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
        self._command, self._events_sent = command, 0
        try:
            self._program = subprocess.Popen(
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
            )
        except (OSError, ValueError) as problem:
            raise BadOptions("bot-failed", bot=command[:60], problem=str(problem)[:200]) from problem
        self._started = False

    def choose(self, state: State, seat: int) -> int:
        if not self._started:
            self._started = True
            game = {"game": state.game, "players": state.players, "seat": seat, "options": state.options}
            self._send("new", game)
        events = state.events(seat, since=self._events_sent)
        self._events_sent += len(events)
        self._send("choose", {"view": state.view(seat), "events": events, "legal": state.legal(seat)})
        answer = self._receive()
        try:
            move = state.parse(answer, seat)
            state.text(move, seat)
        except TsukimiError as problem:
            raise BadOptions("bot-failed", bot=self._command[:60], problem=problem) from problem
        return move

    def finish(self, state: State) -> None:
        """Report how the game ended."""
        self._send("end", {"scores": state.scores(), "winners": state.winners()})

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

    def _send(self, message: str, data: object) -> None:
        try:
            assert self._program.stdin is not None
            self._program.stdin.write(f"{message} {json.dumps(data)}\n")
            self._program.stdin.flush()
        except OSError as problem:
            raise BadOptions("bot-failed", bot=self._command[:60], problem=str(problem)) from problem

    def _receive(self) -> str:
        assert self._program.stdout is not None
        line = self._program.stdout.readline(2000)
        if not line:
            raise BadOptions("bot-failed", bot=self._command[:60], problem="no answer")
        return line.rstrip("\r\n")


@contextmanager
def programs() -> Iterator[Callable[[str], ExternalBot]]:
    """Starts programs, and stops them at the end."""
    started: list[ExternalBot] = []

    def start(command: str) -> ExternalBot:
        started.append(ExternalBot(command))
        return started[-1]

    try:
        yield start
    finally:
        for program in started:
            program.close()
