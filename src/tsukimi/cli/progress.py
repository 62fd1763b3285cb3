"""A progress bar on stderr during long work: only on a terminal, removed when the work is done."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import ProgressColumn

Update = Callable[..., None]


@contextmanager
def progress(total: int | None = None, text: str = "") -> Iterator[Update]:
    """`with progress(100) as update: update(advance=1)`; without a total, `update(description=...)` shows what is happening."""
    if not sys.stderr.isatty():
        yield lambda **changes: None
        return
    from rich import progress as bars

    from tsukimi.cli.console import Console

    columns: list[str | bars.ProgressColumn] = [bars.SpinnerColumn(style="moon"), "{task.description}"]
    if total is not None:
        columns += [
            bars.BarColumn(),
            bars.TaskProgressColumn(),
            bars.MofNCompleteColumn(),
            _rate(),
            bars.TimeRemainingColumn(),
        ]
    with bars.Progress(*columns, console=Console(sys.stderr), transient=True) as shown:
        task = shown.add_task(text, total=total)
        yield lambda **changes: shown.update(task, **changes)


def _rate() -> ProgressColumn:
    """How many are done per second."""
    from rich.progress import ProgressColumn, Task
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(
                "" if task.speed is None else f"{task.speed:,.3g}/s" if task.speed < 100 else f"{task.speed:,.0f}/s"
            )

    return Rate()
