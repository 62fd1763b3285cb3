"""The bus between processes: Redis pub/sub, one connection to speak and one to hear.

Who listens in this process is told directly; the echo from Redis is known by its origin and dropped. Redis keeps
nothing, so after every break all listeners hear the empty message: something may have been missed.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from tsukimi.bus import MISSED
from tsukimi.bus.local import LocalBus

log = logging.getLogger(__name__)

PREFIX = b"tsukimi:"
LOST = b"tsukimi!lost"  # a channel for: messages of mine were lost, I do not know which
MOST_WAITING = 10_000  # messages, while Redis is away
AT_ONCE = 500  # messages in one round trip
PULSE_S = 5.0  # silence after which Redis is asked whether it is there, and then as long to answer
PAUSES = (0.05, 0.1, 0.2, 0.5, 1.0)  # before trying again; the last one from then on
PATIENCE_S = 2.0  # for opening and closing
ORIGIN_BYTES = 8

OUTAGES = (RedisError, OSError, asyncio.IncompleteReadError)  # OSError: timeouts, too


class RedisBus(LocalBus):
    """Messages on the wire: eight bytes of origin, then what was published."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self._origin = os.urandom(ORIGIN_BYTES)
        # Attempts are made here and not in the client: sent twice would be heard twice, and a silent reconnect
        # would hide that something was missed.
        self._redis = Redis.from_url(
            url, protocol=2, socket_timeout=PULSE_S, socket_connect_timeout=PULSE_S, retry=Retry(NoBackoff(), 0)
        )
        self._outbox: deque[tuple[bytes, bytes]] = deque()
        self._lost = False
        self._published = asyncio.Event()
        self._steered = asyncio.Event()
        self._idle = asyncio.Event()
        self._hearing = asyncio.Event()
        self._speaking = False
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def healthy(self) -> bool:
        return self._speaking and self._hearing.is_set()

    async def open(self) -> None:
        for work, name in ((self._hear, "bus-hears"), (self._speak, "bus-speaks")):
            self._tasks.append(asyncio.create_task(self._again_and_again(work), name=name))
        try:
            await asyncio.wait_for(self._hearing.wait(), PATIENCE_S)
        except TimeoutError:
            log.warning("Redis cannot be reached yet; trying on")

    async def close(self) -> None:
        if self._tasks and self._outbox and self.healthy:
            try:
                await asyncio.wait_for(self._idle.wait(), PATIENCE_S)
            except TimeoutError:
                pass
        await ended(self._tasks, 1.0)
        self._tasks.clear()
        self._hearing.clear()
        await self._redis.aclose()

    def publish(self, topic: str, message: bytes) -> None:
        if len(self._outbox) >= MOST_WAITING:
            self._outbox.popleft()
            self._lost = True
        self._outbox.append((PREFIX + topic.encode(), self._origin + message))
        self._idle.clear()
        self._published.set()
        self._tell(topic, message)

    def _first(self, topic: str) -> None:
        self._steered.set()

    def _last(self, topic: str) -> None:
        self._steered.set()

    async def _again_and_again(self, work: Callable[[Callable[[], None]], Coroutine[Any, Any, None]]) -> None:
        """Do the work until it is cancelled, over as many connections as it takes."""
        failures = 0

        def well() -> None:
            nonlocal failures
            if failures:
                log.info("Redis is back")
            failures = 0

        while True:
            try:
                await work(well)
            except OUTAGES as error:
                if not failures:
                    log.warning("Redis went away: %s: %s", type(error).__name__, error)
                await asyncio.sleep(PAUSES[min(failures, len(PAUSES) - 1)])
                failures += 1

    # speaking

    async def _speak(self, well: Callable[[], None]) -> None:
        await self._redis.ping()  # before a message is taken that could be lost
        self._speaking = True
        well()
        while True:
            if not self._outbox and not self._lost:
                self._idle.set()
                self._published.clear()
                await self._published.wait()
            batch = [self._outbox.popleft() for _ in range(min(AT_ONCE, len(self._outbox)))]
            try:
                async with self._redis.pipeline(transaction=False) as pipe:
                    if self._lost:
                        pipe.publish(LOST, self._origin)
                    for channel, message in batch:
                        pipe.publish(channel, message)
                    await pipe.execute()
            except OUTAGES:
                self._speaking = False
                self._lost = True  # which of them got there is not known
                raise
            self._lost = False

    # hearing

    async def _hear(self, well: Callable[[], None]) -> None:
        """One connection's life."""
        connection = self._redis.connection_pool.make_connection()  # type: ignore[no-untyped-call]
        tasks: list[asyncio.Task[None]] = []
        try:
            await connection.connect()
            wanted = self._wanted()
            await connection.send_command("SUBSCRIBE", LOST, *sorted(wanted))
            tasks = [
                asyncio.create_task(self._steer(connection, wanted)),
                asyncio.create_task(self._receive(connection, well)),
            ]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        finally:
            self._hearing.clear()
            await ended(tasks, 0.05)
            await connection.disconnect(nowait=True)
        for task in tasks:
            if not task.cancelled():
                task.result()

    def _wanted(self) -> set[bytes]:
        return {PREFIX + topic.encode() for topic in self._listeners}

    async def _steer(self, connection: AbstractConnection, asked: set[bytes]) -> None:
        """Subscribe to what is listened to, and to nothing else."""
        while True:
            await self._steered.wait()
            self._steered.clear()
            wanted = self._wanted()
            for command, channels in (("SUBSCRIBE", wanted - asked), ("UNSUBSCRIBE", asked - wanted)):
                if channels:
                    await connection.send_command(command, *sorted(channels))
            asked = wanted

    async def _receive(self, connection: AbstractConnection, well: Callable[[], None]) -> None:
        waiting_for_pong = False
        while True:
            answer = await connection.read_response(timeout=PULSE_S, disconnect_on_error=False, push_request=True)
            if answer is not None:
                waiting_for_pong = False
                self._answered(answer, well)
            elif waiting_for_pong:
                raise ConnectionError("Redis has fallen silent")
            else:
                waiting_for_pong = True
                await connection.send_command("PING", check_health=False)

    def _answered(self, answer: list[Any], well: Callable[[], None]) -> None:
        kind, channel, *rest = answer
        if kind == b"message":
            self._heard(channel, rest[0])
        elif kind == b"subscribe" and channel == LOST:
            self._hearing.set()
            well()
        elif kind == b"subscribe":
            # Between `listen` and now others may have spoken; after a break, all the more.
            self._tell(channel.removeprefix(PREFIX).decode(), MISSED)

    def _heard(self, channel: bytes, content: bytes) -> None:
        if content.startswith(self._origin):
            return
        if channel == LOST:
            for topic in list(self._listeners):
                self._tell(topic, MISSED)
        else:
            self._tell(channel.removeprefix(PREFIX).decode(), content[ORIGIN_BYTES:])


async def ended(tasks: list[asyncio.Task[None]], patience: float) -> None:
    """Cancel, and again if need be: Python 3.11's `wait_for`, which the client uses, may swallow a cancellation."""
    while pending := [task for task in tasks if not task.done()]:
        for task in pending:
            task.cancel()
        await asyncio.wait(pending, timeout=patience)
    for task in tasks:
        if not task.cancelled():
            task.exception()  # looked at, so that nobody complains it never was
