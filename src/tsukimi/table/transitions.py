"""How each event changes a table. The same log always gives the same table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

import tsukimi
from tsukimi.core.events import EventLog
from tsukimi.core.spec import CHANCE, UNDO, Json
from tsukimi.table import events as e
from tsukimi.table import fair, seating
from tsukimi.table.clocks import Clocks
from tsukimi.table.seating import change_seat
from tsukimi.table.seats import MadeMove, Proposal, Refusal
from tsukimi.table.table import Table

MOST_KEYS = 64  # the last command ids of each person, to recognise a command that is sent again
CHAT_KEPT = 200
_encode = msgspec.json.Encoder().encode


def load(rows: Iterable[tuple[int, e.Event]]) -> Table:
    """The table for a log."""
    table = Table()
    for at, event in rows:
        apply(table, event, at)
    return table


def apply(table: Table, event: e.Event, at: int) -> e.Event:
    """Change a table by one event. Returns the event as the log stores it: with the outcomes of the chance that
    follows it, which are drawn if the event does not name them."""
    complete: e.Event = _CHANGES[type(event)](table, event, at) or event
    table.rows += 1
    if type(event) is not e.Forgotten:  # it happens to the table, not at it: an old game stays old
        table.at = at
    if event.key:
        table.keys[event.by] = (*table.keys.get(event.by, ()), event.key)[-MOST_KEYS:]
    return complete


# ---- the game ------------------------------------------------------------------------------------


def _start(table: Table, event: e.Started, at: int) -> e.Event:
    components = table.opened.components
    table.state = tsukimi.new(
        table.game, players=table.players, chance="manual", components=components, **table.options
    )
    table.ready_by = None
    table.status, table.events = "playing", EventLog(table.state.spec, table.players, _encoded)
    table.dice = fair.source(table.opened.secret, table.id, table.nonces)
    table.clocks, table.decisions = Clocks(table.players, table.settings.clock), [0] * table.players
    chance = _chance(table, event.chance)
    _stepped(table, at, ())
    return replace(event, chance=chance)


def _move(table: Table, event: e.Moved, at: int) -> e.Event:
    state = table.playing
    rounds = state.spec.rounds(state.core)
    move = table.move(event.seat, event.move)
    reveals = state.spec.reveals(state.core, event.seat, move)
    _step(table, event.seat, move)
    chance = _chance(table, event.chance)
    table.clocks.decided(event.seat, at, event.lag)
    seat = table.seats[event.seat]
    if event.maker == "clock":
        change_seat(table, event.seat, timeouts=seat.timeouts + 1)
    elif event.maker == "person" and seat.timeouts:
        change_seat(table, event.seat, timeouts=0)
    person = seat.person if event.maker in ("person", "plan") else ""
    table.made.append(MadeMove(event.seat, person, reveals or bool(chance), event.maker != "forced"))
    if person:
        table.movers |= {event.seat}
    table.plans.pop(event.seat, None)
    table.refusal = None
    if table.proposal is not None and table.proposal.what != "abort":
        table.proposal = None
    _stepped(table, at, (event.seat,))
    if state.spec.rounds(state.core) > rounds > 0 and table.status == "playing":
        _intermission(table, at)
    return replace(event, chance=chance) if chance else event


def _encoded(event: Json) -> msgspec.Raw:
    """Every event is sent several times and never read: it is stored in the form in which it is sent."""
    return msgspec.Raw(_encode(event))


def _chance(table: Table, known: list[str]) -> list[str]:
    """The chance outcomes in the log; beyond the log's end, new dice (never the same again, undo or not)."""
    state, outcomes = table.playing, list(known)
    spec = state.spec
    for text in known:
        _step(table, CHANCE, spec.parse(state.core, CHANCE, text))
    table.drawn += len(known)
    while state.chance:
        outcome = table.prepared(CHANCE)
        if outcome is None:
            outcome = fair.draw(state.core, table.dice, table.drawn)
        outcomes.append(spec.text(state.core, CHANCE, outcome))
        _step(table, CHANCE, outcome)
        table.drawn += 1
    return outcomes


def _step(table: Table, mover: int, move: int) -> None:
    state = table.playing
    before = state.core.copy()
    state.make(mover, move)
    table.events.add(before, mover, move, state.core)


def _intermission(table: Table, at: int) -> None:
    """Not if a decision takes days: no clock would run for someone who does not come to say that they are ready."""
    if not table.settings.round_pause or table.settings.clock.kind == "days":
        return
    waiting = [seat for seat, one in enumerate(table.seats) if one.here and not one.by_bot]
    for seat in waiting:
        change_seat(table, seat, ready=False)
    if waiting:
        table.status = "round"
        table.clocks.run((), at)


def _undo(table: Table, event: e.Undone, at: int) -> None:
    state = table.playing
    before = state.core
    state.undo(event.moves)
    table.events.add(before, UNDO, event.moves, state.core)
    table.practice |= table.makes_practice(event.moves)
    del table.made[len(table.made) - event.moves :]
    for seat in range(table.players):
        table.clocks.forget(seat)
        change_seat(table, seat, ready=True)
    if table.status == "round":
        table.status = "playing"
    table.proposal = None
    _stepped(table, at, range(table.players))


