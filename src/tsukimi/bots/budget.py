"""How long a bot may think, and by which clock that is measured.

On the `wall` clock a bot answers in time, however busy the machine is: what a person at the table wants. On the `cpu`
clock only the time counts that the thinking thread itself has had on a core: what a match wants, so that nobody plays
worse because something else runs. Searches on several threads give each of them the whole time on its own clock.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

CLOCKS: dict[str, Callable[[], float]] = {"wall": time.perf_counter, "cpu": time.thread_time}
MOST_AT_ONCE = 4096


@dataclass(frozen=True)
class Budget:
    """How long to think: milliseconds by a clock, or playouts (exactly reproducible), on so many threads."""

    ms: float | None = 1000.0
    playouts: int | None = None
    threads: int = 1
    clock: str = "wall"

    def start(self) -> Stopwatch:
        """From now on the time runs."""
        return Stopwatch(self)

    def part(self, part: float, least: int = 1) -> Budget:
        """A part of it, of time and of playouts alike."""
        ms = None if self.ms is None else self.ms * part
        playouts = None if self.playouts is None else max(least, round(self.playouts * part))
        return replace(self, ms=ms, playouts=playouts)


class Stopwatch:
    """The time of one thought. It is read by the thread that started it (see `passed_on`)."""

    def __init__(self, budget: Budget, running: bool = True) -> None:
        self._budget, self._now = budget, CLOCKS[budget.clock]
        self._began = self._now() if running else None

    def spent(self) -> float:
        """Milliseconds since the start."""
        if self._began is None:
            self._began = self._now()
        return 1000 * (self._now() - self._began)

    def left(self) -> float:
        """Milliseconds that are left, below 0 when it took too long; infinite where only playouts count."""
        return math.inf if self._budget.ms is None else self._budget.ms - self.spent()

    def rest(self) -> Budget:
        """What is left, as a budget of its own."""
        return self._budget if self._budget.ms is None else replace(self._budget, ms=max(0.0, self.left()))

    def passed_on(self) -> Stopwatch:
        """For another thread: the same end on the wall's clock; on the CPU's, as much time of its own, which runs
        from its first look on."""
        return self if self._budget.clock == "wall" else Stopwatch(self.rest(), running=False)


def spend(watch: Stopwatch, most: int | None, work: Callable[[int], None], at_once: float = 20.0) -> int:
    """Do `work(so many)` in portions of at most `at_once` milliseconds until the time, or `most`, is spent; give how
    many were done. At least one is, and none is begun that would probably end too late."""
    done, step = 0, 1
    while most is None or done < most:
        before = watch.left()
        portion = step if most is None else min(step, most - done)
        work(portion)
        done += portion
        left = watch.left()
        if left == math.inf:
            step = MOST_AT_ONCE
            continue
        pace = max(1e-4, (before - left) / portion)
        if left < pace:
            break
        step = max(1, min(4 * portion, MOST_AT_ONCE, int(min(at_once, left / 2) / pace)))
    return done
