"""The bare package needs nothing but the standard library and NumPy (and Cython where it is not compiled)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import tsukimi.core.game

COMPILED = Path(tsukimi.core.game.__file__).suffix != ".py"
# An import hook that knows no other package, and what a new user does first.
ALONE = f"""
import sys
allowed = sys.stdlib_module_names | {{"numpy", "tsukimi"}} | {set() if COMPILED else {"cython", "Cython"}!r}

class Alone:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in allowed:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Alone())
import tsukimi
"""


def alone(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", ALONE + code], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )


@pytest.mark.parametrize("game", ["charuma", "china-moon", "daruma", "dojo"])
def test_games_batches_bots_and_arena_need_only_numpy(game):
    done = alone(f"""
import tsukimi.bots, tsukimi.lab.arena as arena
state = tsukimi.new({game!r}, players=3, seed=1)
for _ in range(5):
    state.play(state.legal(state.actors[0])[0], seat=state.actors[0])
assert tsukimi.replay(state.record(), seed=1).view(0) == state.view(0)
batch = tsukimi.batch({game!r}, players=3, games=2, seed=1)
batch.step(batch.pick())
arena.standings([arena.play(arena.Match({game!r}, ("random", "greedy", "flat"), playouts=5), 0, 0)])
""")
    assert done.returncode == 0, done.stderr


def test_a_command_without_its_packages_says_what_to_install():
    done = alone("import tsukimi.cli; sys.exit(tsukimi.cli.main(['serve', '--lang', 'en']))")
    problem = 'tsukimi: serve needs a package that is not installed: pip install "tsukimi[serve]"\n'
    assert (done.returncode, done.stderr) == (1, problem)


def test_the_command_lists_its_commands_without_any_extra():
    done = alone("import tsukimi.cli; sys.exit(tsukimi.cli.main(['--help']))")
    assert done.returncode == 0, done.stderr
    assert "serve" in done.stdout
