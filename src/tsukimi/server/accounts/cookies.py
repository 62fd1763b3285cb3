"""The cookie that identifies a browser: `PERSON.ISSUED.SIGNATURE`, signed with a key derived from the server's secret.

Nothing about a session is stored.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import time

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import Response

NAME = "tsukimi"
MAX_AGE = 365 * 86400
RENEW_AFTER = 86400


class CookieSigner:
    def __init__(self, key: bytes) -> None:
        self._key = key

    def sign(self, person: str, now: float | None = None) -> str:
        body = f"{person}.{int(time.time() if now is None else now)}"
        return f"{body}.{self._signature(body)}"

    def verify(self, cookie: str, now: float | None = None) -> str | None:
        """The person id of a cookie of ours that has not expired."""
        body, _, signature = cookie.rpartition(".")
        person, _, issued = body.rpartition(".")
        if not hmac.compare_digest(signature.encode(), self._signature(body).encode()):
            return None
        age = (time.time() if now is None else now) - int(issued)
        return person if age < MAX_AGE else None

    def set_on(self, response: Response, person: str, secure: bool) -> None:
        response.set_cookie(
            NAME, self.sign(person), max_age=MAX_AGE, path="/", secure=secure, httponly=True, samesite="lax"
        )

    def _signature(self, body: str) -> str:
        digest = hmac.digest(self._key, body.encode("utf-8", "surrogateescape"), hashlib.sha256)
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def read_cookie(headers: Headers) -> str:
    return cookie_parser(headers.get("cookie", "")).get(NAME, "")


def needs_renewal(cookie: str) -> bool:
    issued = cookie.split(".")[1:2]
    return bool(issued) and issued[0].isdecimal() and time.time() - int(issued[0]) > RENEW_AFTER
