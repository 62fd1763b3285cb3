"""What people may be called: any script, one line, nothing invisible that could disturb or deceive."""

from __future__ import annotations

import re
import secrets
import unicodedata

from tsukimi.server.http.errors import ServerError

LONGEST = 24
# Control, format (bidi overrides, zero width), surrogates, private use, unassigned, line and paragraph separators.
FORBIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
ACCOUNT = re.compile(r"\w[\w.-]{1,23}")
ANIMALS = ("Usagi", "Tanuki", "Kitsune", "Kaeru", "Tsuru", "Koi", "Neko", "Fukuro", "Suzume", "Shika", "Kame", "Hotaru")


def cleaned(text: str) -> str:
    """A display name as it is kept; `server-name` if it cannot be one."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    bad = not 1 <= len(name) <= LONGEST or any(unicodedata.category(sign) in FORBIDDEN for sign in name)
    marks = sum(unicodedata.category(sign) in ("Mn", "Me") for sign in name)
    if bad or marks > LONGEST // 2:  # towers of accents fall over other people's lines
        raise ServerError("server-name", 400, most=LONGEST)
    return name


def cleaned_account(text: str) -> str:
    """An account's name: letters, digits, `.`, `_`, `-`, in the one form that compatible characters share."""
    name = unicodedata.normalize("NFKC", text).strip()
    if not ACCOUNT.fullmatch(name):
        raise ServerError("server-account-name", 400, most=LONGEST)
    return name


def guest() -> str:
    """A name to begin with, the same in every language."""
    return f"{secrets.choice(ANIMALS)} {secrets.randbelow(90) + 10}"
