"""Account recovery: recovery codes, and links by e-mail if the host has configured it.

An address is confirmed when its owner opens the link sent to it. No answer reveals whether an account exists.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from pathlib import Path

import msgspec

from tsukimi.core import catalogue
from tsukimi.server.accounts.accounts import RESET, Accounts
from tsukimi.server.accounts.codes import use_code
from tsukimi.server.accounts.mail import Mailer
from tsukimi.server.accounts.people import TOKEN, People
from tsukimi.server.accounts.sessions import digest, now_ms
from tsukimi.server.common.errors import ServerError, too_many
from tsukimi.server.common.limits import RateLimiter
from tsukimi.store import Person, Store, Token

catalogue.register("mail", Path(__file__).parent / "messages")

EMAIL = "email"
RESET_FOR, CONFIRM_FOR = 30 * 60_000, 24 * 3_600_000  # ms
ADDRESS = re.compile(r"[!-?A-~]{1,64}@([a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}")


class Recovery:
    def __init__(
        self, store: Store, people: People, accounts: Accounts, limiter: RateLimiter, mailer: Mailer | None, url: str
    ) -> None:
        self._store, self._people, self._accounts, self._limiter = store, people, accounts, limiter
        self._mailer, self._url = mailer, url.rstrip("/")

    def close(self) -> None:
        if self._mailer is not None:
            self._mailer.close()

    @property
    def by_mail(self) -> bool:
        """Whether this server can send e-mails."""
        return self._mailer is not None

    # ---- the password --------------------------------------------------------------------------------

    async def by_code(self, name: str, code: str, new: str) -> None:
        person = await self._accounts.find(name)
        if not await use_code(self._store, "-" if person is None else person.id, code) or person is None:
            raise ServerError("server-recovery-code", 401)
        await self._set_password(person, new)

    async def by_link(self, text: str, new: str) -> None:
        token = await self._store.take_token(digest(text), RESET)
        person = None if token is None else await self._store.person(token.person)
        if token is None or person is None or now_ms() - token.at > RESET_FOR:
            raise ServerError("server-reset-link", 401)
        await self._set_password(person, new)

    async def _set_password(self, person: Person, new: str) -> None:
        """Whoever had the account before keeps no access, not even a program's token."""
        await self._accounts.set_password(person, new)
        await self._people.delete_tokens(person, TOKEN)

    async def send_reset(self, name: str, lang: str) -> None:
        """A link by e-mail, if there is such an account with an address."""
        if self._mailer is None:
            raise ServerError("server-no-mail", 409)
        account = unicodedata.normalize("NFKC", name).strip().casefold()
        person = await self._accounts.find(name)
        # Over the limit nothing is said either: the last link sent is still valid.
        if person is None or person.email is None or self._limiter.acquire("reset-account", account):
            return
        link = f"{self._url}/reset#{await self._new_token(person, RESET)}"
        self._send("reset", person.email, person.lang or lang, account=person.account or "", link=link)

    # ---- the address ---------------------------------------------------------------------------------

    async def send_confirmation(self, person: Person, address: str, lang: str) -> None:
        """Send a link to the address, which becomes the account's when the link is opened."""
        if self._mailer is None:
            raise ServerError("server-no-mail", 409)
        address = clean_address(address)
        for kind, key in (("mail", person.id), ("mail-to", address)):
            if wait := self._limiter.acquire(kind, key):
                raise too_many(wait)
        link = f"{self._url}/e/{await self._new_token(person, EMAIL, address)}"
        self._send("confirm", address, person.lang or lang, account=person.account or "", link=link)

    async def waiting_address(self, person: Person) -> str | None:
        """The requested address that is not confirmed yet."""
        tokens = await self._store.tokens_of(person.id, EMAIL)
        return tokens[0].label if tokens and now_ms() - tokens[0].at <= CONFIRM_FOR else None

    async def address_of(self, text: str) -> str | None:
        """The address that a link confirms."""
        token = await self._store.token(digest(text))
        good = token is not None and token.kind == EMAIL and now_ms() - token.at <= CONFIRM_FOR
        return token.label if good and token is not None else None

    async def confirm_address(self, text: str) -> bool:
        token = await self._store.take_token(digest(text), EMAIL)
        person = None if token is None else await self._store.person(token.person)
        if token is None or person is None or now_ms() - token.at > CONFIRM_FOR:
            return False
        await self._set_address(person, token.label)
        return True

    async def remove_address(self, person: Person) -> Person:
        await self._store.delete_tokens(person.id, EMAIL)
        return await self._set_address(person, None)

    async def _set_address(self, person: Person, address: str | None) -> Person:
        await self._store.delete_tokens(person.id, RESET)
        return await self._store.update_person(person, msgspec.structs.replace(person, email=address))

    async def _new_token(self, person: Person, kind: str, label: str = "") -> str:
        text = secrets.token_urlsafe(32)
        await self._store.replace_tokens(person.id, kind, [Token(digest(text), person.id, kind, label, now_ms())])
        return text

    def _send(self, what: str, to: str, lang: str, **fields: str) -> None:
        assert self._mailer is not None
        subject, text = (catalogue.say(section, f"mail.{what}", fields, lang) for section in ("subject", "text"))
        self._mailer.send(to, subject, text)


def clean_address(text: str) -> str:
    """An address that a mail server will accept, with its domain in lower case."""
    local, _, domain = text.strip().rpartition("@")
    try:
        address = f"{local}@{domain.encode('idna').decode().lower()}"
    except UnicodeError:
        address = ""
    if len(address) > 254 or not ADDRESS.fullmatch(address) or any(sign in '"(),:;<>@[\\]' for sign in local):
        raise ServerError("server-email", 400)
    return address
