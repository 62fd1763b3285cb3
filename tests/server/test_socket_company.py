"""Who is there and who is not: spectators, absence, time that runs out, people who talk too much."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from server.live import Live, serving
from server.sockets import around, fresh, on_turn, play_one, play_out, raw_socket, refusal, until
from tsukimi.client import Gone, Refused
from tsukimi.server import messages as m
from tsukimi.server.tables import encoder, scheduler
from tsukimi.table.settings import Clock, Settings

pytestmark = pytest.mark.compiled
FIRST = {"first": "p1"}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with serving(tmp_path_factory.mktemp("company"), bot_processes=1) as server:
        yield server


# ---- spectators --------------------------------------------------------------------------------------


def test_spectators_are_counted(live: Live) -> None:
    async def work() -> None:
        ana, bruno, zoe = fresh("Ana", "Bruno", "Zoe")
        async with around(live, "daruma", ana, bruno, watching=[zoe]) as (one, _, watcher):
            await until(one, lambda: one.table.spectators == 1)  # type: ignore[union-attr]
            assert watcher.game is not None
            assert watcher.game.question is None
            assert watcher.game.view["seat"] is None
            await watcher.__aexit__(None, None, None)
            await until(one, lambda: one.table.spectators == 0)  # type: ignore[union-attr]

    asyncio.run(work())


def test_a_closed_table_is_shut_for_spectators_while_the_game_continues(live: Live) -> None:
    async def work() -> None:
        ana, bruno, zoe = fresh("Ana", "Bruno", "Zoe")
        settings = Settings(forced=False, spectators="closed")
        async with around(live, "daruma", ana, bruno, settings=settings) as (one, two):
            assert one.table is not None
            with pytest.raises(Gone) as gone:
                async with live.client(zoe).table(one.table.id):
                    pass
            assert isinstance(gone.value.__cause__, Refused)
            assert gone.value.__cause__.code == "table-no-spectators"
            await one.ask(m.Resign("a"))
            await until(two, lambda: two.over)
            async with live.client(zoe).table(one.table.id) as later:
                assert later.over

    asyncio.run(work())


def test_a_closed_table_disconnects_those_who_watched_before_it_began(live: Live) -> None:
    async def work() -> None:
        ana, bruno, chloe, zoe = fresh("Ana", "Bruno", "Chloe", "Zoe")
        settings = Settings(forced=False, spectators="closed")
        async with around(live, "daruma", ana, bruno, chloe, settings=settings, start=False) as (one, two, three):
            assert one.table is not None
            async with raw_socket(live, live.client(zoe), one.table.id) as watcher:
                await one.ask(m.Start("a"))
                with pytest.raises(ConnectionClosed):
                    await watcher.receive("game")
                assert watcher.socket.close_code == 4003
            await one.ask(m.Kick("b", 2))
            with pytest.raises(Gone):
                await until(three, lambda: False, 10)
            assert two.table is not None
            assert two.table.spectators == 0

    asyncio.run(work())


def test_delayed_spectators_see_everything_later(live: Live) -> None:
    async def work() -> None:
        ana, bruno, chloe, zoe, late = fresh("Ana", "Bruno", "Chloe", "Zoe", "Late")
        settings = Settings(forced=False, spectators="delayed", delay=4)  # longer than the moves take
        async with around(
            live, "china-moon", ana, bruno, chloe, watching=[zoe], settings=settings, options=FIRST
        ) as seats:
            players, watcher = seats[:3], seats[3]
            await until(watcher, lambda: watcher.game is not None)
            before = len(watcher.events)
            for _ in range(3):
                await play_one(players)
            moved = time.monotonic()
            events = len(players[0].events)
            assert events > before
            assert len(watcher.events) == before
            async with live.client(late).table(watcher.table.id) as second:  # type: ignore[union-attr]
                assert len(second.events) < events
                older = await second.ask(m.Log("l", 1_000_000))
                assert isinstance(older, m.Events) and older.events == [], "nothing beyond the welcome"
                for one in (watcher, second):
                    await until(one, lambda one=one: len(one.events) == events)
                assert time.monotonic() - moved > 3.5
                assert second.events == watcher.events

    asyncio.run(work())


def test_of_a_long_game_a_welcome_has_the_end_and_the_rest_can_be_read(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoder, "LOG_BYTES", 1000)

    async def work() -> None:
        ana, bruno, zoe = fresh("Ana", "Bruno", "Zoe")
        async with around(live, "daruma", ana, bruno) as (one, two):
            for _ in range(30):
                await play_one((one, two))
            assert one.table is not None
            async with live.client(zoe).table(one.table.id) as late:
                assert 0 < late.first_event == late.events[0]["index"]
                await play_one((one, two))
                await until(late, lambda: late.events[-1] == one.events[-1])
                assert late.first_event and not late.reconnects
                await late.read_log()
                await one.read_log()
                assert [event["index"] for event in late.events] == list(range(len(one.events)))

    asyncio.run(work())


def test_when_the_game_has_ended_delayed_spectators_see_the_end_and_nothing_old_after_it(live: Live) -> None:
    async def work() -> None:
        ana, bruno, zoe = fresh("Ana", "Bruno", "Zoe")
        settings = Settings(forced=False, spectators="delayed", delay=4)  # longer than the moves take
        async with around(live, "daruma", ana, bruno, watching=[zoe], settings=settings) as (one, two, watcher):
            for _ in range(4):
                await play_one((one, two))
            await one.ask(m.Resign("a"))
            await until(watcher, lambda: watcher.over and len(watcher.events) == len(one.events))
            view = watcher.game.view  # type: ignore[union-attr]
            await asyncio.sleep(1.2)
            assert len(watcher.events) == len(one.events)
            assert watcher.game.view == view  # type: ignore[union-attr]
            assert watcher.over

    asyncio.run(work())


def test_whoever_comes_to_a_delayed_table_before_it_begins_sees_it_as_it_is(live: Live) -> None:
    async def work() -> None:
        ana, zoe = fresh("Ana", "Zoe")
        settings = Settings(spectators="delayed", delay=60)
        async with around(live, "daruma", ana, players=2, settings=settings, start=False) as (one,):
            await one.ask(m.Say("a", "welcome"))
            async with raw_socket(live, live.client(zoe), one.table.id, hello=False) as guest:  # type: ignore[union-attr]
                said = await guest.ask({"type": "hello", "v": 1})
                assert said["table"]["seats"][0]["name"] == ana
                assert [line["text"] for line in said["chat"]] == ["welcome"]

    asyncio.run(work())


# ---- absence -----------------------------------------------------------------------------------------


def test_a_bot_plays_for_an_absent_person_until_they_are_back(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "AWAY_AFTER", 200)

    async def work() -> None:
        ana, bruno, chloe = fresh("Ana", "Bruno", "Chloe")
        async with around(live, "china-moon", ana, bruno, chloe, options=FIRST) as (one, two, three):
            await one.__aexit__(None, None, None)
            await until(two, lambda: two.table.seats[0].away)  # type: ignore[union-attr]
            await until(two, lambda: two.game.question is not None)  # type: ignore[union-attr]
            assert one.table is not None
            async with live.client(ana).table(one.table.id) as again:
                await until(two, lambda: not two.table.seats[0].away)  # type: ignore[union-attr]
                await play_one((two, three, again))
                while await on_turn((two, three, again)) is not again:
                    await play_one((two, three, again))
                await asyncio.sleep(0.3)
                assert again.game.question is not None, "nobody plays for a person who is there"
                await again.play(again.game.question.moves[0])

    asyncio.run(work())


def test_nobody_plays_for_an_absent_person_where_the_host_does_not_want_it(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler, "AWAY_AFTER", 100)

    async def work() -> None:
        ana, bruno = fresh("Ana", "Bruno")
        settings = Settings(forced=False, takeover=False)
        async with around(live, "daruma", ana, bruno, settings=settings, options=FIRST) as (one, two):
            await one.__aexit__(None, None, None)
            await until(two, lambda: not two.table.seats[0].online)  # type: ignore[union-attr]
            await asyncio.sleep(0.3)
            assert two.table is not None
            assert not two.table.seats[0].away

    asyncio.run(work())


def test_a_connection_that_never_says_hello_does_not_count_as_being_there(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler, "AWAY_AFTER", 300)

    async def work() -> None:
        ana, bruno = fresh("Ana", "Bruno")
        async with around(live, "daruma", ana, bruno, options=FIRST) as (one, two):
            await one.__aexit__(None, None, None)
            await until(two, lambda: not two.table.seats[0].online)  # type: ignore[union-attr]
            async with raw_socket(live, live.client(ana), two.table.id, hello=False):  # type: ignore[union-attr]
                pass
            await until(two, lambda: two.table.seats[0].away)  # type: ignore[union-attr]

    asyncio.run(work())


def test_whoever_stands_up_during_the_game_takes_the_seat_again_by_a_move(live: Live) -> None:
    async def work() -> None:
        ana, bruno, chloe = fresh("Ana", "Bruno", "Chloe")
        async with around(live, "china-moon", ana, bruno, chloe, options={"first": "p2"}) as (one, two, three):
            await one.ask(m.Stand("a"))
            await one.ask(m.Stand("a"))
            await until(two, lambda: two.table.seats[0].away)  # type: ignore[union-attr]
            await play_one((two, three))
            await one.ask(m.Say("b", "still looking"))
            async with live.client(ana).table(one.table.id):  # type: ignore[union-attr]
                await until(two, lambda: not two.table.seats[0].away)  # type: ignore[union-attr]

    asyncio.run(work())


def test_whoever_was_kicked_during_the_game_is_a_spectator_and_a_bot_plays_on(live: Live) -> None:
    async def work() -> None:
        async with around(live, "china-moon", *fresh("Ana", "Bruno", "Chloe"), options={"first": "p2"}) as seats:
            one, two, _ = seats
            await one.ask(m.Kick("a", 1))
            await until(two, lambda: two.you.look is None or two.game.view["seat"] is None)  # type: ignore[union-attr]
            await until(one, lambda: 1 not in one.game.asked)  # type: ignore[union-attr]
            assert await refusal(two, m.Undo("b")) == "table-not-seated"
            assert await refusal(one, m.Kick("c", 0)) == "table-cannot-kick"

    asyncio.run(work())


# ---- clocks ------------------------------------------------------------------------------------------


def test_when_time_is_up_a_bot_chooses_and_after_twice_it_takes_over(live: Live) -> None:
    async def work() -> None:
        ana, bruno, chloe = fresh("Ana", "Bruno", "Chloe")
        settings = Settings(forced=False, clock=Clock("live", 1, 0))
        async with around(
            live, "china-moon", ana, bruno, chloe, settings=settings, options=FIRST, start=False
        ) as seats:
            one, two, three = seats
            await one.ask(m.Start("a"))
            began = time.monotonic()
            work = [asyncio.create_task(play_out(seat)) for seat in (two, three)]
            await until(one, lambda: one.table.seats[0].away)  # type: ignore[union-attr]
            assert time.monotonic() - began > 0.9, "the whole reserve, and then at once: there is no extra time"
            assert one.game is not None
            assert one.game.clocks.left[0] == 0
            for task in work:
                await task
            await until(one, lambda: one.over)

    asyncio.run(work())


# ---- limits ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with serving(tmp_path_factory.mktemp("strict"), rate=1.0, bot_processes=1) as server:
        yield server


def test_whoever_chats_too_much_has_to_wait(strict: Live) -> None:
    async def work() -> None:
        async with around(strict, "daruma", *fresh("Ana", "Bruno")) as (one, two):
            for number in range(5):
                await one.ask(m.Say(f"a{number}", "bla"))
            assert await refusal(one, m.Say("b", "bla")) == "table-too-fast"
            await one.ask(m.Say("a4", "bla"))  # a line that was said is not said again
            await two.ask(m.Say("a", "I say what I like"))
            await until(two, lambda: len(two.chat) == 6)

    asyncio.run(work())


def test_hints_are_limited(strict: Live) -> None:
    async def work() -> None:
        settings = Settings(forced=False, hints=True)
        async with around(strict, "china-moon", *fresh("Ana", "Bruno", "Chloe"), settings=settings, options=FIRST) as (
            one,
            *_,
        ):
            answers = await asyncio.gather(*(one.ask(m.Hint(f"h{n}")) for n in range(5)), return_exceptions=True)
            refused = [answer for answer in answers if isinstance(answer, Refused)]
            assert len(refused) >= 2
            assert {one.code for one in refused} >= {"table-too-fast"}

    asyncio.run(work())


def test_whoever_waits_for_two_hints_is_refused_a_third_and_hears_both(live: Live) -> None:
    async def work() -> None:
        settings = Settings(forced=False, hints=True)
        async with around(live, "china-moon", *fresh("Ana", "Bruno", "Chloe"), settings=settings, options=FIRST) as (
            one,
            *_,
        ):
            answers = await asyncio.gather(*(one.ask(m.Hint(f"h{n}")) for n in range(6)), return_exceptions=True)
            refused = [answer.code for answer in answers if isinstance(answer, Refused)]
            assert refused == ["table-hints-waiting"] * 4
            assert isinstance(await one.ask(m.Hint("later")), m.Advice)

    asyncio.run(work())


def test_whoever_floods_is_refused_by_name_then_closed_and_other_tables_stay_fast(strict: Live) -> None:
    async def work() -> None:
        async with around(strict, "daruma", *fresh("Ana", "Bruno")) as (one, two):
            flooder = strict.client(*fresh("Flood"))
            table = await flooder.create("daruma", 2)
            async with raw_socket(strict, flooder, table) as flood:

                async def pour() -> int:
                    for number in range(3000):
                        await flood.send({"type": "why", "id": f"w{number}", "move": "roll"})
                    return 0

                pouring = asyncio.create_task(pour())
                slowest = 0.0
                for _ in range(10):
                    began = time.perf_counter()
                    await play_one((one, two))
                    slowest = max(slowest, time.perf_counter() - began)
                said = await flood.receive("error")
                assert said["code"] == "table-too-fast"
                assert said["id"], "whoever is refused knows which request it was"
                assert await flood.ends() == 4029
                pouring.cancel()
                await asyncio.gather(pouring, return_exceptions=True)
            assert slowest < 10.0  # on a busy machine; who waits for the flood waits much longer

    asyncio.run(work())


# ---- the lobby -----------------------------------------------------------------------------------------


def test_the_lobby_sends_its_lists_and_ignores_incoming_messages(live: Live) -> None:
    async def work() -> None:
        client = live.client(*fresh("Ana"))
        table = await client.create("daruma", 2, settings=Settings(public=True))
        address = f"{live.url.replace('http', 'ws')}/ws/lobby"
        async with connect(address, additional_headers=client.headers(), compression=None) as lobby:
            await lobby.send("{nonsense")
            await lobby.send(b"\x00\xff")
            async with asyncio.timeout(20):
                while f'"id":"{table}"' not in str(await lobby.recv()):
                    pass

    asyncio.run(work())
