"""Tabular CFR over the public API alone finds the known value of Leduc poker."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "cfr.py"


@pytest.fixture(scope="module")
def cfr():
    spec = spec_from_file_location("cfr", EXAMPLE)
    sys.modules["cfr"] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_first_player_loses_what_is_known(cfr, capsys):
    assert cfr.solve("leduc", iterations=300) == pytest.approx(-0.0856, abs=0.01)
    assert "288 information sets" in capsys.readouterr().out, "as many as the game has when suits do not matter"
