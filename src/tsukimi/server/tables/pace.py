"""When a bot's answer may be seen: at a time that depends only on public information and chance.

A search may end early because one move is left, or because the rest is solved: seeing that would reveal something
about the cards. So an answer waits until its level's full time is over, plus a random delay drawn for every
decision.
"""

from __future__ import annotations

import math
from random import Random

ORDINARY_MS = 1000.0  # bots that do not search are not slower where others may think longer
LEAST, MOST = 0.15, 0.35  # the delay, as a fraction of that
GRID = 0.15  # also as a fraction of that: an answer that is still late is late by a multiple of it


class Pace:
    """`ms`: the time of the strongest level."""

    def __init__(self, ms: float, random: Random) -> None:
        self._seconds, self._unit = ms / 1000, min(ms, ORDINARY_MS) / 1000
        self._random = random

    def due(self, asked: float, started: float, share: float, seconds: float, now: float) -> float:
        """The time of an answer that has been found by `now`, to a question posed at `asked`. The bot has had its
        `share` of `seconds`, from `started` on; it would have had more if nobody else had been waiting."""
        drawn = self._random.uniform(LEAST, MOST) * self._unit
        due = max(asked + share * self._seconds + drawn, started + share * seconds + LEAST * self._unit)
        late = math.ceil(max(0.0, now - due) / (GRID * self._unit))
        return due + late * GRID * self._unit
