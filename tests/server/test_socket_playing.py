"""During the game: moves, plans, reasons, hints, undo, votes, resigning, pauses, time, chat, rematch."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator

import pytest

from server.live import Live, serving
from server.sockets import around, fresh, on_turn, play_one, play_out, raw_socket, refusal, until
from tsukimi.client import Seat, new_id
from tsukimi.server import messages as m
from tsukimi.server.http import component_sets
from tsukimi.table.settings import Clock, Settings

pytestmark = pytest.mark.compiled
FIRST = {"first": "p1"}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with serving(tmp_path_factory.mktemp("playing"), bot_processes=1) as server:
        yield server


def asked(seat: Seat) -> m.Question:
    assert seat.game is not None
    assert seat.game.question is not None
    return seat.game.question


# ---- moves -----------------------------------------------------------------------------------------


def test_a_move_is_broadcast_and_then_acknowledged(live: Live) -> None:
    async def work() -> None:
        ana, bruno, chloe, zoe = fresh("Ana", "Bruno", "Chloe", "Zoe")
        async with around(live, "china-moon", ana, bruno, chloe, watching=[zoe], options=FIRST) as seats:
            one, two, _, watcher = seats
            before = len(watcher.events)
            question = asked(one)
            assert two.game is not None
            assert two.game.question is None
            assert two.game.asked == [0]
            await one.play(question.moves[0])
            assert len(one.events) > before, "whoever moves hears of it before it is acknowledged"
            for seat in seats:
                await until(seat, lambda seat=seat: len(seat.events) == len(one.events))
                assert seat.events[before:] == one.events[before:], "nothing is hidden in this game"

    asyncio.run(work())


def test_refused_moves_say_why(live: Live) -> None:
    async def work() -> None:
        ana, bruno, chloe, zoe = fresh("Ana", "Bruno", "Chloe", "Zoe")
        async with around(live, "china-moon", ana, bruno, chloe, watching=[zoe], options=FIRST) as seats:
            one, two, _, watcher = seats
            question = asked(one)
            number, move = question.decision, question.moves[0]
            assert await refusal(one, m.Play("a", number + 1, move)) == "table-stale"
            assert await refusal(one, m.Play("b", number - 1, move)) == "table-stale"
            assert await refusal(one, m.Play("c", number, move, 1)) == "table-not-your-seat"
            assert await refusal(two, m.Play("d", number, move)) == "table-stale"
            assert await refusal(two, m.Play("e", number, move, 0)) == "table-not-your-seat"
            assert await refusal(watcher, m.Play("f", number, move)) == "table-not-seated"
            assert await refusal(watcher, m.Play("f", number, move, 0)) == "table-not-seated"
            malformed = await refusal(one, m.Play("g", number, "dance on the table"))
            illegal = await refusal(one, m.Play("h", number, "drop pink"))
            assert malformed != illegal
            assert not malformed.startswith("table-")
            assert len(one.events) == len(two.events)
            assert asked(one).decision == number

    asyncio.run(work())


def test_a_move_sent_again_counts_once_and_a_late_one_is_stale(live: Live) -> None:
    async def work() -> None:
        ana, bruno, chloe = fresh("Ana", "Bruno", "Chloe")
        async with around(live, "china-moon", ana, bruno, chloe, options=FIRST) as (one, two, _):
            assert one.table is not None
            question = asked(one)
            async with raw_socket(live, live.client(ana), one.table.id) as other:
                move = {"type": "play", "decision": question.decision, "move": question.moves[0]}
                assert (await other.ask({**move, "id": "x"}))["type"] == "done"
                await until(one, lambda: len(one.events) > len(two.events) or one.game.question != question)  # type: ignore[union-attr]
                events = len(one.events)
                assert (await other.ask({**move, "id": "x"}))["type"] == "done"
                assert (await other.ask({**move, "id": "y"}))["code"] == "table-stale"
            assert len(one.events) == events

    asyncio.run(work())


def test_why_gives_the_reason_in_the_games_own_words(live: Live) -> None:
    async def work() -> None:
        ana, bruno, chloe, zoe = fresh("Ana", "Bruno", "Chloe", "Zoe")
        async with around(live, "china-moon", ana, bruno, chloe, watching=[zoe], options=FIRST) as seats:
            one, two, _, watcher = seats
            said = await one.ask(m.Why("a", asked(one).moves[0]))
            assert said == m.Reason("a", True, None, {})
            said = await one.ask(m.Why("b", "drop pink"))
            assert isinstance(said, m.Reason)
            assert not said.legal
            assert said.code
            said = await two.ask(m.Why("c", asked(one).moves[0]))
            assert isinstance(said, m.Reason)
            assert not said.legal
            assert await refusal(watcher, m.Why("d", "drop pink")) == "table-not-seated"
            assert await refusal(one, m.Why("e", "drop pink", 1)) == "table-not-your-seat"

    asyncio.run(work())


def test_stakes_has_every_move_of_an_open_decision(live: Live) -> None:
    async def work() -> None:
        ana, bruno, chloe, zoe = fresh("Ana", "Bruno", "Chloe", "Zoe")
        async with around(live, "china-moon", ana, bruno, chloe, watching=[zoe], options=FIRST) as seats:
            one, two, _, watcher = seats
            question = asked(one)
            said = await one.ask(m.AskStakes("a", question.decision))
            assert isinstance(said, m.Stakes)
            assert said.decision == question.decision
            assert list(said.moves) == question.moves
            assert all(stake["kind"] for stakes in said.moves.values() for stake in stakes)
            assert said.retractable == question.moves  # the first of a turn's three
            assert await refusal(one, m.AskStakes("b", question.decision + 1)) == "table-stale"
            assert await refusal(two, m.AskStakes("c", question.decision)) == "table-stale"
            assert await refusal(watcher, m.AskStakes("d", question.decision)) == "table-not-seated"
            assert await refusal(one, m.AskStakes("e", question.decision, 1)) == "table-not-your-seat"

    asyncio.run(work())


def test_a_plan_is_known_only_to_its_seat_and_played_when_it_has_to_decide(live: Live) -> None:
    async def work() -> None:
        async with around(live, "dojo", *fresh("Ana", "Bruno", "Chloe"), options=FIRST) as (one, two, three):
            assert three.game is not None
            assert three.game.plans == ["pass"]
            assert await refusal(three, m.Plan("a", "challenge")) == "table-no-plan"
            assert await refusal(one, m.Plan("a", "pass")) == "table-no-plan"
            two.raw = []
            await three.ask(m.Plan("b", "pass"))
            await until(three, lambda: three.game.plan == "pass")  # type: ignore[union-attr]
            await three.ask(m.Plan("c", None))
            await until(three, lambda: three.game.plan is None)  # type: ignore[union-attr]
            await three.ask(m.Plan("d", "pass"))
            await one.ask(m.Say("e", "after the plan"))
            await until(two, lambda: two.chat)
            assert not any('"plan":"pass"' in text for text in two.raw)
            for move in ("give p1", "give p2", "give p3"):
                await until(one, lambda: one.game.question is not None)  # type: ignore[union-attr]
                await one.play(move)
            await until(two, lambda: two.game.question is not None)  # type: ignore[union-attr]
            await two.play("pass")
            await until(three, lambda: three.game.plan is None)  # type: ignore[union-attr]
            assert three.game.asked == [0, 1, 2], "all have passed, so all place; nobody asked the third"

    asyncio.run(work())


def test_dojo_is_placed_by_all_at_the_same_time(live: Live) -> None:
    """Somebody's move leaves the questions of the others open, with the numbers that they had."""

    async def work() -> None:
        chance = random.Random(4)
        async with around(live, "dojo", *fresh("Ana", "Bruno", "Chloe")) as seats:
            one = seats[0]
            assert one.game is not None
            while len(one.game.asked) < 2:
                await play_one(seats, chance)
                await asyncio.gather(
                    *(until(seat, lambda seat=seat: len(seat.events) == len(one.events)) for seat in seats)
                )
            together = [seat for seat in seats if seat.game is not None and seat.game.question is not None]
            assert len(together) >= 2
            questions = [asked(seat) for seat in together]
            await together[0].play(questions[0].moves[0], questions[0])
            await until(together[1], lambda: together[0].you.look not in together[1].game.asked)  # type: ignore[union-attr]
            assert asked(together[1]) == questions[1]
            await asyncio.gather(
                *(seat.play(one.moves[0], one) for seat, one in zip(together[1:], questions[1:], strict=True))
            )

    asyncio.run(work())


