"""The positions between the moves that are committed together, and which of these moves nobody was asked for."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

import tsukimi
from tsukimi.server.tables.moments import Moments
from tsukimi.table import commands
from tsukimi.table import events as e
from tsukimi.table.pending import successor
from tsukimi.table.settings import Settings
from tsukimi.table.table import Table

PEOPLE = ("ana", "bruno", "chloe")
Commit = tuple[Table, Table, list[e.Event]]


def whole_game(game: str, seed: int, settings: Settings) -> Iterator[Commit]:
    """Every commit of a game that three people play at random."""
    chance, table = random.Random(seed), Table()
    opening = commands.open_table("T", "ana", game, 3, {}, settings)
    table, _ = successor(table, opening, 0)
    for name in PEOPLE:
        table, _ = successor(table, commands.sit(table, name, name, name, None, ""), 0)
    table, _ = successor(table, commands.start(table, "ana"), 0)
    while not table.ended:
        seat = next(iter(table.asked))
        move = chance.choice(list(table.choices(seat)))
        before = table
        table, events = successor(before, [e.Moved(seat=seat, move=move)], 0)
        yield before, table, events


def view_after(table: Table, events: int, seat: int | None) -> dict[str, Any]:
    state = table.playing
    fresh = tsukimi.new(state.game, players=3, chance="manual", **state.options)
    for mover, move in state.history[:events]:
        fresh.make(mover, move)
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(fresh.view(seat)))
    return found


@pytest.mark.parametrize("game", ["charuma", "daruma", "dojo", "china-moon"])
def test_every_move_that_follows_another_in_one_commit_has_the_position_before_it(game: str) -> None:
    checked = 0
    for before, after, events in whole_game(game, 3, Settings(round_pause=False)):
        moves = sum(isinstance(event, e.Moved) for event in events)
        for seat in (0, 1, 2, None):
            moments = Moments(before, after, events).between(seat)
            assert len(moments) >= moves - 1
            assert all(len(before.events) < moment.events < len(after.events) for moment in moments)
            for one in moments if checked < 40 else ():
                assert msgspec.json.decode(one.view) == view_after(after, one.events, seat)
                checked += 1
    assert checked or game == "dojo"


def test_a_round_that_ends_is_seen_before_the_next_is_dealt() -> None:
    ends = 0
    for before, after, events in whole_game("charuma", 5, Settings(forced=False, round_pause=False)):
        moments = Moments(before, after, events).between(None)
        if before.playing.view(None)["round"] == after.playing.view(None)["round"]:
            assert moments == []
            continue
        (end,) = moments
        view = msgspec.json.decode(end.view)
        assert end.events == len(before.events) + 1
        assert len(view["last_trick"]["plays"]) == 3
        assert all(hand["open"] == [] for hand in view["hands"])
        ends += 1
    assert ends > 1


def test_moves_that_nobody_was_asked_for_are_named() -> None:
    forced = 0
    for before, after, events in whole_game("charuma", 3, Settings(round_pause=False)):
        named = {one.event: one.why for one in Moments(before, after, events).automatic(1)}
        number = len(before.events)
        for event in events:
            assert isinstance(event, e.Moved)
            assert named.get(number) == (None if event.maker == "person" else event.maker)
            forced += event.maker == "forced"
            number += 1 + len(event.chance)
    assert forced


def test_a_plan_is_known_only_to_its_maker() -> None:
    before, after, _ = next(whole_game("daruma", 1, Settings(forced=False)))
    planned = [e.Moved(seat=1, move="roll", maker="plan")]
    moments = Moments(before, after, planned)
    assert [one.why for one in moments.automatic(1)] == ["plan"]
    assert moments.automatic(0) == moments.automatic(None) == []
