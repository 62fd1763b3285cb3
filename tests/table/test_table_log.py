"""A table is its log: reading it gives the table, including its dice."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

import tsukimi
from seats import some_players
from table.tables import Scene
from tsukimi.core.spec import CHANCE
from tsukimi.games import spec
from tsukimi.table import commands, fair
from tsukimi.table import events as e
from tsukimi.table.errors import OldRules, TableError
from tsukimi.table.settings import Clock, Settings
from tsukimi.table.table import Table
from tsukimi.table.transitions import apply, load

GAMES = tsukimi.games()
HERE = Path(__file__).parent


class LogLine(msgspec.Struct):
    at: int
    event: msgspec.Raw


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
    scene = Scene(game, some_players(game) - 1, 1, Settings(clock=Clock("live", 60, 5))).start()
    for seed in range(12):
        scene.play_on(seed, 3)
        how, _ = scene.table.undoable(0)
        if how == "free":
            scene.command(commands.undo, "ana", 0)
        same(scene.table, scene.reread())
    same(scene.play_on(99).table, scene.reread())
    assert scene.table.status == "over"


@pytest.mark.parametrize("game", GAMES)
def test_the_setup_every_move_and_every_undo_is_a_step_with_its_time_and_its_chance(game: str) -> None:
    scene = Scene(game, 1, some_players(game) - 1).start()
    for seed in range(12):
        scene.play_on(seed, 1 + seed % 3)
        if scene.table.undoable(0)[0] == "free":
            scene.command(commands.undo, "ana", 0)
    table, times, ends = Table(), list[int](), list[int]()
    for at, row in scene.rows:
        event = e.decode(row)
        apply(table, event, at)
        if isinstance(event, e.Started | e.Moved | e.Undone):
            times.append(at)
            ends.append(table.playing.events_so_far)
    assert any(b'"undone"' in row for _, row in scene.rows)
    assert scene.table.step_times == times
    assert scene.table.step_ends == ends


@pytest.mark.parametrize("game", GAMES)
def test_a_log_says_under_which_version_of_the_rules_it_is_played_and_is_read_under_no_other(game: str) -> None:
    scene = Scene(game, some_players(game)).start().play_on(5)
    (at, first), *others = scene.rows
    opened = e.decode(first)
    assert isinstance(opened, e.Opened)
    assert opened.rules == spec(game).version == 1
    unversioned, newer = replace(opened, rules=0), replace(opened, rules=2)
    rest = [(at, e.decode(data)) for at, data in others]
    same(load([(at, unversioned), *rest]), scene.table)
    with pytest.raises(OldRules, match=r"version 2 .* version 1"):
        load([(at, newer), *rest])


@pytest.mark.parametrize("game", GAMES)
def test_the_chance_of_a_finished_game_can_be_checked_by_anybody(game: str) -> None:
    scene = Scene(game, some_players(game)).start().play_on(5)
    state = tsukimi.replay(scene.table.record(), chance="manual")
    assert fair.check(state) == sum(mover == CHANCE for mover, _ in state.history) > 2
    assert fair.promised(state) == fair.commitment(scene.table.opened.secret)


def test_other_dice_than_the_promised_ones_are_found_out() -> None:
    record = Scene("daruma", 2).start().play_on(5).table.record()
    lines = record.split("\n")
    lines = [line.replace("verify nonce 1 ", "verify nonce 1 00") for line in lines]
    with pytest.raises(tsukimi.BadRecord, match="does not follow"):
        fair.check(tsukimi.replay("\n".join(lines), chance="manual"))


def test_a_secret_that_was_not_promised_is_found_out() -> None:
    scene = Scene("daruma", 2).start().play_on(5)
    other = fair.new_secret()
    record = scene.table.record().replace(f"verify secret {scene.table.opened.secret}", f"verify secret {other}")
    with pytest.raises(tsukimi.BadRecord, match="commitment"):
        fair.check(tsukimi.replay(record, chance="manual"))


def test_a_game_that_was_aborted_can_be_checked_too() -> None:
    scene = Scene("daruma", 1, 1).start().play_on(5, 6)
    scene.command(commands.abort, "ana")
    assert scene.table.status == "aborted"
    assert "\nunfinished\nverify table T\n" in scene.table.record()
    assert fair.check(tsukimi.replay(scene.table.record(), chance="manual")) > 2


def test_the_record_of_a_running_game_reveals_no_secret() -> None:
    scene = Scene("daruma", 2).start().play_on(5, 6)
    assert scene.table.opened.secret not in scene.table.record()


def test_dice_do_not_fall_twice_when_a_move_is_taken_back() -> None:
    scene = Scene("daruma", 1, 1).start()
    while not (scene.table.made and scene.table.made[-1].shown and scene.table.made[-1].seat == 0):
        scene.play_on(3, 1)
    assert scene.table.state is not None
    fallen = sum(mover == CHANCE for mover, _ in scene.table.state.history)
    scene.command(commands.undo, "ana", 0).play_on(3)
    assert sum(mover == CHANCE for mover, _ in scene.table.state.history) > fallen
    assert "undo 1" in scene.table.record()
    assert fair.check(tsukimi.replay(scene.table.record(), chance="manual")) > fallen


def test_a_command_that_is_sent_again_is_recognised() -> None:
    scene = Scene("china-moon", 3).start()
    seat = scene.table.asked[0]
    person = scene.table.seats[seat].person
    assert scene.table.state is not None
    move = scene.table.state.legal(seat)[0]
    scene.do(commands.play(scene.table, person, None, scene.table.decisions[seat], move, "key-1"))
    assert scene.table.accepted(person, "key-1")
    assert not scene.table.accepted("diego", "key-1")
    assert scene.reread().accepted(person, "key-1")


def test_a_move_for_a_decision_that_is_no_longer_open_is_refused() -> None:
    scene = Scene("china-moon", 3).start()
    seat = scene.table.asked[0]
    person, decision = scene.table.seats[seat].person, scene.table.decisions[seat]
    assert scene.table.state is not None
    move = scene.table.state.legal(seat)[0]
    scene.play(move)
    with pytest.raises(TableError, match="no longer open"):
        commands.play(scene.table, person, None, decision, move)


def test_someone_else_acting_does_not_close_my_decision() -> None:
    scene = Scene("dojo", 3).start()
    while len(scene.table.asked) < 3:
        scene.play("pass" if scene.table.state and "pass" in scene.table.state.legal(scene.table.asked[0]) else None)
    numbers = list(scene.table.decisions)
    assert scene.table.state is not None
    scene.play(None, scene.table.asked[0])
    for seat in scene.table.asked:
        assert scene.table.decisions[seat] == numbers[seat]
        commands.play(
            scene.table, scene.table.seats[seat].person, seat, numbers[seat], scene.table.state.legal(seat)[0]
        )


def test_after_an_undo_every_question_has_a_new_number() -> None:
    scene = Scene("china-moon", 1, 2, first="p1").start()
    before = scene.table.decisions[0]
    scene.play(None, 0).command(commands.undo, "ana", 0)
    assert scene.table.decisions[0] > before


def test_a_log_of_version_0_1_0_gives_the_same_table() -> None:
    lines = [line for line in (HERE / "log-0.1.0.jsonl").read_bytes().splitlines() if line]
    rows = [msgspec.json.decode(line, type=LogLine) for line in lines]
    table = load((row.at, e.decode(row.event)) for row in rows)
    assert table.record() == (HERE / "log-0.1.0.record.txt").read_text("utf-8")
    assert (table.status, table.decisions, table.asked) == ("aborted", [25, 22, 19, 14], (2,))
    assert (table.host, table.rematch, table.rows) == ("bruno", "other", 118)


def test_events_are_written_as_version_0_1_0_wrote_them() -> None:
    rows = [msgspec.json.decode(line, type=LogLine) for line in (HERE / "log-0.1.0.jsonl").read_bytes().splitlines()]
    written = [bytes(row.event) for row in rows]
    written += [
        b'{"kind":"left","seat":1,"kicked":true,"by":"ana","key":"k"}',
        b'{"kind":"planned","seat":2,"move":"pass","by":"ana"}',
        b'{"kind":"renamed","seat":2,"name":"Ana"}',  # since 0.2.0
    ]
    for event in written:
        assert e.encode(e.decode(event)) == event
    assert {msgspec.json.decode(event)["kind"] for event in written} == {
        kind.__name__.lower() for kind in e.AnyEvent.__args__
    } - {"called", "forgotten", "nonce", "rated"}  # since 0.2.0
