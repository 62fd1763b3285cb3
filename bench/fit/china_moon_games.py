"""Self-play games of China Moon's search, as training data for `china_moon_network.py`.

    python bench/fit/china_moon_games.py OUT --seconds 300 --processes 16 [--network FILE]

For every decision: the network's inputs, the features, the search's visits of each move, its estimated shares of the win, and
the final result. Some openings are random, and some moves are sampled by visits, so that unusual positions occur.
"""

from __future__ import annotations

import argparse
import random
import time
from multiprocessing import Process
from pathlib import Path
from typing import Any, cast

import numpy as np

import tsukimi
from tsukimi.bots.budget import Budget
from tsukimi.bots.china_moon import networks
from tsukimi.bots.china_moon.engine import ChinaMoonEngine
from tsukimi.bots.china_moon.inputs import NetworkInputs
from tsukimi.bots.search import Search
from tsukimi.core.rng import Rng
from tsukimi.games.china_moon.rules import ChinaMoon

PLAYERS = (3, 3, 3, 4, 4, 5, 5)  # how often each number of players
ACTIVE, MOVES = 48, 40  # room for inputs and moves; if there are more moves, the most visited are kept
RANDOM_OPENINGS, LONGEST_OPENING = 0.5, 12
BY_VISITS, AT_RANDOM = 0.15, 0.02  # how often a move is sampled by visits, or uniformly
FULL = 0.5  # of the decisions get all playouts and are recorded; the others get a quarter

Array = Any


class Player:
    """Plays all seats of games with one number of players."""

    def __init__(self, players: int, playouts: int, seed: int, network: Path | None) -> None:
        self.start = cast(ChinaMoon, tsukimi.new("china-moon", players=players, chance="manual").core)
        self.players, self.playouts = players, playouts
        self.rng, self.luck = Rng(seed), random.Random(seed)
        self.inputs = NetworkInputs(self.start.table, players)
        self.engine = ChinaMoonEngine(self.start, seed)
        if network:
            self.engine.evaluator = networks.evaluator(self.start.table, players, networks.load(network))
        self.rows: dict[str, list[Array]] = {name: [] for name in ("inputs", "features", "search", "won", "rows")}
        self.rows |= {name: [] for name in ("visits", "ratings", "game")}
        self.games = 0

    def play(self) -> None:
        game = cast(ChinaMoon, self.start.copy())
        game.sample_chance(self.rng)
        search = Search(game, self.engine.evaluator, self.rng.number(), 1 << 17, 1 << 20)
        search.exploration = self.engine.exploration
        opening = self.luck.randrange(LONGEST_OPENING) if self.luck.random() < RANDOM_OPENINGS else 0
        seen: list[int] = []
        while not game.over:
            seat = game.actors[0]
            if opening > 0 or self.luck.random() < AT_RANDOM:
                move = game.random_action(seat, self.rng)
            else:
                move = self.decide(game, seat, search, seen)
            opening -= 1
            game.apply(move, seat)
        winners = game.winners()
        for seat in seen:
            self.rows["won"].append(
                [((seat + i) % self.players in winners) / len(winners) for i in range(self.players)]
            )
        self.rows["game"] += [self.games] * len(seen)
        self.games += 1

    def decide(self, game: ChinaMoon, seat: int, search: Search, seen: list[int]) -> int:
        if len(game.actions(seat)) == 1:
            return game.actions(seat)[0]
        full = self.luck.random() < FULL
        playouts = self.playouts if full else self.playouts // 4
        search.set_root(game, seat)
        search.run(playouts)
        visits = {move: count for move, count, _ in search.result()}
        shares = search.root_shares()
        known = self.engine.solve(game, seat, list(visits), Budget(None, playouts))
        if known and max(known.values()) > 1 - 1e-6:
            visits = {move: known.get(move, 0.0) > 1 - 1e-6 for move in visits}
            shares = [float(other == seat) for other in range(self.players)]
        elif len(known) == len(visits):
            best = max(known.values())
            visits = {move: known[move] > best - 1e-6 for move in visits}
        elif known:
            hope = max(1, *(count for move, count in visits.items() if move not in known))
            visits = {move: min(count, hope) if move in known else count for move, count in visits.items()}
        if full:
            self.record(game, seat, visits, shares)
            seen.append(seat)
        if self.luck.random() < BY_VISITS:
            return self.luck.choices(list(visits), list(visits.values()))[0]
        return max(visits, key=lambda move: (visits[move], self.luck.random()))

    def record(self, game: ChinaMoon, seat: int, visits: dict[int, int], shares: list[float]) -> None:
        active = np.full(ACTIVE, -1, np.int16)
        found = self.inputs.inputs(game, seat)
        active[: len(found)] = found
        features, phase = self.inputs.features(game)
        order = [(seat + i) % self.players for i in range(self.players)]
        moves = sorted(visits, key=lambda move: -visits[move])[:MOVES]
        rows, counts, ratings = (
            np.full((MOVES, 2), -1, np.int16),
            np.zeros(MOVES, np.float16),
            np.zeros(MOVES, np.float16),
        )
        total = sum(visits[move] for move in moves)
        for place, move in enumerate(moves):
            rows[place] = self.inputs.rows_of(game, seat, move)
            counts[place] = visits[move] / total
            ratings[place] = self.inputs.rating(game, seat, move)
        self.rows["inputs"].append(active)
        self.rows["features"].append(
            np.array([*(x for other in order for x in features[other]), *phase[1:]], np.float16)
        )
        self.rows["search"].append([shares[other] for other in order])
        self.rows["rows"].append(rows)
        self.rows["visits"].append(counts)
        self.rows["ratings"].append(ratings)

    def save(self, path: Path) -> None:
        kinds = {"inputs": np.int16, "rows": np.int16, "game": np.int32}
        tables: dict[str, Any] = {name: np.array(rows, kinds.get(name, np.float16)) for name, rows in self.rows.items()}
        np.savez(path, **tables)


def work(out: Path, number: int, seconds: float, playouts: int, network: Path | None) -> None:
    """One process: plays until the time is up, then writes a file for each number of players."""
    end, luck = time.monotonic() + seconds, random.Random(number)
    players = {n: Player(n, playouts, 1000 * number + n, network) for n in set(PLAYERS)}
    while time.monotonic() < end:
        players[luck.choice(PLAYERS)].play()
    for n, player in players.items():
        if player.games:
            player.save(out / f"{n}-{number}.npz")
    print(number, {n: (player.games, len(player.rows["won"])) for n, player in players.items()}, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--playouts", type=int, default=300)
    parser.add_argument(
        "--first", type=int, default=0, help="the number of the first process, which its seed follows from"
    )
    parser.add_argument("--network", type=Path, help="search with this network instead of the shipped one")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    numbers = range(args.first, args.first + args.processes)
    workers = [Process(target=work, args=(args.out, n, args.seconds, args.playouts, args.network)) for n in numbers]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


if __name__ == "__main__":
    main()
