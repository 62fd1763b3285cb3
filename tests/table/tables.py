"""Builders of tables for the tests: people sit down, bots too, and time is what the test says."""

from __future__ import annotations

import random
from collections.abc import Callable

from msgspec.structs import replace

from tsukimi.table import entries as log
from tsukimi.table import wishes
from tsukimi.table.settings import Settings
from tsukimi.table.table import Table

SECRET = "5e" * 32  # the chance of every table here: a test that fails, fails again
NAMES = ("ana", "bruno", "chloe", "diego", "eiko")


class Desk:
    """A table with its log and its clock."""

    def __init__(self, game: str, people: int, bots: int = 0, settings: Settings | None = None, **options: str) -> None:
        self.table, self.rows, self.now = Table(), list[tuple[int, bytes]](), 1_000_000
        players = people + bots
        [opened] = wishes.opened("T", "ana", game, players, options, settings or Settings(forced=False))
        self.do([replace(opened, secret=SECRET)])
        for name in NAMES[:people]:
            self.do(wishes.sit(self.table, name, f"h-{name}", name.title(), None, name.encode().hex()))
        for _ in range(bots):
            self.do(wishes.bot(self.table, "ana", "novice", None))

    def do(self, entries: list[log.Entry], after: int = 10) -> Desk:
        self.now += after
        for entry in wishes.granted(self.table, entries, self.now):
            self.rows.append((self.now, log.encode(entry)))
        return self

    def start(self) -> Desk:
        return self.do(wishes.start(self.table, "ana"))

    def wish(self, make: Callable[..., list[log.Entry]], person: str, *words: object, after: int = 10) -> Desk:
        return self.do(make(self.table, person, *words), after)

    def play(self, move: str | None = None, seat: int | None = None, after: int = 10) -> Desk:
        """The asked seat's move (default: its first legal one), by its person or as a bot's."""
        table = self.table
        mover = table.asked[0] if seat is None else seat
        assert table.state is not None
        text = table.state.legal(mover)[0] if move is None else move
        person = table.seats[mover].person
        if person:
            return self.do(wishes.play(table, person, mover, table.decisions[mover], text), after)
        return self.do(wishes.moved(table, mover, text, "bot"), after)

    def play_on(self, seed: int = 1, moves: int = 10_000) -> Desk:
        chance = random.Random(seed)
        for _ in range(moves):
            if self.table.ended:
                break
            if self.table.status == "round":
                for person in self.table.people():
                    self.wish(wishes.ready, person, None)
                continue
            seat = chance.choice(self.table.asked)
            assert self.table.state is not None
            self.play(chance.choice(self.table.state.legal(seat)), seat)
        return self

    def reread(self) -> Table:
        """The table as another worker reads it from the log."""
        return Table((at, log.decode(data)) for at, data in self.rows)
