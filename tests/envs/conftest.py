"""The environments, for every installed game; the example of a game from outside must be among them."""

from __future__ import annotations

import os
from importlib import import_module

import pytest

import tsukimi
from tsukimi.games import spec

GAMES = [(game, spec(game).seats[0]) for game in tsukimi.games()]
every_game = pytest.mark.parametrize(("game", "players"), GAMES, ids=[game for game, _ in GAMES])


@pytest.fixture(autouse=True)
def installed():
    if "leduc" not in tsukimi.games():
        pytest.skip("NO EXAMPLE: pip install --no-deps ./examples/leduc")


def need(module):
    """A module that the tests are for, or that they use; where skips are forbidden, its absence is an error."""
    if os.environ.get("TSUKIMI_NO_SKIPS"):
        return import_module(module)
    return pytest.importorskip(module, reason=f"NO {module}: pip install 'tsukimi[envs,openspiel,lab]'")
