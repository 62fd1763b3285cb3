"""Authenticator app codes (RFC 6238): six digits, a new one every thirty seconds."""

from __future__ import annotations

import base64
import hmac
from urllib.parse import quote

PERIOD, DIGITS, TOLERANCE = 30, 6, 1  # a phone's clock may be a period off
SECRET_BYTES = 20


def derived_secret(key: bytes, person: str, nonce: str) -> bytes:
    """The nonce is stored, the key is not: codes cannot be computed from the database alone."""
    return hmac.digest(key, f"{person} {nonce}".encode(), "sha256")[:SECRET_BYTES]


def code(secret: bytes, step: int) -> str:
    mac = hmac.digest(secret, step.to_bytes(8, "big"), "sha1")
    offset = mac[-1] & 15
    number = int.from_bytes(mac[offset : offset + 4], "big") & 0x7FFF_FFFF
    return f"{number % 10**DIGITS:0{DIGITS}}"


def accepted_step(secret: bytes, given: str, now: float, after: int) -> int | None:
    """The time step of a currently valid code; step `after` and earlier ones were already used."""
    current = int(now) // PERIOD
    steps = range(max(current - TOLERANCE, after + 1), current + TOLERANCE + 1)
    found = [step for step in steps if hmac.compare_digest(code(secret, step).encode(), given.encode())]
    return found[0] if found else None


def base32(secret: bytes) -> str:
    return base64.b32encode(secret).decode()


def uri(secret: bytes, account: str, issuer: str) -> str:
    """The content of the QR code for the app."""
    label = quote(f"{issuer}:{account}", safe="")
    return f"otpauth://totp/{label}?secret={base32(secret)}&issuer={quote(issuer, safe='')}"
