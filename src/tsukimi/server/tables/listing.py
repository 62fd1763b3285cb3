"""A table in lists: what the store keeps beside its log, and what the lobby and a person's history show of it."""

from __future__ import annotations

import msgspec

from tsukimi.server import messages
from tsukimi.store import Facts
from tsukimi.table.table import Table

_encode = msgspec.json.Encoder().encode


class Summary(msgspec.Struct, omit_defaults=True):
    """What lists show of a table, kept with its facts."""

    options: dict[str, str]
    names: list[str | None]
    clock: str
    asked: list[int] = []
    spectators: bool = True
    ended: int | None = None
    scores: list[int] | None = None
    winners: list[int] | None = None


def facts(table: Table) -> Facts:
    over = table.status == "over" and table.state is not None
    summary = Summary(
        options=table.options,
        names=[seat.name or None for seat in table.seats],
        clock=table.settings.clock.kind,
        asked=list(table.asked) if table.running and table.settings.clock.kind != "live" else [],
        spectators=table.settings.spectators != "closed",
        ended=table.at if table.ended else None,
        scores=table.state.scores() if over and table.state else None,
        winners=table.winners() if over else None,
    )
    return Facts(
        table=table.id,
        game=table.game,
        players=table.players,
        status=table.status if table.status in ("open", "over", "aborted") else "playing",
        public=table.settings.public,
        created=table.created,
        updated=table.at,
        wake=table.wakes(),
        people=[seat.person or None for seat in table.seats],
        summary=_encode(summary),
    )


_summary = msgspec.json.Decoder(Summary).decode


def listed(found: Facts, person: str = "") -> messages.Listed:
    summary = _summary(found.summary)
    seats = [seat for seat, one in enumerate(found.people) if person and one == person]
    return messages.Listed(
        id=found.table,
        game=found.game,
        players=found.players,
        options=summary.options,
        status=found.status,
        names=summary.names,
        clock=summary.clock,
        created=found.created,
        yours=bool(seats),
        asked=any(seat in summary.asked for seat in seats),
        spectators=summary.spectators,
    )


def summary(found: Facts) -> Summary:
    return _summary(found.summary)