@pytest.mark.parametrize("game", ["daruma", "charuma", "china-moon", "dojo"])
def test_a_whole_game_is_played_and_its_secret_is_revealed_at_the_end(live: Live, game: str) -> None:
    async def work() -> None:
        ana, bruno, chloe, zoe = fresh("Ana", "Bruno", "Chloe", "Zoe")
        async with around(live, game, ana, bruno, chloe, watching=[zoe]) as seats:
            watcher = seats[3]
            assert watcher.table is not None
            assert watcher.table.fairness.secret is None
            await asyncio.gather(*(play_out(seat, number) for number, seat in enumerate(seats[:3])))
            for seat in seats:
                await until(seat, lambda seat=seat: seat.over and seat.table.result is not None)
            assert len({len(seat.events) for seat in seats}) == 1
            assert watcher.table.fairness.secret is not None
            assert await refusal(seats[0], m.Play("z", 1, "pass")) == "table-is-over"
            assert await refusal(seats[0], m.Resign("z")) == "table-is-over"
            assert await refusal(seats[0], m.Undo("z")) == "table-nothing-to-undo"

    asyncio.run(work())


# ---- hints -----------------------------------------------------------------------------------------


def test_hints_are_given_where_the_host_allows_them(live: Live) -> None:
    async def work() -> None:
        ana, bruno, chloe, zoe = fresh("Ana", "Bruno", "Chloe", "Zoe")
        settings = Settings(forced=False, hints=True)
        async with around(
            live, "china-moon", ana, bruno, chloe, watching=[zoe], settings=settings, options=FIRST
        ) as seats:
            one, two, _, watcher = seats
            said = await asyncio.wait_for(one.ask(m.Hint("a", "fr")), 60)
            assert isinstance(said, m.Advice)
            assert said.moves[0][0] in asked(one).moves
            assert said.sentence
            assert await refusal(two, m.Hint("b")) == "table-stale"
            assert await refusal(watcher, m.Hint("c")) == "table-not-seated"
            assert await refusal(one, m.Hint("d", seat=1)) == "table-not-your-seat"

    asyncio.run(work())


