"""How fast the games play, beside OpenSpiel's C++ in the same run.

Every figure is the median of interleaved rounds, so that a busy moment of the machine touches all alike; the
claims are ratios of such medians. OpenSpiel is optional (`pip install tsukimi[bench]`).
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import tsukimi
from tsukimi.core.game import Game
from tsukimi.core.rng import Rng
from tsukimi.lab import searches

Rate = Callable[[float], float]  # seconds to spend -> events per second
OPEN_SPIEL = ("spades", "hearts", "backgammon")
PLAYERS = 4
TARGETS = {"charuma": 3.5, "daruma": 2.0, "dojo": 2.0, "china-moon": 2.0}


@dataclass(frozen=True)
class Row:
    what: str
    figure: float
    unit: str
    ratio: float | None = None
    target: str = ""


def measure(seconds: float = 1.0, rounds: int = 5, tell: Callable[[str], None] = lambda text: None) -> list[Row]:
    """All the figures; `seconds` is what one measurement of one round takes."""
    ours = {game: _start(game) for game in tsukimi.games()}
    rates: dict[str, Rate] = {}
    for game, core in ours.items():  # one and two threads side by side, so that their ratio is of one moment
        rates[f"{game} playouts"] = _playouts(core, 1)
        rates[f"{game} playouts, 2 threads"] = _playouts(core, 2)
    rates |= {f"{game} batch of 16384, 1 thread": _batch(game, 16384, 1) for game in ours}
    rates |= {f"{game} batch of 16384, 2 threads": _batch(game, 16384, 2) for game in ours}
    rates |= {f"open_spiel {name} rollouts": rate for name, rate in _open_spiel()}
    searching = dict(searches.works(_pyspiel(), _dealt, _length))
    rates |= {name: _rate(work) for name, work in searching.items()}
    found = _interleaved(rates, seconds, rounds, tell)
    medians = {name: statistics.median(values) for name, values in found.items() if name not in searching}
    rows = [*_playout_rows(medians), *_thread_rows(found), *_search_rows(found)]
    return [*rows, *_flat_rows(ours), *_small_rows(ours)]


def _interleaved(
    rates: dict[str, Rate], seconds: float, rounds: int, tell: Callable[[str], None]
) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {name: [] for name in rates}
    for number in range(rounds):
        for name, rate in rates.items():
            tell(f"round {number + 1}/{rounds}: {name}")
            found[name].append(rate(seconds))
    return found


def _start(game: str) -> Game:
    return tsukimi.new(game, players=PLAYERS, chance="manual").core.copy()


def _timed(seconds: float, work: Callable[[int], int]) -> float:
    """Events per second of `work(games)`, run until the time is spent."""
    done, games, start = 0, 50, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        done += work(games)
        games = min(20_000, games * 2) if spent < seconds / 8 else games
    return done / (time.perf_counter() - start)


def _rate(work: Callable[[int], int]) -> Rate:
    return lambda seconds: _timed(seconds, work)


def _playouts(core: Game, threads: int) -> Rate:
    def rate(seconds: float) -> float:
        with ThreadPoolExecutor(threads) as pool:
            tasks = [pool.submit(_timed, seconds, _player(core, Rng(seed))) for seed in range(threads)]
            return sum(task.result() for task in tasks)

    return rate


def _player(core: Game, rng: Rng) -> Callable[[int], int]:
    return lambda games: core.playouts(rng, games)


def _batch(game: str, games: int, threads: int) -> Rate:
    """Moves a second when every move goes through NumPy arrays, legal moves and observations included."""
    batch = tsukimi.batch(game, players=PLAYERS, games=games, seed=1, threads=threads)

    def work(_: int) -> int:
        batch.step(batch.pick())
        return games

    return lambda seconds: _timed(seconds, work)


def _open_spiel() -> Iterator[tuple[str, Rate]]:
    """Random rollouts in C++, from a dealt position (its dealing is not counted, ours is)."""
    pyspiel = _pyspiel()
    if pyspiel is None:
        return
    for name in OPEN_SPIEL:
        yield name, _rollouts(pyspiel, pyspiel.load_game(name))


def _pyspiel() -> Any:
    try:
        import pyspiel
    except ImportError:
        return None
    return pyspiel


def _rollouts(pyspiel: Any, game: Any) -> Rate:
    root = _dealt(game)
    decisions = _length(root)
    evaluator = pyspiel.RandomRolloutEvaluator(200, 7)
    bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, 7, False)

    def work(_: int) -> int:
        bot.mcts_search(root)  # one simulation: 200 rollouts from the root
        return 200

    return lambda seconds: _timed(seconds, work) * decisions


def _dealt(game: Any) -> Any:
    state, rng = game.new_initial_state(), Rng(1)
    while state.is_chance_node():
        _chance(state, rng)
    return state


def _length(root: Any) -> float:
    """The mean number of decisions from there to the end, played at random."""
    return statistics.mean(_decisions(root.clone(), Rng(seed)) for seed in range(40))


def _decisions(state: Any, rng: Rng) -> int:
    count = 0
    while not state.is_terminal():
        if state.is_chance_node():
            _chance(state, rng)
        else:
            moves = state.legal_actions()
            state.apply_action(moves[rng.randrange(len(moves))])
            count += 1
    return count


def _chance(state: Any, rng: Rng) -> None:
    point = rng.randrange(2**31) / 2**31
    outcomes = state.chance_outcomes()
    for outcome, probability in outcomes:
        point -= probability
        if point < 0:
            state.apply_action(outcome)
            return
    state.apply_action(outcomes[-1][0])


def _playout_rows(medians: dict[str, float]) -> Iterator[Row]:
    spades = medians.get("open_spiel spades rollouts")
    for name, rate in medians.items():
        game = name.split()[0]
        if name.startswith("open_spiel"):
            yield Row(name, rate, "decisions/s", rate / spades if spades else None)
        elif name.endswith("playouts"):
            target = f"at least {TARGETS[game]} x spades"
            yield Row(name, rate, "decisions/s", rate / spades if spades else None, target if spades else "")
        elif "batch" in name:
            yield Row(name, rate, "moves/s")


def _thread_rows(found: dict[str, list[float]]) -> Iterator[Row]:
    for game in TARGETS:
        one, two = found[f"{game} playouts"], found[f"{game} playouts, 2 threads"]
        gain = statistics.median(b / a for a, b in zip(one, two, strict=True))
        yield Row(
            f"{game} playouts, 2 threads", statistics.median(two), "decisions/s", gain, "at least 1.8 x one thread"
        )


def _search_rows(found: dict[str, list[float]]) -> Iterator[Row]:
    for name, figure, ratio, aim in searches.ratios(found):
        yield Row(name, figure, "moves/s", ratio, aim)


def _flat_rows(ours: dict[str, Game]) -> Iterator[Row]:
    """The cost of a move after many games, beside the cost at first."""
    for game, core in ours.items():
        rng, games = Rng(3), 5_000
        blocks = []
        for _ in range(9):
            start = time.perf_counter()
            blocks.append(core.playouts(rng, games) / (time.perf_counter() - start))
        early, late = statistics.median(blocks[:3]), statistics.median(blocks[-3:])
        yield Row(
            f"{game} playouts after {6 * games:,} games", late, "decisions/s", late / early, "1.0 x the first ones"
        )


def _small_rows(ours: dict[str, Game]) -> Iterator[Row]:
    for game, core in ours.items():
        yield Row(f"{game} copy of a position", _copy_time(core), "ns", None, "under 20 ns")
    yield Row("import tsukimi", _import_time(), "s", None, "under 0.15 s")


def _copy_time(core: Game, times: int = 200_000) -> float:
    other = core.copy()
    best = []
    for _ in range(7):
        start = time.perf_counter()
        core.copies(other, times)
        best.append((time.perf_counter() - start) / (2 * times) * 1e9)
    return statistics.median(best)


def _import_time() -> float:
    code = "import time; t = time.perf_counter(); import tsukimi; print(time.perf_counter() - t)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(7)]
    return statistics.median(float(run.stdout) for run in runs)


def report(rows: list[Row]) -> str:
    """The table, as Markdown."""
    lines = [
        "# Speed",
        "",
        f"`tsukimi bench` on {os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}: medians of interleaved",
        f"rounds in one run. Playouts are random games of {PLAYERS} players on one core, dealing included (OpenSpiel's without),",
        "counted in player decisions. The ratio is to OpenSpiel's spades unless the last column says otherwise.",
        f"Searches make {searches.SIMULATIONS:,} simulations from a dealt position, each played to the end at random; their figure is",
        "moves simulated a second inside the search, their ratio is to the better of OpenSpiel's two.",
        "",
        "| what | figure | ratio | aim |",
        "|---|---:|---:|---|",
    ]
    for row in rows:
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
        lines.append(f"| {row.what} | {_figure(row)} | {ratio} | {row.target} |")
    return "\n".join(lines) + "\n"


def _figure(row: Row) -> str:
    if row.unit.endswith("/s"):
        return f"{row.figure / 1e6:.2f} M {row.unit}"
    return f"{row.figure:.3g} {row.unit}"
