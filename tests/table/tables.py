"""Builders of tables for the tests: people sit down, bots too, and the test sets the time."""

from __future__ import annotations

import random
from collections.abc import Callable

from msgspec.structs import replace

from tsukimi.table import commands
from tsukimi.table import events as e
from tsukimi.table.pending import successor
from tsukimi.table.settings import Settings
from tsukimi.table.table import Table
from tsukimi.table.transitions import load

SECRET = "5e" * 32  # the chance of every table here: a test that fails, fails again
NAMES = ("ana", "bruno", "chloe", "diego", "eiko")


class Scene:
    """A table with its log and its clock."""

    def __init__(self, game: str, people: int, bots: int = 0, settings: Settings | None = None, **options: str) -> None:
        self.table, self.rows, self.now = Table(), list[tuple[int, bytes]](), 1_000_000
        players = people + bots
        [opened] = commands.open_table("T", "ana", game, players, options, settings or Settings(forced=False))
        self.do([replace(opened, secret=SECRET)])
        for name in NAMES[:people]:
            self.do(commands.sit(self.table, name, f"h-{name}", name.title(), None, name.encode().hex()))
        for _ in range(bots):
            self.do(commands.bot(self.table, "ana", "novice", None))

    def do(self, events: list[e.Event], after: int = 10) -> Scene:
        self.now += after
        self.table, complete = successor(self.table, events, self.now)
        self.rows += [(self.now, e.encode(event)) for event in complete]
        return self

    def start(self) -> Scene:
        return self.do(commands.start(self.table, "ana"))

    def command(self, decide: Callable[..., list[e.Event]], person: str, *words: object, after: int = 10) -> Scene:
        return self.do(decide(self.table, person, *words), after)

    def play(self, move: str | None = None, seat: int | None = None, after: int = 10) -> Scene:
        """The asked seat's move (default: its first legal one), by its person or as a bot's."""
        table = self.table
        mover = table.asked[0] if seat is None else seat
        assert table.state is not None
        text = table.state.legal(mover)[0] if move is None else move
        person = table.seats[mover].person
        if person:
            return self.do(commands.play(table, person, mover, table.decisions[mover], text), after)
        return self.do(commands.bot_move(table, mover, text, "bot"), after)

    def play_on(self, seed: int = 1, moves: int = 10_000) -> Scene:
        chance = random.Random(seed)
        for _ in range(moves):
            if self.table.ended:
                break
            if self.table.status == "round":
                for person in self.table.people():
                    self.command(commands.ready, person, None)
                continue
            seat = chance.choice(self.table.asked)
            assert self.table.state is not None
            self.play(chance.choice(self.table.state.legal(seat)), seat)
        return self

    def reread(self) -> Table:
        """The table as another worker reads it from the log."""
        return load((at, e.decode(data)) for at, data in self.rows)