def test_among_people_hints_are_off_unless_the_host_allows_them(live: Live) -> None:
    async def work() -> None:
        async with around(live, "china-moon", *fresh("Ana", "Bruno", "Chloe"), options=FIRST) as (one, *_):
            assert await refusal(one, m.Hint("a")) == "table-no-hints"
        async with around(live, "china-moon", *fresh("Ana"), bots=["random"] * 2, options=FIRST) as (alone,):
            assert isinstance(await asyncio.wait_for(alone.ask(m.Hint("a")), 60), m.Advice)

    asyncio.run(work())


# ---- undo and votes ----------------------------------------------------------------------------------


def test_undo_is_free_until_someone_else_has_acted_and_then_a_vote(live: Live) -> None:
    async def work() -> None:
        async with around(live, "china-moon", *fresh("Ana", "Bruno", "Chloe"), options=FIRST) as seats:
            one, two, three = seats
            assert await refusal(one, m.Undo("a")) == "table-nothing-to-undo"
            question = asked(one)
            await play_one(seats)
            assert one.game is not None
            assert one.game.undo == "free"
            events = len(one.events)
            await one.ask(m.Undo("b"))
            await until(two, lambda: len(two.events) == events + 1)
            await until(one, lambda: one.game.question is not None and one.game.question.moves == question.moves)  # type: ignore[union-attr]
            assert asked(one).decision > question.decision, "a move for the former question must not count"
            assert await refusal(one, m.Play("c", question.decision, question.moves[0])) == "table-stale"
            assert await refusal(two, m.Undo("d")) == "table-nothing-to-undo"

            while one.game.undo != "ask":
                await play_one(seats)
            events = len(one.events)
            assert await refusal(two, m.Vote("e", True)) == "table-no-proposal"
            await one.ask(m.Undo("f"))
            await until(three, lambda: three.table.proposal is not None)  # type: ignore[union-attr]
            assert three.table is not None
            assert three.table.proposal is not None
            assert (three.table.proposal.what, three.table.proposal.votes) == ("undo", [True, None, None])
            assert await refusal(one, m.Vote("g", True)) == "table-voted"
            assert await refusal(two, m.Abort("h")) == "table-proposal-stands"
            await two.ask(m.Vote("i", True))
            assert await refusal(two, m.Vote("j", False)) == "table-voted"
            await three.ask(m.Vote("k", False))
            await until(one, lambda: one.table.proposal is None)  # type: ignore[union-attr]
            assert len(one.events) == events
            await one.ask(m.Undo("l"))
            await two.ask(m.Vote("m", True))
            await three.ask(m.Vote("n", True))
            await until(two, lambda: len(two.events) == events + 1)
            await until(one, lambda: one.game.question is not None)  # type: ignore[union-attr]

    asyncio.run(work())


