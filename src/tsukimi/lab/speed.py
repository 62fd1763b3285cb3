"""How fast the installed games are, compared with OpenSpiel's C++ in the same run.

Every figure is the median of interleaved rounds, so that a busy moment affects all alike; the targets are
ratios of such medians. OpenSpiel is optional (`pip install tsukimi[bench]`).
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
from tsukimi.core.state import State
from tsukimi.games import names, spec
from tsukimi.lab import searches

Rate = Callable[[float], float]  # seconds to spend -> events per second
OPEN_SPIEL = ("spades", "hearts", "backgammon")
PLAYERS = 4  # if the game allows it
TARGETS = {"charuma": 3.5, "daruma": 2.0, "dojo": 2.0, "china-moon": 2.0}  # ratios to OpenSpiel's spades
BATCH, SMALL_BATCH = 16384, 256  # games at once; the small one for slow games, such as those in plain Python
SLOW = 1_000_000  # decisions per second


@dataclass(frozen=True)
class Row:
    what: str
    figure: float
    unit: str
    ratio: float | None = None
    target: str = ""


def measure(seconds: float = 1.0, rounds: int = 5, progress: Callable[[str], None] = lambda text: None) -> list[Row]:
    """All the figures; `seconds` is the time of one measurement in one round."""
    ours = {game: _start(game) for game in names()}
    sizes = {game: _batch_size(core) for game, core in ours.items()}
    rates: dict[str, Rate] = {}
    for game, core in ours.items():  # one and two threads side by side, so that their ratio is from the same moment
        rates[f"{game} playouts"] = _playouts(core, 1)
        rates[f"{game} playouts, 2 threads"] = _playouts(core, 2)
    rates |= {f"{game} batch of {size}, 1 thread": _batch(game, size, 1) for game, size in sizes.items()}
    rates |= {f"{game} batch of {size}, 2 threads": _batch(game, size, 2) for game, size in sizes.items()}
    rates |= {f"open_spiel {name} rollouts": rate for name, rate in _open_spiel()}
    searching = dict(searches.works(_pyspiel(), _dealt, _length))
    rates |= {name: _rate(work) for name, work in searching.items()}
    found = _interleaved(rates, seconds, rounds, progress)
    medians = {name: statistics.median(values) for name, values in found.items() if name not in searching}
    rows = [*_playout_rows(medians), *_thread_rows(found, list(ours)), *_search_rows(found)]
    return [*rows, *_flat_rows(ours), *_small_rows(ours)]


def _interleaved(
    rates: dict[str, Rate], seconds: float, rounds: int, progress: Callable[[str], None]
) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {name: [] for name in rates}
    for number in range(rounds):
        for name, rate in rates.items():
            progress(f"round {number + 1}/{rounds}: {name}")
            found[name].append(rate(seconds))
    return found


def _start(game: str) -> Game:
    return tsukimi.new(game, players=_players(game), chance="manual").core.copy()


def _players(game: str) -> int:
    seats = spec(game).seats
    return PLAYERS if PLAYERS in seats else max(seats)


def _batch_size(core: Game) -> int:
    return SMALL_BATCH if _timed(0.05, _player(core, Rng(1))) < SLOW else BATCH


def _timed(seconds: float, work: Callable[[int], int]) -> float:
    """Events per second of `work(repeats)`, run until the time is spent."""
    done, repeats, start = 0, 1, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        done += work(repeats)
        repeats = min(20_000, repeats * 2) if spent < seconds / 8 else repeats
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


def _batch(game: str, size: int, threads: int) -> Rate:
    """Moves per second when every move goes through NumPy arrays, including legal moves and observations."""
    batch = tsukimi.batch(game, players=_players(game), games=size, seed=1, threads=threads)

    def work(_: int) -> int:
        batch.step(batch.pick())
        return size

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
    """The mean number of decisions from there to the end, played randomly."""
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
            target = f"at least {TARGETS[game]} x spades" if spades and game in TARGETS else ""
            yield Row(name, rate, "decisions/s", rate / spades if spades else None, target)
        elif "batch" in name:
            yield Row(name, rate, "moves/s")


def _thread_rows(found: dict[str, list[float]], ours: list[str]) -> Iterator[Row]:
    for game in ours:
        one, two = found[f"{game} playouts"], found[f"{game} playouts, 2 threads"]
        ratio = statistics.median(b / a for a, b in zip(one, two, strict=True))
        target = "at least 1.8 x one thread" if game in TARGETS else ""
        yield Row(f"{game} playouts, 2 threads", statistics.median(two), "decisions/s", ratio, target)


def _search_rows(found: dict[str, list[float]]) -> Iterator[Row]:
    for name, figure, ratio, aim in searches.ratios(found):
        yield Row(name, figure, "moves/s", ratio, aim)


def _flat_rows(ours: dict[str, Game]) -> Iterator[Row]:
    """The speed after many games, compared with the first ones."""
    for game, core in ours.items():
        rng, repeats = Rng(3), 5_000 if _batch_size(core) == BATCH else 50
        blocks = []
        for _ in range(9):
            start = time.perf_counter()
            blocks.append(core.playouts(rng, repeats) / (time.perf_counter() - start))
        early, late = statistics.median(blocks[:3]), statistics.median(blocks[-3:])
        name, target = f"{game} playouts after {6 * repeats:,} games", "1.0 x the first ones"
        yield Row(name, late, "decisions/s", late / early, target)


def _small_rows(ours: dict[str, Game]) -> Iterator[Row]:
    for game, core in ours.items():
        slow = _batch_size(core) != BATCH
        figure = _copy_time(core, 1_000 if slow else 200_000)
        yield Row(f"{game} copy of a position", figure, "ns", None, "under 20 ns" if game in TARGETS else "")
        state = _played(game)
        name = f"{game} copy of a state, {state.events_so_far} events long"
        yield Row(name, _state_copy_time(state), "us", None, "at most 5 us" if game in TARGETS else "")
    yield Row("import tsukimi", _import_time(), "s", None, "under 0.15 s")


def _copy_time(core: Game, times: int) -> float:
    other = core.copy()
    found = []
    for _ in range(7):
        start = time.perf_counter()
        core.copies(other, times)
        found.append((time.perf_counter() - start) / (2 * times) * 1e9)
    return statistics.median(found)


def _played(game: str) -> State:
    """A random game at its end."""
    state, rng = tsukimi.new(game, players=_players(game), seed=1), Rng(1)
    while not state.over:
        state.apply(state.core.random_action(None, rng))
    return state


def _state_copy_time(state: State) -> float:
    found = []
    for _ in range(7):
        start = time.perf_counter()
        for _ in range(1000):
            state.copy()
        found.append((time.perf_counter() - start) / 1000 * 1e6)
    return statistics.median(found)


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
        f"rounds in one run. Playouts are random games of {PLAYERS} players on one core, including dealing (OpenSpiel's without),",
        "counted in player decisions. The ratio is to OpenSpiel's spades unless the last column says otherwise.",
        f"Searches run {searches.SIMULATIONS:,} simulations from a dealt position, each played to the end at random; their figure is",
        "moves simulated per second, their ratio is to the better of OpenSpiel's two.",
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
