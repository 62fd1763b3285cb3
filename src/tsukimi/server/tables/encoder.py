"""A table as viewers see it: its public state, and what each viewpoint knows of the game.

A viewpoint is a seat, or None for a spectator.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from tsukimi.core import events as observed
from tsukimi.core.game import Game
from tsukimi.core.sheet import places
from tsukimi.core.spec import SPECTATOR
from tsukimi.core.state import State
from tsukimi.core.zones import zones
from tsukimi.server import messages
from tsukimi.server.tables.fitting import shown
from tsukimi.table import fair
from tsukimi.table.events import Said
from tsukimi.table.seats import NO_UNDO
from tsukimi.table.table import Table

encode = msgspec.json.Encoder().encode
LOG_BYTES = 32 * 1024  # of events in one message: a long game is not sent whole to everyone who connects
CHAT_BYTES = 16 * 1024  # of chat in a welcome


def table_info(
    table: Table,
    present: Collection[str] = (),
    spectators: int = 0,
    thinking: Collection[int] = (),
    ratings: Sequence[float | None] = (),
) -> messages.TableInfo:
    secret = table.opened.secret
    return messages.TableInfo(
        id=table.id,
        game=table.game,
        players=table.players,
        options=table.options,
        settings=table.settings,
        status=table.status,
        seats=[_seat(table, seat, present, ratings) for seat in range(table.players)],
        spectators=spectators,
        proposal=_proposal(table),
        fairness=messages.Fairness(
            fair.commitment(secret), table.nonces, secret if table.ended else None, table.chance
        ),
        result=_result(table),
        rematch=table.rematch,
        thinking=sorted(thinking),
        local=table.local,
        match=table.opened.match,
        ready_by=table.ready_by,
        practice=table.practice,
        counts=table.counts,
        refusal=None if table.refusal is None else messages.Refusal(*msgspec.structs.astuple(table.refusal)),
        lesson=table.opened.lesson,
        own_components=table.opened.components is not None,
    )


def _seat(table: Table, seat: int, present: Collection[str], ratings: Sequence[float | None]) -> messages.SeatInfo:
    one = table.seats[seat]
    return messages.SeatInfo(
        kind="person" if one.person else "bot" if one.level else "free",
        name=one.name,
        level=shown(one.level) or None,
        online=one.person in present or bool(one.level),
        away=one.away,
        resigned=one.resigned,
        host=bool(one.person) and one.person == table.host,
        ready=one.ready,
        rating=ratings[seat] if seat < len(ratings) else None,
        who=one.handle or None,
        lost_by=one.lost_by,  # type: ignore[arg-type]
        replaced=one.gone,
    )


def _proposal(table: Table) -> messages.Proposal | None:
    found = table.proposal
    if found is None:
        return None
    votes = [found.votes.get(seat, None if one.here else True) for seat, one in enumerate(table.seats)]
    return messages.Proposal(found.what, found.seat, found.moves, votes)


def _result(table: Table) -> messages.Result | None:
    if table.status != "over" or table.state is None:
        return None
    scores, winners, sheet = table.state.scores(), table.winners(), table.state.score_sheet()
    resigned = [seat for seat, one in enumerate(table.seats) if one.resigned]
    return messages.Result(
        scores=scores,
        winners=winners,
        resigned=resigned,
        ratings=list(table.rated.changes) if table.rated else [None] * table.players,
        places=places(scores, winners, sheet, resigned),
        sheet=msgspec.convert(sheet, list[messages.SheetRow]),
    )


def you(table: Table, person: str, handle: str, name: str, viewpoint: int | None) -> messages.You:
    host = bool(person) and person == table.host
    return messages.You(
        name=name,
        who=handle,
        seats=table.seats_of(person),
        host=host,
        look=viewpoint,
        muted=handle in table.muted,
        silenced=sorted(table.muted) if host else [],
    )


def chat_line(number: int, at: int, said: Said) -> messages.ChatLine:
    return messages.ChatLine(number, at, said.handle, said.name, said.seat, said.text)


def older_events(table: Table, viewpoint: int | None, since: int, before: int) -> tuple[int, list[Any]]:
    """The last of the events from number `since` to `before` that fit into one message, and the first one's number."""
    seen = [] if table.state is None else seen_by(table, viewpoint, since)[: max(0, before - since)]
    fitting = last_within(seen, LOG_BYTES)
    return since + len(seen) - len(fitting), fitting


def seen_by(table: Table, viewpoint: int | None, since: int) -> list[Any]:
    return table.events.seen_by(SPECTATOR if viewpoint is None else viewpoint, since)


def last_within(encoded: list[Any], most: int) -> list[Any]:
    """As many of the last of these encoded parts as fit into that many bytes."""
    for number in range(len(encoded) - 1, -1, -1):
        most -= len(encoded[number]) + 1
        if most < 0:
            return encoded[number + 1 :]
    return encoded


class ViewEncoder:
    """A position as each viewpoint sees it; what everyone sees alike is built and encoded once."""

    def __init__(self, state: State, core: Game) -> None:
        self._spec, self._core = state.spec, core
        self._public = observed.public(state.spec, core, state.options)
        self._encoded = encode(self._public)[:-1] + b","

    def view(self, viewpoint: int | None) -> msgspec.Raw:
        own = observed.own(self._spec, self._core, viewpoint)
        if not self._spec.web_board:  # what the generic board of the web client draws
            own["zones"] = zones({**self._public, **own})
        return msgspec.Raw(self._encoded + encode(own)[1:])


class GameEncoder:
    """The game for each viewpoint, with the events from number `since` on; what everyone sees alike is encoded once."""

    def __init__(self, table: Table, since: int, now: int) -> None:
        state = table.playing
        self._table, self._since = table, since
        self._view = ViewEncoder(state, state.core)
        self._clocks: Any = _raw(_clocks(table, now))
        common = table.events.seen_by_all(since)
        self._events: Any = None if common is None else _raw(common)
        self._undoable, self._lesson = table.undo_options(), table.lesson_reached

    def game(
        self,
        viewpoint: int | None,
        moments: list[messages.Moment] = [],  # noqa: B006  # never changed
        automatic: list[messages.Automatic] = [],  # noqa: B006
    ) -> messages.GameInfo:
        """Fields that already hold encoded JSON are included as they are."""
        table = self._table
        question, plan, plans, undo = None, None, list[str](), NO_UNDO
        if viewpoint is not None and not table.ended:
            undo = self._undoable[viewpoint]
            if viewpoint in table.asked:
                question = messages.Question(table.decisions[viewpoint], list(table.choices(viewpoint)))
            else:
                plan, plans = table.plans.get(viewpoint), table.plannable(viewpoint)
        return messages.GameInfo(
            since=self._since,
            events=self._events or _raw(seen_by(table, viewpoint, self._since)),
            view=self._view.view(viewpoint),
            question=question,
            asked=table.asked,  # type: ignore[arg-type]
            plan=plan,
            plans=plans,
            undo=undo.how,
            undo_practice=undo.practice,
            clocks=self._clocks,
            moments=moments,
            automatic=automatic,
            lesson=self._lesson,
        )


def _raw(part: Any) -> Any:
    return msgspec.Raw(encode(part))


def _clocks(table: Table, now: int) -> messages.Clocks:
    running = [seat for seat, since in enumerate(table.clocks.since) if since is not None]
    return messages.Clocks(running if table.clocks.limited else list(table.asked), *table.clocks.shown(now))
