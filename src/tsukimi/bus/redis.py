"""The bus between processes: Redis pub/sub, one connection to publish and one to receive.

Subscribers in this process are called directly; the echo from Redis is recognised by its origin and dropped. Redis
stores nothing, so after every interruption all subscribers get the empty message: they may have missed something.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from tsukimi.bus import MISSED
from tsukimi.bus.local import LocalBus

log = logging.getLogger(__name__)

PREFIX = b"tsukimi:"
LOST = b"tsukimi!lost"  # the channel on which a process says that some of its messages were lost
MAX_OUTBOX = 10_000  # messages kept while Redis is down
MAX_BATCH = 500  # messages in one round trip
HEARTBEAT_S = 5.0  # silence after which Redis is pinged, and the time it then has to answer
RETRY_DELAYS = (0.05, 0.1, 0.2, 0.5, 1.0)  # the last one repeats
TIMEOUT_S = 2.0  # for opening and closing
ORIGIN_BYTES = 8

OUTAGES = (RedisError, OSError, asyncio.IncompleteReadError)  # OSError includes timeouts


class RedisBus(LocalBus):
    """A message in Redis is eight bytes of origin, then what was published."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self._origin = os.urandom(ORIGIN_BYTES)
        # Retries are ours and not the client's: a message sent twice would be delivered twice.
        self._redis = Redis.from_url(
            url, protocol=2, socket_timeout=HEARTBEAT_S, socket_connect_timeout=HEARTBEAT_S, retry=Retry(NoBackoff(), 0)
        )
        self._outbox: deque[tuple[bytes, bytes]] = deque()
        self._lost = False
        self._queued = asyncio.Event()
        self._flushed = asyncio.Event()
        self._changed = asyncio.Event()
        self._receiving = asyncio.Event()
        self._publishing = False
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def healthy(self) -> bool:
        return self._publishing and self._receiving.is_set()

    async def open(self) -> None:
        for work, name in ((self._receive, "bus-receiver"), (self._publish, "bus-publisher")):
            self._tasks.append(asyncio.create_task(self._reconnecting(work), name=name))
        try:
            await asyncio.wait_for(self._receiving.wait(), TIMEOUT_S)
        except TimeoutError:
            log.warning("Redis cannot be reached yet; retrying")

    async def close(self) -> None:
        if self._tasks and self._outbox and self.healthy:
            try:
                await asyncio.wait_for(self._flushed.wait(), TIMEOUT_S)
            except TimeoutError:
                pass
        await cancel(self._tasks, 1.0)
        self._tasks.clear()
        self._receiving.clear()
        await self._redis.aclose()

    def publish(self, topic: str, message: bytes) -> None:
        if len(self._outbox) >= MAX_OUTBOX:
            self._outbox.popleft()
            self._lost = True
        self._outbox.append((PREFIX + topic.encode(), self._origin + message))
        self._flushed.clear()
        self._queued.set()
        self._deliver(topic, message)

    def _topics_changed(self) -> None:
        self._changed.set()

    async def _reconnecting(self, work: Callable[[Callable[[], None]], Coroutine[Any, Any, None]]) -> None:
        """Run `work` again after every outage, until this task is cancelled."""
        failures = 0

        def connected() -> None:
            nonlocal failures
            if failures:
                log.info("Redis is back")
            failures = 0

        while True:
            try:
                await work(connected)
            except OUTAGES as error:
                if not failures:
                    log.warning("lost the connection to Redis: %s: %s", type(error).__name__, error)
                await asyncio.sleep(RETRY_DELAYS[min(failures, len(RETRY_DELAYS) - 1)])
                failures += 1

    async def _publish(self, connected: Callable[[], None]) -> None:
        await self._redis.ping()  # before a message leaves the outbox and could be lost
        self._publishing = True
        connected()
        while True:
            if not self._outbox and not self._lost:
                self._flushed.set()
                self._queued.clear()
                await self._queued.wait()
            batch = [self._outbox.popleft() for _ in range(min(MAX_BATCH, len(self._outbox)))]
            try:
                async with self._redis.pipeline(transaction=False) as pipe:
                    if self._lost:
                        pipe.publish(LOST, self._origin)
                    for channel, message in batch:
                        pipe.publish(channel, message)
                    await pipe.execute()
            except OUTAGES:
                self._publishing = False
                self._lost = True  # it is not known which of them arrived
                raise
            self._lost = False

    async def _receive(self, connected: Callable[[], None]) -> None:
        pubsub = self._redis.pubsub()
        tasks: list[asyncio.Task[None]] = []
        try:
            channels = self._channels()
            await pubsub.subscribe(LOST, *sorted(channels))
            tasks = [
                asyncio.create_task(self._follow_topics(pubsub, channels)),
                asyncio.create_task(self._read(pubsub, connected)),
            ]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        finally:
            self._receiving.clear()
            await cancel(tasks, 0.05)
            await pubsub.aclose()  # type: ignore[no-untyped-call]
        for task in tasks:
            if not task.cancelled():
                task.result()

    def _channels(self) -> set[bytes]:
        return {PREFIX + topic.encode() for topic in self._subscribers}

    async def _follow_topics(self, pubsub: PubSub, current: set[bytes]) -> None:
        """Subscribe to the channels of topics that have subscribers here, and to no others."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            wanted = self._channels()
            if wanted - current:
                await pubsub.subscribe(*sorted(wanted - current))
            if current - wanted:
                await pubsub.unsubscribe(*sorted(current - wanted))
            current = wanted

    async def _read(self, pubsub: PubSub, connected: Callable[[], None]) -> None:
        pinged = False
        while True:
            message = await pubsub.get_message(timeout=HEARTBEAT_S)
            if message is not None:
                pinged = False
                self._handle(message, connected)
            elif pinged:
                raise ConnectionError("Redis does not answer")
            else:
                pinged = True
                await pubsub.ping()

    def _handle(self, message: dict[str, Any], connected: Callable[[], None]) -> None:
        channel, data = message["channel"], message["data"]
        if message["type"] == "message" and not data.startswith(self._origin):
            if channel == LOST:
                for topic in list(self._subscribers):
                    self._deliver(topic, MISSED)
            else:
                self._deliver(channel.removeprefix(PREFIX).decode(), data[ORIGIN_BYTES:])
        elif message["type"] == "subscribe" and channel == LOST:
            self._receiving.set()
            connected()
        elif message["type"] == "subscribe":
            # Others may have published before the subscription took effect, especially after an interruption.
            self._deliver(channel.removeprefix(PREFIX).decode(), MISSED)


async def cancel(tasks: list[asyncio.Task[None]], interval: float) -> None:
    """Cancel, repeatedly if necessary: Python 3.11's `wait_for`, which the client uses, may swallow a cancellation."""
    while pending := [task for task in tasks if not task.done()]:
        for task in pending:
            task.cancel()
        await asyncio.wait(pending, timeout=interval)
    for task in tasks:
        if not task.cancelled():
            task.exception()  # retrieved, so that asyncio does not warn
