"""Many games between bots, in chunks over all cores, resuming after an interruption.

Every game has its own seed, derived from the simulation's seed and its number, so the result depends neither on the
number of processes nor on interruptions. Bots with a time budget are the exception: what they find in that time depends
on the machine; those with a number of playouts are reproducible.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TextIO

import tsukimi
from tsukimi.bots.external import programs
from tsukimi.core.errors import BadOptions
from tsukimi.core.source import rng_of
from tsukimi.core.spec import Json
from tsukimi.lab.arena import Match, bot_for
from tsukimi.lab.tally import Tally

RANDOM = "random"
WATCHED = 2000  # of random games, which take microseconds, only this many are followed move by move
QUICK, SLOW = 500, 10  # games in a chunk: random ones, and those with bots that search
PLAYOUTS = 200
ROWS = ("game", "decision")
ENGINES = ("local", "ray")
Rows = dict[str, list[Any]]


@dataclass(frozen=True)
class Simulation:
    """What is played and what is recorded. The line-up rotates by one seat every game."""

    game: str
    players: int
    games: int
    seed: str
    bots: tuple[str, ...] = (RANDOM,)
    ms: float | None = None
    playouts: int = PLAYOUTS
    """For bots that search, unless they have a time (`ms`) or their own budget (`master@800`)."""
    options: Mapping[str, str] = field(default_factory=dict)
    components: Mapping[str, Any] | None = None
    watched: int | None = None
    """How many games are followed move by move; None: all, but 2,000 of random ones."""
    rows: str = ""
    """Also keep a row for each `game` or `decision`."""

    @property
    def lineup(self) -> tuple[str, ...]:
        """A bot per seat: the last one named plays the remaining seats."""
        return (*self.bots, *self.bots[-1:] * (self.players - len(self.bots)))

    @property
    def random(self) -> bool:
        return set(self.bots) == {RANDOM}

    @property
    def watching(self) -> int:
        if self.rows == "decision":
            return self.games
        if self.watched is None:
            return min(self.games, WATCHED) if self.random else self.games
        return min(self.games, self.watched)

    @property
    def chunks(self) -> list[tuple[int, int]]:
        size = QUICK if self.random and self.rows != "decision" else SLOW
        return [(low, min(low + size, self.games)) for low in range(0, self.games, size)]


@dataclass
class Outcome:
    """The result of a simulation: the tally, and the requested rows, by column."""

    tally: Tally
    rows: Rows


def simulate(
    simulation: Simulation,
    processes: int = 1,
    journal: Path | None = None,
    progress: Callable[[int], None] = lambda games: None,
    engine: str = "local",
) -> Outcome:
    """Play all games. With a journal, finished chunks are stored there and not played again.

    The engine `ray` plays the chunks on a Ray cluster (the number of processes is then the cluster's).
    """
    if engine not in ENGINES:
        raise BadOptions("bad-option", option="engine", value=engine[:60], known=", ".join(ENGINES))
    if len(simulation.bots) > simulation.players:
        raise BadOptions("out-of-range", name="bots", low=1, high=simulation.players, value=len(simulation.bots))
    chunks, done = simulation.chunks, dict[int, Json]()
    if journal and journal.exists():
        done = _read(journal, simulation)
        progress(sum(chunks[number][1] - chunks[number][0] for number in done))
    left = [number for number in range(len(chunks)) if number not in done]
    writer = _open(journal, simulation, done) if journal else None
    try:
        for number, found in _results(simulation, left, processes, engine):
            done[number] = found
            if writer:
                _write(writer, {"chunk": number, **found})
            progress(chunks[number][1] - chunks[number][0])
    finally:
        if writer:
            writer.close()
    tally, rows = Tally(), Rows()
    for number in range(len(chunks)):  # always in this order: sums of fractions depend on it
        tally.add(done[number]["tally"])
        for column, values in done[number]["rows"].items():
            rows.setdefault(column, []).extend(values)
    return Outcome(tally, rows)


def _results(simulation: Simulation, left: list[int], processes: int, engine: str) -> Iterator[tuple[int, Json]]:
    if engine == "ray":
        from tsukimi.lab import on_ray  # needs the extra `ray`

        yield from on_ray.results(simulation, left)
        return
    if processes == 1 or len(left) == 1:
        for number in left:
            yield number, play_chunk(simulation, *simulation.chunks[number])
        return
    waiting: dict[Future[Json], int] = {}
    queue = list(reversed(left))
    chunks = simulation.chunks
    with ProcessPoolExecutor(min(processes, len(left)), get_context("spawn")) as pool:
        try:
            while True:
                while queue and len(waiting) < 2 * processes:
                    number = queue.pop()
                    waiting[pool.submit(play_chunk, simulation, *chunks[number])] = number
                if not waiting:
                    return
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    yield waiting.pop(future), future.result()
        finally:
            pool.shutdown(cancel_futures=True)


# ---- playing ---------------------------------------------------------------------------------------


def play_chunk(simulation: Simulation, low: int, high: int) -> Json:
    """The games in a range of numbers, as plain data."""
    tally, rows = Tally(), Rows()
    start = _new(simulation, chance="manual").core.copy()
    worker = start.copy()
    for number in range(low, high):
        if number < simulation.watching or not simulation.random:
            _play(simulation, number, tally, rows)
            continue
        worker.assign(start)
        decisions = worker.playout(rng_of(_seed(simulation, number)))
        scores, winners = worker.scores(), worker.winners()
        tally.count(scores, winners, decisions, simulation.lineup)
        _game_row(simulation, rows, number, simulation.lineup, scores, winners, decisions)
    return {"tally": tally.data(), "rows": rows}


def _play(simulation: Simulation, number: int, tally: Tally, rows: Rows) -> None:
    players, seed = simulation.players, _seed(simulation, number)
    state = _new(simulation, seed=seed)
    seated = [simulation.lineup[(seat + number) % players] for seat in range(players)]
    playouts = simulation.playouts if simulation.ms is None else None
    match = Match(simulation.game, seated, ms=simulation.ms, playouts=playouts)
    decisions = 0
    with programs() as start_program:
        bots = [bot_for(name, match, state, f"{seed} {seat}", start_program) for seat, name in enumerate(seated)]
        while not state.over:
            seat = state.actors[0]
            state.apply(bots[seat].choose(state, seat), seat)
            decisions += 1
    scores, winners = state.scores(), state.winners()
    tally.count(scores, winners, decisions, seated)
    if number < simulation.watching:
        for index, (seat, legal, text, now) in enumerate(tally.watch(state)):
            if simulation.rows == "decision":
                row = {"game": number, "decision": index, "seat": seat + 1, "bot": seated[seat], "legal": legal}
                _append(rows, row | {"move": text, "score": now[seat]})
    _game_row(simulation, rows, number, seated, scores, winners, decisions)


def _game_row(
    simulation: Simulation, rows: Rows, number: int, seated: Any, scores: list[int], winners: list[int], decisions: int
) -> None:
    if simulation.rows != "game":
        return
    row: Json = {"game": number, "seed": _seed(simulation, number), "decisions": decisions}
    for seat, score in enumerate(scores):
        share = 1 / len(winners) if seat in winners else 0.0
        row |= {f"bot_{seat + 1}": seated[seat], f"score_{seat + 1}": score, f"win_{seat + 1}": share}
    _append(rows, row)


def _append(rows: Rows, row: Json) -> None:
    for column, value in row.items():
        rows.setdefault(column, []).append(value)


def _seed(simulation: Simulation, number: int) -> str:
    return f"{simulation.seed}/{number}"


def _new(simulation: Simulation, **chance: Any) -> tsukimi.State:
    components: Any = simulation.components
    return tsukimi.new(simulation.game, simulation.players, components=components, **chance, **simulation.options)


# ---- the journal -----------------------------------------------------------------------------------


def _open(journal: Path, simulation: Simulation, done: Mapping[int, Json]) -> TextIO:
    if done:
        return journal.open("a", encoding="utf-8")
    writer = journal.open("w", encoding="utf-8")
    _write(writer, {"simulation": asdict(simulation)})
    return writer


def _write(writer: TextIO, line: Json) -> None:
    """A line that is on disk when this returns."""
    writer.write(json.dumps(line, separators=(",", ":")) + "\n")
    writer.flush()
    os.fsync(writer.fileno())


def _read(journal: Path, simulation: Simulation) -> dict[int, Json]:
    """The finished chunks. A line that was being written when the process was killed is dropped."""
    text = journal.read_text("utf-8")
    whole = text[: text.rfind("\n") + 1]
    if not whole:
        return {}
    head, *lines = whole.splitlines()
    if json.loads(head) != json.loads(json.dumps({"simulation": asdict(simulation)})):
        raise BadOptions("other-simulation", file=str(journal))
    if whole != text:
        with journal.open("r+b") as file:
            file.truncate(len(whole.encode()))
    found = [json.loads(line) for line in lines]
    return {line["chunk"]: {"tally": line["tally"], "rows": line["rows"]} for line in found}
