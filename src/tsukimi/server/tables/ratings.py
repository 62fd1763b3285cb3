"""Ratings of the people at a table, and how they change when a rated game has ended."""

from __future__ import annotations

from tsukimi.server.common import api
from tsukimi.store import Conflict, Store, Unavailable
from tsukimi.table.table import Table

ATTEMPTS = 10


async def ratings_of(store: Store, table: Table) -> list[float | None]:
    """As they are shown, seat by seat."""
    people = [seat.person for seat in table.seats if seat.person]
    known = await store.ratings(table.game, people) if people else {}
    return [api.displayed_rating(known[seat.person]) if seat.person in known else None for seat in table.seats]


async def rate(store: Store, table: Table) -> list[float | None] | None:
    """New ratings after a game among people; whoever resigned comes last. The changes by seat, None if this table was
    rated before."""
    from tsukimi.server.accounts.rating import new_ratings

    people = [seat.person for seat in table.seats if seat.person]
    for _ in range(ATTEMPTS):
        before = await store.ratings(table.game, people)
        after = new_ratings(table, before)
        try:
            first = await store.rate(table.id, table.game, after, before)
        except Conflict:  # another game of one of them ended at the same moment
            continue
        if not first:
            return None
        old = {person: api.displayed_rating(rating) for person, rating in before.items()}
        new = {
            person: round(api.displayed_rating(rating) - old.get(person, 0.0), 1) for person, rating in after.items()
        }
        return [new.get(seat.person) for seat in table.seats]
    raise Unavailable
