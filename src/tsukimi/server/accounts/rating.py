"""Ratings after a game between people (bots are not rated)."""

from __future__ import annotations

from collections.abc import Mapping

from tsukimi.ratings import Ratings
from tsukimi.store import Rating
from tsukimi.table.table import Table


def new_ratings(table: Table, before: Mapping[str, Rating]) -> dict[str, Rating]:
    """Everyone's rating after the game. Winners rank first, then by score; anyone who resigned ranks last."""
    seats = [seat for seat, one in enumerate(table.seats) if one.person]
    ratings = Ratings({person: (known.mu, known.sigma) for person, known in before.items()})
    people = [table.seats[seat].person for seat in seats]
    ratings.record(people, [_rank(table, seat) for seat in seats])
    after = ratings.table()
    games = {person: before[person].games if person in before else 0 for person in people}
    return {person: Rating(*after[person], games[person] + 1) for person in people}


def _rank(table: Table, seat: int) -> float:
    assert table.state is not None
    if table.seats[seat].resigned:
        return 1000.0
    if seat in table.winners():
        return 0.0
    scores = table.state.scores()
    return 1.0 + sum(score > scores[seat] for score in scores)
