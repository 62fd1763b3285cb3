"""Tables in lists: the summary that the store keeps with a log, and what the lobby and a person's history show."""

from __future__ import annotations

import time

import msgspec

from tsukimi.server import messages
from tsukimi.server.common import api
from tsukimi.server.tables.clock import clock
from tsukimi.store import QUARANTINED, Person, Store, Summary
from tsukimi.table.table import Table

MATCHING = "matching"  # the status of a quick match that has not started: it is not an open table
PAGE = 20
OF_PERSON, OF_ADDRESS = 4, 20  # tables in the lobby that one person, or one address, has opened
ATTENDED_FOR = 30_000  # ms for which a table counts as attended; `expiry` records it more often
PUBLIC_FOR = 1.0  # seconds for which the public lists are cached


class Listing(msgspec.Struct, omit_defaults=True):
    """What lists show of a table in addition to the columns of its summary."""

    options: dict[str, str]
    names: list[str | None]
    clock: str
    asked: list[int] = []
    spectators: bool = True
    ended: int | None = None
    scores: list[int] | None = None
    winners: list[int] | None = None
    rated: bool = False
    practice: bool = False


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Listing).decode


def summarize(table: Table) -> Summary:
    over = table.status == "over" and table.state is not None
    listing = Listing(
        options=table.options,
        names=[seat.name if seat.taken else None for seat in table.seats],
        clock=table.settings.clock.kind,
        asked=list(table.asked) if table.running and table.settings.clock.kind != "live" else [],
        spectators=table.settings.spectators != "closed",
        ended=table.at if table.ended else None,
        scores=table.state.scores() if over and table.state else None,
        winners=table.winners() if over else None,
        rated=table.settings.rated,
        practice=table.practice,
    )
    return Summary(
        table=table.id,
        game=table.game,
        players=table.players,
        status=_status(table),
        public=table.settings.public,
        created=table.created,
        updated=table.at,
        due=table.due(),
        people=[seat.person or None for seat in table.seats],
        listing=_encode(listing),
    )


def _status(table: Table) -> str:
    if table.status == "open" and table.opened.match:
        return MATCHING
    return table.status if table.status in ("open", "over", "aborted") else "playing"


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
        status={QUARANTINED: "aborted", MATCHING: "open"}.get(summary.status, summary.status),
        names=listing.names,
        clock=listing.clock,
        created=summary.created,
        yours=bool(seats),
        asked=any(seat in listing.asked for seat in seats),
        spectators=listing.spectators,
        rated=listing.rated,
        practice=listing.practice,
    )


class Lists:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._public: tuple[float, list[Summary], list[Summary]] = (0.0, [], [])
        """Cached for everyone, briefly: when it was read, waiting tables, tables in play."""

    async def lobby(self, person: Person | None, online: int) -> messages.Lobby:
        now = time.monotonic()
        if now - self._public[0] > PUBLIC_FOR:
            attended = clock() - ATTENDED_FOR
            waiting = await self._store.lobby_tables("open", attended, 100, OF_PERSON, OF_ADDRESS)
            playing = await self._store.lobby_tables("playing", attended, 30, OF_PERSON, OF_ADDRESS)
            self._public = (now, waiting, playing)
        _, waiting, playing = self._public
        mine = await self._store.tables_of(person.id, running=True, limit=30) if person else []
        id = person.id if person else ""
        return messages.Lobby(
            open=[listed(summary, id) for summary in waiting],
            running=[item for summary in playing if (item := listed(summary, id)).spectators],
            yours=[listed(summary, id) for summary in mine if summary.status != MATCHING],
            online=online,
        )

    async def games_of(self, person: Person, page: int) -> tuple[list[api.PlayedGame], bool]:
        """A page of a person's games, and whether there are more."""
        summaries = await self._store.tables_of(person.id, None, PAGE + 1, PAGE * page)
        return [_played(summary, person.id) for summary in summaries[:PAGE]], len(summaries) > PAGE


def _played(summary: Summary, person: str) -> api.PlayedGame:
    item, listing = listed(summary, person), listing_of(summary)
    return api.PlayedGame(
        **{name: getattr(item, name) for name in item.__struct_fields__},
        ended=listing.ended,
        scores=listing.scores,
        winners=listing.winners,
        seat=summary.people.index(person) if person in summary.people else 0,
    )
