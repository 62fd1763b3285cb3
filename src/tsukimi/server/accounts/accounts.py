"""Accounts: registering, logging in, passwords, the second factor."""

from __future__ import annotations

import contextlib
import re
import secrets
import time
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

import msgspec
from starlette.datastructures import Headers

from tsukimi.server.accounts import names, totp
from tsukimi.server.accounts.codes import CODE, new_codes, use_code
from tsukimi.server.accounts.cookies import DEVICE, CookieSigner
from tsukimi.server.accounts.passwords import Passwords
from tsukimi.server.accounts.people import People
from tsukimi.server.accounts.sessions import ending
from tsukimi.server.common.errors import ServerError, too_many
from tsukimi.server.common.limits import RateLimiter
from tsukimi.store import Conflict, Person, Store

RESET = "reset"
TOTP_CODE = re.compile(rf"[0-9]{{{totp.DIGITS}}}")


class Login(NamedTuple):
    name: str
    password: str
    code: str
    address: str
    """For rate limits."""
    headers: Headers


class Setup(NamedTuple):
    """A second factor not yet confirmed by a code."""

    nonce: str
    secret: str
    uri: str


class Accounts:
    def __init__(
        self, store: Store, people: People, limiter: RateLimiter, key: Callable[[str], bytes], issuer: str
    ) -> None:
        self._store, self._people, self._limiter = store, people, limiter
        self._totp_key, self._issuer = key("totp"), issuer
        self.devices = CookieSigner(key("device"), DEVICE)
        self.passwords = Passwords()

    def close(self) -> None:
        self.passwords.close()

    # ---- registering and logging in ----------------------------------------------------------------

    async def register(self, person: Person, name: str, password: str) -> tuple[Person, list[str]]:
        """Give a guest an account, with recovery codes; games and ratings stay with the person."""
        _check_no_account(person)
        account = self._people.clean_account(name)
        if await self._store.person_by_account(account) is not None:
            raise ServerError("server-account-taken", 409, account=account)
        changed = msgspec.structs.replace(person, account=account, password=await self.passwords.hash(password))
        try:
            person = await self._store.update_person(person, changed)
        except Conflict as problem:
            _check_no_account(await self._store.person(person.id) or person)
            raise ServerError("server-account-taken", 409, account=account) from problem
        return person, await new_codes(self._store, person)

    async def find(self, name: str) -> Person | None:
        account = unicodedata.normalize("NFKC", name).strip()
        return await self._store.person_by_account(account if names.ACCOUNT.fullmatch(account) else "-")

    async def login(self, given: Login) -> Person:
        """The person of an account. Neither the answer nor its timing distinguishes an unknown name from a wrong password."""
        person = await self.find(given.name)
        device = self._known_device(person, given.headers)
        self._slow_down(given, device)
        correct = await self.passwords.verify(person.password if person is not None else None, given.password)
        if person is None or not correct:
            raise ServerError("server-login", 401)
        current = await self._store.person(person.id)
        if current is None or current.password != person.password:  # changed while we were hashing
            raise ServerError("server-login", 401)
        if current.totp is not None:
            current = await self._check_second_factor(current, given.code, device)
        return await self._rehash(current, given.password)

    def _known_device(self, person: Person | None, headers: Headers) -> str:
        """The id of the device if someone has logged in to this account on it before; empty: unknown."""
        cookie = self.devices.read_from(headers)
        return cookie.id if cookie is not None and person is not None and cookie.person == person.id else ""

    def _slow_down(self, given: Login, device: str) -> None:
        """Guesses are counted by address, by address and account, and by account across all addresses. Devices on which
        the owner has logged in before are counted separately, so no attack locks the owner out there."""
        account = unicodedata.normalize("NFKC", given.name).strip().casefold()
        if device:
            self._limit("login-device", device)
        else:
            self._limit("login", given.address)
            self._limit("login-name", f"{given.address} {account}")
            self._limit("login-account", account)

    async def _rehash(self, person: Person, password: str) -> Person:
        if person.password and self.passwords.needs_rehash(person.password):
            rehashed = msgspec.structs.replace(person, password=await self.passwords.hash(password))
            with contextlib.suppress(Conflict):  # someone else did it at the same moment
                person = await self._store.update_person(person, rehashed)
        return person

    def _limit(self, kind: str, key: str) -> None:
        if wait := self._limiter.acquire(kind, key):
            raise too_many(wait)

    # ---- the password --------------------------------------------------------------------------------

    async def check_password(self, person: Person, password: str) -> None:
        """Before actions that someone with a borrowed device must not take."""
        if person.account is None:
            raise ServerError("server-no-account", 409)
        self._limit("password", person.id)
        if not await self.passwords.verify(person.password, password):
            raise ServerError("server-password", 403)

    async def change_password(self, person: Person, password: str, new: str, headers: Headers) -> Person:
        """All other sessions end, and so does the personal link."""
        await self.check_password(person, password)
        return await self.set_password(person, new, headers)

    async def set_password(self, person: Person, new: str, keep: Headers | None = None) -> Person:
        """`Conflict` if the password was changed meanwhile."""
        after = msgspec.structs.replace(person, password=await self.passwords.hash(new), sessions_from=ending(person))
        person = await self._store.update_person(person, after)
        await self._store.delete_tokens(person.id, RESET)
        return await self._people.sessions.ended_all(person, keep)

    # ---- the second factor -----------------------------------------------------------------------------

    def begin_totp(self, person: Person) -> Setup:
        """Nothing is stored until a code proves that the app has the secret."""
        nonce = secrets.token_urlsafe(12)
        secret = totp.derived_secret(self._totp_key, person.id, nonce)
        return Setup(nonce, totp.base32(secret), totp.uri(secret, person.account or "", self._issuer))

    async def confirm_totp(self, person: Person, nonce: str, code: str) -> Person:
        if person.account is None:
            raise ServerError("server-no-account", 409)
        self._limit("second-factor", person.id)
        step = self._totp_step(person, nonce, code)
        return await self._store.update_person(person, msgspec.structs.replace(person, totp=nonce, totp_step=step))

    async def end_totp(self, person: Person) -> Person:
        return await self._store.update_person(person, msgspec.structs.replace(person, totp=None))

    async def _check_second_factor(self, person: Person, given: str, device: str) -> Person:
        """A code from the app, valid once, or a recovery code."""
        assert person.totp is not None
        plain = "".join(given.split())
        if not plain:
            raise ServerError("server-code-needed", 401)
        if not TOTP_CODE.fullmatch(plain):
            if not await use_code(self._store, person.id, plain):
                raise ServerError("server-code", 401)
            return person
        self._limit("second-factor", f"{person.id} {device}")
        step = self._totp_step(person, person.totp, plain)
        try:
            return await self._store.update_person(person, msgspec.structs.replace(person, totp_step=step))
        except Conflict as problem:  # the same code, at the same moment
            raise ServerError("server-code", 401) from problem

    def _totp_step(self, person: Person, nonce: str, code: str) -> int:
        secret = totp.derived_secret(self._totp_key, person.id, nonce)
        step = totp.accepted_step(secret, "".join(code.split()), time.time(), person.totp_step)
        if step is None:
            raise ServerError("server-code", 401)
        return step


def _check_no_account(person: Person) -> None:
    if person.account is not None:
        raise ServerError("server-has-account", 409, account=person.account)


__all__ = ["CODE", "RESET", "Accounts", "Login", "Setup"]
