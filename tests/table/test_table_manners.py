"""Who may do what at a table: seats, host, undo, votes, plans, clocks, absence."""

from __future__ import annotations

import random
from copy import deepcopy

import pytest
from msgspec.structs import replace

from table.tables import Scene
from tsukimi.core.errors import IllegalMove, MalformedMove
from tsukimi.table import commands, leaving, timed
from tsukimi.table import events as e
from tsukimi.table.errors import TableError
from tsukimi.table.pending import retractable_moves
from tsukimi.table.settings import Clock, Settings

LIVE = Settings(forced=False, clock=Clock("live", 60, 5))


# ---- before the start ------------------------------------------------------------------------------


def test_a_game_begins_only_when_all_seats_are_taken() -> None:
    scene = Scene("daruma", 2)
    scene.do(commands.change(scene.table, "ana", None, 3, None))
    with pytest.raises(TableError, match="free: 1"):
        scene.start()


def test_nobody_sits_twice_or_on_a_taken_seat() -> None:
    scene = Scene("daruma", 2)
    scene.do(commands.change(scene.table, "ana", None, 3, None))
    with pytest.raises(TableError, match="already have a seat"):
        commands.sit(scene.table, "ana", "h", "Ana", None, "")
    with pytest.raises(TableError, match="is taken"):
        commands.sit(scene.table, "diego", "h", "Diego", 0, "")
    with pytest.raises(TableError, match="no such seat"):
        commands.sit(scene.table, "diego", "h", "Diego", 4, "")


@pytest.mark.parametrize(
    "command",
    [
        lambda t: commands.start(t, "bruno"),
        lambda t: commands.kick(t, "bruno", 0),
        lambda t: commands.bot(t, "bruno", "novice", None),
        lambda t: commands.change(t, "bruno", Settings(), None, None),
        lambda t: commands.mute(t, "bruno", "h-ana", True),
        lambda t: commands.abort(t, "bruno"),
    ],
)
def test_only_the_host_has_the_rights_of_the_host(command) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(TableError, match="Only the host"):
        command(Scene("daruma", 2).table)


def test_the_rights_of_the_host_pass_on_when_the_host_stands_up() -> None:
    scene = Scene("daruma", 2).command(commands.stand, "ana")
    assert scene.table.host == "bruno"
    assert not scene.table.seats[0].taken


def test_the_rights_of_the_host_pass_on_when_the_host_is_gone() -> None:
    scene = Scene("daruma", 3)
    assert commands.replace_host(scene.table, []) == []
    scene.do(commands.replace_host(scene.table, ["chloe"]))
    assert scene.table.host == "chloe"


def test_the_host_cannot_drop_seats_that_are_taken() -> None:
    with pytest.raises(TableError, match="More than 2"):
        commands.change(Scene("daruma", 3).table, "ana", None, 2, None)


def test_options_are_those_of_the_game() -> None:
    scene = Scene("daruma", 2)
    scene.do(commands.change(scene.table, "ana", None, None, {"edition": "es"}))
    assert scene.table.options["edition"] == "es"
    with pytest.raises(ValueError, match="edition"):
        commands.change(scene.table, "ana", None, None, {"edition": "xx"})


# ---- moves -----------------------------------------------------------------------------------------


def test_a_spectator_can_never_act() -> None:
    scene = Scene("china-moon", 3).start()
    assert scene.table.state is not None
    move = scene.table.state.legal()[0]
    with pytest.raises(TableError, match="no seat at this table"):
        commands.play(scene.table, "diego", None, scene.table.decisions[scene.table.asked[0]], move)
    with pytest.raises(TableError, match="no seat at this table"):
        commands.undo(scene.table, "diego", None)


def test_nobody_plays_for_someone_elses_seat() -> None:
    scene = Scene("china-moon", 3, first="p1").start()
    assert scene.table.state is not None
    with pytest.raises(TableError, match="not your seat"):
        commands.play(scene.table, "bruno", 0, scene.table.decisions[0], scene.table.state.legal()[0])


