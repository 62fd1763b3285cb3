"""The installed games, found through the entry-point group `tsukimi.games`: a name, and the game's `Spec`."""

from __future__ import annotations

import sys
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType

from tsukimi.core import catalogue
from tsukimi.core.errors import BadOptions
from tsukimi.core.spec import Spec

GROUP = "tsukimi.games"
_registered: dict[str, Spec] = {}


def names() -> list[str]:
    """The names of all installed games, in order."""
    return sorted({*_entries(), *_registered})


def spec(name: str) -> Spec:
    """The `Spec` of an installed game."""
    if isinstance(name, str) and name in _registered:
        return _registered[name]
    found = _entries().get(name) if isinstance(name, str) else None
    if found is None:
        raise BadOptions("unknown-game", game=str(name)[:60], known=", ".join(names()))
    return _load(found)


def register(spec: Spec) -> None:
    """Make a game known in this process, without a package: for notebooks and tests."""
    catalogue.register(spec.name, spec.folder / "messages")
    _registered[spec.name] = spec


@cache
def _entries() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}


@cache
def _load(entry: EntryPoint) -> Spec:
    loaded: Spec = entry.load()
    catalogue.register(loaded.name, loaded.folder / "messages")
    return loaded


class _Games(ModuleType):
    """`tsukimi.games` is this package, and `tsukimi.games()` gives the names of the installed games."""

    def __call__(self) -> list[str]:
        return names()


sys.modules[__name__].__class__ = _Games
