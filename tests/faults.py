"""A store and a bus that fail on demand: at one chosen call, or by chance at some of all calls.

A call fails before it takes effect, after it (the answer was lost), or it hangs until whoever waits for it is cancelled.
"""

from __future__ import annotations

import asyncio
import inspect
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from tsukimi import bus, store
from tsukimi.store import Row, Unavailable

FAILURES = ("before", "after")
HANGS = ("hang before", "hang after")
KINDS = (*FAILURES, *HANGS)
HANG_S = 0.03  # until the waiting task is cancelled
UNTOUCHED = {"open", "close", "healthy"}


class Fault(NamedTuple):
    """The `number`-th call of a method, from 1 on, and how it fails."""

    call: str
    number: int
    kind: str


class Faults:
    """Counts all calls of the stores and buses that share it, and says which of them fail."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.fired = 0
        self.rows: Counter[str] = Counter()
        """The rows of each table's log that are known to be stored."""
        self._fault: Fault | None = None
        self._rate, self._chance = 0.0, random.Random(1)
        self._lock = threading.Lock()

    def arm(self, fault: Fault | None) -> None:
        """Reset the count, and let this call fail."""
        with self._lock:
            self._fault, self.fired = fault, 0
            self.calls.clear()

    def by_chance(self, rate: float, seed: int = 1) -> None:
        """Let this part of all calls fail, each in a way drawn by chance."""
        self._rate, self._chance = rate, random.Random(seed)

    def next(self, call: str) -> str:
        """How this call fails; empty: it does not."""
        with self._lock:
            self.calls[call] += 1
            fault = self._fault
            if fault is not None and (call, self.calls[call]) == (fault.call, fault.number):
                self.fired += 1
                return fault.kind
            if self._rate and self._chance.random() < self._rate:
                self.fired += 1
                return self._chance.choice(FAILURES)
            return ""


class FaultyStore:
    """Any store, with faults."""

    def __init__(self, inner: Any, faults: Faults) -> None:
        self.__dict__.update(_inner=inner, _faults=faults)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if name.startswith("_") or name in UNTOUCHED or not inspect.ismethod(found):
            return found
        return lambda *words, **named: self._call(name, found, words, named)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._inner, name, value)

    async def _call(self, name: str, work: Callable[..., Any], words: tuple[Any, ...], named: dict[str, Any]) -> Any:
        kind = self._faults.next(name)
        if kind == "before":
            self._fail(name)
        if kind == "hang before":
            await _hang()
        result = await work(*words, **named)
        if name in ("append", "read"):  # another worker may read what was appended before we hear of it
            self._stored(words[0], words[1] if name == "append" else result)
        elif name == "create":
            self._stored(words[0].table, words[1])
        if kind == "after":
            self._fail(name)
        if kind == "hang after":
            await _hang()
        return result

    def _stored(self, table: str, rows: Sequence[Row]) -> None:
        if rows:
            self._faults.rows[table] = max(self._faults.rows[table], rows[-1].seq + 1)

    def _fail(self, name: str) -> None:
        problem = Unavailable(f"made to fail: {name}")
        self._inner.on_failure(problem)
        raise problem


async def _hang() -> None:
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().call_later(HANG_S, task.cancel)
    await asyncio.sleep(3600)


class FaultyBus:
    """Any bus, with faults; its calls never wait, so none of them hangs."""

    def __init__(self, inner: Any, faults: Faults) -> None:
        self._inner, self._faults = inner, faults

    async def open(self) -> None:
        await self._inner.open()

    async def close(self) -> None:
        await self._inner.close()

    @property
    def healthy(self) -> bool:
        return bool(self._inner.healthy)

    def subscribe(self, topic: str, subscriber: bus.Subscriber) -> Callable[[], None]:
        end = self._call("bus.subscribe", self._inner.subscribe, topic, subscriber)
        return lambda: self._call("bus.unsubscribe", end)

    def publish(self, topic: str, message: bytes) -> None:
        self._call("bus.publish", self._inner.publish, topic, message)

    def _call(self, name: str, work: Callable[..., Any], *words: Any) -> Any:
        kind = self._faults.next(name)
        if kind in ("before", "hang before"):
            raise ConnectionError(f"made to fail: {name}")
        result = work(*words)
        if kind:
            raise ConnectionError(f"made to fail: {name}")
        return result


@contextmanager
def injected(faults: Faults) -> Iterator[Faults]:
    """Every store and bus that is connected to meanwhile has these faults."""
    connect_store, connect_bus = store.connect, bus.connect
    store.connect = lambda url: FaultyStore(connect_store(url), faults)  # type: ignore[assignment,return-value]
    bus.connect = lambda url: FaultyBus(connect_bus(url), faults)  # type: ignore[assignment]
    try:
        yield faults
    finally:
        store.connect, bus.connect = connect_store, connect_bus