def test_what_is_not_a_legal_move_is_refused_in_the_games_own_words() -> None:
    scene = Scene("china-moon", 3, first="p1").start()
    with pytest.raises(MalformedMove):
        commands.play(scene.table, "ana", None, scene.table.decisions[0], "dance")
    with pytest.raises(IllegalMove):
        commands.play(scene.table, "ana", None, scene.table.decisions[0], "drop pink")


def test_what_everyone_sees_to_be_forced_plays_itself() -> None:
    scene = Scene("dojo", 3, 0, Settings(forced=True)).start()
    dealer = scene.table.asked[0]
    assert scene.table.state is not None
    scene.play("give p1").play("give p2")
    assert not any(move == "give p3" for move in scene.table.state.legal(dealer))
    assert any(line.endswith("give p3") for line in scene.table.state.lines())


def test_a_forced_move_is_not_automatic_where_it_would_reveal_a_secret() -> None:
    """In Charuma only the hidden cards keep the others from knowing what a player must play."""
    scene = Scene("charuma", 3, 0, Settings(forced=True, round_pause=False)).start()
    kept = 0
    while not scene.table.ended:
        seat = scene.table.asked[0]
        assert scene.table.state is not None
        if len(scene.table.state.legal(seat)) == 1:
            view = scene.table.state.view(seat)
            hand, led = view["hands"][seat], (view["trick"] or {"plays": [{"cards": ["one"]}]})["plays"][0]["cards"]
            assert hand["hidden_count"] > 0
            assert len(hand["open"]) + hand["hidden_count"] > len(led), "all of a hand is forced for everybody to see"
            kept += 1
        scene.play_on(kept, 1)
    assert kept > 0


def after_a_round(**clock: object) -> Scene:
    settings = Settings(clock=Clock(**clock))  # type: ignore[arg-type]
    scene = Scene("charuma", 3, 0, settings).start()
    chance = random.Random(1)
    while scene.table.status != "round":
        seat = scene.table.asked[0]
        assert scene.table.state is not None
        scene.play(chance.choice(scene.table.state.legal(seat)), seat)
    return scene


def test_with_a_live_clock_nobody_looks_for_ever() -> None:
    scene = after_a_round(kind="live", reserve=300, extra=10)
    scene.command(commands.ready, "ana", None)
    until = scene.table.intermission_until()
    assert until is not None
    assert timed.end_intermission(scene.table, until - 1) == []
    scene.do(timed.end_intermission(scene.table, until))
    assert scene.table.status == "playing"
    assert scene.reread().status == "playing"
    assert timed.end_intermission(scene.table, until + 1) == []


def test_without_a_clock_everyone_may_look_as_long_as_they_like() -> None:
    scene = after_a_round(kind="none")
    assert scene.table.intermission_until() is None
    assert timed.end_intermission(scene.table, scene.now + 10**9) == []


def test_a_plan_is_played_when_it_is_asked_and_forgotten_with_its_round() -> None:
    scene = Scene("dojo", 3, first="p1").start()
    assert scene.table.plannable(2) == ["pass"]
    assert scene.table.plannable(0) == []
    scene.command(commands.plan, "chloe", 2, "pass")
    scene.play("give p1").play("give p2").play("give p3")
    assert scene.table.asked == (1,)
    scene.play("pass")
    assert scene.table.state is not None
    assert scene.table.state.lines()[-1] == "p3 pass"
    assert scene.table.plans == {}


def test_a_plan_can_be_taken_back() -> None:
    scene = Scene("dojo", 3, first="p1").start()
    scene.command(commands.plan, "chloe", 2, "pass").command(commands.plan, "chloe", 2, None)
    assert scene.table.plans == {}
    with pytest.raises(TableError, match="in advance"):
        commands.plan(scene.table, "chloe", 2, "challenge")


# ---- undo ------------------------------------------------------------------------------------------


def test_a_move_that_showed_nothing_is_taken_back_at_once() -> None:
    scene = Scene("china-moon", 3, first="p1").start().play(None, 0)
    assert scene.table.undoable(0) == ("free", 1)
    scene.command(commands.undo, "ana", 0)
    assert scene.table.asked == (0,)


