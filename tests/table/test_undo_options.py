"""How moves can be taken back, seat by seat: what one look back over all moves finds."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from tsukimi.table import commands
from tsukimi.table import events as e
from tsukimi.table.pending import successor
from tsukimi.table.settings import Settings
from tsukimi.table.table import Table

GAMES = ["charuma", "daruma", "dojo", "china-moon"]


def option_of(table: Table, seat: int) -> tuple[str, int, bool]:
    """The rule, for one seat alone."""
    me, others = table.seats[seat].person, [seat.person for seat in table.seats if seat.here]
    own = [number for number, move in enumerate(table.made) if move.seat == seat and move.person]
    if not own or table.status not in ("playing", "round"):
        return "no", 0, False
    since = table.made[own[-1] :]
    shown = any(move.shown for move in since)
    answered = any(move.decided and table.seats[move.seat].person != me for move in since)
    practice = not table.practice and any(move.shown or (move.decided and not move.person) for move in since)
    if table.counts:
        return ("no", 0, False) if shown else ("ask", len(since), practice)
    alone = all(person == me for person in others)
    return ("ask" if (shown or answered) and not alone else "free"), len(since), practice


@pytest.mark.parametrize("rated", [False, True])
@pytest.mark.parametrize("people", [1, 2, 3])
@pytest.mark.parametrize("game", GAMES)
def test_every_seat_sees_only_what_the_rules_show_it(game: str, people: int, rated: bool) -> None:
    chance, table = random.Random(game), Table()
    table, _ = successor(table, commands.open_table("T", "ana", game, 3, {}, Settings(round_pause=False)), 0)
    for seat in range(3):
        name = f"{seat}" if seat else "ana"
        person = seat < people
        sits = commands.sit(table, name, name, name, seat, "") if person else commands.bot(table, "ana", "novice", seat)
        table, _ = successor(table, sits, 0)
    table, _ = successor(table, commands.start(table, "ana"), 0)
    table.settings = replace(table.settings, rated=rated)
    found = set[str]()
    for number in range(60):
        if table.ended:
            break
        seat = chance.choice(table.asked)
        move = chance.choice(list(table.choices(seat)))
        maker: e.Maker = "bot" if table.seats[seat].by_bot else "person"
        events: list[e.Event] = [e.Moved(seat=seat, move=move, maker=maker)]
        if number % 13 == 12 and not rated:
            how, moves = table.undoable(0)
            events = [e.Undone(moves=moves, seat=0)] if how != "no" else events
        if number == 40 and people == 3 and not rated:
            events = [e.Resigned(seat=1)]
        table, _ = successor(table, events, 0)
        options = table.undo_options()
        assert [tuple(option) for option in options] == [option_of(table, seat) for seat in range(3)]
        found |= {option.how for option in options}
    assert len(found) > 1
