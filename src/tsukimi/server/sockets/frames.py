"""WebSocket frames, as far as tables need them: a whole text out, whole small texts in."""

from __future__ import annotations

from websockets.frames import apply_mask  # type: ignore[attr-defined]

TEXT, FINAL, MASKED = 0x81, 0x80, 0x80


def frame(text: bytes) -> bytes:
    """A text as it goes over the wire from a server."""
    size = len(text)
    if size < 126:
        return bytes((TEXT, size)) + text
    if size < 1 << 16:
        return bytes((TEXT, 126, size >> 8, size & 255)) + text
    return bytes((TEXT, 127)) + size.to_bytes(8, "big") + text


def texts(data: bytes, largest: int) -> tuple[list[str], int]:
    """The whole texts at the beginning of what a client sent, and how many bytes of it they were."""
    found: list[str] = []
    at, end = 0, len(data)
    while end - at >= 6 and data[at] == TEXT and data[at + 1] >= MASKED:
        size, start = data[at + 1] - MASKED, at + 2
        if size == 126:
            size, start = data[at + 2] << 8 | data[at + 3], at + 4
        if size == 127 or size > largest or end < start + 4 + size:
            break
        try:
            found.append(apply_mask(data[start + 4 : start + 4 + size], data[start : start + 4]).decode())
        except UnicodeDecodeError:
            break
        at = start + 4 + size
    return found, at


def ends_with_a_message(data: bytes) -> bool:
    """Whether frames from a client that are given from the beginning of one are all whole, and no parts of a longer message."""
    at, end = 0, len(data)
    while at < end:
        if end - at < 6 or not data[at] & FINAL or not data[at + 1] & MASKED:
            return False
        size, start = data[at + 1] - MASKED, at + 2
        if size > 125:
            start += 2 if size == 126 else 8
            size = int.from_bytes(data[at + 2 : start], "big")
        at = start + 4 + size
    return at == end
