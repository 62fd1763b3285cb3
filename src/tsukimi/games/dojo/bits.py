"""Plain twins of the two C functions on sets of bits that the compiled rules use."""

from __future__ import annotations

popcount = int.bit_count


def lowest(bits: int) -> int:
    """The place of the lowest bit that is set."""
    return (bits & -bits).bit_length() - 1
