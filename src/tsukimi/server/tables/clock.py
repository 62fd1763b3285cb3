"""The time used in logs, clocks and messages."""

import time

_offset = 0


def clock() -> int:
    """Milliseconds since the epoch. Within a process it never stops or goes back: when the system's clock is
    set back, it continues from where it was."""
    global _offset
    steady = time.monotonic_ns()
    _offset = max(_offset, time.time_ns() - steady)
    return (steady + _offset) // 1_000_000