def test_after_someone_else_acted_all_are_asked() -> None:
    scene = Scene("china-moon", 3, first="p1").start()
    while scene.table.asked == (0,):
        scene.play()
    scene.play()
    how, moves = scene.table.undoable(0)
    assert (how, moves) == ("ask", 2)
    count = len(scene.table.made)
    scene.command(commands.undo, "ana", 0)
    assert scene.table.proposal is not None
    scene.command(commands.vote, "bruno", True)
    assert len(scene.table.made) == count
    scene.command(commands.vote, "chloe", True)
    assert len(scene.table.made) == count - 2
    assert scene.table.asked == (0,)


def test_one_no_ends_a_proposal() -> None:
    scene = Scene("china-moon", 3, first="p1").start()
    while scene.table.asked == (0,):
        scene.play()
    scene.play().command(commands.undo, "ana", 0).command(commands.vote, "bruno", False)
    assert scene.table.proposal is None
    with pytest.raises(TableError, match="No proposal"):
        commands.vote(scene.table, "chloe", True)


def test_dice_that_fell_are_not_taken_back_without_asking() -> None:
    scene = Scene("daruma", 2).start()
    seat = scene.table.asked[0]
    scene.play()
    while not scene.table.made[-1].shown:
        scene.play()
    if scene.table.made[-1].seat == seat:
        assert scene.table.undoable(seat)[0] == "ask"


def test_a_card_that_was_shown_is_not_taken_back_without_asking() -> None:
    scene = Scene("dojo", 3, first="p1").start().play("give p2")
    assert scene.table.undoable(0)[0] == "ask"


@pytest.mark.parametrize("forced", [False, True])
@pytest.mark.parametrize("game", ["charuma", "china-moon", "daruma", "dojo"])
def test_moves_that_need_no_confirmation_are_those_that_can_be_taken_back_at_once(game: str, forced: bool) -> None:
    scene = Scene(game, 3, settings=Settings(forced=forced, round_pause=False)).start()
    chance, kinds = random.Random(3), set()
    for _ in range(40):
        table = scene.table
        if table.ended:
            break
        seat, rest = table.asked[0], table.asked[1:]
        moves = list(table.choices(seat))
        found = retractable_moves(table, seat)
        for move in chance.sample(moves, min(6, len(moves))):
            after = deepcopy(scene).play(move, seat).table
            again = after.asked == (seat,) and after.undoable(seat)[0] == "free" and not rest
            assert (move in found) == again, move
            kinds.add(again)
        scene.play(chance.choice(moves), seat)
    assert kinds == ({False} if game == "dojo" else {True, False})


def test_in_a_game_that_counts_every_move_is_confirmed() -> None:
    scene = Scene("china-moon", 3, settings=replace(LIVE, rated=True)).start()
    assert retractable_moves(scene.table, scene.table.asked[0]) == []


def test_alone_with_bots_everything_can_be_taken_back() -> None:
    scene = Scene("daruma", 1, 2, first="p1").start()
    scene.play_on(1, 25)
    how, moves = scene.table.undoable(0)
    assert how == "free"
    scene.command(commands.undo, "ana", 0)
    assert moves >= 1
    assert 0 in scene.table.asked


# ---- how it ends -----------------------------------------------------------------------------------


def test_a_game_is_aborted_when_all_agree() -> None:
    scene = Scene("daruma", 2).start().command(commands.abort, "ana").command(commands.vote, "bruno", True)
    assert scene.table.status == "aborted"
    assert scene.table.winners() == []


def test_whoever_resigns_cannot_win_and_with_two_the_game_is_over() -> None:
    scene = Scene("daruma", 2).start().command(commands.resign, "ana")
    assert scene.table.status == "over"
    assert scene.table.winners() == [1]


def test_with_more_players_a_bot_plays_on_for_whoever_resigned() -> None:
    scene = Scene("daruma", 3).start().command(commands.resign, "ana")
    assert scene.table.status == "playing"
    assert scene.table.seats[0].by_bot
    with pytest.raises(TableError, match="no seat"):
        commands.undo(scene.table, "ana", None)


