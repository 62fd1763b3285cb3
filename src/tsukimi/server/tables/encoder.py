"""A table as it is told: what everybody may know about it, and what each seat knows of the game."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from tsukimi.core import events as game_events
from tsukimi.core.state import State
from tsukimi.server import messages
from tsukimi.table import fair, wishes
from tsukimi.table.table import Table

_encode = msgspec.json.Encoder().encode


def table_info(
    table: Table,
    present: Collection[str] = (),
    spectators: int = 0,
    thinking: Collection[int] = (),
    ratings: Sequence[float | None] = (),
    changes: Sequence[float | None] = (),
) -> messages.TableInfo:
    return messages.TableInfo(
        id=table.id,
        game=table.game,
        players=table.players,
        options=table.options,
        settings=table.settings,
        status=table.status,  # type: ignore[arg-type]
        seats=[_seat(table, seat, present, ratings) for seat in range(table.players)],
        spectators=spectators,
        proposal=_proposal(table),
        fairness=messages.Fairness(
            fair.commitment(table.opened.secret), table.nonces, table.opened.secret if table.ended else None
        ),
        result=_result(table, changes),
        rematch=table.rematch,
        thinking=sorted(thinking),
        local=table.local,
    )


def _seat(table: Table, seat: int, present: Collection[str], ratings: Sequence[float | None]) -> messages.SeatInfo:
    one = table.seats[seat]
    return messages.SeatInfo(
        kind="person" if one.person else "bot" if one.level else "free",
        name=one.name,
        level=one.level or None,  # type: ignore[arg-type]
        online=one.person in present or bool(one.level),
        away=one.away,
        resigned=one.resigned,
        host=bool(one.person) and one.person == table.host,
        ready=one.ready,
        rating=ratings[seat] if seat < len(ratings) else None,
        who=one.handle or None,
    )


def _proposal(table: Table) -> messages.Proposal | None:
    found = table.proposal
    if found is None:
        return None
    votes = [found.votes.get(seat, None if one.here else True) for seat, one in enumerate(table.seats)]
    return messages.Proposal(found.what, found.seat, found.moves, votes)  # type: ignore[arg-type]


def _result(table: Table, changes: Sequence[float | None]) -> messages.Result | None:
    if table.status != "over" or table.state is None:
        return None
    return messages.Result(
        scores=table.state.scores(),
        winners=table.winners(),
        resigned=[seat for seat, one in enumerate(table.seats) if one.resigned],
        ratings=list(changes) or [None] * table.players,
    )


def you(table: Table, person: str, handle: str, name: str, look: int | None) -> messages.You:
    host = bool(person) and person == table.host
    return messages.You(
        name=name,
        who=handle,
        seats=table.seats_of(person),
        host=host,
        look=look,
        muted=handle in table.muted,
        silenced=sorted(table.muted) if host else [],
    )


NO_PLANS = b'null,"plans":[]'
MOST_WRITTEN = 4096
_written: dict[int, tuple[Any, msgspec.Raw]] = {}


def _written_once(part: Any) -> Any:
    """A part of a view that does not change, as it was written when it was first told."""
    if type(part) is list:
        return [_written_once(one) for one in part]
    found = _written.get(id(part))
    if found is None or found[0] is not part:
        if len(_written) >= MOST_WRITTEN:
            _written.clear()
        found = _written[id(part)] = (part, msgspec.Raw(_encode(part)))
    return found[1]


class Teller:
    """The game as each seat knows it, with the events from number `since` on: `messages.GameInfo`, written out in
    parts. What all see alike is written once for all."""

    def __init__(self, table: Table, state: State, since: int, now: int) -> None:
        self._table, self._state, self._since = table, state, since
        public = game_events.public(state.spec, state.core, state.options)
        for name in state.spec.kept:
            public[name] = _written_once(public[name])
        self._public = b',"view":' + _encode(public)[:-1] + b","
        self._asked = b',"asked":' + _encode(table.asked) + b',"plan":'
        self._clocks = b'","clocks":' + _encode(clocks(table, now)) + b"}"
        alike = state.shared_events(since)
        self._beginning = None if alike is None else self._begun(alike)
        self._endings: dict[str, bytes] = {}

    def game(self, look: int | None) -> tuple[bytes, bytes, bytes]:
        """For a seat (None: a spectator)."""
        state = self._state
        beginning = self._beginning or self._begun(state.read_events(look, self._since))
        return beginning, _encode(game_events.own(state.spec, state.core, look))[1:], self._ending(look)

    def _begun(self, events: list[Any]) -> bytes:
        return b"".join((b'{"since":%d,"events":' % self._since, _encode(events), self._public))

    def _ending(self, look: int | None) -> bytes:
        table = self._table
        undo = "no" if look is None or table.ended else wishes.back(table, look)[0]
        if look is not None and not table.ended:
            if look in table.asked:
                question = messages.Question(table.decisions[look], list(table.choices(look)))
                return self._ended(_encode(question), NO_PLANS, undo)
            if plans := wishes.plans(table, look):
                return self._ended(b"null", _encode(table.plans.get(look)) + b',"plans":' + _encode(plans), undo)
        if undo not in self._endings:
            self._endings[undo] = self._ended(b"null", NO_PLANS, undo)
        return self._endings[undo]

    def _ended(self, question: bytes, plans: bytes, undo: str) -> bytes:
        return b"".join((b',"question":', question, self._asked, plans, b',"undo":"', undo.encode(), self._clocks))


def clocks(table: Table, now: int) -> messages.Clocks:
    running = [seat for seat, since in enumerate(table.clocks.since) if since is not None]
    return messages.Clocks(running if table.clocks.limited else list(table.asked), *table.clocks.shown(now))


def chat_line(number: int, at: int, said: object) -> messages.ChatLine:
    from tsukimi.table.entries import Said

    assert isinstance(said, Said)
    return messages.ChatLine(number, at, said.handle, said.name, said.seat, said.text)
