"""Rated games over the socket: the clock decides, pauses end, there are no hints, and the proposer learns the outcome."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from server.live import Live, serving
from server.sockets import QUIET, RATED, around, fresh, on_turn, pass_time, play_one, refusal, until
from tsukimi.client import Seat
from tsukimi.server import messages as m
from tsukimi.server.tables import scheduler
from tsukimi.table import table as table_module
from tsukimi.table.settings import Clock

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with serving(tmp_path_factory.mktemp("rated"), bot_processes=1) as server:
        yield server


async def after_two_moves(seats: list[Seat]) -> Seat:
    """Both have moved; the one who is to move now."""
    moved = set()
    while len(moved) < 2:
        moved.add(seats.index(await play_one(seats)))
    return await on_turn(seats)


def test_whoever_is_gone_past_the_clock_has_lost_and_no_bot_plays_for_them(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Clock, "decent", property(lambda clock: True))
    monkeypatch.setattr(scheduler, "AWAY_AFTER", 200)

    async def work() -> None:
        settings = replace(RATED, clock=Clock("live", 300, 0))
        async with around(live, "daruma", *fresh("Ana", "Bruno"), settings=settings) as seats:
            late = await after_two_moves(seats)
            [other] = [seat for seat in seats if seat is not late]
            assert late.you is not None
            [mine] = late.you.seats
            await late.__aexit__(None, None, None)
            assert other.table is not None
            await pass_time(live, other.table.id, 301)
            await until(other, lambda: other.over)
            assert other.table.seats[mine].lost_by == "time"
            assert not other.table.seats[mine].away
            assert other.table.result is not None
            assert other.table.result.winners == [1 - mine]
            assert None not in other.table.result.ratings

    asyncio.run(work())


def test_a_pause_that_all_agreed_to_ends_by_itself(live: Live) -> None:
    async def work() -> None:
        async with around(live, "daruma", *fresh("Ana", "Bruno"), settings=RATED) as (one, two):
            await two.ask(m.Pause("a", True))
            assert one.table is not None
            await until(one, lambda: one.table.proposal is not None)  # type: ignore[union-attr]
            assert one.table.proposal is not None
            assert one.table.proposal.what == "pause"
            await one.ask(m.Vote("b", True))
            await until(two, lambda: two.table.status == "paused")  # type: ignore[union-attr]
            await pass_time(live, one.table.id, table_module.PAUSED_AT_MOST["live"] / 1000)
            await until(two, lambda: two.table.status == "playing")  # type: ignore[union-attr]
            assert await refusal(one, m.Pause("c", True)) == "table-pauses-used"

    asyncio.run(work())


def test_a_rated_game_has_no_hints_no_kicks_and_no_abort_by_one_player(live: Live) -> None:
    async def work() -> None:
        async with around(live, "daruma", *fresh("Ana", "Bruno"), settings=RATED, start=False) as seats:
            one, two = seats
            assert await refusal(one, m.Change("a", replace(RATED, hints=True))) == "table-rated-frozen"
            await one.ask(m.Start("s"))
            asked = await on_turn(seats)
            assert await refusal(asked, m.Hint("b")) == "table-rated-hints"
            assert await refusal(one, m.Kick("c", 1)) == "table-rated-kick"
            await one.ask(m.Abort("d"))
            assert one.table is not None
            assert one.table.status == "playing"
            assert one.table.counts
            await two.ask(m.Stand("e"))
            await until(one, lambda: one.over)
            assert one.table.seats[1].lost_by == "left"

    asyncio.run(work())


def test_the_proposer_learns_who_refused(live: Live) -> None:
    async def work() -> None:
        async with around(live, "daruma", *fresh("Ana", "Bruno"), settings=QUIET) as (one, two):
            await one.ask(m.Abort("a"))
            await two.ask(m.Vote("b", False))
            await until(one, lambda: one.table.refusal == m.Refusal("abort", 0, 1))  # type: ignore[union-attr]

    asyncio.run(work())


def test_a_seat_taken_over_by_a_bot_is_recognisable(live: Live) -> None:
    async def work() -> None:
        async with around(live, "daruma", *fresh("Ana", "Bruno"), settings=QUIET) as (one, two):
            await one.ask(m.Kick("a", 1))
            await until(two, lambda: two.you is not None and two.you.seats == [])
            assert two.table is not None
            assert two.you is not None
            assert two.table.seats[1].replaced
            assert two.table.seats[1].who == two.you.who

    asyncio.run(work())


def test_a_game_with_dice_taken_back_is_shown_as_practice_everywhere(live: Live) -> None:
    async def work() -> None:
        [ana] = fresh("Ana")
        async with around(live, "daruma", ana, bots=["random"], options={"first": "p1"}) as [one]:
            assert one.table is not None
            assert not one.table.practice
            for number in range(20):  # until chance or the bot has answered
                await play_one([one])
                await on_turn([one])
                await one.ask(m.Undo(f"u{number}"))
                if one.table.practice:
                    break
                await play_one([one])
                await on_turn([one])
            assert one.table.practice
            await one.ask(m.Resign("b"))
            await until(one, lambda: one.over)
            played = await live.client(ana).call("GET", "/api/me/games")
            assert played["games"][0]["practice"] is True
            record = await live.client(ana).call("GET", f"/api/tables/{one.table.id}/record")
            assert record.splitlines()[1] == "# practice"

    asyncio.run(work())


def test_what_is_left_to_chance_is_explained(live: Live) -> None:
    async def work() -> None:
        client = live.client(*fresh("Ana"))
        for game, options, chance in (
            ("daruma", {}, "all"),
            ("china-moon", {}, "first"),
            ("china-moon", {"first": "p1"}, "none"),
        ):
            async with client.table(await client.create(game, 3, options=options)) as seat:
                assert seat.table is not None
                assert seat.table.fairness.chance == chance

    asyncio.run(work())