def test_after_a_charuma_round_everyone_may_look() -> None:
    scene = Scene("charuma", 2).start()
    for _ in range(200):
        if scene.table.status == "round":
            break
        scene.play()
    assert scene.table.status == "round"
    with pytest.raises(TableError, match="pause"):
        scene.play()
    scene.command(commands.ready, "ana", None)
    assert scene.table.status == "round"
    scene.command(commands.ready, "bruno", None)
    assert scene.table.status == "playing"


def test_where_a_decision_takes_days_nobody_has_to_come_only_to_say_that_they_are_ready() -> None:
    scene = Scene("charuma", 2, 0, Settings(forced=False, clock=Clock("days", 0, 86400))).start()
    for _ in range(200):
        assert scene.table.status != "round"
        if scene.table.ended:
            break
        scene.play()


def test_a_proposal_ends_when_someone_is_kicked() -> None:
    scene = Scene("daruma", 3).start().command(commands.abort, "bruno").command(commands.vote, "ana", True)
    scene.command(commands.kick, "ana", 2)
    assert scene.table.proposal is None
    assert scene.table.status == "playing"


@pytest.mark.parametrize("name", ["seed", "players", "game", "chance", "components", "colour"])
def test_an_option_that_the_game_does_not_know_is_refused_whatever_its_name(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        commands.open_table("T", "ana", "daruma", 2, {name: "1"}, Settings())
    with pytest.raises(ValueError, match=name):
        commands.change(Scene("daruma", 2).table, "ana", None, None, {name: "1"})


# ---- clocks and absence ----------------------------------------------------------------------------


def test_a_decision_takes_from_the_reserve_what_is_beyond_its_extra_time() -> None:
    scene = Scene("china-moon", 3, 0, LIVE, first="p1").start()
    scene.play(None, 0, after=4_000)
    assert scene.table.clocks.reserve[0] == 60_000
    while scene.table.asked != (0,):
        scene.play(after=0)
    scene.play(None, 0, after=12_000)
    assert scene.table.clocks.reserve[0] == 53_000


def test_the_network_is_excused_up_to_a_second() -> None:
    scene = Scene("china-moon", 3, 0, LIVE, first="p1").start()
    assert scene.table.state is not None
    scene.do(
        commands.play(scene.table, "ana", 0, scene.table.decisions[0], scene.table.state.legal(0)[0], lag=9_000),
        after=8_000,
    )
    assert scene.table.clocks.reserve[0] == 58_000


def test_time_is_up_when_reserve_and_extra_are_used() -> None:
    scene = Scene("china-moon", 3, 0, LIVE, first="p1").start()
    began = scene.now
    assert scene.table.timed_out(began + 64_000) == []
    assert scene.table.timed_out(began + 66_000) == [0]
    assert scene.table.clocks.deadline(0) == began + 65_001


def test_a_pause_stops_the_clocks() -> None:
    scene = Scene("china-moon", 3, 0, LIVE, first="p1").start()
    scene.command(commands.pause, "ana", True, after=1_000)
    with pytest.raises(TableError, match="paused"):
        scene.play()
    scene.command(commands.pause, "ana", False, after=500_000)
    assert scene.table.clocks.spent(0, scene.now) == 1_000


def test_extra_time_is_a_gift_to_someone_else() -> None:
    scene = Scene("china-moon", 3, 0, LIVE, first="p1").start()
    before = scene.table.clocks.deadline(0)
    assert before is not None
    scene.command(commands.more_time, "bruno", 0)
    assert scene.table.clocks.deadline(0) == before + 15_000
    with pytest.raises(TableError, match="No time"):
        commands.more_time(scene.table, "ana", 0)


def test_a_bot_plays_for_an_absent_person_until_they_are_back() -> None:
    scene = Scene("china-moon", 3, first="p1").start()
    scene.do(commands.away(scene.table, 0))
    assert scene.table.seats[0].by_bot
    assert scene.table.due() is not None
    scene.do(commands.come_back(scene.table, "ana"))
    assert not scene.table.seats[0].by_bot
    assert commands.come_back(scene.table, "ana") == []


def test_whoever_was_kicked_does_not_come_back() -> None:
    scene = Scene("china-moon", 3, first="p1").start().command(commands.kick, "ana", 1)
    assert scene.table.seats[1].by_bot
    assert scene.table.seats_of("bruno") == []
    assert commands.come_back(scene.table, "bruno") == []


def test_someone_who_is_muted_says_nothing() -> None:
    scene = Scene("daruma", 2).command(commands.mute, "ana", "h-bruno", True)
    with pytest.raises(TableError, match="muted you"):
        commands.say(scene.table, "bruno", "h-bruno", "Bruno", "hello")
    scene.command(commands.mute, "ana", "h-bruno", False)
    scene.do(commands.say(scene.table, "bruno", "h-bruno", "Bruno", "hello"))
    assert isinstance(scene.table.chat[-1][2], e.Said)


def test_whoever_was_kicked_cannot_sit_down_again_but_others_and_those_who_left_can() -> None:
    scene = Scene("china-moon", 3).command(commands.kick, "ana", 2).command(commands.stand, "bruno")
    for table in (scene.table, scene.reread()):
        with pytest.raises(TableError) as refused:
            commands.sit(table, "chloe", "h-chloe", "Chloe", None, "")
        assert refused.value.code == "table-kicked"
        assert commands.sit(table, "bruno", "h-bruno", "Bruno", None, "")
        assert commands.sit(table, "diego", "h-diego", "Diego", 2, "")


# ---- people who are deleted ------------------------------------------------------------------------


def test_a_deleted_person_leaves_an_open_table_and_closes_it_when_nobody_is_left() -> None:
    scene = Scene("daruma", 2)
    scene.do(leaving.forget(scene.table, "ana"))
    assert (scene.table.status, scene.table.host) == ("open", "bruno")
    assert not scene.table.seats[0].taken
    scene.do(leaving.forget(scene.table, "bruno"))
    assert scene.table.status == "aborted"


def test_a_bot_plays_on_for_a_deleted_person_where_bots_may_and_nothing_is_at_stake() -> None:
    scene = Scene("daruma", 3).start()
    scene.do(commands.say(scene.table, "ana", "h-ana", "Ana", "hello"))
    scene.do(commands.say(scene.table, "bruno", "h-bruno", "Bruno", "hi"))
    before = scene.table.at
    scene.do(leaving.forget(scene.table, "ana"))
    seat = scene.table.seats[0]
    assert seat.by_bot and seat.gone and not seat.resigned and (seat.name, seat.handle) == ("", "")
    assert scene.table.host == "bruno" and scene.table.running
    assert [said.text for _, _, said in scene.table.chat] == ["hi"]
    assert "Ana" not in scene.table.record() and "Bruno" in scene.table.record()
    assert scene.table.at > before  # leaving is an event at the table
    assert leaving.forget(scene.table, "ana") == []


@pytest.mark.parametrize("settings", [replace(LIVE, rated=True), Settings(forced=False, takeover=False)])
def test_a_deleted_person_resigns_rated_games_and_those_where_bots_do_not_take_over(settings: Settings) -> None:
    scene = Scene("daruma", 2, settings=settings).start()
    scene.do(leaving.forget(scene.table, "ana"))
    assert scene.table.status == "over" and scene.table.seats[0].resigned
    assert scene.table.winners() == [1]


def test_a_game_against_bots_ends_with_its_person() -> None:
    scene = Scene("daruma", 1, bots=2).start()
    scene.do(leaving.forget(scene.table, "ana"))
    assert scene.table.status == "aborted" and scene.table.seats[0].name == ""


def test_an_ended_game_keeps_its_result_and_its_time_when_a_player_is_deleted() -> None:
    scene = Scene("daruma", 2).start().play_on()
    table = scene.table
    before = (table.at, table.winners(), table.playing.scores())
    scene.do(leaving.forget(table, "bruno"), after=1_000_000)
    table = scene.table
    assert [seat.name for seat in table.seats] == ["Ana", ""]
    assert (table.at, table.winners(), table.playing.scores()) == before
    assert leaving.forget(table, "bruno") == []
