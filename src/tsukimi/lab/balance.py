"""A small balance report in a few seconds: quick feedback for anyone who is changing a game's components."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from tsukimi.core.spec import Json
from tsukimi.lab.simulation import Simulation, play_chunk
from tsukimi.lab.summary import never, summary
from tsukimi.lab.tally import Tally

BOT = "greedy"  # quick, and it knows what is worth having
MOST_GAMES = 400


def balance(game: str, players: int, components: Mapping[str, Any], ms: float) -> Json:
    """Games between simple bots, for that many milliseconds of this process: win shares by seat, length, lead changes,
    events that never happened."""
    simulation = Simulation(game, players, MOST_GAMES, "balance", (BOT,), components=components)
    tally, end = Tally(), time.process_time() + ms / 1000
    for number in range(MOST_GAMES):
        tally.add(play_chunk(simulation, number, number + 1)["tally"])
        if time.process_time() > end:
            break
    figures = summary(simulation, tally)
    return {
        "games": figures["games"],
        "seats": [{key: row[key] for key in ("win_share", "win_share_95", "mean_score")} for row in figures["seats"]],
        "mean_decisions": figures["mean_decisions"],
        "lead_changes": figures["lead_changes"]["mean"],
        "never": never(figures),
    }
