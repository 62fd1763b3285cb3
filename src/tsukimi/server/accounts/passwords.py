"""Passwords, hashed with argon2id in threads."""

from __future__ import annotations

import asyncio
import secrets
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from tsukimi.server.common.errors import ServerError

MEMORY_KIB = 32 * 1024  # for one password
THREADS = 2  # passwords hashed at the same time; each takes a core for some 50 ms
MAX_QUEUE = 32
T = TypeVar("T")


class Passwords:
    """A few hashes at a time: passwords must neither block the tables nor fill the memory."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher(time_cost=3, memory_cost=MEMORY_KIB, parallelism=1)
        self._threads: ThreadPoolExecutor | None = None
        self._queued = 0

    def close(self) -> None:
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
            self._threads = None

    async def hash(self, password: str) -> str:
        return await self._in_thread(self._hasher.hash, _normalized(password))

    async def verify(self, hashed: str | None, password: str) -> bool:
        """Without a hash, because the account is unknown, this takes the same time and returns False."""
        return await self._in_thread(self._verify, hashed, _normalized(password))

    def needs_rehash(self, hashed: str) -> bool:
        return self._hasher.check_needs_rehash(hashed)

    def _verify(self, hashed: str | None, password: str) -> bool:
        try:
            return self._hasher.verify(hashed or self._dummy_hash, password)
        except (VerificationError, InvalidHashError):
            return False

    @cached_property
    def _dummy_hash(self) -> str:
        """The hash of a password that nobody has."""
        return self._hasher.hash(secrets.token_urlsafe(32))

    async def _in_thread(self, work: Callable[..., T], *args: object) -> T:
        if self._queued >= MAX_QUEUE:
            raise ServerError("server-busy", 503, retry=5)
        if self._threads is None:
            self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="password")
        self._queued += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work, *args)
        finally:
            self._queued -= 1


def _normalized(password: str) -> str:
    """The same password, however the keyboard composes its accents."""
    return unicodedata.normalize("NFC", password)
