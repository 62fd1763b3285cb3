"""Learns `patterns.json`: `python -m tsukimi.bots.dojo.train OUT.json [games]`. Fifteen seconds when compiled."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import cast

import tsukimi
from tsukimi.bots.dojo.patterns import Patterns
from tsukimi.core.rng import Rng
from tsukimi.games.dojo.rules import Dojo

TROPHY_RATE = 0.17  # the probability of a trophy in a round
RATES = (0.02, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0003)


def learn(games: int) -> Patterns:
    """The values after that many simulated dojos, with decreasing learning rates."""
    patterns, rng = Patterns(), Rng(1)
    patterns.set_optimistic()
    start = cast(Dojo, tsukimi.new("dojo", players=4, chance="manual", first="p1").core)
    for rate in RATES:
        mean = patterns.train(start, games // len(RATES), rate, TROPHY_RATE, rng)
        print(f"rate {rate}: {mean:.2f} points")
    return patterns


def main() -> None:
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 1_600_000
    Path(sys.argv[1]).write_text(text(learn(games)), "utf-8")


def text(patterns: Patterns) -> str:
    """The values as JSON, one line per pattern."""
    lines = json.dumps(patterns.dump(), indent=1)
    return re.sub(r"\[\s+([^]]*?)\s+\]", lambda found: f"[{' '.join(found[1].split())}]", lines) + "\n"


if __name__ == "__main__":
    main()
