"""The strength of an adaptive bot at a table: the one that suits the person who asked for it.

The strength is in the log, as part of the bot's name: nothing changes it during a game.
"""

from __future__ import annotations

from tsukimi.bots.adaptive import LEVEL, Fit, strength_of
from tsukimi.server.accounts import progress
from tsukimi.store import Store
from tsukimi.table.table import Table

NAME = "adaptive"
Fits = dict[str, Fit]
"""By game and number of seats."""


async def fitted(store: Store, person: str, game: str, players: int, level: str) -> str:
    """The name of the bot of this level for a person. If they have not played with that many seats yet, it starts with
    the strength for the nearest number."""
    if level != LEVEL:
        return level
    fits = await progress.read(store, person, NAME, Fits) or {}
    known = {int(seats): fit for key, fit in fits.items() for name, seats in [key.rsplit("/", 1)] if name == game}
    return known[min(known, key=lambda seats: abs(seats - players))].bot if known else Fit().bot


def shown(level: str) -> str:
    """As a menu names it."""
    return level if strength_of(level) is None else LEVEL


def result(table: Table) -> tuple[str, float] | None:
    """The person whose strength a game shows, and their share of the win: a complete game
    of one person against adaptive bots only."""
    people = [seat for seat, one in enumerate(table.seats) if one.person]
    others = [seat.level for seat in table.seats if not seat.person]
    if table.status != "over" or not table.opened.promises_dice or len(people) != 1:
        return None
    if not others or any(strength_of(level) is None for level in others):
        return None
    seat = table.seats[people[0]]
    if (seat.gone or seat.away) and not seat.resigned:  # a bot has taken over
        return None
    winners = table.winners()
    return seat.person, 1 / len(winners) if people[0] in winners else 0.0


async def learn(store: Store, table: Table) -> None:
    """Adjust the bots of the next game."""
    found = result(table)
    if found is None:
        return
    person, share = found
    key = f"{table.game}/{table.players}"
    before = Fit(float(strength_of(next(seat.level for seat in table.seats if not seat.person)) or 0))

    def after(fits: Fits | None) -> Fits:
        known = fits or {}
        return {**known, key: known.get(key, before).after(share)}

    await progress.change(store, person, NAME, Fits, after)
