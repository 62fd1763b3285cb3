"""Observations as arrays, in two encodings, laid out by the game's own description (`Spec.fields`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tsukimi.core.errors import BadOptions
from tsukimi.core.game import Game
from tsukimi.core.spec import Field, Spec

ENCODINGS = ("numbers", "onehot")
WIDEST = 64  # values: a number with a wider range is scaled instead of being one-hot


@dataclass(frozen=True)
class Columns:
    """The position of a field in an encoded observation: `width` columns for each of its numbers."""

    field: Field
    start: int
    width: int


class Encoding:
    """How the numbers of an observation become an array.

    - `numbers`: the numbers themselves, int16.
    - `onehot`: float32 from 0 to 1, ready for a network. A number with n possible values takes n columns, one of which
        is 1; a binary number takes one column, and so does one with more than 64 values, scaled to 0..1.
    """

    def __init__(self, spec: Spec, game: Game, kind: str = "numbers") -> None:
        if kind not in ENCODINGS:
            raise BadOptions("bad-option", option="encoding", value=str(kind)[:60], known=", ".join(ENCODINGS))
        self.kind = kind
        self.fields = described(spec, game)
        numbers = [(field.low, field.high) for field in self.fields for _ in range(field.length)]
        low, high = np.array(numbers, np.int32).reshape(-1, 2).T
        if kind == "numbers":
            self.dtype: Any = np.int16
            self.low, self.high = low.astype(np.int16), high.astype(np.int16)
            self.columns = [Columns(field, field.offset, 1) for field in self.fields]
            self.size = len(low)
            return
        self.dtype = np.float32
        values = high - low + 1
        self._low = low.astype(np.int32)
        widths = np.where((values <= 2) | (values > WIDEST), 1, values)
        starts = np.cumsum(widths) - widths
        self.size = int(widths.sum())
        self.low, self.high = np.zeros(self.size, np.float32), np.ones(self.size, np.float32)
        self.columns = [Columns(f, int(starts[f.offset]), int(widths[f.offset])) for f in self.fields]
        self._hot, self._scaled = np.flatnonzero(widths > 1), np.flatnonzero(widths == 1)
        self._hot_starts = (starts - low)[self._hot]
        self._scaled_starts, self._scaled_low = starts[self._scaled], low[self._scaled]
        self._span = np.maximum(values[self._scaled] - 1, 1).astype(np.float32)

    def encode(self, observations: Any) -> Any:
        """One observation, or an array of them (with observations along the last axis), encoded in a new array."""
        numbers = np.asarray(observations, np.int16)
        if self.kind == "numbers":
            return numbers.copy() if numbers is observations else numbers
        flat = numbers.reshape(-1, numbers.shape[-1]).astype(np.int32)
        encoded = np.zeros((len(flat), self.size), np.float32)
        np.put_along_axis(encoded, flat[:, self._hot] + self._hot_starts, 1, axis=1)
        encoded[:, self._scaled_starts] = (flat[:, self._scaled] - self._scaled_low) / self._span
        return encoded.reshape(*numbers.shape[:-1], self.size)

    def arrays(self) -> tuple[Any, Any, Any]:
        """For each number, its first column, its lowest value, and its divisor (0: it is one-hot)."""
        columns = np.zeros(len(self._low), np.int32)
        columns[self._hot], columns[self._scaled] = self._hot_starts + self._low[self._hot], self._scaled_starts
        spans = np.zeros(len(self._low), np.float32)
        spans[self._scaled] = self._span
        return columns, self._low.copy(), spans

    def table(self) -> str:
        """The layout as a Markdown table: one line per field."""
        lines = ["| columns | field | numbers | from, to | meaning |", "|---|---|---|---|---|"]
        for part in self.columns:
            field, last = part.field, part.start + part.width * part.field.length - 1
            where = f"{part.start}" if last == part.start else f"{part.start}..{last}"
            lines.append(f"| {where} | {field.name} | {field.length} | {field.low}, {field.high} | {field.meaning} |")
        return "\n".join(lines)


def described(spec: Spec, game: Game) -> Sequence[Field]:
    """The game's description of its observations, checked for completeness."""
    fields = list(spec.fields(game))
    if not fields:
        return [Field("numbers", 0, game.observation_size, -(2**15), 2**15 - 1, "The game does not describe them.")]
    ends = [field.offset + field.length for field in fields]
    if [field.offset for field in fields] != [0, *ends[:-1]] or ends[-1] != game.observation_size:
        raise ValueError(f"the fields of {spec.name} do not describe its {game.observation_size} numbers one by one")
    return fields