def test_a_spectator_can_never_act(live: Live) -> None:
    async def work() -> None:
        ana, bruno, zoe = fresh("Ana", "Bruno", "Zoe")
        async with around(live, "china-moon", ana, bruno, *fresh("Chloe"), watching=[zoe], options=FIRST) as seats:
            await play_one(seats[:3])
            watcher = seats[3]
            before = len(seats[0].events)
            forbidden = {
                m.Undo("a"): "table-not-seated", m.Abort("b"): "table-not-seated", m.Resign("c"): "table-not-seated",
                m.Stand("d"): "table-not-seated", m.Plan("e", None): "table-not-seated", m.Time("f", 1): "table-not-seated",
                m.Pause("g", True): "table-host-only", m.Kick("h", 1): "table-host-only", m.Sit("i"): "table-is-playing",
                m.Hint("j"): "table-not-seated", m.Undo("k", 0): "table-not-seated", m.Start("l"): "table-host-only",
            }  # fmt: skip
            for request, code in forbidden.items():
                assert await refusal(watcher, request) == code
            assert len(seats[0].events) == before
            await seats[0].ask(m.Abort("m"))
            assert await refusal(watcher, m.Vote("n", True)) == "table-not-seated"

    asyncio.run(work())


def test_a_game_is_aborted_when_all_agree_and_the_secret_is_revealed(live: Live) -> None:
    async def work() -> None:
        async with around(live, "daruma", *fresh("Ana", "Bruno")) as (one, two):
            await one.ask(m.Abort("a"))
            await two.ask(m.Vote("b", True))
            await until(one, lambda: one.over)
            assert one.table is not None
            assert one.table.status == "aborted"
            assert one.table.result is None
            assert one.table.fairness.secret
        async with around(live, "daruma", *fresh("Ana"), bots=["random"]) as (alone,):
            await alone.ask(m.Abort("a"))
            await until(alone, lambda: alone.over)

    asyncio.run(work())


def test_a_vote_does_not_wait_for_someone_who_was_kicked(live: Live) -> None:
    async def work() -> None:
        async with around(live, "daruma", *fresh("Ana", "Bruno", "Chloe")) as (one, two, _):
            await two.ask(m.Abort("a"))
            await one.ask(m.Vote("b", True))
            await one.ask(m.Kick("c", 2))
            await until(one, lambda: one.table.proposal is None)  # type: ignore[union-attr]
            await two.ask(m.Abort("d"))
            await one.ask(m.Vote("e", True))
            await until(one, lambda: one.over)

    asyncio.run(work())


