"""Adaptive opponents in the terminal: their strength is stored in a small file in the user's data folder."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Sequence
from dataclasses import asdict

from tsukimi.bots.adaptive import LEVEL, Fit
from tsukimi.core.folders import data_folder
from tsukimi.core.state import State

FILE = "practice.json"


class Practice:
    """The opponents in one game. They learn only from a person who plays alone against adaptive bots."""

    def __init__(self, state: State, humans: Collection[int], names: Sequence[str]) -> None:
        self.state, self._humans = state, humans
        self._path = data_folder(os.environ) / FILE
        self._key = f"{state.game}/{state.players}"
        self.active = len(humans) == 1 and set(names) == {LEVEL}
        self.fit = self._read().get(self._key, Fit())

    def bot(self, name: str) -> str:
        """The name of the bot to make."""
        return self.fit.bot if name == LEVEL else name

    def learn(self) -> str | None:
        """After the game: how the next opponents will be (`stronger`, `weaker`, `same`), None if that is not shown."""
        if not (self.active and self.state.over):
            return None
        winners, [me] = self.state.winners(), self._humans
        after = self.fit.after(1 / len(winners) if me in winners else 0.0)
        data = {key: asdict(fit) for key, fit in {**self._read(), self._key: after}.items()}
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._path.write_text(json.dumps(data, indent=1) + "\n", "utf-8")
        except OSError:  # the home folder cannot be written to: they play as before
            return None
        change = after.strength - self.fit.strength
        return "same" if change == 0 else "stronger" if change > 0 else "weaker"

    def _read(self) -> dict[str, Fit]:
        try:
            return {key: Fit(**fit) for key, fit in json.loads(self._path.read_text("utf-8")).items()}
        except (OSError, ValueError, TypeError, AttributeError):  # none yet, or not ours: start afresh
            return {}
