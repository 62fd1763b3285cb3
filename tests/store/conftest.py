"""Every test that takes `url` or `use` runs on SQLite and on PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from services import postgres  # noqa: F401
from store.made import opened


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path) -> str:
    """A fresh database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/store.db"
    return request.getfixturevalue("postgres").database()


@pytest.fixture
def use(url) -> Callable[..., object]:
    """Run `async def work(store)` on a store that is closed afterwards, and give what it returns."""

    def run(work):
        async def with_store():
            async with opened(url) as store:
                return await asyncio.wait_for(work(store), 60)

        return asyncio.run(with_store())

    return run
