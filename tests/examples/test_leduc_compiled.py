"""Leduc poker compiled, as its package is installed, and uncompiled where the whole build is: the same game as the plain one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tsukimi
import tsukimi.core.game

EXAMPLES = Path(__file__).parents[2] / "examples"
IS_COMPILED = Path(tsukimi.core.game.__file__).suffix != ".py"
SAME = """
import numpy as np, tsukimi, tsukimi_leduc_compiled, tsukimi_leduc_compiled.rules as rules
assert rules.__file__.endswith(".py") != {compiled}, rules.__file__
if "leduc-compiled" not in tsukimi.games():
    tsukimi.games.register(tsukimi_leduc_compiled.SPEC)
ended = 0
for how in ({{}}, {{"observe": "all", "terminal": True, "reward": "score"}}, {{"first": "p2", "threads": 2}}):
    plain, fast = [tsukimi.batch(game, 2, games=200, seed=3, **how) for game in ("leduc", "leduc-compiled")]
    for _ in range({steps}):
        for name in ("observations", "terminal_observations", "moves", "offsets", "actors", "over", "rewards", "scores"):
            one, other = getattr(plain, name), getattr(fast, name)
            assert one is other is None or np.array_equal(one, other), name
        moves = plain.pick()
        assert np.array_equal(moves, fast.pick())
        plain.step(moves)
        fast.step(moves)
        ended += int(plain.over.sum())
assert ended > 1000
print("equal")
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """What PYTHONPATH has to be."""
    source = Path(tsukimi.__file__).parents[1]
    if not IS_COMPILED:
        return os.pathsep.join(map(str, (source, EXAMPLES / "leduc_compiled")))
    where, copy = tmp_path_factory.mktemp("leduc"), tmp_path_factory.mktemp("source") / "leduc_compiled"
    shutil.copytree(EXAMPLES / "leduc_compiled", copy)  # setuptools builds in the folder itself
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "-q",
        "--no-deps",
        "--no-build-isolation",
        "--target",
        str(where),
    ]
    done = subprocess.run(
        [*install, str(copy)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(source)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return os.pathsep.join(map(str, (source, where)))


def run(path, *arguments):
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_with_the_same_seed_batches_of_both_are_equal_number_by_number(path):
    steps = 60 if IS_COMPILED else 12
    assert run(path, "-c", SAME.format(compiled=IS_COMPILED, steps=steps)) == "equal\n"


@pytest.mark.compiled
def test_it_is_installed_as_a_game_of_its_own_and_passes_the_conformance_suite(path):
    assert "compiled" in run(path, "-c", "import tsukimi; print(tsukimi.games())")
    run(path, "-m", "tsukimi.cli", "check", "leduc-compiled", "--games", "5")
