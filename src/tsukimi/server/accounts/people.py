"""Who is calling: guests and accounts by a signed cookie, programs by a bearer token.

A person is one row of the store. Tokens and personal links are random; only their SHA-256 is stored.
"""

from __future__ import annotations

import secrets

import msgspec
from starlette.datastructures import Headers

from tsukimi.server.accounts import names
from tsukimi.server.accounts.credentials import Credential
from tsukimi.server.accounts.sessions import LINK, Sessions, digest, now_ms, token_id
from tsukimi.server.common.errors import ServerError, not_found
from tsukimi.server.moderation.follower import Moderation
from tsukimi.store import Conflict, Person, Store, Token

HANDLE_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
TOKEN = "token"
MAX_TOKENS = 20
ATTEMPTS = 5


class People:
    def __init__(self, store: Store, sessions: Sessions, moderation: Moderation | None = None) -> None:
        self._store = store
        self._moderation = moderation or Moderation(store)
        self.sessions = sessions

    async def authenticate(self, headers: Headers) -> Person | None:
        """The person proved by the headers of a request or WebSocket, None if there is none.

        A wrong bearer token is an error, and so is a ban.
        """
        person = await self._identify(headers)
        if person is not None:
            self._moderation.bans.check_person(person.id)
        return person

    async def _identify(self, headers: Headers) -> Person | None:
        if (credentials := headers.get("authorization")) is not None:
            return await self._by_token(credentials)
        return await self.sessions.person(headers)

    def credential(self, headers: Headers) -> Credential:
        """The credential that `authenticate` uses."""
        if (credentials := headers.get("authorization")) is not None:
            return Credential(digest(credentials.partition(" ")[2].strip()))
        return self.sessions.credential(headers)

    async def _by_token(self, credentials: str) -> Person:
        scheme, _, text = credentials.partition(" ")
        token = await self._store.token(digest(text.strip())) if scheme.lower() == "bearer" and text else None
        person = await self._store.person(token.person) if token is not None and token.kind == TOKEN else None
        if person is None:
            raise ServerError("server-token", 401)
        return person

    # ---- guests and names ------------------------------------------------------------------------

    async def create_guest(self, lang: str | None = None) -> Person:
        handle = "".join(secrets.choice(HANDLE_ALPHABET) for _ in range(12))
        person = Person(secrets.token_urlsafe(15), handle, names.random_name(), now_ms(), lang)
        await self._store.add_person(person)
        return person

    def clean_name(self, text: str) -> str:
        """A display name in its stored form; an error if it is not allowed."""
        return self._moderation.words.check_name(names.clean_name(text))

    def clean_account(self, text: str) -> str:
        """The name of an account in its stored form; the word filter applies too."""
        return self._moderation.words.check_name(names.clean_account(text))

    async def change(self, person: Person, **fields: object) -> Person:
        if "name" in fields:
            fields["name"] = self.clean_name(str(fields["name"]))
        for _ in range(ATTEMPTS):
            changed = msgspec.structs.replace(person, **fields)
            if changed == person:
                return person
            try:
                return await self._store.update_person(person, changed)
            except Conflict:  # changed on another device at the same moment: the last one wins
                person = await self._store.person(person.id) or person
        raise ServerError("server-busy", 503, retry=1)

    async def disconnect(self, person: Person) -> None:
        """Close all sockets of a person, after their programs and links have lost their tokens."""
        for kind in (TOKEN, LINK):
            await self.delete_tokens(person, kind)
        self.sessions.credentials.revoke_sessions(person.id)

    async def delete(self, person: Person) -> None:
        """The person with everything stored about them except games."""
        await self._store.delete_person(person.id)
        await self.disconnect(person)

    # ---- tokens and personal links -----------------------------------------------------------------

    async def create_token(self, person: Person, kind: str, label: str = "") -> str:
        """A token of 32 random bytes, returned only once. A new personal link replaces the previous one."""
        text = secrets.token_urlsafe(32)
        token = Token(digest(text), person.id, kind, label, now_ms())
        if kind == LINK:
            await self._store.replace_tokens(person.id, LINK, [token])
        elif len(await self._store.tokens_of(person.id, kind)) >= MAX_TOKENS:
            raise ServerError("server-tokens", 409, most=MAX_TOKENS)
        else:
            await self._store.put_token(token)
        return text

    async def tokens(self, person: Person) -> list[Token]:
        return await self._store.tokens_of(person.id, TOKEN)

    async def delete_token(self, person: Person, id: str) -> None:
        for token in await self.tokens(person):
            if token_id(token) == id:
                await self._store.delete_token(token.digest)
                self.sessions.credentials.revoke(token.digest)
                return
        raise not_found()

    async def delete_tokens(self, person: Person, kind: str) -> None:
        ended = await self._store.tokens_of(person.id, kind)
        await self._store.delete_tokens(person.id, kind)
        for token in ended:
            self.sessions.credentials.revoke(token.digest)

    async def by_link(self, text: str) -> Person | None:
        """The owner of a personal link."""
        token = await self._store.token(digest(text))
        return await self._store.person(token.person) if token is not None and token.kind == LINK else None