def test_whoever_resigns_has_lost_and_with_more_players_a_bot_plays_on(live: Live) -> None:
    async def work() -> None:
        async with around(live, "daruma", *fresh("Ana", "Bruno")) as (one, two):
            await one.ask(m.Resign("a"))
            await until(two, lambda: two.over and two.table.result is not None)  # type: ignore[union-attr]
            assert two.table is not None
            assert two.table.result is not None
            assert (two.table.result.winners, two.table.result.resigned) == ([1], [0])
        async with around(live, "daruma", *fresh("Ana", "Bruno", "Chloe"), options=FIRST) as (one, two, three):
            await one.ask(m.Resign("a"))
            await on_turn([two, three])  # three fours in the first roll end Bruno's turn at once
            assert await refusal(one, m.Resign("b")) == "table-not-seated"

    asyncio.run(work())


# ---- pauses and time -----------------------------------------------------------------------------------


def test_the_host_stops_and_starts_the_clocks(live: Live) -> None:
    async def work() -> None:
        settings = Settings(forced=False, clock=Clock("live", 100, 10))
        async with around(
            live, "china-moon", *fresh("Ana", "Bruno", "Chloe"), settings=settings, options=FIRST
        ) as seats:
            one, two, _ = seats
            assert two.game is not None
            assert two.game.clocks.running == [0]
            assert await refusal(two, m.Pause("a", True)) == "table-host-only"
            assert await refusal(one, m.Pause("b", False)) == "table-is-playing"
            await one.ask(m.Pause("c", True))
            await until(two, lambda: two.table.status == "paused" and two.game.clocks.running == [])  # type: ignore[union-attr]
            assert await refusal(one, m.Play("d", asked(one).decision, asked(one).moves[0])) == "table-is-paused"
            assert await refusal(one, m.Pause("e", True)) == "table-is-paused"
            await one.ask(m.Pause("f", False))
            await until(two, lambda: two.table.status == "playing" and two.game.clocks.running == [0])  # type: ignore[union-attr]
            extra = two.game.clocks.extra[0]
            assert extra is not None
            assert await refusal(one, m.Time("g", 0)) == "table-no-time-for"
            assert await refusal(two, m.Time("h", 2)) == "table-no-time-for"
            assert await refusal(two, m.Time("h", 4)) == "table-no-time-for"
            await two.ask(m.Time("i", 0))
            await until(two, lambda: two.game.clocks.extra[0] > extra + 10_000)  # type: ignore[union-attr,operator]

    asyncio.run(work())


def test_after_a_charuma_round_the_game_waits_until_everyone_is_ready(live: Live) -> None:
    async def work() -> None:
        chance = random.Random(2)
        async with around(live, "charuma", *fresh("Ana", "Bruno"), settings=Settings(forced=False)) as (one, two):
            assert await refusal(one, m.Ready("a")) == "table-is-playing"
            while one.table is not None and one.table.status == "playing":
                await play_one((one, two), chance)
            await until(two, lambda: two.table.status == "round")  # type: ignore[union-attr]
            late = await on_turn((one, two))
            assert await refusal(late, m.Play("b", asked(late).decision, asked(late).moves[0])) == "table-is-round"
            assert await refusal(one, m.Ready("c", 1)) == "table-not-your-seat"
            await one.ask(m.Ready("d"))
            await until(two, lambda: [seat.ready for seat in two.table.seats] == [True, False])  # type: ignore[union-attr]
            await two.ask(m.Ready("e", 1))
            await until(one, lambda: one.table.status == "playing")  # type: ignore[union-attr]
            await play_one((one, two), chance)

    asyncio.run(work())


