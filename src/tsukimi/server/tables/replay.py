"""The steps of a finished game, as a seat saw them or with everything revealed."""

from __future__ import annotations

from collections.abc import Container
from typing import Any, Literal

import msgspec

import tsukimi
from tsukimi.core.events import walk
from tsukimi.core.spec import SPECTATOR, UNDO
from tsukimi.server.common import api
from tsukimi.server.tables.encoder import ViewEncoder, encode, table_info
from tsukimi.table.errors import TableError
from tsukimi.table.table import Table

Observer = int | Literal["open"] | None
"""A seat, everything, or what a spectator saw."""
MAX_BYTES = 192 * 1024  # of steps in one response: an unread one stays in memory for a while


def finished(table: Table) -> Table:
    """The table, if its game has ended."""
    if not table.ended or table.state is None:
        raise TableError("table-not-ended", status=403)
    return table


def replay(table: Table, observer: Observer, start: int, count: int) -> api.Replay:
    """`count` steps from number `start` on, or as many as fit into one response. The table is committed, so this may run
    in a separate thread."""
    if isinstance(observer, int) and observer >= table.players:
        raise TableError("table-no-seat", status=404, seat=observer)
    return api.Replay(
        total=len(table.step_ends),
        game=table.game,
        names=[seat.name for seat in table.seats],
        seats=table_info(table).seats,
        steps=_steps(table, observer, start, count),
    )


def views_before(table: Table, events: Container[int]) -> dict[int, msgspec.Raw]:
    """What the seats that made these events of a game saw when they decided."""
    state = table.playing
    return {
        number: ViewEncoder(state, before).view(mover)
        for number, (before, mover, _, _) in enumerate(walk(state.fresh(), state.history))
        if number in events
    }


def _steps(table: Table, observer: Observer, start: int, count: int) -> list[Any]:
    """Replay the game up to each requested step."""
    state = table.playing
    viewpoint = None if observer == "open" else observer
    events = table.events.seen_by(SPECTATOR if viewpoint is None else viewpoint)
    fresh = tsukimi.new(
        state.game, players=state.players, chance="manual", components=state.components, **state.options
    )
    history, done, steps, size = state.history, 0, list[Any](), 0
    for number, until in enumerate(table.step_ends[: start + count]):
        for mover, move in history[done:until]:
            if mover == UNDO:
                fresh.undo(move)
            else:
                fresh.make(mover, move)
        if number >= start:
            first = history[done][0] if number and until > done else -1
            encoder = ViewEncoder(fresh, fresh.core)
            step = api.Step(
                at=table.step_times[number],
                events=events[done:until],
                view=encoder.view(viewpoint),
                views=[encoder.view(seat) for seat in range(state.players)] if observer == "open" else None,
                mover=first if first >= 0 else None,
            )
            steps.append(msgspec.Raw(encode(step)))
            size += len(steps[-1])
            if size > MAX_BYTES:
                break
        done = until
    return steps
