"""What people have learned and set: JSON by name, stored with the person.

Each name has one type. Everything stored this way is in the person's export and is deleted with them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

from tsukimi.server.common.errors import ServerError
from tsukimi.store import Conflict, Store

T = TypeVar("T")
MAX_BYTES = 16_384
ATTEMPTS = 5


async def read(store: Store, person: str, name: str, type: type[T]) -> T | None:
    """What is stored under this name, None if nothing."""
    return _decoded((await store.progress(person)).get(name), type)


async def change(store: Store, person: str, name: str, type: type[T], after: Callable[[T | None], T]) -> T:
    """Replace what is stored with the result of `after`, which is called again if someone else was faster."""
    for _ in range(ATTEMPTS):
        stored = (await store.progress(person)).get(name)
        value = after(_decoded(stored, type))
        data = msgspec.json.encode(value, order="sorted")
        if data == stored:
            return value
        if len(data) > MAX_BYTES:
            raise ServerError("server-too-large", 413, most=MAX_BYTES)
        try:
            await store.change_progress(person, name, stored, data)
        except Conflict:
            continue
        return value
    raise ServerError("server-busy", 503, retry=1)


def _decoded(data: bytes | None, type: type[T]) -> T | None:
    return None if data is None else msgspec.json.decode(data, type=type)
