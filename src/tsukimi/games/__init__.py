"""The installed games, found through the entry-point group `tsukimi.games`: a name, and the game's `Spec`."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from tsukimi.core import catalogue
from tsukimi.core.errors import BadOptions
from tsukimi.core.spec import Spec

GROUP = "tsukimi.games"


def names() -> list[str]:
    """The names of all installed games, in order."""
    return sorted(_entries())


def spec(name: str) -> Spec:
    """The `Spec` of an installed game."""
    found = _entries().get(name) if isinstance(name, str) else None
    if found is None:
        raise BadOptions("unknown-game", game=str(name)[:60], known=", ".join(names()))
    return _load(found)


@cache
def _entries() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}


@cache
def _load(entry: EntryPoint) -> Spec:
    loaded: Spec = entry.load()
    catalogue.register(loaded.name, loaded.folder / "messages")
    return loaded