def test_ping_is_answered_and_its_echo_measures_the_lag(live: Live) -> None:
    async def work() -> None:
        ana, bruno = fresh("Ana", "Bruno")
        async with around(live, "daruma", ana, bruno) as (one, _):
            assert one.table is not None
            async with raw_socket(live, live.client(ana), one.table.id, hello=False) as other:
                pong = await other.ask({"type": "ping", "t": 12.5})
                assert pong["t"] == 12.5
                assert (await other.ask({"type": "hello", "v": 1}))["type"] == "welcome"
                await asyncio.sleep(0.05)
                await other.ask({"type": "ping", "t": 0, "echo": pong["now"]})
                live_table = live.app.state.tables.registry._live[one.table.id]
                assert any(50 <= connection.lag < 5000 for connection in live_table.presence.viewers)
                for echo in (pong["now"] + 10**9, 0, -5, 10**30):
                    await other.ask({"type": "ping", "t": 1, "echo": echo})
                assert any(50 <= connection.lag < 5000 for connection in live_table.presence.viewers)

    asyncio.run(work())


# ---- talk, and another game ------------------------------------------------------------------------------


def test_chat_reaches_everyone_and_the_host_can_mute(live: Live) -> None:
    async def work() -> None:
        ana, bruno, zoe = fresh("Ana", "Bruno", "Zoe")
        async with around(live, "daruma", ana, bruno, watching=[zoe]) as (one, two, watcher):
            await two.ask(m.Say("a", "  <b>hi</b>\u0007\n there "))
            await watcher.ask(m.Say("b", "from the back"))
            await until(one, lambda: len(one.chat) == 2)
            assert [(line.text, line.seat, line.name) for line in one.chat] == [
                ("<b>hi</b> there", 1, bruno), ("from the back", None, zoe),
            ]  # fmt: skip
            assert [line.number for line in one.chat] == [0, 1]
            assert await refusal(two, m.Say("c", " \u0001 ")) == "table-bad-message"
            assert await refusal(two, m.Mute("d", one.chat[1].who)) == "table-host-only"
            await one.ask(m.Mute("e", one.chat[1].who))
            await until(watcher, lambda: watcher.you.muted)  # type: ignore[union-attr]
            assert await refusal(watcher, m.Say("f", "still here")) == "table-muted"
            await until(one, lambda: one.you.silenced == [one.chat[1].who])  # type: ignore[union-attr]
            assert two.you.silenced == []  # type: ignore[union-attr]
            await one.ask(m.Mute("g", one.chat[1].who, False))
            await watcher.ask(m.Say("h", "thank you"))
            await until(one, lambda: len(one.chat) == 3)
            async with live.client(zoe).table(one.table.id) as again:  # type: ignore[union-attr]
                assert [line.text for line in again.chat] == ["<b>hi</b> there", "from the back", "thank you"]

    asyncio.run(work())


def test_in_a_rematch_everyone_keeps_the_seat(live: Live) -> None:
    async def work() -> None:
        ana, bruno = fresh("Ana", "Bruno")
        async with around(live, "daruma", ana, bruno, bots=["random"]) as (one, two):
            await one.ask(m.Abort("a"))
            await two.ask(m.Vote("b", True))
            await until(two, lambda: two.over)
            again = await two.ask(m.Rematch("c"))
            assert isinstance(again, m.Done)
            found = await live.client(bruno).call("GET", f"/api/tables/{again.table}")
            assert [seat["kind"] for seat in found["seats"]] == ["free", "person", "bot"]
            assert found["seats"][1]["name"] == two.table.seats[1].name  # type: ignore[union-attr]

    asyncio.run(work())


def test_in_a_rematch_bots_keep_seat_and_name(live: Live) -> None:
    async def work() -> None:
        [ana] = fresh("Ana")
        async with around(live, "daruma", ana, bots=["random", "random"]) as (one,):
            before = [seat.name for seat in one.table.seats]  # type: ignore[union-attr]
            await one.ask(m.Abort("a"))
            await until(one, lambda: one.over)
            again = await one.ask(m.Rematch("c"))
            assert isinstance(again, m.Done)
            found = await live.client(ana).call("GET", f"/api/tables/{again.table}")
            assert [seat["name"] for seat in found["seats"]] == before

    asyncio.run(work())


