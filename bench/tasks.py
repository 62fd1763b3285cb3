"""Many games on all cores, for benchmarks that take long: every result is stored as soon as it is known.

`ResultFile` is a file with a line of JSON for each result, so that a run can be stopped at any time and the next one continues.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path
from typing import Any

Task = tuple[Any, ...]


class ResultFile:
    """The results so far, by task: the arguments of the function that was called."""

    def __init__(self, path: Path, fresh: bool = False) -> None:
        self._path = path
        if fresh:
            path.unlink(missing_ok=True)
        rows = whole_lines(path)
        self._found: dict[Task, Any] = {tuple(row["task"]): row["result"] for row in rows}

    def get(self, *task: Any) -> Any:
        """The result of this task, or None if there is none yet."""
        return self._found.get(task)

    def items(self) -> Iterator[tuple[Task, Any]]:
        """Every task that has a result, with it."""
        yield from self._found.items()

    def add(self, task: Task, result: Any) -> None:
        self._found[task] = result
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"task": task, "result": result}) + "\n")


def whole_lines(path: Path) -> list[dict[str, Any]]:
    """The rows of such a file, without a line that was being written when a run was killed."""
    lines = path.read_text("utf-8").splitlines(keepends=True) if path.exists() else []
    if lines and not lines[-1].endswith("\n"):
        path.write_text("".join(lines[:-1]), "utf-8")
    return [json.loads(line) for line in lines if line.endswith("\n")]


def results(
    function: Callable[..., Any], tasks: Sequence[Task], stored: ResultFile, processes: int, minutes: float
) -> Iterator[Task]:
    """Call the function for every task without a result, in this order, and give each task when its result has been
    stored. No task starts after that many minutes; those already running are finished."""
    end, waiting = time.monotonic() + 60 * minutes, iter([task for task in tasks if stored.get(*task) is None])
    running: dict[Future[Any], Task] = {}
    with ProcessPoolExecutor(processes) as pool:
        while True:
            while len(running) < processes and time.monotonic() < end and (task := next(waiting, None)):
                running[pool.submit(function, *task)] = task
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                task = running.pop(future)
                stored.add(task, future.result())
                yield task


def add_options(parser: argparse.ArgumentParser, games: Sequence[str], minutes: float) -> None:
    """The options that every such benchmark has."""
    parser.add_argument("--only", choices=[*games], metavar="GAME", help="this game alone")
    parser.add_argument("--minutes", type=float, default=minutes, help="start nothing more after this time")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="games at the same time")
    parser.add_argument("--fresh", action="store_true", help="forget earlier results: the bots have changed")
