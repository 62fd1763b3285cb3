"""Rated games: what is frozen, who has lost, and what never counts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from table.tables import Scene
from tsukimi.table import commands, timed
from tsukimi.table import events as e
from tsukimi.table.errors import TableError
from tsukimi.table.settings import Clock, Settings
from tsukimi.table.table import PAUSED_AT_MOST, Table

RATED = Settings(forced=False, rated=True, clock=Clock("live", 60, 10))
HOUR = 3_600_000


def refused(command: Callable[[], object]) -> str:
    with pytest.raises(TableError) as problem:
        command()
    assert problem.value.message()
    return problem.value.code


def after_both_moved(game: str = "china-moon", people: int = 3) -> Scene:
    scene = Scene(game, people, 0, RATED).start()
    while len(scene.table.movers) < people:
        scene.play()
    return scene


# ---- before the start ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [
        replace(RATED, hints=True),
        replace(RATED, rated=False),
        replace(RATED, clock=Clock("live", 600, 60)),
        replace(RATED, clock=Clock("none")),
    ],
)
def test_the_settings_of_a_rated_table_are_frozen_when_a_second_person_sits_there(settings: Settings) -> None:
    scene = Scene("daruma", 2, 0, RATED)
    assert refused(lambda: commands.change(scene.table, "ana", settings, None, None)) == "table-rated-frozen"
    assert refused(lambda: commands.change(scene.table, "ana", None, 3, None)) == "table-rated-frozen"
    assert refused(lambda: commands.change(scene.table, "ana", None, None, {"edition": "es"})) == "table-rated-frozen"


def test_a_table_does_not_become_rated_once_others_sit_there() -> None:
    scene = Scene("daruma", 2, 0, replace(RATED, rated=False))
    assert refused(lambda: commands.change(scene.table, "ana", RATED, None, None)) == "table-rated-frozen"
    scene.command(commands.stand, "bruno")
    scene.do(commands.change(scene.table, "ana", RATED, None, None))
    assert scene.table.settings.rated


@pytest.mark.parametrize(
    "settings",
    [
        replace(RATED, clock=Clock("none")),
        replace(RATED, clock=Clock("live", 0, 0)),
        replace(RATED, clock=Clock("days", 0, 60)),
        replace(RATED, hints=True),
    ],
)
def test_a_rated_game_has_a_clock_with_time_to_play_and_no_hints(settings: Settings) -> None:
    assert refused(lambda: commands.open_table("T", "ana", "daruma", 2, {}, settings)) == "table-rated-settings"
    alone = Scene("daruma", 1, 1, replace(RATED, rated=False)).command(commands.kick, "ana", 1)
    assert refused(lambda: commands.change(alone.table, "ana", settings, None, None)) == "table-rated-settings"


def test_only_people_play_rated_games() -> None:
    scene = Scene("daruma", 1, 1, replace(RATED, rated=False))
    assert refused(lambda: commands.change(scene.table, "ana", RATED, None, None)) == "table-rated-people"
    rated = Scene("daruma", 2, 0, RATED).command(commands.stand, "bruno")
    assert refused(lambda: commands.bot(rated.table, "ana", "novice", None)) == "table-rated-people"
    assert refused(lambda: commands.open_table("T", "ana", "daruma", 2, {}, RATED, local=True)) == "table-rated-people"


# ---- during the game -------------------------------------------------------------------------------


def test_nobody_is_kicked_from_a_rated_game() -> None:
    scene = Scene("daruma", 3, 0, RATED).start()
    assert refused(lambda: commands.kick(scene.table, "ana", 1)) == "table-rated-kick"


def test_nobody_is_advised_in_a_rated_game() -> None:
    assert not Scene("daruma", 2, 0, RATED).start().table.allows_hints("ana")
    assert Scene("daruma", 2, 0, Settings(hints=True)).start().table.allows_hints("ana")
    assert Scene("daruma", 1, 1, Settings()).start().table.allows_hints("ana")
    assert not Scene("daruma", 2, 0, Settings()).start().table.allows_hints("ana")


def test_a_rated_game_is_aborted_only_if_all_agree() -> None:
    scene = Scene("daruma", 2, 0, RATED).start().command(commands.abort, "ana")
    assert scene.table.status == "playing"
    scene.command(commands.vote, "bruno", True)
    assert scene.table.status == "aborted"
    assert not scene.table.changes_ratings


def test_in_a_rated_game_no_undo_is_free_and_what_was_revealed_stays() -> None:
    moon = Scene("china-moon", 3, 0, RATED, first="p1").start().play(None, 0)
    assert moon.table.undoable(0) == ("ask", 1)
    dojo = Scene("dojo", 3, 0, RATED, first="p1").start().play("give p2")
    assert dojo.table.undoable(0)[0] == "no"
    assert refused(lambda: commands.undo(dojo.table, "ana", 0)) == "table-nothing-to-undo"


def test_whoever_leaves_a_rated_game_has_lost_it() -> None:
    scene = after_both_moved().command(commands.stand, "bruno")
    assert scene.table.status == "playing"
    assert scene.table.seats[1].resigned
    assert scene.table.seats[1].lost_by == "left"
    scene.command(commands.stand, "chloe")
    assert scene.table.status == "over"
    assert scene.table.winners() == [0]
    assert scene.table.changes_ratings
    assert scene.reread().seats[1].lost_by == "left"


def test_no_bot_plays_a_rated_game_for_someone_who_is_gone() -> None:
    scene = Scene("daruma", 2, 0, RATED).start()
    assert commands.away(scene.table, 0) == []


def test_whoever_runs_out_of_time_has_lost_if_others_played_on() -> None:
    scene = after_both_moved("daruma", 2)
    late = scene.table.asked[0]
    assert timed.lose_on_time(scene.table, scene.now) == []
    scene.do(timed.lose_on_time(scene.table, scene.now + HOUR))
    assert scene.table.status == "over"
    assert scene.table.winners() == [1 - late]
    assert scene.table.seats[late].lost_by == "time"
    assert scene.table.changes_ratings


def test_where_nobody_else_has_played_yet_a_late_player_ends_the_game_without_a_result() -> None:
    scene = Scene("daruma", 2, 0, RATED).start()
    scene.do(timed.lose_on_time(scene.table, scene.now + HOUR))
    assert scene.table.status == "aborted"


def test_of_several_who_are_late_at_once_someone_is_left_to_win() -> None:
    scene = after_both_moved()
    table = scene.table.copy()
    table.asked = (0, 1, 2)
    table.clocks.run(table.asked, scene.now)
    assert [type(event) for event in timed.lose_on_time(table, scene.now + HOUR)] == [e.Resigned, e.Resigned]


def test_without_a_rating_at_stake_the_clock_takes_nobody_out() -> None:
    scene = Scene("daruma", 2, 0, replace(RATED, rated=False)).start()
    assert timed.lose_on_time(scene.table, scene.now + HOUR) == []


# ---- pauses ----------------------------------------------------------------------------------------


def test_a_rated_game_is_paused_if_all_agree_and_anybody_ends_the_pause() -> None:
    scene = Scene("daruma", 2, 0, RATED).start().command(commands.pause, "bruno", True)
    assert scene.table.status == "playing"
    scene.command(commands.vote, "ana", True)
    assert scene.table.status == "paused"
    scene.command(commands.pause, "bruno", False)
    assert scene.table.status == "playing"


def test_the_pauses_of_a_rated_game_last_ten_minutes_in_all() -> None:
    scene = Scene("daruma", 2, 0, RATED).start()
    most = PAUSED_AT_MOST["live"]
    scene.command(commands.pause, "ana", True).command(commands.vote, "bruno", True)
    scene.command(commands.pause, "ana", False, after=most - 5_000)
    scene.command(commands.pause, "ana", True).command(commands.vote, "bruno", True)
    until = scene.table.paused_until()
    assert until == scene.now + 5_000
    assert scene.table.due() == until
    assert timed.end_pause(scene.table, until - 1) == []
    scene.do(timed.end_pause(scene.table, until), after=5_000)
    assert scene.table.status == "playing"
    assert refused(lambda: commands.pause(scene.table, "ana", True)) == "table-pauses-used"
    assert scene.reread().paused_for == scene.table.paused_for


def test_without_a_rating_at_stake_the_host_pauses_as_long_as_they_like() -> None:
    scene = Scene("daruma", 2, 0, replace(RATED, rated=False)).start().command(commands.pause, "ana", True)
    assert scene.table.status == "paused"
    assert scene.table.paused_until() is None


# ---- practice --------------------------------------------------------------------------------------


def undone_after_dice(table_of: Callable[[], Scene]) -> Table:
    scene = table_of()
    while not (scene.table.made and scene.table.made[-1].shown and scene.table.made[-1].seat == 0):
        scene.play_on(1, 1)
    scene.command(commands.undo, "ana", 0)
    while scene.table.proposal is not None:
        voter = next(p for p in scene.table.people() if scene.table.seats_of(p)[0] not in scene.table.proposal.votes)
        scene.command(commands.vote, voter, True)
    assert scene.reread().practice == scene.table.practice
    return scene.table


@pytest.mark.parametrize("people", [1, 2])
def test_dice_that_were_taken_back_make_the_game_practice(people: int) -> None:
    table = undone_after_dice(lambda: Scene("daruma", people, 3 - people, first="p1").start())
    assert table.practice
    assert table.record().splitlines()[1] == "# practice"


def test_a_bots_answer_that_was_taken_back_makes_the_game_practice() -> None:
    scene = Scene("china-moon", 1, 2, first="p1").start()
    while scene.table.asked == (0,):
        scene.play()
    scene.play()
    undo, moves = scene.table.undoable(0)
    assert undo == "free"
    assert scene.table.makes_practice(moves)  # shown in advance
    scene.command(commands.undo, "ana", 0)
    assert scene.table.practice


def test_a_slip_that_is_taken_back_at_once_leaves_the_game_as_it_was() -> None:
    scene = Scene("china-moon", 1, 2, first="p1").start().play(None, 0).command(commands.undo, "ana", 0)
    assert not scene.table.practice
    assert "# practice" not in scene.table.record()


def test_after_a_bot_has_answered_the_other_people_are_asked() -> None:
    scene = Scene("china-moon", 2, 1, first="p2").start()
    while scene.table.asked == (1,):
        scene.play()
    while scene.table.asked == (2,):
        scene.play()
    assert scene.table.made[-1].seat == 2
    assert scene.table.undoable(1)[0] == "ask"


# ---- proposals -------------------------------------------------------------------------------------


def test_the_proposer_learns_who_refused_until_the_game_continues() -> None:
    scene = Scene("china-moon", 3, first="p1").start().command(commands.abort, "ana")
    scene.command(commands.vote, "bruno", False)
    refusal = scene.table.refusal
    assert refusal is not None
    assert (refusal.what, refusal.by, refusal.seat) == ("abort", 0, 1)
    scene.play()
    assert scene.table.refusal is None
