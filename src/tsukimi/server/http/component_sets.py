"""Component sets for the workshop: checked, and written as a file."""

from __future__ import annotations

import tomllib
from functools import cache

import msgspec
import tomli_w

import tsukimi
from tsukimi.core.errors import BadComponents, TsukimiError
from tsukimi.core.spec import Spec
from tsukimi.games import spec
from tsukimi.server.common.api import Problem
from tsukimi.server.common.components_api import CheckedComponents, Components, Draft
from tsukimi.server.common.errors import json_params

LONGEST_LINE = 1000


@cache
def shipped(game: str) -> CheckedComponents:
    """The game's own set."""
    return check(game, Draft(text=(spec(game).folder / "components.toml").read_text("utf-8")), "en")


def check(game: str, draft: Draft, lang: str) -> CheckedComponents:
    found = spec(game)
    try:
        data = _read(draft.text) if draft.data is None else draft.data
    except (ValueError, RecursionError) as unreadable:
        refusal = BadComponents("components-text", problem=str(unreadable)[:200])
        return CheckedComponents([], _problem(refusal, lang), None, draft.text, None, _choices(found))
    seats, first = list[int](), None
    for players in found.seats:
        try:
            tsukimi.new(game, players, chance="manual", components=data)
            seats.append(players)
        except BadComponents as refused:
            first = first or refused
    view = tsukimi.new(game, seats[0], seed=0, components=data).view(None) if seats else None
    problem = None if first is None else _problem(first, lang)
    text = written(data)
    return CheckedComponents(seats, problem, data if text else None, text or draft.text, view, _choices(found))


def _read(text: str) -> Components:
    """A TOML file. Parsing time grows with the square of a dotted key's length, hence a limit."""
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > LONGEST_LINE:
            raise ValueError(f"longer than {LONGEST_LINE} characters (at line {number})")
    return tomllib.loads(text)


def written(data: Components) -> str:
    """The set as a TOML file; empty if it contains something that TOML or JSON cannot express."""
    try:
        msgspec.json.encode(data)
        return tomli_w.dumps(data)
    except (TypeError, ValueError, OverflowError, RecursionError):
        return ""


def _problem(error: TsukimiError, lang: str) -> Problem:
    return Problem(error.code, json_params(error.params), error.message(lang))


def _choices(game: Spec) -> dict[str, list[str]]:
    return {field: list(values) for field, values in game.component_choices.items()}
