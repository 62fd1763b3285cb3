"""A position and a history, told to everybody who may know of them: what `State` gives to users, for the server too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tsukimi.core.game import Game
from tsukimi.core.spec import CHANCE, SPECTATOR, UNDO, History, Json, Position, Spec


def public(spec: Spec, core: Game, options: Mapping[str, str]) -> Json:
    """The part of a view that is the same for all."""
    over = core.over
    shown: Json = {
        "game": spec.name,
        "players": core.players,
        "options": dict(options),
        "over": over,
        "actors": list(core.actors),
        "winners": core.winners() if over else [],
    }
    if over:
        shown["scores"] = core.scores()
    shown.update(spec.public(core))
    return shown


def own(spec: Spec, core: Game, seat: int | None) -> Json:
    """The part of a view that depends on who looks: a seat that there is, or None for a spectator."""
    shown: Json = {"seat": seat}
    shown.update(spec.own(core, SPECTATOR if seat is None else seat))
    return shown


def choices(spec: Spec, core: Game, seat: int) -> dict[str, int]:
    """Every legal move of a seat, in order: its text and its number."""
    found: dict[str, int] = {}
    if seat in core.actors:
        text = spec.text
        for move in core.actions(seat):
            found[text(core, seat, move)] = move
    return found


def walk(start: Game, history: History) -> Iterator[tuple[Position, int, int, Position]]:
    """Every event of a history with the position before and after it (both are reused: copy what you keep)."""
    core, before, line = start.copy(), start.copy(), list[tuple[int, int]]()
    for mover, move in history:
        before.assign(core)
        if mover == UNDO:
            line = taken_back(line, move)
            core.assign(start)
            for earlier in line:
                step(core, *earlier)
        else:
            line.append((mover, move))
            step(core, mover, move)
        yield before, mover, move, core


def taken_back(line: History, moves: int) -> History:
    """A line of play without its last moves and the chance after them."""
    made = [i for i, (mover, _) in enumerate(line) if mover >= 0]
    return line[: made[-moves]]


class EventLog:
    """The events of a growing history as every observer sees them; what all see alike is built once."""

    def __init__(self, spec: Spec, start: Game, history: History) -> None:
        self._spec, self._history = spec, history
        self._walk = walk(start, history)  # the history goes on growing while it is walked
        self._events: list[Any] = []  # what all saw alike, or a list of what each saw, the spectator last
        self._observers = [*range(start.players), SPECTATOR]
        self._secret = -1  # the number of the last event that not all saw alike

    def events(self, observer: int, since: int) -> list[Json]:
        self._catch_up()
        told = self._events[since:]
        return [one[observer] if type(one) is list else one for one in told] if since <= self._secret else told

    def shared(self, since: int) -> list[Json] | None:
        self._catch_up()
        return self._events[since:] if self._secret < since else None

    def _catch_up(self) -> None:
        while len(self._events) < len(self._history):
            before, mover, move, after = next(self._walk)
            self._events.append(self._seen(before, mover, move, after))

    def _seen(self, before: Game, mover: int, move: int, after: Game) -> Any:
        number, spec = len(self._events), self._spec
        if mover == UNDO:
            return {"index": number, "type": "undo", "moves": move}
        if spec.open_event(before, mover, move):
            return {"index": number, **spec.event(before, mover, move, after, SPECTATOR)}
        self._secret = number
        return [{"index": number, **spec.event(before, mover, move, after, one)} for one in self._observers]


def step(core: Game, mover: int, move: int) -> None:
    if mover == CHANCE:
        core.apply(move)
    else:
        core.apply(move, mover)
