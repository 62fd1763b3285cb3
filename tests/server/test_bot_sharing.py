"""The bots' time is shared fairly among people: whoever requests much waits, and nobody else does."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures.process import BrokenProcessPool
from random import Random
from typing import Any

import pytest

import tsukimi
from server.simulated import BotTable, SimulatedLoop, in_simulated_time, instant_search
from tsukimi.bots.china_moon.engine import ChinaMoonEngine
from tsukimi.server.tables import bot_pool, fair_queue
from tsukimi.server.tables.bot_pool import BotPool
from tsukimi.server.tables.fair_queue import FairQueue, Owner
from tsukimi.server.tables.pace import Pace
from tsukimi.table.errors import TableError

# ---- the queue -------------------------------------------------------------------------------------------


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def order(queue: FairQueue[str], seconds: float = 1.0) -> list[str]:
    """The jobs as they are taken, each of which takes so long."""
    found = []
    while len(queue):
        owner, job = queue.take()
        queue.charge(owner, seconds)
        found.append(job)
    return found


def test_people_take_turns_however_many_jobs_one_of_them_has() -> None:
    queue: FairQueue[str] = FairQueue(Clock())
    for number in range(4):
        queue.add([Owner("ana", "1")], f"a{number}")
    queue.add([Owner("bruno", "2")], "b0")
    queue.add([Owner("bruno", "2")], "b1")
    assert order(queue) == ["a0", "b0", "a1", "b1", "a2", "a3"]


def test_many_guests_of_one_address_share_what_one_would_have() -> None:
    queue: FairQueue[str] = FairQueue(Clock())
    for number in range(4):
        queue.add([Owner(f"guest{number}", "1")], f"g{number}")
    for number in range(2):
        queue.add([Owner("ana", "2")], f"a{number}")
    assert order(queue) == ["g0", "a0", "g1", "a1", "g2", "g3"]


def test_people_of_one_address_take_turns_too() -> None:
    queue: FairQueue[str] = FairQueue(Clock())
    for number in range(3):
        queue.add([Owner("ana", "1")], f"a{number}")
    queue.add([Owner("bruno", "1")], "b0")
    assert order(queue) == ["a0", "b0", "a1", "a2"]


def test_what_someone_used_is_forgotten_with_time() -> None:
    clock = Clock()
    queue: FairQueue[str] = FairQueue(clock)
    queue.charge(Owner("ana"), 8.0)
    clock.now += 4 * fair_queue.HALF_LIFE
    queue.charge(Owner("bruno"), 1.0)
    queue.add([Owner("bruno")], "b")
    queue.add([Owner("ana")], "a")
    assert order(queue) == ["a", "b"]


def test_a_job_for_several_people_is_on_the_account_of_who_has_used_least() -> None:
    queue: FairQueue[str] = FairQueue(Clock())
    queue.charge(Owner("ana"), 8.0)
    queue.charge(Owner("chloe"), 1.0)
    queue.add([Owner("chloe")], "c")
    queue.add([Owner("ana"), Owner("bruno")], "ab")
    assert order(queue) == ["ab", "c"]


def test_jobs_that_nobody_waits_for_come_last_but_not_never() -> None:
    queue: FairQueue[str] = FairQueue(Clock())
    for number in range(3):
        queue.add([Owner("bruno", attended=False)], f"b{number}")
    for number in range(20):
        queue.add([Owner("ana")], f"a{number}")
    found = order(queue)
    assert [found.index(job) for job in ("b0", "b1")] == [7, 15]
    assert found[-1] == "b2"


def test_accounts_that_are_long_forgotten_take_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_queue, "MOST_ACCOUNTS", 100)
    clock = Clock()
    queue: FairQueue[str] = FairQueue(clock)
    for number in range(1000):
        clock.now += 60.0
        queue.charge(Owner(f"guest{number}"), 1.0)
    assert len(queue._used) <= 102


# ---- the pool, in simulated time -------------------------------------------------------------------------------


def simulated(monkeypatch: pytest.MonkeyPatch, work: Callable[[BotPool], Awaitable[None]], ms: float = 1000.0) -> None:
    async def with_pool() -> None:
        pool = BotPool(1, ms)
        try:
            await work(pool)
        finally:
            pool.close()

    in_simulated_time(with_pool(), instant_search(monkeypatch, ChinaMoonEngine))


async def seconds(work: Awaitable[Any]) -> float:
    loop = asyncio.get_running_loop()
    started = loop.time()
    await work
    return loop.time() - started


def test_a_newcomers_first_bot_turn_comes_within_two_seconds_while_sixty_tables_of_bots_run_and_a_guest_floods_hints(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def work(pool: BotPool) -> None:
        moves = 0

        def answered(*_: object) -> None:
            nonlocal moves
            moves += 1

        tables = [BotTable(pool, "china-moon", 3, "master", answered) for _ in range(60)]
        state, refused = tsukimi.new("china-moon", players=3, seed=1), 0

        async def flood() -> None:
            nonlocal refused
            try:
                await pool.hint("F", state, {}, state.actors[0], "en", Owner("flooder", "1"))
            except TableError as problem:
                assert problem.code == "table-hints-waiting"
                refused += 1

        floods = set()
        for _ in range(400):
            floods.add(asyncio.create_task(flood()))
            await asyncio.sleep(0.025)
        times = []
        for number in range(20):
            owner = Owner(f"newcomer{number}", "1")
            times.append(await seconds(pool.choose(f"N{number}", state, state.actors[0], "master", [owner])))
            for _ in range(20):
                floods.add(asyncio.create_task(flood()))
        assert max(times) < 2.0
        assert moves > 60
        assert refused > 300
        for table in tables:
            table.close()
        await asyncio.gather(*floods)

    simulated(monkeypatch, work)


def test_bots_think_shorter_when_their_person_has_many_of_them_and_others_hardly_notice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: dict[str, list[float]] = {"ana": [], "bruno": []}
    choose = bot_pool._choose

    def record(table: str, frozen: bytes, seat: int, level: str, ms: float) -> tuple[str, float]:
        given[table].append(ms)
        return choose(table, frozen, seat, level, ms)

    monkeypatch.setattr(bot_pool, "_choose", record)

    async def work(pool: BotPool) -> None:
        state = tsukimi.new("china-moon", players=3, seed=1)
        people = ["ana", *["bruno"] * 10]
        await asyncio.gather(
            *(pool.choose(one, state, state.actors[0], "master", [Owner(one)]) for one in ["bruno", *people])
        )

    simulated(monkeypatch, work)
    assert given["ana"] == [500.0]
    assert max(given["bruno"][1:10]) <= 1000.0 / 2
    assert min(given["bruno"]) <= 1000.0 / 10


def test_a_cached_bot_uses_the_time_given_for_the_current_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = tsukimi.new("china-moon", players=3, seed=1)
    took = instant_search(monkeypatch, ChinaMoonEngine)
    loop = SimulatedLoop()
    for ms in (1000.0, 40.0):
        loop.run_in_executor(
            None, bot_pool._choose, "kept", bot_pool.pickle.dumps(state), state.actors[0], "master", ms
        )
        assert took() == ms / 1000
    loop.close()


def test_whoever_is_gone_leaves_nothing_in_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(pool: BotPool) -> None:
        state = tsukimi.new("china-moon", players=3, seed=1)
        tasks = [
            asyncio.create_task(pool.hint("T", state, {}, state.actors[0], "en", Owner(f"p{number}")))
            for number in range(5)
        ]
        await asyncio.sleep(0.01)
        assert (pool.thinking, pool.waiting) == (1, 4)
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        assert pool.waiting == 0
        for _ in range(bot_pool.MOST_HINTS):  # and nothing that would keep them from asking again
            await pool.hint("T", state, {}, state.actors[0], "en", Owner("p0"))

    simulated(monkeypatch, work)


def test_whoever_has_many_bots_that_wait_gets_no_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(pool: BotPool) -> None:
        state = tsukimi.new("china-moon", players=3, seed=1)
        bots = [
            asyncio.create_task(pool.choose(f"T{number}", state, state.actors[0], "master", [Owner("ana")]))
            for number in range(bot_pool.MOST_WAITING + 1)
        ]
        await asyncio.sleep(0.01)
        with pytest.raises(TableError, match="still busy"):
            await pool.hint("T", state, {}, state.actors[0], "en", Owner("ana"))
        await pool.hint("T", state, {}, state.actors[0], "en", Owner("bruno"))
        await asyncio.gather(*bots)

    simulated(monkeypatch, work)


def test_a_process_that_ends_is_replaced_and_its_job_is_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(pool: BotPool) -> None:
        loop, ended = asyncio.get_running_loop(), 0
        run = loop.run_in_executor

        def end_once(*arguments: Any) -> Any:
            nonlocal ended
            if ended < 1:
                ended += 1
                raise BrokenProcessPool
            return run(*arguments)

        monkeypatch.setattr(loop, "run_in_executor", end_once)
        state = tsukimi.new("china-moon", players=3, seed=1)
        move = await pool.choose("T", state, state.actors[0], "master", [Owner("ana")])
        assert move in state.legal(state.actors[0])
        assert ended == 1

    simulated(monkeypatch, work)


def test_an_answer_that_is_late_waits_for_the_next_of_a_few_times() -> None:
    for seed in range(20):
        due = {
            Pace(1000.0, Random(seed)).due(0.0, 0.0, 1.0, 1.0, now)
            for now in (0.003, 0.5, 1.14, *(2.0 + number / 1000 for number in range(150)))
        }
        assert len(due) <= 3
        assert min(due) >= 1.15
