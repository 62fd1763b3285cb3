"""Follows the audit log: the host's changes, on any worker or on the command line, take effect here within a second."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable

from tsukimi.server.moderation.bans import BanList
from tsukimi.server.moderation.words import WordFilter
from tsukimi.store import Store, Unavailable
from tsukimi.store.moderation import ADDRESSES, NETWORK, PERSON, Action

POLL_S = 1.0

_log = logging.getLogger("tsukimi.moderation")


class Moderation:
    def __init__(self, store: Store) -> None:
        self.bans = BanList()
        self.words = WordFilter()
        self.on_action: Callable[[Action], None] = lambda action: None
        """Called with every action after the start, once."""
        self._store = store
        self._seen = 0
        self._refreshing = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._seen = await self._store.last_action()
        await self._load()
        self._task = asyncio.create_task(self._follow())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def refresh(self) -> None:
        """Read what is new."""
        async with self._refreshing:
            actions = await self._store.actions(self._seen)
            if not actions:
                return
            for action in actions:
                if action.action == ADDRESSES:
                    await self._ban_addresses(action.target.partition(" ")[2])
            await self._load()  # closes the sockets
            self._seen = actions[-1].number
        for action in actions:
            self.on_action(action)

    async def _ban_addresses(self, person: str) -> None:
        """The addresses a banned person is connected from; their sockets are still open."""
        bans = await self._store.bans()
        ban = next((ban for ban in bans if ban.kind == PERSON and ban.value == person), None)
        if ban is None:  # already removed
            return
        for network in self.bans.addresses_of(person) - {one.value for one in bans if one.active(ban.at)}:
            await self._store.add_ban(NETWORK, network, ban.reason, ban.at, ban.until, ban.by)

    async def _load(self) -> None:
        bans, words = await self._store.bans(), await self._store.filtered_words()
        self.bans.replace(bans)
        self.words = WordFilter(words)

    async def _follow(self) -> None:
        while True:
            await asyncio.sleep(POLL_S)
            try:
                await self.refresh()
            except Unavailable:  # reported where it happened
                pass
            except Exception:
                _log.exception("the audit log could not be followed")
