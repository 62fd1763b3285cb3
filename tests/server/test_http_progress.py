"""What people have learned and set follows them from device to device."""

from __future__ import annotations

import asyncio

import pytest

from server.http_world import browser, world
from tsukimi.server.accounts import progress
from tsukimi.server.common.errors import ServerError
from tsukimi.store import Person, connect


def lesson(step: int, at: int, done: bool = False) -> dict[str, object]:
    return {"table": "t", "step": step, "of": 9, "done": done, "at": at}


def test_lessons_and_preferences_of_two_devices_are_merged_and_the_later_of_each_counts():
    with world() as built:
        ana = {"name": "ana", "password": "correct horse"}
        home = browser(built)
        home.post("/api/account", json=ana)
        home.post("/api/me/progress", json={"lessons": {"dojo": lesson(9, 50, True), "daruma": lesson(2, 10)}})
        phone = browser(built, known=False)
        assert phone.post("/api/login", json=ana).status_code == 200
        mine = {"lessons": {"daruma": lesson(5, 20), "dojo": lesson(1, 40)}, "preferences": {"theme": "paper", "at": 7}}
        merged = phone.post("/api/me/progress", json=mine).json()
        assert merged["lessons"] == {"dojo": lesson(9, 50, True), "daruma": lesson(5, 20)}
        late = {"preferences": {"theme": "night", "at": 6}}
        assert home.post("/api/me/progress", json=late).json()["preferences"]["theme"] == "paper"
        assert home.get("/api/me/progress").json() == merged
        assert browser(built).get("/api/me/progress").json()["lessons"] == {}


def test_of_two_changes_at_the_same_moment_none_is_lost_and_no_value_grows_without_bounds():
    async def work() -> None:
        store = connect("sqlite://:memory:")
        await store.open()
        await store.add_person(Person("p", "handle", "Ana", 0))
        add = [
            progress.change(store, "p", "count", list[int], lambda found, n=n: sorted([*(found or []), n]))
            for n in range(4)
        ]
        await asyncio.gather(*add)
        assert await progress.read(store, "p", "count", list[int]) == [0, 1, 2, 3]
        with pytest.raises(ServerError):
            await progress.change(store, "p", "count", list[int], lambda found: [1] * progress.MAX_BYTES)
        with pytest.raises(ServerError):  # nothing is stored for a deleted person
            await progress.change(store, "nobody", "count", list[int], lambda found: [1])
        assert await store.progress("nobody") == {}
        await store.close()

    asyncio.run(work())
