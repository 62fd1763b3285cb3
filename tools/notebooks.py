"""Notebooks are scripts in the percent format (`# %%`, `# %% [markdown]`), which Jupyter (with jupytext), VS Code and
PyCharm open as notebooks. This runs one and converts it, with its outputs, to a Markdown page and an .ipynb file.

    python tools/notebooks.py examples/notebooks/own_bot.py      run it, print the page
"""

from __future__ import annotations

import ast
import io
import json
import sys
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MARK = "# %%"


@dataclass
class Cell:
    text: str
    markdown: bool
    printed: str = ""
    shown: list[str] = field(default_factory=list)
    """Plots, as HTML."""


def cells(source: str) -> list[Cell]:
    found = []
    for part in ("\n" + source).split("\n" + MARK)[1:]:
        head, _, body = part.partition("\n")
        markdown = head.strip() == "[markdown]"
        if markdown:
            body = "\n".join(line.removeprefix("#").removeprefix(" ") for line in body.splitlines())
        found.append(Cell(body.strip("\n"), markdown))
    return found


def run(path: Path) -> list[Cell]:
    """The cells with their output; as in Jupyter, the value of a final expression is shown. Errors are raised."""
    found = cells(path.read_text("utf-8"))
    before = list(sys.path)
    with chdir(path.parent):  # as Jupyter does
        try:
            names: dict[str, Any] = {"__name__": "__main__"}
            for cell in found:
                if not cell.markdown:
                    _run(cell, path, names)
        finally:
            sys.path[:] = before
    return found


def _run(cell: Cell, path: Path, names: dict[str, Any]) -> None:
    tree = ast.parse(cell.text, str(path))
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with redirect_stdout(io.StringIO()) as output:
        exec(compile(tree, str(path), "exec"), names)
        value = eval(compile(ast.Expression(last.value), str(path), "eval"), names) if last else None
    cell.printed = output.getvalue()
    if value is None:
        return
    if hasattr(value, "_repr_html_"):
        cell.shown.append(value._repr_html_())
    else:
        cell.printed += f"{value!r}\n"


def page(found: list[Cell], download: str) -> str:
    """The notebook as Markdown."""
    parts = []
    for number, cell in enumerate(found):
        if cell.markdown:
            parts.append(cell.text)
            if number == 0:
                parts.append(f"[Download this notebook]({download})")
            continue
        parts.append(f"```python\n{cell.text}\n```")
        if cell.printed:
            parts.append(f'```text title="Output"\n{cell.printed.rstrip()}\n```')
        parts += [f'<figure class="plot">{html}</figure>' for html in cell.shown]
    return "\n\n".join(parts) + "\n"


def ipynb(found: list[Cell]) -> str:
    """The notebook in Jupyter's format, with outputs."""
    entries = []
    for number, cell in enumerate(found):
        one: dict[str, Any] = {"id": f"cell-{number}", "metadata": {}, "source": cell.text.splitlines(keepends=True)}
        if cell.markdown:
            entries.append({"cell_type": "markdown", **one})
            continue
        outputs: list[dict[str, Any]] = []
        if cell.printed:
            outputs.append({"output_type": "stream", "name": "stdout", "text": cell.printed})
        for html in cell.shown:
            outputs.append({"output_type": "display_data", "metadata": {}, "data": {"text/html": html}})
        entries.append({"cell_type": "code", "execution_count": None, "outputs": outputs, **one})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return json.dumps(
        {"cells": entries, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}, indent=1
    )


if __name__ == "__main__":
    print(page(run(Path(sys.argv[1])), ""))
