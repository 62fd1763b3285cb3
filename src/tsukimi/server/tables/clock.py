"""The time that logs, clocks and messages mean."""

import time

_offset = 0


def clock() -> int:
    """Milliseconds since the epoch. Within a process it never stands still or goes back: when the system's clock is
    set back, it runs on from where it was."""
    global _offset
    steady = time.monotonic_ns()
    _offset = max(_offset, time.time_ns() - steady)
    return (steady + _offset) // 1_000_000
