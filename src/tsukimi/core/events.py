"""What observers may know of a position and of a history: views, choices, events. Used by `State` and by the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from tsukimi.core.game import Game
from tsukimi.core.spec import CHANCE, SPECTATOR, UNDO, History, Json, Position, Spec


def public(spec: Spec, core: Game, options: Mapping[str, str]) -> Json:
    """The part of a view that is the same for everyone."""
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
    """The part of a view that depends on the observer: a seat, or None for a spectator."""
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


def stakes(spec: Spec, core: Game, seat: int) -> dict[str, list[Json]]:
    """What is at stake for a seat in each of its legal moves, by the move's text."""
    return {text: spec.stakes(core, seat, move) for text, move in choices(spec, core, seat).items()}


def walk(start: Game, history: Iterable[tuple[int, int]]) -> Iterator[tuple[Position, int, int, Position]]:
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
    """A line of play without its last moves and the chance that followed them."""
    made = [i for i, (mover, _) in enumerate(line) if mover >= 0]
    return line[: made[-moves]]


class EventLog:
    """The events of a game as every observer saw them; what everyone saw alike is built and stored once.

    `store` determines the form in which an event is stored: as it is, or encoded.
    """

    __slots__ = ("_last_secret", "_observers", "_seen", "_spec", "_store")

    def __init__(self, spec: Spec, players: int, store: Callable[[Json], Any] = lambda event: event) -> None:
        self._spec, self._observers, self._store = spec, (*range(players), SPECTATOR), store
        self._seen: list[Any] = []  # what everyone saw alike, or a tuple of what each saw, the spectator last
        self._last_secret = -1  # the number of the last event that not everyone saw alike

    def __len__(self) -> int:
        return len(self._seen)

    def copy(self) -> EventLog:
        twin = EventLog.__new__(EventLog)
        twin._spec, twin._observers, twin._store = self._spec, self._observers, self._store
        twin._seen, twin._last_secret = self._seen.copy(), self._last_secret
        return twin

    def add(self, before: Position, mover: int, move: int, after: Position) -> None:
        """What has just happened; `mover` may be CHANCE or UNDO."""
        if mover == UNDO:
            self._seen.append(self._stored({"type": "undo", "moves": move}))
        elif self._spec.open_event(before, mover, move):
            self._seen.append(self._stored(self._spec.event(before, mover, move, after, SPECTATOR)))
        else:
            self._last_secret = len(self._seen)
            event = self._spec.event
            self._seen.append(
                tuple([self._stored(event(before, mover, move, after, observer)) for observer in self._observers])
            )

    def _stored(self, event: Json) -> Any:
        return self._store({"index": len(self._seen), **event})

    def seen_by(self, observer: int, since: int = 0) -> list[Any]:
        """The events from number `since` on, as a seat (or SPECTATOR) saw them; read-only."""
        seen = self._seen[since:]
        return (
            [event[observer] if type(event) is tuple else event for event in seen]
            if since <= self._last_secret
            else seen
        )

    def seen_by_all(self, since: int) -> list[Any] | None:
        """The events from number `since` on if everyone saw them alike; read-only."""
        return self._seen[since:] if self._last_secret < since else None


def step(core: Game, mover: int, move: int) -> None:
    if mover == CHANCE:
        core.apply(move)
    else:
        core.apply(move, mover)
