"""The cookie that identifies a browser: `PERSON.SESSION.ISSUED.SIGNATURE`, signed with a key derived from the server's
secret. The session lasts from a login to a logout; only that it has ended is stored.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import time
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import Response

NAME = "tsukimi"
MAX_AGE = 365 * 86400
RENEW_AFTER = 86400


class Session(NamedTuple):
    person: str
    id: str


class CookieSigner:
    def __init__(self, key: bytes) -> None:
        self._key = key

    def sign(self, person: str, now: float | None = None, session: str = "") -> str:
        """A cookie of this session, or of a new one."""
        session = session or secrets.token_urlsafe(9)
        body = f"{person}.{session}.{int(time.time() if now is None else now)}"
        return f"{body}.{self._signature(body)}"

    def read(self, cookie: str, now: float | None = None) -> Session | None:
        """The session of a cookie of ours that has not expired."""
        body, _, signature = cookie.rpartition(".")
        if not hmac.compare_digest(signature.encode(), self._signature(body).encode()):
            return None
        person, *session, issued = body.split(".")
        if (time.time() if now is None else now) - int(issued) >= MAX_AGE:
            return None
        return Session(person, session[0] if session else issued)  # before 0.2 sessions had no name

    def verify(self, cookie: str, now: float | None = None) -> str | None:
        """The person id of a cookie of ours that has not expired."""
        session = self.read(cookie, now)
        return None if session is None else session.person

    def set_on(self, response: Response, person: str, secure: bool, session: str = "") -> None:
        response.set_cookie(
            NAME,
            self.sign(person, session=session),
            max_age=MAX_AGE,
            path="/",
            secure=secure,
            httponly=True,
            samesite="lax",
        )

    def _signature(self, body: str) -> str:
        digest = hmac.digest(self._key, body.encode("utf-8", "surrogateescape"), hashlib.sha256)
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def read_cookie(headers: Headers) -> str:
    return cookie_parser(headers.get("cookie", "")).get(NAME, "")


def needs_renewal(cookie: str) -> bool:
    issued = cookie.split(".")[-2:-1]
    return bool(issued) and issued[0].isdecimal() and time.time() - int(issued[0]) > RENEW_AFTER
