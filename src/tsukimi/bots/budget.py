"""How long a bot may think, and which clock measures it.

On the `wall` clock a bot answers in time however busy the machine is, which suits people at a table. The `cpu` clock
counts only the CPU time of the searching thread, which suits matches: no bot plays worse because
something else is running. A search on several threads gives each of them the full time by its own clock.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from numbers import Real

from tsukimi.core.errors import BadOptions

CLOCKS: dict[str, Callable[[], float]] = {"wall": time.perf_counter, "cpu": time.thread_time}
MAX_CHUNK = 4096


@dataclass(frozen=True)
class Budget:
    """The limits of one decision: milliseconds by a clock, playouts (exactly reproducible) or both; and the number of
    threads."""

    ms: float | None = None
    playouts: int | None = None
    threads: int = 1
    clock: str = "wall"

    def __post_init__(self) -> None:
        if self.ms is None and self.playouts is None:
            raise BadOptions("budget-without-limit")
        if self.ms is not None and not (_is_real(self.ms) and 0 <= self.ms < math.inf):
            raise _bad("ms", self.ms, "0..")
        for name, count in (("playouts", self.playouts), ("threads", self.threads)):
            if count is not None and not (hasattr(count, "__index__") and count >= 1):
                raise _bad(name, count, "1..")
        if self.clock not in CLOCKS:
            raise _bad("clock", self.clock, ", ".join(CLOCKS))

    def start(self) -> Stopwatch:
        """Start measuring the time."""
        return Stopwatch(self)

    def scaled(self, factor: float, least: int = 1) -> Budget:
        """A fraction of the time and of the playouts (but at least `least` playouts)."""
        ms = None if self.ms is None else self.ms * factor
        playouts = None if self.playouts is None else max(least, round(self.playouts * factor))
        return replace(self, ms=ms, playouts=playouts)


def _is_real(value: object) -> bool:
    return isinstance(value, Real)


def _bad(option: str, value: object, known: str) -> BadOptions:
    return BadOptions("bad-option", option=option, value=value, known=known)


DEFAULT_BUDGET = Budget(1000.0)
"""One second on the wall clock: for callers who give no budget."""


class Stopwatch:
    """The time of one decision. It is read by the thread that started it (see `for_thread`)."""

    def __init__(self, budget: Budget, running: bool = True) -> None:
        self._budget, self._now = budget, CLOCKS[budget.clock]
        self._started = self._now() if running else None

    def spent(self) -> float:
        """Milliseconds since the start."""
        if self._started is None:
            self._started = self._now()
        return 1000 * (self._now() - self._started)

    def left(self) -> float:
        """Milliseconds left, negative once the time is up; infinite if only playouts are limited."""
        return math.inf if self._budget.ms is None else self._budget.ms - self.spent()

    def remaining(self) -> Budget:
        """What is left, as a budget."""
        return self._budget if self._budget.ms is None else replace(self._budget, ms=max(0.0, self.left()))

    def for_thread(self) -> Stopwatch:
        """A stopwatch for another thread. On the wall clock it ends at the same moment; on the CPU clock the thread
        has the same amount of time, starting when it first reads the stopwatch."""
        return self if self._budget.clock == "wall" else Stopwatch(self.remaining(), running=False)


def run_within(watch: Stopwatch, limit: int | None, work: Callable[[int], None], chunk_ms: float = 20.0) -> int:
    """Call `work(n)` for chunks of about `chunk_ms` milliseconds until the time or the `limit` is used up; return the
    total of n. At least one is done, and none is started that would probably finish too late."""
    done, step = 0, 1
    while limit is None or done < limit:
        before = watch.left()
        chunk = step if limit is None else min(step, limit - done)
        work(chunk)
        done += chunk
        left = watch.left()
        if left == math.inf:
            step = MAX_CHUNK
            continue
        pace = max(1e-4, (before - left) / chunk)
        if left < pace:
            break
        step = max(1, min(4 * chunk, MAX_CHUNK, int(min(chunk_ms, left / 2) / pace)))
    return done
