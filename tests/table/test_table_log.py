"""A table is its log: whoever reads it has the table, dice and all."""

from __future__ import annotations

import pytest

import tsukimi
from table.tables import Desk
from tsukimi.core.spec import CHANCE
from tsukimi.table import fair, wishes
from tsukimi.table.errors import TableError
from tsukimi.table.settings import Clock, Settings
from tsukimi.table.table import Table

GAMES = tsukimi.games()


def same(one: Table, other: Table) -> None:
    assert one.rows == other.rows
    assert one.record() == other.record()
    assert one.decisions == other.decisions
    assert one.asked == other.asked
    assert one.status == other.status
    assert one.seats == other.seats
    for name in ("reserve", "since", "used", "gift"):
        assert getattr(one.clocks, name) == getattr(other.clocks, name)
    assert one.made == other.made
    assert one.plans == other.plans


@pytest.mark.parametrize("game", GAMES)
def test_the_same_log_gives_the_same_table_at_every_moment(game: str) -> None:
    desk = Desk(game, 2, 1, Settings(clock=Clock("live", 60, 5))).start()
    for seed in range(12):
        desk.play_on(seed, 3)
        how, _ = wishes.back(desk.table, 0)
        if how == "free":
            desk.wish(wishes.undo, "ana", 0)
        same(desk.table, desk.reread())
    same(desk.play_on(99).table, desk.reread())
    assert desk.table.status == "over"


@pytest.mark.parametrize("game", GAMES)
def test_the_chance_of_a_finished_game_can_be_checked_by_anybody(game: str) -> None:
    desk = Desk(game, 3).start().play_on(5)
    state = tsukimi.replay(desk.table.record(), chance="manual")
    assert fair.check(state) > 3
    assert fair.promised(state) == fair.commitment(desk.table.opened.secret)


def test_other_dice_than_the_promised_ones_are_found_out() -> None:
    record = Desk("daruma", 2).start().play_on(5).table.record()
    lines = record.split("\n")
    lines = [line.replace("verify nonce 1 ", "verify nonce 1 00") for line in lines]
    with pytest.raises(tsukimi.BadRecord, match="does not follow"):
        fair.check(tsukimi.replay("\n".join(lines), chance="manual"))


def test_a_secret_that_was_not_promised_is_found_out() -> None:
    desk = Desk("daruma", 2).start().play_on(5)
    other = fair.new_secret()
    record = desk.table.record().replace(f"verify secret {desk.table.opened.secret}", f"verify secret {other}")
    with pytest.raises(tsukimi.BadRecord, match="commitment"):
        fair.check(tsukimi.replay(record, chance="manual"))


def test_a_game_that_was_aborted_can_be_checked_too() -> None:
    desk = Desk("daruma", 1, 1).start().play_on(5, 6)
    desk.wish(wishes.abort, "ana")
    assert desk.table.status == "aborted"
    assert "\nunfinished\nverify table T\n" in desk.table.record()
    assert fair.check(tsukimi.replay(desk.table.record(), chance="manual")) > 2


def test_a_running_game_tells_no_secret_in_its_record() -> None:
    desk = Desk("daruma", 2).start().play_on(5, 6)
    assert desk.table.opened.secret not in desk.table.record()


def test_dice_do_not_fall_twice_when_a_move_is_taken_back() -> None:
    desk = Desk("daruma", 1, 1).start()
    table = desk.table
    while not (table.made and table.made[-1].shown and table.made[-1].seat == 0):
        desk.play_on(3, 1)
    assert table.state is not None
    fallen = sum(mover == CHANCE for mover, _ in table.state.history)
    desk.wish(wishes.undo, "ana", 0).play_on(3)
    assert sum(mover == CHANCE for mover, _ in table.state.history) > fallen
    assert "undo 1" in table.record()
    assert fair.check(tsukimi.replay(table.record(), chance="manual")) > fallen


def test_a_wish_that_is_sent_again_is_recognised() -> None:
    desk = Desk("china-moon", 3).start()
    table = desk.table
    seat = table.asked[0]
    person = table.seats[seat].person
    assert table.state is not None
    move = table.state.legal(seat)[0]
    desk.do(wishes.play(table, person, None, table.decisions[seat], move, "key-1"))
    assert table.granted(person, "key-1")
    assert not table.granted("diego", "key-1")
    assert desk.reread().granted(person, "key-1")


def test_a_move_for_a_decision_that_is_no_longer_open_is_refused() -> None:
    desk = Desk("china-moon", 3).start()
    table = desk.table
    seat = table.asked[0]
    person, decision = table.seats[seat].person, table.decisions[seat]
    assert table.state is not None
    move = table.state.legal(seat)[0]
    desk.play(move)
    with pytest.raises(TableError, match="no longer open"):
        wishes.play(table, person, None, decision, move)


def test_somebody_else_acting_does_not_close_my_decision() -> None:
    desk = Desk("dojo", 3).start()
    table = desk.table
    while len(table.asked) < 3:
        desk.play("pass" if table.state and "pass" in table.state.legal(table.asked[0]) else None)
    numbers = list(table.decisions)
    assert table.state is not None
    desk.play(None, table.asked[0])
    for seat in table.asked:
        assert table.decisions[seat] == numbers[seat]
        wishes.play(table, table.seats[seat].person, seat, numbers[seat], table.state.legal(seat)[0])


def test_after_an_undo_every_question_has_a_new_number() -> None:
    desk = Desk("china-moon", 1, 2, first="p1").start()
    before = desk.table.decisions[0]
    desk.play(None, 0).wish(wishes.undo, "ana", 0)
    assert desk.table.decisions[0] > before
