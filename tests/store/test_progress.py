"""What people have learned and set: replaced only over what was read, and gone with the person."""

from __future__ import annotations

import pytest

from tsukimi.store import Conflict, Person, Store


def test_progress_is_replaced_only_over_what_was_read_and_deleted_with_the_person(use) -> None:
    async def work(store: Store) -> None:
        await store.add_person(Person("p", "handle", "Ana", 0))
        assert await store.progress("p") == {}
        await store.change_progress("p", "lessons", None, b"one")
        await store.change_progress("p", "puzzles", None, b"first")
        for before in (None, b"other"):
            with pytest.raises(Conflict):
                await store.change_progress("p", "lessons", before, b"lost")
        await store.change_progress("p", "lessons", b"one", b"two")
        assert await store.progress("p") == {"lessons": b"two", "puzzles": b"first"}
        await store.delete_person("p")
        assert await store.progress("p") == {}
        with pytest.raises(Conflict):
            await store.change_progress("p", "lessons", None, b"after")

    use(work)
