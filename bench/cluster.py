"""The cost of a simulation, and thus how many games per hour a number of machines can play: CPU time of single chunks,
and the overhead of the `--engine ray` driver for each.

    python bench/cluster.py --out bench/results/cluster.md        (with the extra `ray` installed)
"""

from __future__ import annotations

import argparse
import platform
import time
from dataclasses import replace
from pathlib import Path

from tsukimi.lab.simulation import Simulation, play_chunk, simulate

CORES, MACHINES = 16, (1, 10, 100)
LINEUPS = (("random",), ("greedy",), ("master",))
GAMES = (("charuma", 4), ("china-moon", 4), ("daruma", 4), ("dojo", 4))
ENOUGH = 1.0  # seconds of CPU time for each figure


def cost(game: str, players: int, lineup: tuple[str, ...]) -> float:
    """CPU seconds per game."""
    simulation = Simulation(game, players, 1_000_000, "cost", bots=lineup, watched=0 if lineup == ("random",) else None)
    size = 500 if simulation.random else 1
    played, began = 0, time.process_time()
    while time.process_time() < began + ENOUGH:
        play_chunk(simulation, played, played + size)
        played += size
    return (time.process_time() - began) / played


def driver(chunks: int = 200) -> float:
    """CPU seconds the driver spends per chunk, with Ray on this machine."""
    simulation = Simulation("dojo", 3, 10 * chunks, "driver", bots=("greedy",))
    import ray

    ray.init(log_to_driver=False, include_dashboard=False)
    simulate(replace(simulation, games=40), engine="ray")  # starts Ray's processes
    began = time.process_time()
    simulate(simulation, engine="ray")
    spent = time.process_time() - began
    ray.shutdown()
    return spent / chunks


def report(costs: dict[tuple[str, tuple[str, ...]], float], spent: float) -> str:
    size = {True: 500, False: 10}
    lines = [
        "# Simulations on a cluster",
        "",
        f"`python bench/cluster.py` on {platform.machine()}, Python {platform.python_version()}: processor time of a game of four players",
        "(`master` with 200 playouts a move), on one core. Games an hour are computed from it for machines",
        f"of {CORES} such cores, all of them busy; they were not played on so many machines. The driver of `--engine ray` spent",
        f"{1000 * spent:.1f} ms of processor time on a chunk (500 random games, 10 others), so it hands out at most",
        f"{1 / spent:,.0f} chunks a second: where that is the limit, the figure has a star.",
        "",
        "| game | bots | CPU time of a game | "
        + " | ".join(f"games/h, {n} machine{'s' * (n > 1)}" for n in MACHINES)
        + " |",
        "|---|---|---:|" + "---:|" * len(MACHINES),
    ]
    for (game, lineup), seconds in costs.items():
        most = size[lineup == ("random",)] / spent * 3600
        rates = [CORES * n * 3600 / seconds for n in MACHINES]
        cells = [_readable(min(rate, most)) + (" *" if rate > most else "") for rate in rates]
        shown = f"{1000 * seconds:.2f} ms" if seconds < 1 else f"{seconds:.1f} s"
        lines.append(f"| {game} | {lineup[0]} | {shown} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _readable(rate: float) -> str:
    for size, name in ((1e9, "billion"), (1e6, "million")):
        if rate >= size:
            return f"{rate / size:.2g} {name}" if rate < 100 * size else f"{rate / size:.0f} {name}"
    return f"{round(rate, -2):,.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    costs = {(game, lineup): cost(game, players, lineup) for game, players in GAMES for lineup in LINEUPS}
    text = report(costs, driver())
    if args.out:
        args.out.write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
