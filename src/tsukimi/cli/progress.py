"""A progress bar on stderr while long work is done: on a terminal only, gone when the work is done."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Update = Callable[..., None]


@contextmanager
def progress(total: int | None = None, text: str = "") -> Iterator[Update]:
    """`with progress(100) as update: update(advance=1)`; without a total, `update(description=...)` says what is done."""
    if not sys.stderr.isatty():
        yield lambda **changes: None
        return
    from rich import progress as bars

    from tsukimi.cli.console import Console

    columns: list[str | bars.ProgressColumn] = [bars.SpinnerColumn(style="moon"), "{task.description}"]
    if total is not None:
        columns += [bars.BarColumn(), bars.TaskProgressColumn(), bars.MofNCompleteColumn(), bars.TimeRemainingColumn()]
    with bars.Progress(*columns, console=Console(sys.stderr), transient=True) as shown:
        task = shown.add_task(text, total=total)
        yield lambda **changes: shown.update(task, **changes)
