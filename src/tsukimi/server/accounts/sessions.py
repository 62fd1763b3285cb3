"""Sessions: what a cookie proves, on which devices a person is logged in, and how sessions end.

A session is proved by its signed cookie alone, so guests cost nothing. Only sessions of accounts have a row, for the
list; ended sessions are stored too. To end all at once, cookies issued before a certain time are rejected.
"""

from __future__ import annotations

import hashlib
import time

import msgspec
from starlette.datastructures import Headers
from starlette.responses import Response

from tsukimi.server.accounts.cookies import MAX_AGE, CookieSigner, Session, needs_renewal, new_session
from tsukimi.server.accounts.credentials import Credential, Credentials
from tsukimi.server.accounts.devices import device
from tsukimi.server.common.errors import not_found
from tsukimi.store import Person, Store, Token

SESSION, ENDED, LINK = "session", "ended-session", "link"
USED_EVERY = 3_600_000  # ms: nobody needs it more precisely
MOST = 50  # sessions of one account; the oldest ends


class Sessions:
    def __init__(self, store: Store, key: bytes) -> None:
        self._store = store
        self.cookies = CookieSigner(key)
        self.credentials = Credentials()

    async def person(self, headers: Headers) -> Person | None:
        """The person proved by the cookie."""
        session = self.cookies.read_from(headers)
        if session is None:
            return None
        row = await self._store.token(session_digest(session))
        if row is not None and row.kind == ENDED:
            return None
        person = await self._store.person(session.person)
        return person if person is not None and session.issued >= person.sessions_from else None

    def credential(self, headers: Headers) -> Credential:
        session = self.cookies.read_from(headers)
        return Credential(b"") if session is None else Credential(session_digest(session), session.person)

    def set_cookie(self, response: Response, person: Person, secure: bool, session: str) -> None:
        self.cookies.set_on(response, person.id, secure, session, person.sessions_from)

    async def start(self, person: Person, headers: Headers) -> str:
        """The id of a new session on the device that sent these headers."""
        session = Session(person.id, new_session(), 0)
        await self.touch(person, session, headers)
        if person.account is not None:
            await self._tidy(person.id)
        return session.id

    async def _tidy(self, person: str) -> None:
        """What is stored stays bounded, however often someone logs in."""
        for old in (await self._store.tokens_of(person, SESSION))[MOST:]:
            await self._end(old.digest, person)
        since = now_ms() - MAX_AGE * 1000
        for ended in await self._store.tokens_of(person, ENDED):
            if ended.at < since:  # its cookie has expired since
                await self._store.delete_token(ended.digest)

    async def touch(self, person: Person, session: Session, headers: Headers) -> None:
        """Record that a session of an account was used, unless that was recorded within the hour."""
        if person.account is None:
            return
        digest, now = session_digest(session), now_ms()
        row = await self._store.token(digest)
        if row is None or now - row.used >= USED_EVERY:
            label = device(headers.get("user-agent", ""))
            used = now - now % USED_EVERY
            await self._store.put_token(
                Token(digest, person.id, SESSION, label, now if row is None else row.at, used), over=SESSION
            )

    async def use(self, person: Person, headers: Headers) -> str | None:
        """Someone is active: the id of the session if its cookie should be re-signed."""
        session = self.cookies.read_from(headers)
        if session is None:
            return None
        await self.touch(person, session, headers)
        return session.id if needs_renewal(session) else None

    async def list(self, person: Person) -> list[Token]:
        """The sessions of an account, last used first."""
        since = now_ms() - MAX_AGE * 1000
        rows = [row for row in await self._store.tokens_of(person.id, SESSION) if row.used > since]
        return sorted(rows, key=lambda row: -row.used)

    async def end_current(self, headers: Headers) -> None:
        """End the cookie, its copies and the sockets that it opened."""
        session = self.cookies.read_from(headers)
        if session is not None:
            await self._end(session_digest(session), session.person)

    async def end_one(self, person: Person, id: str) -> None:
        for row in await self._store.tokens_of(person.id, SESSION):
            if token_id(row) == id:
                return await self._end(row.digest, person.id)
        raise not_found()

    async def _end(self, digest: bytes, person: str) -> None:
        await self._store.put_token(Token(digest, person, ENDED, "", now_ms()), over=SESSION)
        self.credentials.revoke(digest)

    async def end_all(self, person: Person, keep: Headers | None = None) -> Person:
        """End every cookie so far, except a new one of the session in `keep`, and the personal link."""
        after = msgspec.structs.replace(person, sessions_from=ending(person))
        return await self.ended_all(await self._store.update_person(person, after), keep)

    async def ended_all(self, person: Person, keep: Headers | None = None) -> Person:
        """What remains to be done once `sessions_from` has been written."""
        session = None if keep is None else self.cookies.read_from(keep)
        for kind in (SESSION, ENDED, LINK):
            await self._store.delete_tokens(person.id, kind)
        self.credentials.revoke_sessions(person.id, b"" if session is None else session_digest(session))
        if session is not None and keep is not None:
            await self.touch(person, session, keep)
        return person


def ending(person: Person) -> int:
    """The time from which cookies are valid if all end now: cookies only have whole seconds."""
    return max(int(time.time()), person.sessions_from) + 1


def session_digest(session: Session) -> bytes:
    return digest(f"session {session.person} {session.id}")


def token_id(token: Token) -> str:
    """An identifier for a token or a session that grants no access."""
    return token.digest.hex()[:16]


def digest(text: str) -> bytes:
    """What is stored of a token. It is long and random, so one plain hash is enough and lookups leak no timing."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()


def now_ms() -> int:
    return int(time.time() * 1000)
