"""Checks of a game's lesson, if it has one: its steps can be played, and all its texts exist in three languages."""

from __future__ import annotations

import tomllib

from tsukimi.check.trial import LANGUAGES, Check, Trial, require
from tsukimi.core import catalogue, setup
from tsukimi.core.lesson import LEARNER, lesson
from tsukimi.core.words import Words


def every_step_of_the_lesson_can_be_played(trial: Trial) -> None:
    lesson(trial.spec)  # its line is played when it is read


def the_lesson_has_texts_in_three_languages(trial: Trial) -> None:
    found = lesson(trial.spec)
    if found is None:
        return
    for lang in LANGUAGES:
        text = (trial.spec.folder / "messages" / f"{lang}.toml").read_text("utf-8")
        there = tomllib.loads(text).get("lesson", {}).keys()
        require(there == found.texts(), f"missing or unused in {lang}: {', '.join(sorted(there ^ found.texts())[:5])}")
        words = Words(trial.variant.game, lang, [f"p{seat + 1}" for seat in range(found.players)])
        for code in found.texts():
            require("{" not in words.lesson(code), f"{code} has gaps in {lang}")


def the_lesson_points_only_at_components_on_the_board(trial: Trial) -> None:
    found = lesson(trial.spec)
    if found is None:
        return
    things = catalogue.messages(trial.variant.game, "en").get("explain", {})
    seats = {f"p{seat + 1}" for seat in range(found.players)}
    state = setup.make(trial.spec, found.players, found.options, None, None)
    for number, step in enumerate(found.steps, 1):
        while state.events_so_far < step.at:
            state.make(*found.line[state.events_so_far])
        there = seats | _names(state.view(LEARNER))
        for name in step.show:
            thing, _, where = name.partition(" ")
            require(thing in things, f"step {number}: {thing} is not in [explain]")
            require(not where or where in there, f"step {number}: {where} is neither a seat nor anything that p1 sees")


def _names(seen: object) -> set[str]:
    """All words in a view: places and pieces are among them."""
    if isinstance(seen, dict):
        return {str(key) for key in seen} | _names(list(seen.values()))
    if isinstance(seen, list | tuple):
        return {name for part in seen for name in _names(part)}
    return {seen} if isinstance(seen, str) else set()


CHECKS: tuple[Check, ...] = (
    every_step_of_the_lesson_can_be_played,
    the_lesson_has_texts_in_three_languages,
    the_lesson_points_only_at_components_on_the_board,
)
