"""A recorded game to step through: its events, and the table after each, as one seat or all seats know it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import RenderableType
from rich.rule import Rule
from rich.text import Text

from tsukimi.cli.console import Console
from tsukimi.cli.language import say
from tsukimi.cli.result import NOBODY, result
from tsukimi.core.spec import CHANCE, UNDO
from tsukimi.core.state import State
from tsukimi.core.words import title
from tsukimi.terminal import NO_BREAK, Board, board_class, item, line

UNKNOWN = (None, "?")


class Viewer:
    """`seat` None: everything that all seats know together."""

    def __init__(self, state: State, seat: int | None, lang: str, colour: bool = False) -> None:
        self.state, self.seat, self.lang = state, seat, lang
        names = [state.names.get(other, f"p{other + 1}") for other in range(state.players)]
        self.board: Board = board_class(state.spec)(state.game, lang, names, colour)
        self.events = self._events()
        self._views: dict[int, dict[str, Any]] = {}
        self._states, self._reached = self._replayed(), -1

    def players(self) -> RenderableType:
        """Who plays, with which options."""
        labels = [self.board.label(NOBODY, seat) for seat in range(len(self.board.names))]
        options = [f"{name} {value}".replace(" ", NO_BREAK) for name, value in self.state.options.items()]
        return Text("  ").join([*labels, *(Text(f" {option}", "quiet") for option in options)])

    def view(self, events: int) -> dict[str, Any]:
        """The view after that many events."""
        if events not in self._views:
            if events <= self._reached:
                self._states, self._reached = self._replayed(), -1
            while self._reached < events:
                state = next(self._states)
                self._reached += 1
            self._views[events] = self._view(state)
        return self._views[events]

    def step_through(self, console: Console) -> int:
        """Enter: next; b: back; a number: go there; q: quit."""
        at, last = 0, len(self.events)
        while True:
            self._show(console, at)
            try:
                key = console.ask(Text(f" {say('replay', 'keys', self.lang)} ▸ ", "quiet"))
            except EOFError:
                console.write()
                return 0
            if key == "q" or (not key and at == last):
                return 0
            if key.isascii() and key.isdecimal():
                at = min(last, int(key))
            else:
                at = max(0, at - 1) if key == "b" else min(last, at + 1)

    def _show(self, console: Console, at: int) -> None:
        view = self.view(at)
        count = say("replay", "event", self.lang, index=at, total=len(self.events))
        name = title(self.state.game, self.lang)
        event = self.board.words.event(self.events[at - 1]) if at else say("replay", "start", self.lang)
        console.clear()
        console.write(Rule(line((name, "moon.bold"), (f" {count}", "quiet")), align="left"))
        console.write(self.board.draw(view), "", item((" ● ", "moon"), self.board.sentence(event)), "")
        if view["over"]:
            console.write(result(view, self.board), "")

    def _events(self) -> list[dict[str, Any]]:
        if self.seat is not None:
            return self.state.events(self.seat)
        known = [self.state.events(seat) for seat in (None, *range(self.state.players))]
        return [_merged(list(event)) for event in zip(*known, strict=True)]

    def _replayed(self) -> Iterator[State]:
        """The game before the first event, then after each (a single state that advances)."""
        import tsukimi

        state = self.state
        twin = tsukimi.new(
            state.game, players=state.players, chance="manual", components=state.components, **state.options
        )
        yield twin
        for mover, move in state.history:
            if mover == UNDO:
                twin.undo(move)
            else:
                twin.apply(move, None if mover == CHANCE else mover)
            yield twin

    def _view(self, state: State) -> dict[str, Any]:
        if self.seat is not None:
            return state.view(self.seat)
        return {**_merged([state.view(seat) for seat in (None, *range(state.players))]), "seat": None}


def _merged(known: list[Any]) -> Any:
    """What several observers know, merged: unknown values are filled in from those who know them."""
    first = next((value for value in known if value not in UNKNOWN), known[0])
    if isinstance(first, dict):
        tables = [value for value in known if isinstance(value, dict)]
        keys = dict.fromkeys(key for table in tables for key in table)
        return {key: _merged([table[key] for table in tables if key in table]) for key in keys}
    lists = [
        value for value in known if isinstance(value, list) and isinstance(first, list) and len(value) == len(first)
    ]
    return [_merged(list(items)) for items in zip(*lists, strict=True)] if lists else first
