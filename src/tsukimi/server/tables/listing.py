"""A table in lists: the summary that the store keeps beside its log, and what the lobby and a history show of it."""

from __future__ import annotations

import msgspec

from tsukimi.server import messages
from tsukimi.store import Summary
from tsukimi.table.table import Table


class Listing(msgspec.Struct, omit_defaults=True):
    """What lists show of a table besides the columns of its summary."""

    options: dict[str, str]
    names: list[str | None]
    clock: str
    asked: list[int] = []
    spectators: bool = True
    ended: int | None = None
    scores: list[int] | None = None
    winners: list[int] | None = None


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Listing).decode


def summarize(table: Table) -> Summary:
    over = table.status == "over" and table.state is not None
    listing = Listing(
        options=table.options,
        names=[seat.name or None for seat in table.seats],
        clock=table.settings.clock.kind,
        asked=list(table.asked) if table.running and table.settings.clock.kind != "live" else [],
        spectators=table.settings.spectators != "closed",
        ended=table.at if table.ended else None,
        scores=table.state.scores() if over and table.state else None,
        winners=table.winners() if over else None,
    )
    return Summary(
        table=table.id,
        game=table.game,
        players=table.players,
        status=table.status if table.status in ("open", "over", "aborted") else "playing",
        public=table.settings.public,
        created=table.created,
        updated=table.at,
        due=table.wakes(),
        people=[seat.person or None for seat in table.seats],
        listing=_encode(listing),
    )


def listing_of(summary: Summary) -> Listing:
    return _decode(summary.listing)


def listed(summary: Summary, person: str = "") -> messages.Listed:
    """The table as an item of a list that this person sees."""
    listing = listing_of(summary)
    seats = [seat for seat, one in enumerate(summary.people) if person and one == person]
    return messages.Listed(
        id=summary.table,
        game=summary.game,
        players=summary.players,
        options=listing.options,
        status=summary.status,
        names=listing.names,
        clock=listing.clock,
        created=summary.created,
        yours=bool(seats),
        asked=any(seat in listing.asked for seat in seats),
        spectators=listing.spectators,
    )
