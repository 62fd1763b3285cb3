"""Pages of first decisions: what is counted, what they say, and that those that are shipped agree in all languages."""

from __future__ import annotations

import re

import pytest

from tsukimi.core.catalogue import LANGUAGES
from tsukimi.games import spec
from tsukimi.lab.openings import TOPICS, Study, page, study


@pytest.mark.compiled
@pytest.mark.parametrize("game", TOPICS)
def test_first_decisions_are_counted_by_names_that_the_page_knows(game: str) -> None:
    found = study(game, 3, 8)
    assert found == study(game, 3, 8)
    known = {topic.name: topic for topic in TOPICS[game].topics}
    assert {topic for topic, _, _ in found.cells} == set(known)
    for (topic, situation, choice), (count, wins) in found.cells.items():
        assert situation in known[topic].situations and choice in known[topic].choices
        assert 0 <= wins <= count
    every = Study(
        game,
        TOPICS[game].players,
        3,
        8,
        {(one.name, at, to): (40, 20.0) for one in known.values() for at in one.situations for to in one.choices},
    )
    for lang in LANGUAGES:
        text = page(every, lang)
        assert text.count("\n## ") == len(known) and "{" not in text


def test_a_difference_is_called_clear_only_if_chance_does_not_explain_it() -> None:
    cells = {
        ("stop", "fours-2", "stop"): (200, 120.0),
        ("stop", "fours-2", "go-on"): (50, 10.0),
        ("stop", "fours-3", "stop"): (40, 14.0),
        ("stop", "fours-3", "go-on"): (30, 9.0),
        ("stop", "fours-1", "stop"): (3, 3.0),
    }
    text = page(Study("daruma", 3, 100, 60, cells), "en")
    assert (
        "- **Two fours**: mostly stop (80%). Clearly more games were won after “stop” (60%) than after “go on” (20%)."
        in text
    )
    assert "- **Three fours**: most often stop (57%), but it depends.\n" in text
    assert "- “stop” depends on it most: 80% in the case “two fours”, 57% in the case “three fours”." in text
    assert "one four" not in text and "One four" not in text  # three of them say nothing


@pytest.mark.parametrize("game", TOPICS)
def test_the_shipped_pages_have_the_same_figures_in_all_languages(game: str) -> None:
    figures = []
    for lang in LANGUAGES:
        text = (spec(game).folder / "guide" / "openings" / f"{lang}.md").read_text("utf-8")
        rows = [line for line in text.splitlines() if line.startswith("| ") and "±" in line]
        figures.append([re.findall(r"\d+(?=\s?%|\))|±\s\d+", row) for row in rows])
    assert figures[0] == figures[1] == figures[2]
    assert len(figures[0]) >= 6
