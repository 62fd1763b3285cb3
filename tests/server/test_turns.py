"""A table is changed by one wish at a time, in the order in which they were made."""

from __future__ import annotations

import asyncio

import pytest

from tsukimi.server.tables.turns import Turns


def test_who_does_not_wait_gets_the_turn_only_if_it_is_free() -> None:
    turns = Turns()
    assert turns.taken()
    assert turns.locked()
    assert not turns.taken()
    turns.release()
    assert not turns.locked()
    assert turns.taken()


def test_those_who_wait_come_in_their_order_and_nobody_comes_in_between() -> None:
    async def main() -> list[int]:
        turns, came = Turns(), list[int]()

        async def come(number: int) -> None:
            async with turns:
                came.append(number)
                await asyncio.sleep(0)

        assert turns.taken()
        tasks = [asyncio.create_task(come(number)) for number in range(3)]
        await asyncio.sleep(0)
        turns.release()
        assert not turns.taken(), "it was given to the first who waited"
        await asyncio.gather(*tasks)
        assert not turns.locked()
        return came

    assert asyncio.run(main()) == [0, 1, 2]


@pytest.mark.parametrize("given", [False, True])
def test_who_stops_waiting_holds_nobody_up(given: bool) -> None:
    async def main() -> None:
        turns, came = Turns(), list[str]()

        async def come(name: str) -> None:
            async with turns:
                came.append(name)

        assert turns.taken()
        gone, other = (asyncio.create_task(come(name)) for name in ("gone", "other"))
        await asyncio.sleep(0)
        if given:  # it has the turn already, but has not heard of it
            turns.release()
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)
        if not given:
            turns.release()
        await asyncio.wait_for(other, 5)
        assert came == ["other"]
        assert not turns.locked()

    asyncio.run(main())


def test_a_turn_ends_with_whatever_went_wrong_in_it() -> None:
    async def main() -> None:
        turns = Turns()
        with pytest.raises(ValueError, match="wrong"):
            async with turns:
                raise ValueError("wrong")
        assert not turns.locked()

    asyncio.run(main())
