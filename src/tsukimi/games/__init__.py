"""The four games. Each package exports one `SPEC`; they are imported when first asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from tsukimi.core import catalogue
from tsukimi.core.errors import BadOptions
from tsukimi.core.spec import Spec

NAMES = ("charuma", "china-moon", "daruma", "dojo")


def names() -> tuple[str, ...]:
    """The names of the games."""
    return NAMES


@cache
def spec(name: str) -> Spec:
    """A game by name, `BadOptions` if there is none."""
    if name not in NAMES:
        raise BadOptions("unknown-game", game=name, known=", ".join(NAMES))
    found: Spec = import_module(f"tsukimi.games.{name.replace('-', '_')}").SPEC
    catalogue.register(name, found.folder / "messages")
    return found
