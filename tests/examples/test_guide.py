"""docs/adding-a-game.md quotes the example as it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "adding-a-game.md").read_text("utf-8")
PACKAGE = ROOT / "examples" / "leduc"
COMPILED = ROOT / "examples" / "leduc_compiled"
QUOTES = re.findall(r"^```(python|toml)\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("kind", "quote"), QUOTES, ids=[quote.split("\n")[0].strip() for _, quote in QUOTES])
def test_every_quotation_is_found_in_the_example(kind, quote):
    files = [
        file for package in (PACKAGE, COMPILED) for file in package.rglob("*.py" if kind == "python" else "*.toml")
    ]
    assert any(quote in file.read_text("utf-8") for file in files)


def test_the_guide_quotes_most_of_the_rules():
    rules = (PACKAGE / "tsukimi_leduc" / "__init__.py").read_text("utf-8")
    quoted = sum(quote.count("\n") for kind, quote in QUOTES if kind == "python")
    assert quoted > 0.6 * rules.count("\n")
