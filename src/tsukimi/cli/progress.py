"""A bar that grows while long work is done: on a terminal only, on stderr, gone when it is done."""

from __future__ import annotations

import sys
import time

from tsukimi.cli.style import style_for

EVERY = 0.1
LONG = 32


class Progress:
    def __init__(self, total: int) -> None:
        self.total = max(1, total)
        self.done = 0
        self._shown = sys.stderr.isatty()
        self._style = style_for(sys.stderr)
        self._since = self._last = time.monotonic()

    def step(self, amount: int = 1) -> None:
        self.done += amount
        now = time.monotonic()
        if self._shown and now - self._last >= EVERY:
            self._last = now
            self._draw(now - self._since)

    def _draw(self, seconds: float) -> None:
        share = self.done / self.total
        full = int(LONG * share)
        bar = self._style("━" * full, "moon") + self._style("─" * (LONG - full), "edge")
        left = f"{seconds / share - seconds:.0f} s" if share else ""
        sys.stderr.write(f"\r{bar} {100 * share:3.0f} %  {self.done:,} / {self.total:,}  {left}\x1b[K")
        sys.stderr.flush()

    def close(self) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
