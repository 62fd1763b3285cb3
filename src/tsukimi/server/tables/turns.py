"""Whose turn it is to change a table: a lock that can also be taken without waiting."""

from __future__ import annotations

import asyncio
from collections import deque


class Turns:
    """First come, first served. `async with` waits for its turn; `taken` does not."""

    def __init__(self) -> None:
        self._held = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    def locked(self) -> bool:
        return self._held

    def taken(self) -> bool:
        """Take it if nobody has it; whoever did must release it."""
        if self._held:
            return False
        self._held = True
        return True

    def release(self) -> None:
        """It goes to the first who still waits, without being free in between."""
        while self._waiting:
            first = self._waiting.popleft()
            if not first.done():
                first.set_result(None)
                return
        self._held = False

    async def __aenter__(self) -> None:
        if self.taken():
            return
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled():  # it was given to one who is gone
                self.release()
            raise

    async def __aexit__(self, *_: object) -> None:
        self.release()
