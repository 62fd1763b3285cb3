"""A finished or unfinished game as a film: what happened, and the table after each event, as one seat or as all know it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tsukimi.cli import boards
from tsukimi.cli.console import Console
from tsukimi.cli.ending import ending
from tsukimi.cli.language import say
from tsukimi.cli.style import Style, flow, rule, wrap
from tsukimi.cli.words import Words
from tsukimi.core.spec import CHANCE, UNDO
from tsukimi.core.state import State

UNKNOWN = (None, "?")


class Film:
    """`seat` None: all that all seats know together."""

    def __init__(self, state: State, seat: int | None, lang: str) -> None:
        self.state, self.seat, self.lang = state, seat, lang
        self.names = [state.names.get(other, f"p{other + 1}") for other in range(state.players)]
        self.events = self._events()
        self._frames: dict[int, dict[str, Any]] = {}
        self._walked, self._walk = -1, self._states()

    def words(self, style: Style) -> Words:
        return Words(self.state.game, self.lang, self.names, lambda seat, name: style(name, f"p{seat + 1}", bold=True))

    def head(self, style: Style) -> list[str]:
        """Who plays, with which options."""
        names = [
            f"{style(f'p{seat + 1}', 'quiet')} {style(name, f'p{seat + 1}', bold=True)}"
            for seat, name in enumerate(self.names)
        ]
        options = [style(f"{name} {value}", "quiet") for name, value in self.state.options.items()]
        return flow([*names, *options], 78, "   ", " ")

    def frame(self, events: int) -> dict[str, Any]:
        """The view after that many events."""
        if events not in self._frames:
            if events <= self._walked:
                self._walked, self._walk = -1, self._states()
            while self._walked < events:
                state = next(self._walk)
                self._walked += 1
            self._frames[events] = self._view(state)
        return self._frames[events]

    def step_through(self, console: Console) -> int:
        """Enter: on; b: back; a number: there; q: out."""
        at, last = 0, len(self.events)
        while True:
            self._show(console, at)
            try:
                key = console.ask(console.style(f" {say('replay', 'keys', self.lang)} ▸ ", "quiet"))
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
        style, words = console.style, self.words(console.style)
        view, board = self.frame(at), boards.of(self.state.game)
        count = say("replay", "event", self.lang, index=at, total=len(self.events))
        title = f"{style(say('game', self.state.game, self.lang), 'moon', bold=True)} {style(count, 'quiet')}"
        told = words.event(self.events[at - 1]) if at else say("replay", "start", self.lang)
        console.clear()
        console.write([rule(console.columns, style, title), *board.draw(view, style, self.names, self.lang), ""])
        console.write([*wrap(told, console.columns, style(" ● ", "moon")), ""])
        if view["over"]:
            console.write([*ending(view, style, words), ""])

    def _events(self) -> list[dict[str, Any]]:
        if self.seat is not None:
            return self.state.events(self.seat)
        all_told = [self.state.events(seat) for seat in (None, *range(self.state.players))]
        return [_together(list(told)) for told in zip(*all_told, strict=True)]

    def _states(self) -> Iterator[State]:
        """The game before the first event, then after each (it is one state that plays on)."""
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
        return {**_together([state.view(seat) for seat in (None, *range(state.players))]), "seat": None}


def _together(known: list[Any]) -> Any:
    """What several observers know, put together: where one knows nothing, what another knows."""
    first = next((one for one in known if one not in UNKNOWN), known[0])
    if isinstance(first, dict):
        tables = [one for one in known if isinstance(one, dict)]
        keys = dict.fromkeys(key for one in tables for key in one)
        return {key: _together([one[key] for one in tables if key in one]) for key in keys}
    lists = [one for one in known if isinstance(one, list) and isinstance(first, list) and len(one) == len(first)]
    return [_together(list(items)) for items in zip(*lists, strict=True)] if lists else first
