"""Who may do what at a table: seats, host, undo, votes, plans, clocks, absence."""

from __future__ import annotations

import random

import pytest

from table.tables import Desk
from tsukimi.core.errors import IllegalMove, MalformedMove
from tsukimi.table import entries as log
from tsukimi.table import wishes
from tsukimi.table.errors import TableError
from tsukimi.table.settings import Clock, Settings

LIVE = Settings(forced=False, clock=Clock("live", 60, 5))


# ---- before the start ------------------------------------------------------------------------------


def test_a_game_begins_only_when_all_seats_are_taken() -> None:
    desk = Desk("daruma", 2)
    desk.do(wishes.change(desk.table, "ana", None, 3, None))
    with pytest.raises(TableError, match="free: 1"):
        desk.start()


def test_nobody_sits_twice_or_on_a_taken_seat() -> None:
    desk = Desk("daruma", 2)
    desk.do(wishes.change(desk.table, "ana", None, 3, None))
    with pytest.raises(TableError, match="already have a seat"):
        wishes.sit(desk.table, "ana", "h", "Ana", None, "")
    with pytest.raises(TableError, match="is taken"):
        wishes.sit(desk.table, "diego", "h", "Diego", 0, "")
    with pytest.raises(TableError, match="no such seat"):
        wishes.sit(desk.table, "diego", "h", "Diego", 4, "")


@pytest.mark.parametrize(
    "wish",
    [
        lambda t: wishes.start(t, "bruno"),
        lambda t: wishes.kick(t, "bruno", 0),
        lambda t: wishes.bot(t, "bruno", "novice", None),
        lambda t: wishes.change(t, "bruno", Settings(), None, None),
        lambda t: wishes.mute(t, "bruno", "h-ana", True),
        lambda t: wishes.abort(t, "bruno"),
    ],
)
def test_only_the_host_has_the_rights_of_the_host(wish) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(TableError, match="Only the host"):
        wish(Desk("daruma", 2).table)


def test_the_rights_of_the_host_pass_on_when_the_host_stands_up() -> None:
    desk = Desk("daruma", 2).wish(wishes.stand, "ana")
    assert desk.table.host == "bruno"
    assert not desk.table.seats[0].taken


def test_the_rights_of_the_host_pass_on_when_the_host_is_gone() -> None:
    desk = Desk("daruma", 3)
    assert wishes.host_gone(desk.table, []) == []
    desk.do(wishes.host_gone(desk.table, ["chloe"]))
    assert desk.table.host == "chloe"


def test_the_host_cannot_drop_seats_that_are_taken() -> None:
    with pytest.raises(TableError, match="More than 2"):
        wishes.change(Desk("daruma", 3).table, "ana", None, 2, None)


def test_options_are_those_of_the_game() -> None:
    desk = Desk("daruma", 2)
    desk.do(wishes.change(desk.table, "ana", None, None, {"edition": "es"}))
    assert desk.table.options["edition"] == "es"
    with pytest.raises(ValueError, match="edition"):
        wishes.change(desk.table, "ana", None, None, {"edition": "xx"})


# ---- moves -----------------------------------------------------------------------------------------


def test_a_spectator_can_never_act() -> None:
    desk = Desk("china-moon", 3).start()
    table = desk.table
    assert table.state is not None
    move = table.state.legal()[0]
    with pytest.raises(TableError, match="no seat at this table"):
        wishes.play(table, "diego", None, table.decisions[table.asked[0]], move)
    with pytest.raises(TableError, match="no seat at this table"):
        wishes.undo(table, "diego", None)


def test_nobody_plays_for_somebody_elses_seat() -> None:
    desk = Desk("china-moon", 3, first="p1").start()
    assert desk.table.state is not None
    with pytest.raises(TableError, match="not your seat"):
        wishes.play(desk.table, "bruno", 0, desk.table.decisions[0], desk.table.state.legal()[0])


