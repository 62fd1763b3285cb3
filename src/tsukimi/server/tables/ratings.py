"""Ratings of the people at a table, and how they change when a rated game ends."""

from __future__ import annotations

from tsukimi.server.common import api
from tsukimi.store import RatingChanges, Store
from tsukimi.table import events as e
from tsukimi.table.table import Table


async def ratings_of(store: Store, table: Table) -> list[float | None]:
    """As displayed, by seat."""
    people = [seat.person for seat in table.seats if seat.person]
    known = await store.ratings(table.game, people) if people else {}
    return [api.displayed_rating(known[seat.person]) if seat.person in known else None for seat in table.seats]


async def changes(store: Store, table: Table) -> tuple[RatingChanges, e.Rated]:
    """What the end of a rated game changes: for the store, and as displayed."""
    from tsukimi.server.accounts.rating import new_ratings

    before = await store.ratings(table.game, [seat.person for seat in table.seats if seat.person])
    after = new_ratings(table, before)
    old = {person: api.displayed_rating(rating) for person, rating in before.items()}
    new = {person: api.displayed_rating(rating) for person, rating in after.items()}
    change = {person: round(rating - old.get(person, 0.0), 1) for person, rating in new.items()}
    people = [seat.person for seat in table.seats]
    event = e.Rated(ratings=[new.get(person) for person in people], changes=[change.get(person) for person in people])
    return RatingChanges(table.game, before, after), event
