"""The example of a game from outside must be installed, as its users install it."""

from __future__ import annotations

import pytest

import tsukimi


@pytest.fixture(autouse=True)
def installed():
    if "leduc" not in tsukimi.games():
        pytest.skip("NO EXAMPLE: pip install --no-deps ./examples/leduc")
