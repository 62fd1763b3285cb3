"""Somebody at the keyboard, for the tests: types what is given, or numbers at random for ever."""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import tsukimi
from tsukimi.cli import main
from tsukimi.games import spec

OURS = [game for game in tsukimi.games() if spec(game).folder.is_relative_to(Path(tsukimi.__file__).parent)]
MOST = 40_000  # lines: a game that needs more does not end


class Typist(io.StringIO):
    """A keyboard that types a number at random whenever it is asked, so many times."""

    def __init__(self, seed: int, lines: int = MOST) -> None:
        super().__init__()
        self._luck, self._left = random.Random(seed), lines

    def readline(self, size: int | None = -1, /) -> str:
        self._left -= 1
        return f"{self._luck.randint(1, 9)}\n" if self._left >= 0 else ""


class Run:
    """What a command gave back."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


def quick(words: Sequence[str]) -> list[str]:
    """Against opponents that need no time, unless the words say otherwise."""
    return [*words, "--bots", "random"] if words[:1] in (["play"], ("play",)) and "--bots" not in words else list(words)


def run(monkeypatch: pytest.MonkeyPatch, *words: str, typed: str | io.StringIO = "", **more: str) -> Run:
    """`tsukimi WORDS` in this process, with plain output."""
    out, err = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed) if isinstance(typed, str) else typed)
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    for name in ("LC_ALL", "LC_MESSAGES", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"LANG": "en_GB.UTF-8", **more}.items():
        monkeypatch.setenv(name, value)
    code = main(quick(words))
    return Run(code, out.getvalue(), err.getvalue())


def process(*words: str, typed: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    """The same in a process of its own."""
    source = str(Path(tsukimi.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": source, "LANG": "en_GB.UTF-8", "PYTHONIOENCODING": "utf-8", **more}
    command = [sys.executable, "-m", "tsukimi.cli", *quick(words)]
    return subprocess.run(
        command, input=typed, capture_output=True, text=True, env=environment, check=False, timeout=60
    )
