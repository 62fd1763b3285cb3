"""Names of people and accounts: any script, one line, no invisible characters that could disturb or deceive."""

from __future__ import annotations

import re
import secrets
import unicodedata

from tsukimi.server.common.errors import ServerError

MAX_LENGTH = 24
# Control, format (bidi overrides, zero width), surrogates, private use, unassigned, line and paragraph separators.
FORBIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
ACCOUNT = re.compile(r"\w[\w.-]{1,23}")
ANIMALS = ("Usagi", "Tanuki", "Kitsune", "Kaeru", "Tsuru", "Koi", "Neko", "Fukuro", "Suzume", "Shika", "Kame", "Hotaru")


def clean_name(text: str) -> str:
    """A display name in its stored form; `server-name` if it is not allowed."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    bad = not 1 <= len(name) <= MAX_LENGTH or any(unicodedata.category(sign) in FORBIDDEN for sign in name)
    marks = sum(unicodedata.category(sign) in ("Mn", "Me") for sign in name)
    if bad or marks > MAX_LENGTH // 2:  # stacked accents would cover other people's lines
        raise ServerError("server-name", 400, most=MAX_LENGTH)
    return name


def clean_account(text: str) -> str:
    """An account name: letters, digits, `.`, `_`, `-`, with compatibility characters normalized."""
    name = unicodedata.normalize("NFKC", text).strip()
    if not ACCOUNT.fullmatch(name):
        raise ServerError("server-account-name", 400, most=MAX_LENGTH)
    return name


def random_name() -> str:
    """A guest's first name, the same in every language."""
    return f"{secrets.choice(ANIMALS)} {secrets.randbelow(90) + 10}"