def test_a_move_that_is_none_is_refused_in_the_games_own_words() -> None:
    desk = Desk("china-moon", 3, first="p1").start()
    table = desk.table
    with pytest.raises(MalformedMove):
        wishes.play(table, "ana", None, table.decisions[0], "dance")
    with pytest.raises(IllegalMove):
        wishes.play(table, "ana", None, table.decisions[0], "drop pink")


def test_what_everybody_sees_to_be_forced_plays_itself() -> None:
    desk = Desk("dojo", 3, 0, Settings(forced=True)).start()
    table = desk.table
    dealer = table.asked[0]
    assert table.state is not None
    desk.play("give p1").play("give p2")
    assert not any(move == "give p3" for move in table.state.legal(dealer))
    assert any(line.endswith("give p3") for line in table.state.lines())


def test_a_forced_move_does_not_play_itself_where_it_would_tell_a_secret() -> None:
    """In Charuma only the hidden cards keep the others from knowing what somebody must play."""
    desk = Desk("charuma", 3, 0, Settings(forced=True, round_pause=False)).start()
    table, kept = desk.table, 0
    while not table.ended:
        seat = table.asked[0]
        assert table.state is not None
        if len(table.state.legal(seat)) == 1:
            assert table.state.view(seat)["hands"][seat]["hidden_count"] > 0
            kept += 1
        desk.play_on(kept, 1)
    assert kept > 0


def after_a_round(**clock: object) -> Desk:
    settings = Settings(clock=Clock(**clock))  # type: ignore[arg-type]
    desk = Desk("charuma", 3, 0, settings).start()
    chance = random.Random(1)
    while desk.table.status != "round":
        seat = desk.table.asked[0]
        assert desk.table.state is not None
        desk.play(chance.choice(desk.table.state.legal(seat)), seat)
    return desk


def test_with_a_live_clock_nobody_looks_for_ever() -> None:
    desk = after_a_round(kind="live", reserve=300, extra=10)
    desk.wish(wishes.ready, "ana", None)
    until = desk.table.looked_until()
    assert until is not None
    assert wishes.looked(desk.table, until - 1) == []
    desk.do(wishes.looked(desk.table, until))
    assert desk.table.status == "playing"
    assert desk.reread().status == "playing"
    assert wishes.looked(desk.table, until + 1) == []


def test_without_a_clock_everybody_may_look_as_long_as_they_like() -> None:
    desk = after_a_round(kind="none")
    assert desk.table.looked_until() is None
    assert wishes.looked(desk.table, desk.now + 10**9) == []


def test_a_plan_is_played_when_it_is_asked_and_forgotten_with_its_round() -> None:
    desk = Desk("dojo", 3, first="p1").start()
    table = desk.table
    assert wishes.plans(table, 2) == ["pass"]
    assert wishes.plans(table, 0) == []
    desk.wish(wishes.plan, "chloe", 2, "pass")
    desk.play("give p1").play("give p2").play("give p3")
    assert table.asked == (1,)
    desk.play("pass")
    assert table.state is not None
    assert table.state.lines()[-1] == "p3 pass"
    assert table.plans == {}


def test_a_plan_can_be_taken_back() -> None:
    desk = Desk("dojo", 3, first="p1").start()
    desk.wish(wishes.plan, "chloe", 2, "pass").wish(wishes.plan, "chloe", 2, None)
    assert desk.table.plans == {}
    with pytest.raises(TableError, match="in advance"):
        wishes.plan(desk.table, "chloe", 2, "challenge")


# ---- undo ------------------------------------------------------------------------------------------


def test_a_move_that_showed_nothing_is_taken_back_at_once() -> None:
    desk = Desk("china-moon", 3, first="p1").start().play(None, 0)
    assert wishes.back(desk.table, 0) == ("free", 1)
    desk.wish(wishes.undo, "ana", 0)
    assert desk.table.asked == (0,)