def _stepped(table: Table, at: int, renewed: Collection[int]) -> None:
    """After every step of the game: who has to decide, with which number; whose clock runs; what is still planned.
    The seats in `renewed` get a new decision."""
    state = table.playing
    before, table.asked = [seat for seat in table.asked if seat not in renewed], state.actors
    table.cached_choices = {}
    for seat in table.asked:
        if seat not in before:
            table.decisions[seat] += 1
    for seat in before:
        if seat not in table.asked:
            table.clocks.forget(seat)
    for seat, move in list(table.plans.items()):
        if move not in (table.choices(seat) if seat in table.asked else state.spec.advance(state.core, seat)):
            del table.plans[seat]
    table.step_times.append(at)
    if state.over:
        table.status, table.proposal = "over", None
    table.clocks.run(table.asked if table.status == "playing" else (), at)


def _plan(table: Table, event: e.Planned, at: int) -> None:
    if event.move is None:
        table.plans.pop(event.seat, None)
    else:
        table.plans[event.seat] = event.move


# ---- proposals, absence, time ----------------------------------------------------------------------


def _propose(table: Table, event: e.Proposed, at: int) -> None:
    table.proposal = Proposal(event.what, event.seat, event.moves, {event.seat: True})
    table.refusal = None


def _vote(table: Table, event: e.Voted, at: int) -> None:
    proposal = table.proposal
    if proposal is not None:
        votes = {**proposal.votes, event.seat: True}
        table.proposal = replace(proposal, votes=votes) if event.yes else None
        table.refusal = None if event.yes else Refusal(proposal.what, proposal.seat, event.seat)


def _away(table: Table, event: e.Away, at: int) -> None:
    change_seat(table, event.seat, away=True, gone=event.gone, ready=True)
    if event.gone:  # a proposal might be waiting for this very answer
        table.proposal = None
    _all_ready(table, at)


def _back(table: Table, event: e.Back, at: int) -> None:
    change_seat(table, event.seat, away=False, timeouts=0)


def _pause(table: Table, event: e.Paused, at: int) -> None:
    table.status = "paused" if event.on else "playing"
    if table.proposal is not None and table.proposal.what == "pause":
        table.proposal = None
    if event.on:
        table.paused_at = at
    else:
        table.paused_for += at - table.paused_at
    table.clocks.run(() if event.on else table.asked, at)


def _ready(table: Table, event: e.Ready, at: int) -> None:
    change_seat(table, event.seat, ready=True)
    _all_ready(table, at)


def _all_ready(table: Table, at: int) -> None:
    if table.status == "round" and all(seat.ready for seat in table.seats):
        table.status = "playing"
        table.clocks.run(table.asked, at)


def _give_time(table: Table, event: e.Given, at: int) -> None:
    table.clocks.gift[event.seat] += event.ms


def _resign(table: Table, event: e.Resigned, at: int) -> None:
    change_seat(table, event.seat, resigned=True, lost_by=event.lost_by, ready=True)
    table.proposal = None
    if sum(not seat.resigned for seat in table.seats) == 1:
        table.status = "over"
        table.clocks.run((), at)
    else:
        _all_ready(table, at)


def _abort(table: Table, event: e.Aborted, at: int) -> None:
    table.status, table.proposal = "aborted", None
    if table.state is not None:
        table.clocks.run((), at)


def _rate(table: Table, event: e.Rated, at: int) -> None:
    table.rated = event


# ---- talk ------------------------------------------------------------------------------------------


def _say(table: Table, event: e.Said, at: int) -> None:
    table.chat = (*table.chat, (table.lines, at, event))[-CHAT_KEPT:]
    table.lines += 1


def _mute(table: Table, event: e.Muted, at: int) -> None:
    table.muted = table.muted | {event.handle} if event.on else table.muted - {event.handle}


def _again(table: Table, event: e.Again, at: int) -> None:
    table.rematch = event.table


def _forget(table: Table, event: e.Forgotten, at: int) -> None:
    for seat, one in enumerate(table.seats):
        if one.person == event.person:
            change_seat(table, seat, name="", handle="")
    table.chat = tuple(line for line in table.chat if line[2].by != event.person)


_CHANGES: dict[type[e.Event], Callable[[Table, Any, int], e.Event | None]] = {
    **seating.CHANGES,
    e.Started: _start,
    e.Moved: _move,
    e.Undone: _undo,
    e.Planned: _plan,
    e.Proposed: _propose,
    e.Voted: _vote,
    e.Away: _away,
    e.Back: _back,
    e.Paused: _pause,
    e.Ready: _ready,
    e.Given: _give_time,
    e.Resigned: _resign,
    e.Aborted: _abort,
    e.Rated: _rate,
    e.Said: _say,
    e.Muted: _mute,
    e.Again: _again,
    e.Forgotten: _forget,
}
