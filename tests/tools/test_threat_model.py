"""The threat model names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "security.md").read_text("utf-8")


def existing() -> set[str]:
    sources = [path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    return {name for source in sources for name in re.findall(r"^def (test_\w+)", source, re.M)}


def threats() -> list[list[str]]:
    table = TEXT.partition("## The threat model")[2].partition("\n## ")[0]
    lines = [line for line in table.splitlines() if line.startswith("| ")][1:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def test_every_test_that_the_page_on_security_names_exists():
    named = set(re.findall(r"`(test_\w+)`", TEXT))
    assert len(named) > 60
    assert named <= existing(), sorted(named - existing())


def test_every_file_of_tests_that_the_page_names_exists():
    for path in re.findall(r"`(tests/[\w/]+\.py)`", TEXT):
        assert (ROOT / path).is_file(), path


def test_every_threat_has_a_defence_and_a_test():
    found = threats()
    assert len(found) >= 25
    for who, what, shown in found:
        assert who, found
        assert what, who
        assert re.search(r"`test_\w+`", shown), who
