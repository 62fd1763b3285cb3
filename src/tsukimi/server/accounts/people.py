"""Who is calling: guests by a signed cookie, programs by a bearer token, accounts by name and password.

A person is one row of the store. Tokens and personal links are random; only their SHA-256 is stored.
"""

from __future__ import annotations

import contextlib
import hashlib
import secrets
import time
import unicodedata

import msgspec
from starlette.datastructures import Headers

from tsukimi.server.accounts import names
from tsukimi.server.accounts.cookies import CookieSigner, Session, read_cookie
from tsukimi.server.accounts.credentials import Credentials
from tsukimi.server.accounts.passwords import Passwords
from tsukimi.server.common.errors import ServerError, not_found, too_many
from tsukimi.server.common.limits import RateLimiter
from tsukimi.server.moderation.follower import Moderation
from tsukimi.store import Conflict, Person, Store, Token

HANDLE_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
TOKEN, LINK, ENDED_SESSION = "token", "link", "ended-session"
MAX_TOKENS = 20
ATTEMPTS = 5


class People:
    def __init__(self, store: Store, key: bytes, limiter: RateLimiter, moderation: Moderation | None = None) -> None:
        self._store = store
        self._moderation = moderation or Moderation(store)
        self._limiter = limiter
        self.cookies = CookieSigner(key)
        self.credentials = Credentials()
        self.passwords = Passwords()

    def close(self) -> None:
        self.passwords.close()

    async def authenticate(self, headers: Headers) -> Person | None:
        """The person that the headers of a request or WebSocket prove, None if they prove nobody.

        A wrong bearer token is an error, and so is a ban.
        """
        person = await self._identify(headers)
        if person is not None:
            self._moderation.bans.check_person(person.id)
        return person

    async def _identify(self, headers: Headers) -> Person | None:
        if (credentials := headers.get("authorization")) is not None:
            return await self._by_token(credentials)
        session = self.cookies.read(read_cookie(headers))
        if session is None or await self._store.token(_session_digest(session)) is not None:
            return None
        return await self._store.person(session.person)

    def credential(self, headers: Headers) -> bytes:
        """The digest of what `authenticate` goes by."""
        if (credentials := headers.get("authorization")) is not None:
            return digest(credentials.partition(" ")[2].strip())
        session = self.cookies.read(read_cookie(headers))
        return b"" if session is None else _session_digest(session)

    async def end_session(self, headers: Headers) -> None:
        """The cookie, its copies and the sockets that it opened end."""
        session = self.cookies.read(read_cookie(headers))
        if session is not None:
            ended = _session_digest(session)
            with contextlib.suppress(Conflict):  # ended already
                await self._store.add_token(ended, session.person, ENDED_SESSION, "", _now())
            self.credentials.revoke(ended)

    async def _by_token(self, credentials: str) -> Person:
        scheme, _, text = credentials.partition(" ")
        token = await self._store.token(digest(text.strip())) if scheme.lower() == "bearer" and text else None
        person = await self._store.person(token.person) if token is not None and token.kind == TOKEN else None
        if person is None:
            raise ServerError("server-token", 401)
        return person

    # ---- guests, names, tokens -------------------------------------------------------------------

    async def create_guest(self, lang: str | None = None) -> Person:
        handle = "".join(secrets.choice(HANDLE_ALPHABET) for _ in range(12))
        person = Person(secrets.token_urlsafe(15), handle, names.random_name(), _now(), lang)
        await self._store.add_person(person)
        return person

    def clean_name(self, text: str) -> str:
        """A display name in its stored form; an error if it is not allowed."""
        return self._moderation.words.check_name(names.clean_name(text))

    async def change(self, person: Person, **fields: object) -> Person:
        if "name" in fields:
            fields["name"] = self.clean_name(str(fields["name"]))
        for _ in range(ATTEMPTS):
            changed = msgspec.structs.replace(person, **fields)
            if changed == person:
                return person
            try:
                return await self._store.update_person(person, changed)
            except Conflict:  # changed on another device at the same moment: the last one counts
                person = await self._store.person(person.id) or person
        raise ServerError("server-busy", 503, retry=1)

    async def create_token(self, person: Person, kind: str, label: str = "") -> str:
        """A token of 32 random bytes, returned this once. A new personal link replaces the previous one."""
        text = secrets.token_urlsafe(32)
        if kind == LINK:
            await self._store.delete_tokens(person.id, LINK)
        elif len(await self._store.tokens_of(person.id, kind)) >= MAX_TOKENS:
            raise ServerError("server-tokens", 409, most=MAX_TOKENS)
        await self._store.add_token(digest(text), person.id, kind, label, _now())
        return text

    async def tokens(self, person: Person) -> list[Token]:
        return await self._store.tokens_of(person.id, TOKEN)

    async def delete_token(self, person: Person, id: str) -> None:
        for token in await self.tokens(person):
            if token_id(token) == id:
                await self._store.delete_token(token.digest)
                self.credentials.revoke(token.digest)
                return
        raise not_found()

    async def delete_tokens(self, person: Person, kind: str) -> None:
        ended = await self._store.tokens_of(person.id, kind)
        await self._store.delete_tokens(person.id, kind)
        for token in ended:
            self.credentials.revoke(token.digest)

    async def by_link(self, text: str) -> Person | None:
        """The owner of a personal link."""
        token = await self._store.token(digest(text))
        return await self._store.person(token.person) if token is not None and token.kind == LINK else None

    # ---- accounts --------------------------------------------------------------------------------

    async def register(self, person: Person, name: str, password: str) -> Person:
        """Give a guest an account; games and ratings stay with the person."""
        _check_no_account(person)
        account = self._moderation.words.check_name(names.clean_account(name))
        if await self._store.person_by_account(account) is not None:
            raise ServerError("server-account-taken", 409, account=account)
        changed = msgspec.structs.replace(person, account=account, password=await self.passwords.hash(password))
        try:
            return await self._store.update_person(person, changed)
        except Conflict as problem:
            _check_no_account(await self._store.person(person.id) or person)
            raise ServerError("server-account-taken", 409, account=account) from problem

    async def login(self, name: str, password: str, address: str) -> Person:
        """The person of an account. Neither the answer nor its timing tells an unknown name from a wrong password."""
        account = unicodedata.normalize("NFKC", name).strip()
        # By address as well: whoever guesses must not lock the owner out.
        if wait := self._limiter.acquire("login-name", f"{address} {account.casefold()}"):
            raise too_many(wait)
        person = await self._store.person_by_account(account if names.ACCOUNT.fullmatch(account) else "-")
        correct = await self.passwords.verify(person.password if person is not None else None, password)
        if person is None or not correct:
            raise ServerError("server-login", 401)
        if person.password and self.passwords.needs_rehash(person.password):
            rehashed = msgspec.structs.replace(person, password=await self.passwords.hash(password))
            with contextlib.suppress(Conflict):  # somebody else did it at the same moment
                person = await self._store.update_person(person, rehashed)
        return person


def _check_no_account(person: Person) -> None:
    if person.account is not None:
        raise ServerError("server-has-account", 409, account=person.account)


def token_id(token: Token) -> str:
    """A name for a token that opens nothing."""
    return token.digest.hex()[:16]


def digest(text: str) -> bytes:
    """What is stored of a token. It is long and random, so one plain hash is enough and lookups leak no timing."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()


def _session_digest(session: Session) -> bytes:
    return digest(f"session {session.person} {session.id}")


def _now() -> int:
    return int(time.time() * 1000)
