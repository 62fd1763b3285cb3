"""The tables of observation fields in the documentation are those of the games."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import tsukimi

ROOT = Path(__file__).parents[2]


def test_the_tables_in_the_documentation_are_current():
    environment = {**os.environ, "PYTHONPATH": str(Path(tsukimi.__file__).parents[1])}
    command = [sys.executable, str(ROOT / "tools" / "observation_tables.py"), "check"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
