"""Who is asking: guests by a signed cookie, programs by a bearer token, accounts by name and password.

A person is one row of the store. The cookie `tsukimi` names it: `PERSON.ISSUED.SIGNATURE`, signed with a key of the
server's secret; nothing about a session is stored. Tokens and personal links are random and kept as SHA-256 only.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import secrets
import time
import unicodedata
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from typing import TypeVar

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, cookie_parser
from starlette.responses import Response

from tsukimi.server.accounts import names
from tsukimi.server.http.errors import ServerError, not_found, too_many
from tsukimi.server.http.limits import Limits
from tsukimi.store import Conflict, Person, Store, Token

COOKIE = "tsukimi"
YEAR = 365 * 86400
RENEWED = 86400  # a cookie older than a day is issued anew
HANDLE = "abcdefghijkmnpqrstuvwxyz23456789"
TOKEN, LINK = "token", "link"
MOST_TOKENS = 20
MEMORY = 32 * 1024  # KiB for one password
HASHING = 2  # passwords hashed at the same time; each takes a core for some 50 ms
WAITING = 32  # and that may wait for it
T = TypeVar("T")


class People:
    def __init__(self, store: Store, key: bytes, limits: Limits, hasher: PasswordHasher | None = None) -> None:
        self._store = store
        self._key = key
        self._limits = limits
        self._hasher = hasher or PasswordHasher(time_cost=3, memory_cost=MEMORY, parallelism=1)
        self._threads: ThreadPoolExecutor | None = None
        self._queued = 0

    def close(self) -> None:
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
            self._threads = None

    # ---- who asks --------------------------------------------------------------------------------

    async def of(self, headers: Headers | Iterable[tuple[bytes, bytes]]) -> Person | None:
        """The person that the headers of a request or WebSocket prove; None: a stranger. A bad token is refused."""
        found = headers if isinstance(headers, Headers) else Headers(raw=list(headers))
        if (credentials := found.get("authorization")) is not None:
            return await self._of_token(credentials)
        person = self.signed(_cookie(found))
        return None if person is None else await self._store.person(person)

    async def who(self, connection: HTTPConnection) -> Person:
        """The person of a request or WebSocket; `server-stranger` (401) when there is none."""
        person = await self.of(connection.headers)
        if person is None:
            raise ServerError("server-stranger", 401)
        return person

    async def _of_token(self, credentials: str) -> Person:
        scheme, _, text = credentials.partition(" ")
        token = await self._store.token(digest(text.strip())) if scheme.lower() == "bearer" and text else None
        person = await self._store.person(token.person) if token is not None and token.kind == TOKEN else None
        if person is None:
            raise ServerError("server-token", 401)
        return person

    # ---- the cookie ------------------------------------------------------------------------------

    def cookie(self, person: str, now: float | None = None) -> str:
        body = f"{person}.{int(time.time() if now is None else now)}"
        return f"{body}.{self._signature(body)}"

    def signed(self, cookie: str, now: float | None = None) -> str | None:
        """The person id of a cookie of ours that still holds."""
        body, _, signature = cookie.rpartition(".")
        person, _, issued = body.rpartition(".")
        if not hmac.compare_digest(signature.encode(), self._signature(body).encode()):
            return None
        age = (time.time() if now is None else now) - int(issued)
        return person if age < YEAR else None

    def set_cookie(self, response: Response, person: str, secure: bool) -> None:
        response.set_cookie(
            COOKIE, self.cookie(person), max_age=YEAR, path="/", secure=secure, httponly=True, samesite="lax"
        )

    def is_old(self, headers: Headers) -> bool:
        """Whether the cookie of these headers should be issued anew."""
        issued = _cookie(headers).split(".")[1:2]
        return bool(issued) and issued[0].isdecimal() and time.time() - int(issued[0]) > RENEWED

    def _signature(self, body: str) -> str:
        found = hmac.digest(self._key, body.encode("utf-8", "surrogateescape"), hashlib.sha256)
        return base64.urlsafe_b64encode(found).rstrip(b"=").decode()

    # ---- guests, names, tokens -------------------------------------------------------------------

    async def guest(self, lang: str | None = None) -> Person:
        """A new person, without asking anything."""
        handle = "".join(secrets.choice(HANDLE) for _ in range(12))
        person = Person(id=secrets.token_urlsafe(15), handle=handle, name=names.guest(), created=_now(), lang=lang)
        await self._store.add_person(person)
        return person

    async def change(self, person: Person, **fields: object) -> Person:
        if "name" in fields:
            fields["name"] = names.cleaned(str(fields["name"]))
        changed = msgspec.structs.replace(person, **fields)
        if changed != person:
            await self._store.update_person(changed)
        return changed

    async def new_token(self, person: Person, kind: str, label: str = "") -> str:
        """A token of 32 random bytes, told this once. Of personal links there is one at a time."""
        text = secrets.token_urlsafe(32)
        if kind == LINK:
            await self._store.delete_tokens(person.id, LINK)
        elif len(await self._store.tokens_of(person.id, kind)) >= MOST_TOKENS:
            raise ServerError("server-tokens", 409, most=MOST_TOKENS)
        await self._store.add_token(digest(text), person.id, kind, label, _now())
        return text

    async def tokens(self, person: Person) -> list[Token]:
        return await self._store.tokens_of(person.id, TOKEN)

    async def drop_token(self, person: Person, id: str) -> None:
        for one in await self.tokens(person):
            if token_id(one) == id:
                await self._store.delete_token(one.digest)
                return
        raise not_found()

    async def drop_tokens(self, person: Person, kind: str) -> None:
        await self._store.delete_tokens(person.id, kind)

    async def of_link(self, text: str) -> Person | None:
        """Whose personal link it is."""
        token = await self._store.token(digest(text))
        return await self._store.person(token.person) if token is not None and token.kind == LINK else None

    # ---- accounts --------------------------------------------------------------------------------

    async def register(self, person: Person, name: str, password: str) -> Person:
        """Give a guest an account; games and ratings stay with the person."""
        if person.account is not None:
            raise ServerError("server-has-account", 409, account=person.account)
        account = names.cleaned_account(name)
        if await self._store.person_by_account(account) is not None:
            raise ServerError("server-account-taken", 409, account=account)
        hashed = await self._hashing(partial(self._hasher.hash, _normal(password)))
        changed = msgspec.structs.replace(person, account=account, password=hashed)
        try:
            await self._store.update_person(changed)
        except Conflict as problem:
            raise ServerError("server-account-taken", 409, account=account) from problem
        return changed

    async def login(self, name: str, password: str) -> Person:
        """The person of an account. An unknown name and a wrong password are told apart by nobody, nor by a watch."""
        account = unicodedata.normalize("NFKC", name).strip()
        if wait := self._limits.wait("login-name", account.casefold()):
            raise too_many(wait)
        known = account if names.ACCOUNT.fullmatch(account) else "-"
        person = await self._store.person_by_account(known)
        hashed = person.password if person is not None else None
        right = await self._hashing(partial(self._right, hashed, _normal(password)))
        if person is None or not right:
            raise ServerError("server-login", 401)
        if person.password and self._hasher.check_needs_rehash(person.password):
            fresh = await self._hashing(partial(self._hasher.hash, _normal(password)))
            person = msgspec.structs.replace(person, password=fresh)
            await self._store.update_person(person)
        return person

    def _right(self, hashed: str | None, password: str) -> bool:
        try:
            return self._hasher.verify(hashed or self._nobody, password)
        except (VerificationError, InvalidHashError):
            return False

    @cached_property
    def _nobody(self) -> str:
        """The hash of a password that nobody has: what a login with an unknown name is compared with."""
        return self._hasher.hash(secrets.token_urlsafe(32))

    async def _hashing(self, work: Callable[[], T]) -> T:
        """Do it in a thread, a few at a time: passwords must not stop the tables, nor fill the memory."""
        if self._queued >= WAITING:
            raise ServerError("server-busy", 503, retry=5)
        if self._threads is None:
            self._threads = ThreadPoolExecutor(HASHING, thread_name_prefix="password")
        self._queued += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._queued -= 1


def token_id(token: Token) -> str:
    """A name for a token that opens nothing."""
    return token.digest.hex()[:16]


def digest(text: str) -> bytes:
    """How a token is kept. It is random and long: one plain hash suffices, and looking it up tells no timing."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()


def _cookie(headers: Headers) -> str:
    return cookie_parser(headers.get("cookie", "")).get(COOKIE, "")


def _normal(password: str) -> str:
    """The same password however the keyboard composes its accents."""
    return unicodedata.normalize("NFC", password)


def _now() -> int:
    return int(time.time() * 1000)
