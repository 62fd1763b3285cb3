"""A small table for Daruma's tests: chance is said in words, like the moves."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

import tsukimi
from tsukimi.core.state import State
from tsukimi.games.daruma import SPEC

FIVE = ["red.reroll-all", "orange.reroll-multiples", "yellow.reroll-singles", "green.shift-multiples", "blue.swap"]
GOLDS = ["gold.fictive-four"] * 2 + ["red.reroll-all", "yellow.swap", "blue.swap"]
# Three fours and then a fourth one: the turn ends, the counter stays.
BAD_LUCK = ["roll 2 2 2 2 2 4 4 4", "sake 2", "reroll 2", "roll 4"]


def default_components() -> dict[str, Any]:
    return tomllib.loads((SPEC.folder / "components.toml").read_text("utf-8"))


def many_tokens() -> dict[str, Any]:
    """The usual components with enough tokens of each kind for any track."""
    return default_components() | {"token": [{"kind": kind, "count": 9} for kind in ("blank", "daruma", "four")]}


def few_cards(*names: str) -> dict[str, Any]:
    """The usual components with these cards alone."""
    kinds = sorted(set(names))
    darumas = [dict(zip(("colour", "action"), kind.split("."), strict=True), count=names.count(kind)) for kind in kinds]
    return many_tokens() | {"daruma": darumas}


def table(
    players: int = 2,
    five: list[str] = FIVE,
    track: dict[int, str] | None = None,
    components: dict[str, Any] | None = None,
    **options: str,
) -> State:
    """p1's first turn begins. `track` names the tokens that are not blank, counted from 1; seat i has objective i."""
    state = tsukimi.new(
        "daruma", players=players, chance="manual", components=components or many_tokens(), **{"first": "p1"} | options
    )
    tokens = [(track or {}).get(place, "blank") for place in range(1, players + 5)]
    say(state, "track " + " ".join(tokens))
    say(state, *(f"objective p{seat} {seat}" for seat in range(1, players + 1)))
    return say(state, *(f"draw {name}" for name in five))


def say(state: State, *texts: str) -> State:
    for text in texts:
        state.play(text)
    return state


def fortune(state: State, *names: str) -> State:
    """The player whose first roll waits gains these by good fortune; the roll still waits."""
    for name in names:
        say(state, "roll 2 2 2 2 4 4 4 4", f"draw {name}")
    return state


def look(state: State) -> dict[str, Any]:
    return state.view(None)


def eyes(state: State, place: int) -> list[str]:
    return look(state)["places"][place - 1]["eyes"]


def cards(state: State) -> list[str]:
    return [place and place["card"] for place in look(state)["places"]]


def last(state: State) -> dict[str, Any]:
    return state.events(None)[-1]


def refused(state: State, text: str) -> str:
    """The code of the reason why this cannot be played."""
    with pytest.raises(tsukimi.IllegalMove) as caught:
        state.play(text)
    return caught.value.code
