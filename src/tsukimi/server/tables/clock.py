"""The time that logs, clocks and messages mean."""

import time


def clock() -> int:
    """Milliseconds since the epoch."""
    return time.time_ns() // 1_000_000
