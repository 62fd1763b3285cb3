"""From estimates to shares of the win that come true as often as they say.

An estimate is corrected by two numbers for each game, number of players and phase (`calibration.json`): an exponent,
which takes back overconfidence (below 1) or hesitation (above 1), and a bonus for the seat whose turn it is.
`bench/calibrate.py` fits them to games that masters played against each other.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

PHASES = ("early", "middle", "late")
LEAST = 0.002  # no estimate of a game that still goes on is certain
Correction = tuple[float, float]
NONE: Correction = (1.0, 0.0)


def phase_of(progress: float) -> int:
    """The third of the game, by the part of it that has been played."""
    return min(2, int(3 * progress))


def correction(game: str, players: int, phase: int) -> Correction:
    """The exponent and the bonus; an unknown game's estimates stay as they are."""
    table = _stored().get(game, {}).get(str(players))
    return table[phase] if table else NONE


def corrected(estimate: Sequence[float], movers: Sequence[int], by: Correction) -> list[float]:
    """Shares of the win between 0 and 1, adding up to 1."""
    exponent, bonus = by
    odds = [
        max(LEAST, share) ** exponent * (math.exp(bonus) if seat in movers else 1.0)
        for seat, share in enumerate(estimate)
    ]
    total = sum(odds)
    return [one / total for one in odds]


@cache
def _stored() -> dict[str, dict[str, list[Correction]]]:
    text = files("tsukimi.bots").joinpath("calibration.json").read_text(encoding="utf-8")
    stored: dict[str, dict[str, list[Correction]]] = json.loads(text)
    return stored