def test_after_somebody_else_acted_all_are_asked() -> None:
    desk = Desk("china-moon", 3, first="p1").start()
    while desk.table.asked == (0,):
        desk.play()
    desk.play()
    how, moves = wishes.back(desk.table, 0)
    assert (how, moves) == ("ask", 2)
    count = len(desk.table.made)
    desk.wish(wishes.undo, "ana", 0)
    assert desk.table.proposal is not None
    desk.wish(wishes.vote, "bruno", True)
    assert len(desk.table.made) == count
    desk.wish(wishes.vote, "chloe", True)
    assert len(desk.table.made) == count - 2
    assert desk.table.asked == (0,)


def test_one_no_ends_a_proposal() -> None:
    desk = Desk("china-moon", 3, first="p1").start()
    while desk.table.asked == (0,):
        desk.play()
    desk.play().wish(wishes.undo, "ana", 0).wish(wishes.vote, "bruno", False)
    assert desk.table.proposal is None
    with pytest.raises(TableError, match="No proposal"):
        wishes.vote(desk.table, "chloe", True)


def test_dice_that_fell_are_not_taken_back_without_asking() -> None:
    desk = Desk("daruma", 2).start()
    seat = desk.table.asked[0]
    desk.play()
    while not desk.table.made[-1].shown:
        desk.play()
    if desk.table.made[-1].seat == seat:
        assert wishes.back(desk.table, seat)[0] == "ask"


def test_a_card_that_was_shown_is_not_taken_back_without_asking() -> None:
    desk = Desk("dojo", 3, first="p1").start().play("give p2")
    assert wishes.back(desk.table, 0)[0] == "ask"


def test_alone_with_bots_everything_can_be_taken_back() -> None:
    desk = Desk("daruma", 1, 2, first="p1").start()
    desk.play_on(1, 25)
    how, moves = wishes.back(desk.table, 0)
    assert how == "free"
    desk.wish(wishes.undo, "ana", 0)
    assert moves >= 1
    assert 0 in desk.table.asked


# ---- how it ends -----------------------------------------------------------------------------------


def test_a_game_is_aborted_when_all_agree() -> None:
    desk = Desk("daruma", 2).start().wish(wishes.abort, "ana").wish(wishes.vote, "bruno", True)
    assert desk.table.status == "aborted"
    assert desk.table.winners() == []


def test_who_resigns_cannot_win_and_with_two_the_game_is_over() -> None:
    desk = Desk("daruma", 2).start().wish(wishes.resign, "ana")
    assert desk.table.status == "over"
    assert desk.table.winners() == [1]


def test_with_more_players_a_bot_plays_on_for_who_resigned() -> None:
    desk = Desk("daruma", 3).start().wish(wishes.resign, "ana")
    assert desk.table.status == "playing"
    assert desk.table.seats[0].by_bot
    with pytest.raises(TableError, match="no seat"):
        wishes.undo(desk.table, "ana", None)


def test_after_a_charuma_round_everybody_may_look() -> None:
    desk = Desk("charuma", 2).start()
    for _ in range(200):
        if desk.table.status == "round":
            break
        desk.play()
    assert desk.table.status == "round"
    with pytest.raises(TableError, match="pause"):
        desk.play()
    desk.wish(wishes.ready, "ana", None)
    assert desk.table.status == "round"
    desk.wish(wishes.ready, "bruno", None)
    assert desk.table.status == "playing"


def test_where_a_decision_takes_days_nobody_has_to_come_only_to_say_that_they_are_ready() -> None:
    desk = Desk("charuma", 2, 0, Settings(forced=False, clock=Clock("days", 0, 86400))).start()
    for _ in range(200):
        assert desk.table.status != "round"
        if desk.table.ended:
            break
        desk.play()


def test_a_proposal_ends_when_somebody_is_sent_away() -> None:
    desk = Desk("daruma", 3).start().wish(wishes.abort, "bruno").wish(wishes.vote, "ana", True)
    desk.wish(wishes.kick, "ana", 2)
    assert desk.table.proposal is None
    assert desk.table.status == "playing"


