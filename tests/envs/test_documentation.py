"""The examples of docs/environments.md and docs/batches.md run, and the table in it is the real one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from envs.conftest import need
from tsukimi.envs.encoding import encoding

DOCS = Path(__file__).parents[2] / "docs"


def examples(page):
    return re.findall(r"^```python\n(.*?)^```$", (DOCS / page).read_text("utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.compiled
@pytest.mark.parametrize("page", ["environments.md", "batches.md"])
def test_the_examples_run_one_after_the_other(page, capsys):
    for module in ("pettingzoo", "gymnasium", "pyspiel"):
        need(module)
    names: dict[str, object] = {}
    for example in examples(page):
        exec(compile(example, page, "exec"), names)


def test_the_table_is_that_of_the_game():
    assert (DOCS / "environments.md").read_text("utf-8").endswith(encoding("leduc", players=2).table() + "\n")
