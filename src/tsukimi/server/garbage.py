"""When Python looks for garbage.

Nearly all that a server makes is gone when it is done with. What is not are the connections, which refer to themselves
in circles. To look for those goes through everything there is, a third of a second with two thousand people connected:
so it is done after many connections have ended, and rather in a calm second.
"""

from __future__ import annotations

import gc
import time

YOUNG = 20_000  # new objects; among so many, circles are looked for at once
NEVER = 1_000_000
MANY = 1000  # connections that ended; each leaves some 30 kB
LONG = 3600.0  # seconds


def only_the_young() -> None:
    """Python by itself looks at what is new, and not again at what has stood the first look."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, NEVER, NEVER)


class Garbage:
    """Counts what is left behind, and takes it away in time."""

    def __init__(self) -> None:
        self.ended = 0
        """Connections, since the last time."""
        self._at = time.monotonic()

    def tidy(self, calm: bool) -> bool:
        """Take it away if it is time; in a second that is not calm, only when there is very much."""
        now = time.monotonic()
        much = self.ended >= MANY or now - self._at > LONG
        if not (self.ended >= 10 * MANY or (calm and much)):
            return False
        gc.collect()
        self.ended, self._at = 0, now
        return True