def test_a_rematch_is_played_with_the_same_components(live: Live) -> None:
    async def work() -> None:
        own = component_sets.shipped("daruma").data
        async with around(live, "daruma", *fresh("Ana"), bots=["random"], components=own) as (one,):
            await one.ask(m.Resign("a"))
            await until(one, lambda: one.over)
            again = await one.ask(m.Rematch("b"))
            assert isinstance(again, m.Done)
            assert (await live.client("Zoe").call("GET", f"/api/tables/{again.table}"))["own_components"]

    asyncio.run(work())


def test_the_result_has_the_places_and_the_rows_of_the_score_sheet(live: Live) -> None:
    async def work() -> None:
        (ana,) = fresh("Ana")
        async with around(live, "daruma", ana, bots=["random", "random"]) as (one,):
            await play_out(one)
            result = one.table.result  # type: ignore[union-attr]
            assert result is not None
            rows = [row.values for row in result.sheet if row.counts]
            assert [sum(row[seat] for row in rows) for seat in range(3)] == result.scores  # type: ignore[misc]
            assert [seat for seat, place in enumerate(result.places) if place == 1] == result.winners

    asyncio.run(work())


def test_a_rematch_is_one_table_whoever_asks(live: Live) -> None:
    async def work() -> None:
        ana, bruno, zoe = fresh("Ana", "Bruno", "Zoe")
        async with around(live, "daruma", ana, bruno, watching=[zoe], bots=["random"]) as (one, two, watcher):
            assert await refusal(one, m.Rematch("a")) == "table-not-ended"
            await one.ask(m.Abort("b"))
            await two.ask(m.Vote("c", True))
            await until(watcher, lambda: watcher.over)
            assert await refusal(watcher, m.Rematch("d")) == "table-not-seated"
            made = await asyncio.gather(one.ask(m.Rematch("e")), two.ask(m.Rematch("f")))
            again = await one.ask(m.Rematch("e"))
            assert isinstance(again, m.Done)
            assert [answer.table for answer in made if isinstance(answer, m.Done)] == [again.table] * 2
            await until(watcher, lambda: watcher.table.rematch == again.table)  # type: ignore[union-attr]
            found = await live.client(zoe).call("GET", f"/api/tables/{again.table}")
            assert (found["game"], found["status"], found["seats"][2]["kind"]) == ("daruma", "open", "bot")
            mine = [(await live.client(name).call("GET", "/api/lobby"))["yours"] for name in (ana, bruno)]
            assert sorted(len(tables) for tables in mine) == [0, 1], "no second table was opened"

    asyncio.run(work())


def test_pass_and_play_for_the_right_seat_even_when_several_are_asked(live: Live) -> None:
    async def work() -> None:
        more = {"names": ["One", "Two", "Three"], "players": 3}
        async with around(live, "dojo", *fresh("Ana"), **more) as (family,):
            assert family.game is not None
            while len(family.game.asked) < 2:
                events = len(family.events)
                await family.view_from(family.game.asked[0])
                await family.play(asked(family).moves[-1])
                await until(family, lambda events=events: len(family.events) > events)
            second = family.game.asked[1]
            await family.view_from(second)
            await family.ask(m.Play(new_id(), asked(family).decision, asked(family).moves[0], second))
            await until(family, lambda: second not in family.game.asked)  # type: ignore[union-attr]

    asyncio.run(work())


def test_with_a_live_clock_the_game_goes_on_though_someone_never_says_that_they_are_ready(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tsukimi.table.table.INTERMISSION", 300)
    settings = Settings(forced=True, clock=Clock("live", 3000, 60))

    async def work() -> None:
        async with around(live, "charuma", *fresh("Ana", "Bruno"), settings=settings) as seats:
            while seats[0].table is not None and seats[0].table.status == "playing":
                await play_one(seats)
            assert seats[0].table is not None
            assert seats[0].table.status == "round"
            await until(seats[0], lambda: seats[0].table.status == "playing")  # type: ignore[union-attr]
            await play_one(seats)

    asyncio.run(work())
