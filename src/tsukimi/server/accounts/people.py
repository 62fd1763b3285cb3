"""Who is calling: guests by a signed cookie, programs by a bearer token, accounts by name and password.

A person is one row of the store. Tokens and personal links are random; only their SHA-256 is stored.
"""

from __future__ import annotations

import hashlib
import secrets
import time
import unicodedata

import msgspec
from starlette.datastructures import Headers

from tsukimi.server.accounts import names
from tsukimi.server.accounts.cookies import CookieSigner, read_cookie
from tsukimi.server.accounts.passwords import Passwords
from tsukimi.server.common.errors import ServerError, not_found, too_many
from tsukimi.server.common.limits import RateLimiter
from tsukimi.store import Conflict, Person, Store, Token

HANDLE_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
TOKEN, LINK = "token", "link"
MAX_TOKENS = 20


class People:
    def __init__(self, store: Store, key: bytes, limiter: RateLimiter) -> None:
        self._store = store
        self._limiter = limiter
        self.cookies = CookieSigner(key)
        self.passwords = Passwords()

    def close(self) -> None:
        self.passwords.close()

    async def authenticate(self, headers: Headers) -> Person | None:
        """The person that the headers of a request or WebSocket prove, None if they prove nobody.

        A wrong bearer token is an error.
        """
        if (credentials := headers.get("authorization")) is not None:
            return await self._by_token(credentials)
        person = self.cookies.verify(read_cookie(headers))
        return None if person is None else await self._store.person(person)

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

    async def change(self, person: Person, **fields: object) -> Person:
        if "name" in fields:
            fields["name"] = names.clean_name(str(fields["name"]))
        changed = msgspec.structs.replace(person, **fields)
        if changed != person:
            await self._store.update_person(changed)
        return changed

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
                return
        raise not_found()

    async def delete_tokens(self, person: Person, kind: str) -> None:
        await self._store.delete_tokens(person.id, kind)

    async def by_link(self, text: str) -> Person | None:
        """The owner of a personal link."""
        token = await self._store.token(digest(text))
        return await self._store.person(token.person) if token is not None and token.kind == LINK else None

    # ---- accounts --------------------------------------------------------------------------------

    async def register(self, person: Person, name: str, password: str) -> Person:
        """Give a guest an account; games and ratings stay with the person."""
        if person.account is not None:
            raise ServerError("server-has-account", 409, account=person.account)
        account = names.clean_account(name)
        if await self._store.person_by_account(account) is not None:
            raise ServerError("server-account-taken", 409, account=account)
        changed = msgspec.structs.replace(person, account=account, password=await self.passwords.hash(password))
        try:
            await self._store.update_person(changed)
        except Conflict as problem:
            raise ServerError("server-account-taken", 409, account=account) from problem
        return changed

    async def login(self, name: str, password: str) -> Person:
        """The person of an account. Neither the answer nor its timing tells an unknown name from a wrong password."""
        account = unicodedata.normalize("NFKC", name).strip()
        if wait := self._limiter.acquire("login-name", account.casefold()):
            raise too_many(wait)
        person = await self._store.person_by_account(account if names.ACCOUNT.fullmatch(account) else "-")
        correct = await self.passwords.verify(person.password if person is not None else None, password)
        if person is None or not correct:
            raise ServerError("server-login", 401)
        if person.password and self.passwords.needs_rehash(person.password):
            person = msgspec.structs.replace(person, password=await self.passwords.hash(password))
            await self._store.update_person(person)
        return person


def token_id(token: Token) -> str:
    """A name for a token that opens nothing."""
    return token.digest.hex()[:16]


def digest(text: str) -> bytes:
    """What is stored of a token. It is long and random, so one plain hash is enough and lookups leak no timing."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()


def _now() -> int:
    return int(time.time() * 1000)
