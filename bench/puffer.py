"""PufferLib's C environments of board and card games, built with PufferLib's own binding and flags, without rendering.

    python bench/puffer.py SOURCE RAYLIB        # into build/pufferlib, where bench/env_speed.py finds them

PufferLib's own setup needs PyTorch and downloads raylib and Box2D. SOURCE is its unpacked source distribution (3.0.0),
RAYLIB a folder with raylib.h (5.5). Rendering functions are left unresolved, since nothing is drawn here.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

BUILT = Path(__file__).parent.parent / "build" / "pufferlib"
FLAGS = ["-O2", "-flto", "-DPLATFORM_DESKTOP", "-DNPY_NO_DEPRECATED_API=NPY_1_7_API_VERSION", "-w"]
# Numbers in an observation, their type, number of actions, arguments: as in PufferLib's Python classes.
GAMES: dict[str, tuple[int, Any, int, dict[str, int]]] = {
    "tripletriad": (114, np.float32, 14, {"width": 990, "height": 690, "card_width": 192, "card_height": 224}),
    "connect4": (42, np.float32, 7, {}),
}


def build(source: Path, raylib: Path) -> None:
    includes = [raylib, Path(sysconfig.get_paths()["include"]), Path(np.get_include())]
    for game in GAMES:
        folder = BUILT / game
        folder.mkdir(parents=True, exist_ok=True)
        binding = source / "pufferlib" / "ocean" / game / "binding.c"
        paths = [f"-I{path}" for path in includes]
        command = ["gcc", "-shared", "-fPIC", *FLAGS, *paths, str(binding), "-o", str(folder / "binding.so"), "-lm"]
        subprocess.run(command, check=True)


class Vector:
    """Steps environments as a `PufferEnv` does."""

    def __init__(self, game: str, games: int) -> None:
        self.games = games
        size, kind, self._moves, arguments = GAMES[game]
        self.observations, self._actions = np.zeros((games, size), kind), np.zeros(games, np.int32)
        self._rewards, self.terminals = np.zeros(games, np.float32), np.zeros(games, bool)
        arrays = self.observations, self._actions, self._rewards, self.terminals, np.zeros(games, bool)
        self._arrays, self._binding, self._rng = arrays, _loaded(game), np.random.default_rng(1)
        self._envs = self._binding.vec_init(*arrays, games, 1, **arguments)
        self._binding.vec_reset(self._envs, 1)

    def step(self) -> None:
        """Random actions as in PufferLib's own benchmark: an illegal one counts, and changes nothing."""
        self._actions[:] = self._rng.integers(0, self._moves, self.games, np.int32)
        self._binding.vec_step(self._envs)


def built() -> Iterator[str]:
    for game in GAMES:
        if not (BUILT / game / "binding.so").exists():
            raise ImportError(f"{game} is not built: python bench/puffer.py")
        yield game


def _loaded(game: str) -> Any:
    sys.setdlopenflags(os.RTLD_LAZY)
    spec = importlib.util.spec_from_file_location("binding", BUILT / game / "binding.so")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    build(Path(sys.argv[1]), Path(sys.argv[2]))
