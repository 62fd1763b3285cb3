"""Every check of `tsukimi check`, on every variant and number of players of every installed game."""

from __future__ import annotations

import pytest

from conformance.variants import ALL, IDS
from conftest import COMPILED
from tsukimi.check import CHECKS, Trial, sentence

GAMES = 20 if COMPILED else 4


@pytest.mark.parametrize("check", CHECKS, ids=sentence)
@pytest.mark.parametrize("variant", ALL, ids=IDS)
def test_every_game_passes(variant, check):
    check(Trial(variant, games=GAMES))
