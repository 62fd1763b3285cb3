"""The site: links that leave the documentation, lists as GitHub reads them, notebooks that run."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def tools(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import docs
    import notebooks

    yield docs, notebooks
    for name in ("docs", "notebooks"):
        sys.modules.pop(name)


@pytest.fixture
def site(tools):
    site = tools[0].Site("en")
    site.places |= {
        "docs/bots.md": "bots.md",
        "docs/games/dojo.md": "games/dojo.md",
        "CREDITS.md": "project/credits.md",
    }
    return site


def test_links_between_pages_lead_to_where_they_are_on_the_site(site):
    text = "See [bots](../bots.md#matches), [credits](../../CREDITS.md) and [Python](https://python.org/a.md)."
    expected = (
        "See [bots](../bots.md#matches), [credits](../project/credits.md) and [Python](https://python.org/a.md).\n"
    )
    assert site.rewritten("docs/games/dojo.md", text) == expected


def test_a_source_file_that_is_linked_becomes_a_page(site):
    link = site.target("docs/games/dojo.md", "../../src/tsukimi/core/state.py")
    assert link == "../source/src-tsukimi-core-state.py.md"


def test_a_link_that_leads_nowhere_is_left_for_mkdocs_to_complain_about(site):
    assert site.rewritten("docs/bots.md", "[lost](nowhere.md)") == "[lost](nowhere.md)\n"


def test_a_list_after_a_sentence_is_a_list_on_the_site_too_but_not_within_code(site):
    assert site.rewritten("docs/bots.md", "There are:\n- one\n- two") == "There are:\n\n- one\n- two\n"
    assert site.rewritten("docs/bots.md", "```\na\n- b\n```") == "```\na\n- b\n```\n"


def test_a_notebook_shows_what_its_cells_print_and_the_value_of_the_last_line(tools, tmp_path):
    file = tmp_path / "small.py"
    file.write_text("# %% [markdown]\n# # Small\n#\n# text\n\n# %%\nx = 20\nprint('hello')\n\n# %%\nx + 1\n", "utf-8")
    cells = tools[1].run(file)
    assert [(cell.markdown, cell.printed) for cell in cells] == [(True, ""), (False, "hello\n"), (False, "21\n")]
    page = tools[1].page(cells, "small.ipynb")
    assert page.startswith("# Small\n\ntext\n\n[Download") and "hello" in page
    kept = json.loads(tools[1].ipynb(cells))["cells"]
    assert [cell["cell_type"] for cell in kept] == ["markdown", "code", "code"]
    assert kept[1]["outputs"][0]["text"] == "hello\n"


def test_a_notebook_that_fails_stops_the_build(tools, tmp_path):
    file = tmp_path / "broken.py"
    file.write_text("# %%\n1 / 0\n", "utf-8")
    with pytest.raises(ZeroDivisionError):
        tools[1].run(file)
