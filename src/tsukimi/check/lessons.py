"""Checks of a game's lesson, if it has one: its steps can be played, and all is said in three languages."""

from __future__ import annotations

import tomllib

from tsukimi.check.trial import LANGUAGES, Check, Trial, require
from tsukimi.core import catalogue
from tsukimi.core.lesson import lesson
from tsukimi.core.words import Words


def every_step_of_the_lesson_can_be_played(trial: Trial) -> None:
    lesson(trial.spec)  # its line is played when it is read


def everything_in_the_lesson_is_said_in_three_languages(trial: Trial) -> None:
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


def the_lesson_points_at_what_can_lie_on_the_board(trial: Trial) -> None:
    found = lesson(trial.spec)
    things = catalogue.messages(trial.variant.game, "en").get("explain", {})
    for number, step in enumerate(found.steps if found is not None else (), 1):
        for one in step.show:
            thing, _, seat = one.partition(" ")
            require(thing in things, f"step {number}: {thing} is not in [explain]")
            seats = ["", *(f"p{seat + 1}" for seat in range(found.players if found is not None else 0))]
            require(seat in seats, f"step {number}: {seat} is no seat")


CHECKS: tuple[Check, ...] = (
    every_step_of_the_lesson_can_be_played,
    everything_in_the_lesson_is_said_in_three_languages,
    the_lesson_points_at_what_can_lie_on_the_board,
)
