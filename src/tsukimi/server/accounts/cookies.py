"""Signed cookies: `PERSON.ID.ISSUED.SIGNATURE`, each kind signed with its own key, derived from the server's secret.

One identifies a browser: its id is that of the session, which lasts from login to logout. Another says that
someone has logged in to an account on this device before; it grants no access.
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

NAME, DEVICE = "tsukimi", "tsukimi-device"
MAX_AGE = 365 * 86400
RENEW_AFTER = 86400


class Session(NamedTuple):
    person: str
    id: str
    issued: int
    """When the cookie was signed, in seconds; it is re-signed while in use."""


class CookieSigner:
    def __init__(self, key: bytes, name: str = NAME) -> None:
        self._key = key
        self._name = name

    def sign(self, person: str, now: float | None = None, session: str = "") -> str:
        """A cookie for this session, or for a new one."""
        body = f"{person}.{session or new_session()}.{int(time.time() if now is None else now)}"
        return f"{body}.{self._signature(body)}"

    def read(self, cookie: str, now: float | None = None) -> Session | None:
        """The session of a valid cookie of ours that has not expired."""
        body, _, signature = cookie.rpartition(".")
        if not hmac.compare_digest(signature.encode(), self._signature(body).encode()):
            return None
        person, *session, issued = body.split(".")
        if (time.time() if now is None else now) - int(issued) >= MAX_AGE:
            return None
        return Session(person, session[0] if session else issued, int(issued))  # before 0.2 sessions had no name

    def read_from(self, headers: Headers) -> Session | None:
        return self.read(cookie_parser(headers.get("cookie", "")).get(self._name, ""))

    def set_on(self, response: Response, person: str, secure: bool, session: str = "", since: int = 0) -> None:
        """`since`: the cookie counts as issued then, if that is in the future."""
        response.set_cookie(
            self._name,
            self.sign(person, max(time.time(), since), session),
            max_age=MAX_AGE,
            path="/",
            secure=secure,
            httponly=True,
            samesite="lax",
        )

    def _signature(self, body: str) -> str:
        digest = hmac.digest(self._key, body.encode("utf-8", "surrogateescape"), hashlib.sha256)
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def new_session() -> str:
    return secrets.token_urlsafe(9)


def needs_renewal(session: Session) -> bool:
    return time.time() - session.issued > RENEW_AFTER
