"""From a user's request (a game, players, options, components) to a game about to start."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any

from tsukimi.core.checks import integer, shown
from tsukimi.core.errors import BadComponents, BadOptions
from tsukimi.core.game import Table
from tsukimi.core.source import Source
from tsukimi.core.spec import Spec
from tsukimi.core.state import State

Components = Mapping[str, Any] | str | PathLike[str] | None
LARGEST = 2**20


def make(
    spec: Spec, players: int, options: Mapping[str, object], components: Components, source: Source | None
) -> State:
    number = integer(players)
    if number is None or number not in spec.seats:
        known = ", ".join(map(str, spec.seats))
        raise BadOptions("bad-players", game=spec.name, players=shown(players), known=known)
    players = number
    chosen = _options(spec, players, options)
    data = _data(components)
    table = _default_table(spec, players) if data is None else _own_table(spec, data, players)
    return State(spec, spec.start(table, players, chosen), chosen, source, data)


def choices(spec: Spec, players: int) -> dict[str, tuple[str, ...]]:
    """Every option with its values, the default first."""
    return {"first": ("random", *(f"p{seat + 1}" for seat in range(players))), **spec.options}


def _options(spec: Spec, players: int, wanted: Mapping[str, object]) -> dict[str, str]:
    known = choices(spec, players)
    for name, value in wanted.items():
        if name not in known:
            raise BadOptions("unknown-option", option=name[:60], known=", ".join(known))
        if value not in known[name]:
            raise BadOptions("bad-option", option=name, value=str(value)[:60], known=", ".join(known[name]))
    return {name: str(wanted.get(name, values[0])) for name, values in known.items()}


def _data(components: Components) -> Mapping[str, Any] | None:
    if components is None:
        return None
    if isinstance(components, Mapping):
        return components
    if not isinstance(components, str | PathLike):
        raise BadComponents("components-kind", kind=type(components).__name__)
    try:
        path = Path(components)
        small = path.stat().st_size <= LARGEST
        data = tomllib.loads(path.read_text("utf-8")) if small else {}
    except (OSError, ValueError, RecursionError) as problem:
        raise BadComponents(
            "components-unreadable", path=str(components)[:200], problem=str(problem)[:200]
        ) from problem
    if not small:
        raise BadComponents("components-too-large", path=str(components)[:200], most=LARGEST)
    return data


@cache
def _default_table(spec: Spec, players: int) -> Table:
    path = spec.folder / "components.toml"
    return _table(spec, tomllib.loads(path.read_text("utf-8")) if path.exists() else {}, players, None)


def _own_table(spec: Spec, data: Mapping[str, Any], players: int) -> Table:
    if not spec.has_components:
        raise BadComponents("no-components", game=spec.name)
    return _table(spec, data, players, data)


def _table(spec: Spec, data: Mapping[str, Any], players: int, own: Mapping[str, Any] | None) -> Table:
    table = spec.load(data, players)
    table.origin = (spec.name, players, own)
    return table
