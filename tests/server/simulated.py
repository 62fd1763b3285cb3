"""An event loop in simulated time, and tables whose bots think in it: an hour of play takes seconds, and nothing else
that the machine does can be seen in the times."""

from __future__ import annotations

import asyncio
import secrets
import selectors
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from tsukimi.bots import Budget, Candidate
from tsukimi.bots import engine as engines
from tsukimi.core.state import State
from tsukimi.server.tables.committed import Decide
from tsukimi.server.tables.presence import Presence
from tsukimi.server.tables.scheduler import Scheduler
from tsukimi.table import commands
from tsukimi.table import events as e
from tsukimi.table.pending import successor
from tsukimi.table.settings import Settings
from tsukimi.table.table import Table

SETTINGS = Settings(round_pause=False)
OVERHEAD = 0.003  # seconds that even the simplest job takes


class SimulatedLoop(asyncio.SelectorEventLoop):
    """Whoever waits for a time is woken at once, and the clock shows that time. What is sent to another process is done
    here, and takes as long as `took` says."""

    def __init__(self, took: Callable[[], float] = lambda: 0.0) -> None:
        self._took, self._now = took, 1000.0
        super().__init__(_Selector(self))

    def time(self) -> float:
        return self._now

    def pass_time(self, seconds: float) -> None:
        self._now += seconds

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> Any:
        future = self.create_future()
        result = func(*args)
        self.call_later(OVERHEAD + self._took(), lambda: future.done() or future.set_result(result))
        return future


class _Selector(selectors.SelectSelector):
    def __init__(self, loop: SimulatedLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0)
        if not ready and timeout:
            self._loop.pass_time(timeout)
        return ready


def in_simulated_time(work: Coroutine[Any, Any, Any], took: Callable[[], float] = lambda: 0.0) -> Any:
    with asyncio.Runner(loop_factory=lambda: SimulatedLoop(took)) as runner:
        return runner.run(work)


def instant_search(monkeypatch: pytest.MonkeyPatch, *classes: type[engines.Engine]) -> Callable[[], float]:
    """Searches find something at random, at once. The seconds that the last one would have taken: its whole budget, and
    none if a bot did not search at all."""
    spent = [0.0]

    def analyse(engine: engines.Engine, state: State, seat: int, budget: Budget) -> list[Candidate]:
        spent[0] += (budget.ms or 0.0) / 1000
        return engines.best_first([Candidate(move, 0.5, 1.0) for move in state.actions(seat)], engine.rng)

    def took() -> float:
        seconds, spent[0] = spent[0], 0.0
        return seconds

    for one in classes:
        monkeypatch.setattr(one, "analyse", analyse)
    return took


class BotTable:
    """A table at which bots play on all seats, also for its host, who has left. `answered` is called with the table
    before each move, the seat, the seconds that the answer took, and whether it was shown that the bot thinks."""

    def __init__(
        self,
        bots: Any,
        game: str,
        players: int,
        level: str,
        answered: Callable[[Table, int, float, bool], None],
    ) -> None:
        self.table, self.over = Table(), asyncio.Event()
        self._answered, self._asked_at = answered, [0.0] * players
        self._thinking, self._shown = set[int](), set[int]()
        self._scheduler = Scheduler(
            lambda: self.table, Presence(), bots, self.submit, self._thinking, self._show, lambda: 0
        )
        self._change(commands.open_table(secrets.token_hex(8), "ana", game, players, {"first": "p1"}, SETTINGS))
        self._change(commands.sit(self.table, "ana", "h", "Ana", 0, ""))
        for _ in range(players - 1):
            self._change(commands.bot(self.table, "ana", level, None))
        self._change(commands.start(self.table, "ana"))
        self._change(commands.stand(self.table, "ana"))
        self._scheduler.active = True
        self._scheduler.wake()

    async def submit(self, decide: Decide) -> None:
        before, now = self.table, asyncio.get_running_loop().time()
        events = decide(before)
        for event in events:
            if isinstance(event, e.Moved):
                self._answered(before, event.seat, now - self._asked_at[event.seat], event.seat in self._shown)
                self._shown.discard(event.seat)
        self._change(events)
        self._scheduler.wake()

    def close(self) -> None:
        self._scheduler.close()

    def _show(self) -> None:
        self._shown |= self._thinking

    def _change(self, events: list[e.Event]) -> None:
        before = self.table
        self.table, _ = successor(before, events, 0)
        for seat in self.table.asked:
            if not before.decisions or self.table.decisions[seat] != before.decisions[seat]:
                self._asked_at[seat] = asyncio.get_running_loop().time()
        if self.table.ended:
            self.over.set()
