"""Puzzles in the terminal: a position on its board, one move, and what it was worth."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from tsukimi.cli.console import Console
from tsukimi.cli.language import say
from tsukimi.cli.play import set_names
from tsukimi.cli.session import Quit, Session
from tsukimi.core.puzzle import Puzzle
from tsukimi.core.spec import Json, Spec
from tsukimi.core.state import State
from tsukimi.terminal import item, line

SHOWN = 4


def play(console: Console, spec: Spec, found: Sequence[Puzzle], lang: str) -> int:
    """One puzzle after another, until the person has had enough."""
    try:
        for puzzle in found:
            PuzzleSession(console, spec, puzzle, lang).solve()
    except (EOFError, Quit):
        console.write("", say("play", "bye", lang))
    return 0


class PuzzleSession(Session):
    def __init__(self, console: Console, spec: Spec, puzzle: Puzzle, lang: str) -> None:
        state = puzzle.state(spec)
        set_names(state, {puzzle.seat}, None)
        super().__init__(console, state, {puzzle.seat}, _nobody, lang)
        self.puzzle = puzzle
        moves = [number for number, (mover, _) in enumerate(state.history) if mover == puzzle.seat]
        self.seen[puzzle.seat] = moves[-1] + 1 if moves else 0

    def solve(self) -> None:
        self._decide(self.puzzle.seat)
        self.console.ask(Text(f" {say('puzzles', 'next', self.lang)} ", "quiet"))

    def _stakes(self, seat: int, moves: Sequence[str]) -> dict[str, list[Json]]:
        """Showing what moves gain would give away half the answer."""
        return {move: [] for move in moves}

    def _play(self, move: str, seat: int) -> bool:
        puzzle, legal = self.puzzle, self.state.legal(seat)
        right = move == puzzle.answer
        best = sorted(legal, key=lambda one: -puzzle.share(legal, one))[:SHOWN]
        shown = best if move in best else [*best[:-1], move]
        verdict = say("puzzles", "right" if right else "wrong", self.lang, move=puzzle.answer)
        self.console.write("", item(" ", Text(verdict, "moon.bold" if right else "danger")))
        self.console.write(item(" ", Text(self.words.why(*puzzle.why))))
        self.console.write(
            "", *(line((f" {puzzle.share(legal, move):>4.0%}", "moon"), f"  {move}") for move in shown), ""
        )
        return True

    def _quit(self) -> None:
        raise Quit


def _nobody(state: State, seat: int) -> int:
    raise AssertionError("a puzzle is one decision")
