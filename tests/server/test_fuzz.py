"""The fuzzer over the protocol, for a few seconds; `make fuzz` runs it for ten minutes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.compiled
FUZZ = Path(__file__).parents[2] / "bench" / "fuzz.py"


def test_ten_seconds_of_nonsense_and_failing_calls_find_no_fault() -> None:
    done = subprocess.run(
        [sys.executable, FUZZ, "--seconds", "10"], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WRONG" not in done.stdout
    assert "calls of the store failed" in done.stdout