@pytest.mark.parametrize("name", ["seed", "players", "game", "chance", "components", "colour"])
def test_an_option_that_the_game_does_not_know_is_refused_whatever_its_name(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        wishes.opened("T", "ana", "daruma", 2, {name: "1"}, Settings())
    with pytest.raises(ValueError, match=name):
        wishes.change(Desk("daruma", 2).table, "ana", None, None, {name: "1"})


# ---- clocks and absence ----------------------------------------------------------------------------


def test_a_decision_takes_from_the_reserve_what_is_beyond_its_extra_time() -> None:
    desk = Desk("china-moon", 3, 0, LIVE, first="p1").start()
    desk.play(None, 0, after=4_000)
    assert desk.table.clocks.reserve[0] == 60_000
    while desk.table.asked != (0,):
        desk.play(after=0)
    desk.play(None, 0, after=12_000)
    assert desk.table.clocks.reserve[0] == 53_000


def test_the_network_is_excused_up_to_a_second() -> None:
    desk = Desk("china-moon", 3, 0, LIVE, first="p1").start()
    table = desk.table
    assert table.state is not None
    desk.do(wishes.play(table, "ana", 0, table.decisions[0], table.state.legal(0)[0], lag=9_000), after=8_000)
    assert table.clocks.reserve[0] == 58_000


def test_time_is_up_when_reserve_and_extra_are_used() -> None:
    desk = Desk("china-moon", 3, 0, LIVE, first="p1").start()
    began = desk.now
    assert wishes.timed_out(desk.table, began + 64_000) == []
    assert wishes.timed_out(desk.table, began + 66_000) == [0]
    assert desk.table.clocks.deadline(0) == began + 65_001


def test_a_pause_stops_the_clocks() -> None:
    desk = Desk("china-moon", 3, 0, LIVE, first="p1").start()
    desk.wish(wishes.pause, "ana", True, after=1_000)
    with pytest.raises(TableError, match="paused"):
        desk.play()
    desk.wish(wishes.pause, "ana", False, after=500_000)
    assert desk.table.clocks.spent(0, desk.now) == 1_000


def test_extra_time_is_a_gift_to_somebody_else() -> None:
    desk = Desk("china-moon", 3, 0, LIVE, first="p1").start()
    before = desk.table.clocks.deadline(0)
    assert before is not None
    desk.wish(wishes.more_time, "bruno", 0)
    assert desk.table.clocks.deadline(0) == before + 15_000
    with pytest.raises(TableError, match="No time"):
        wishes.more_time(desk.table, "ana", 0)


def test_a_bot_plays_for_who_is_gone_until_they_are_back() -> None:
    desk = Desk("china-moon", 3, first="p1").start()
    desk.do(wishes.away(desk.table, 0))
    assert desk.table.seats[0].by_bot
    assert desk.table.wakes() is not None
    desk.do(wishes.returned(desk.table, "ana"))
    assert not desk.table.seats[0].by_bot
    assert wishes.returned(desk.table, "ana") == []


def test_who_was_sent_away_does_not_come_back() -> None:
    desk = Desk("china-moon", 3, first="p1").start().wish(wishes.kick, "ana", 1)
    assert desk.table.seats[1].by_bot
    assert desk.table.seats_of("bruno") == []
    assert wishes.returned(desk.table, "bruno") == []


def test_somebody_who_is_muted_says_nothing() -> None:
    desk = Desk("daruma", 2).wish(wishes.mute, "ana", "h-bruno", True)
    with pytest.raises(TableError, match="taken the word"):
        wishes.say(desk.table, "bruno", "h-bruno", "Bruno", "hello")
    desk.wish(wishes.mute, "ana", "h-bruno", False)
    desk.do(wishes.say(desk.table, "bruno", "h-bruno", "Bruno", "hello"))
    assert isinstance(desk.table.chat[-1][2], log.Said)
