"""What a lesson points at: a thing that is explained, alone, of a seat, or at a place that p1 sees then."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from tsukimi.check import lessons
from tsukimi.check.trial import Failed
from tsukimi.core.lesson import lesson
from tsukimi.games import spec

CHINA_MOON = spec("china-moon")
TRIAL = SimpleNamespace(spec=CHINA_MOON, variant=SimpleNamespace(game="china-moon"))


@pytest.mark.parametrize(
    ("show", "why"),
    [
        ("pad-spring b2", ""),
        ("frog p2b", ""),
        ("frog p3", ""),
        ("pad-spring z9", "z9 is neither a seat nor anything that p1 sees"),
        ("frog p4a", "p4a is neither a seat"),
        ("stone", "stone is not in"),
    ],
)
def test_a_lesson_points_only_at_what_is_there(show, why, monkeypatch):
    found = lesson(CHINA_MOON)
    changed = replace(found, steps=(*found.steps[:-1], replace(found.steps[-1], show=(show,))))
    monkeypatch.setattr(lessons, "lesson", lambda _: changed)
    if why:
        with pytest.raises(Failed, match=why):
            lessons.the_lesson_points_only_at_components_on_the_board(TRIAL)
    else:
        lessons.the_lesson_points_only_at_components_on_the_board(TRIAL)
