"""Lessons as data: a game brings one beside its messages, and what cannot be played is refused with the step."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.kuhn import SPEC as KUHN
from tsukimi.core.lesson import BadLesson, lesson, read
from tsukimi.core.setup import make

LESSON = """
[options]
first = "p2"

[[step]]
before = ["deal p1 king", "deal p2 jack", "p2 pass"]
say = "welcome"

[[step]]
say = "free"
show = ["card p1"]
"""


def test_a_game_from_outside_brings_a_lesson_in_its_own_folder(tmp_path):
    (tmp_path / "lesson.toml").write_text(LESSON)
    brought = replace(KUHN, folder=tmp_path)
    assert brought.has_lesson
    found = lesson(brought)
    assert [(step.at, step.say, step.show) for step in found.steps] == [(3, "welcome", ()), (3, "free", ("card p1",))]
    assert found.texts() == {"welcome", "free"}
    assert lesson(replace(KUHN, folder=tmp_path / "elsewhere")) is None


def test_a_lesson_knows_what_happens_next_until_the_game_leaves_its_line():
    data = {
        "options": {"first": "p1"},
        "step": [{"before": ["deal p1 king", "deal p2 jack"], "say": "welcome"}],
    }
    found, state = read(KUHN, data), make(KUHN, 2, {"first": "p1"}, None, None)
    while (following := found.following(state)) is not None:
        state.make(*following)
    assert found.reached(state) == 2 == found.steps[0].at
    state.play("bet", 0)
    assert found.reached(state) == 3  # on its own, after the line
    strayed = make(KUHN, 2, {"first": "p1"}, None, None)
    strayed.play("deal p1 queen")
    assert found.reached(strayed) is None
    assert found.following(strayed) is None


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ({"before": ["deal p1 ace"]}, "Step 1"),
        ({"before": ["deal p1 king"]}, "p1 must be the one to decide"),
        ({"before": ["deal p1 king", "deal p2 jack"], "move": "raise", "otherwise": "x"}, "Step 1"),
        ({"before": ["deal p1 king", "deal p2 jack"], "replies": {"raise": "x"}}, "Step 1"),
        ({"before": ["deal p1 king", "deal p2 jack"], "move": "bet"}, "`otherwise` must say why"),
        ({"before": ["deal p1 king", "deal p2 jack"], "shows": ["x"]}, "'shows' is not known"),
        ({"before": ["deal p1 king", "deal p2 jack", "someone bet"]}, "'someone bet' is no event"),
    ],
)
def test_what_cannot_be_played_is_refused_with_its_step(step, why):
    with pytest.raises(BadLesson, match=why):
        read(KUHN, {"options": {"first": "p1"}, "step": [step]})


def test_a_step_that_asks_for_nothing_may_come_before_someone_else_decides():
    dealt = ["deal p1 king", "deal p2 jack"]
    early = {"before": dealt, "say": "watch"}
    found = read(KUHN, {"options": {"first": "p2"}, "step": [early, {"before": ["p2 pass"], "say": "free"}]})
    assert [(step.at, step.asked) for step in found.steps] == [(2, False), (3, True)]
    for asking in ({"move": "bet", "otherwise": "x"}, {"replies": {"bet": "x"}}):
        with pytest.raises(BadLesson, match="p1 must be the one to decide"):
            read(KUHN, {"options": {"first": "p2"}, "step": [early | asking]})


def test_the_last_step_leaves_the_move_to_the_learner():
    step = {"before": ["deal p1 king", "deal p2 jack"], "move": "bet", "otherwise": "x"}
    with pytest.raises(BadLesson, match="the last one asks for no move"):
        read(KUHN, {"options": {"first": "p1"}, "step": [step]})
