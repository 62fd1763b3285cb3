"""The requests that are exactly one command, and that command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tsukimi.server import messages as m
from tsukimi.table import commands
from tsukimi.table.events import Event
from tsukimi.table.table import Table

Decision = Callable[[Table, str, Any, int], list[Event]]

COMMANDS: dict[type[Any], Decision] = {
    m.Play: lambda table, person, r, lag: commands.play(table, person, r.seat, r.decision, r.move, r.id, lag),
    m.Plan: lambda table, person, r, lag: commands.plan(table, person, r.seat, r.move, r.id),
    m.Undo: lambda table, person, r, lag: commands.undo(table, person, r.seat, r.id),
    m.Vote: lambda table, person, r, lag: commands.vote(table, person, r.yes, r.id),
    m.Abort: lambda table, person, r, lag: commands.abort(table, person, r.id),
    m.Resign: lambda table, person, r, lag: commands.resign(table, person, r.id),
    m.GiveNonce: lambda table, person, r, lag: commands.give_nonce(table, person, r.seat, r.nonce, r.id),
    m.Stand: lambda table, person, r, lag: commands.stand(table, person, r.id),
    m.Kick: lambda table, person, r, lag: commands.kick(table, person, r.seat, r.id),
    m.Start: lambda table, person, r, lag: commands.start(table, person, r.id),
    m.Pause: lambda table, person, r, lag: commands.pause(table, person, r.on, r.id),
    m.Ready: lambda table, person, r, lag: commands.ready(table, person, r.seat, r.id),
    m.Time: lambda table, person, r, lag: commands.more_time(table, person, r.seat, r.id),
    m.Mute: lambda table, person, r, lag: commands.mute(table, person, r.who, r.on, r.id),
}


def decide(request: Any, table: Table, person: str, lag: int) -> list[Event]:
    """The events for a request of a person whose network lag is that many milliseconds."""
    return COMMANDS[type(request)](table, person, request, lag)
