"""Recovery codes: ten, each for one use, in place of a forgotten password or a lost authenticator. Only their digests
are stored; with 80 random bits a plain hash is enough."""

from __future__ import annotations

import secrets

from tsukimi.server.accounts.sessions import digest, now_ms
from tsukimi.store import Person, Store, Token

CODE = "recovery-code"
NUMBER, LENGTH, GROUP = 10, 16, 4
ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # 32 characters; none looks like another


async def new_codes(store: Store, person: Person) -> list[str]:
    """Ten new codes, shown only once; the previous ones become invalid."""
    codes = ["".join(secrets.choice(ALPHABET) for _ in range(LENGTH)) for _ in range(NUMBER)]
    now = now_ms()
    await store.replace_tokens(
        person.id, CODE, [Token(_digest(person.id, code), person.id, CODE, "", now) for code in codes]
    )
    return ["-".join(code[start : start + GROUP] for start in range(0, LENGTH, GROUP)) for code in codes]


async def codes_left(store: Store, person: Person) -> int:
    return len(await store.tokens_of(person.id, CODE))


async def use_code(store: Store, person: str, given: str) -> bool:
    return await store.take_token(_digest(person, given), CODE) is not None


def _digest(person: str, given: str) -> bytes:
    """Normalises typing: the alphabet has neither O nor 0, neither I nor 1."""
    plain = "".join(sign for sign in given.upper() if sign.isalnum())
    return digest(f"recovery {person} {plain}")
