"""From estimates to calibrated shares of the win.

An estimate is corrected by two numbers per game, number of players and phase (`calibration.json`): an exponent,
which corrects overconfidence (below 1) or underconfidence (above 1), and a bonus for the seat to move.
The share of a move found by an analysis is corrected by a factor and a term for its log-odds ("moves"), which never
changes the order of moves. `bench/calibrate.py` fits all of them to games between masters.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

PHASES = ("early", "middle", "late")
LEAST = 0.002  # no estimate of an unfinished game is certain
Correction = tuple[float, float]
NONE: Correction = (1.0, 0.0)


def phase_of(progress: float) -> int:
    """The third of the game, by the fraction that has been played."""
    return min(2, int(3 * progress))


def correction(game: str, players: int, phase: int) -> Correction:
    """The exponent and the bonus; an unknown game's estimates are left unchanged."""
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
    return [weight / total for weight in odds]


def corrected_move(share: float, game: str, phase: int) -> float:
    """The calibrated share of a move. Certain ones (0 and 1) stay."""
    table = _stored().get(game)
    if not table or not 0 < share < 1:
        return share
    factor, term = table["moves"][phase]
    return 1 / (1 + math.exp(-factor * log_odds(share) - term))


def log_odds(share: float) -> float:
    share = min(1 - LEAST, max(LEAST, share))
    return math.log(share / (1 - share))


@cache
def _stored() -> dict[str, dict[str, list[Correction]]]:
    text = files("tsukimi.bots").joinpath("calibration.json").read_text(encoding="utf-8")
    stored: dict[str, dict[str, list[Correction]]] = json.loads(text)
    return stored
