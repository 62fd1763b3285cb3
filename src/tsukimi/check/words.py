"""Checks that all texts exist in three languages."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from string import Formatter
from typing import Any

from tsukimi.check.trial import LANGUAGES, Check, Trial, observers, require
from tsukimi.core import catalogue
from tsukimi.core.words import Words

NAMES = ("Ana", "Bruno", "Chloé", "Dora", "Emil")


def three_languages_have_the_same_messages(trial: Trial) -> None:
    folder = trial.spec.folder / "messages"
    tables = {lang: dict(_messages(tomllib.loads((folder / f"{lang}.toml").read_text("utf-8")))) for lang in LANGUAGES}
    for lang in LANGUAGES[1:]:
        missing = {key for key in tables["en"].keys() ^ tables[lang].keys() if not key.startswith("form.")}
        require(not missing, f"in only one of English and {lang}: {', '.join(sorted(missing)[:5])}")
        for key, fields in tables["en"].items():
            require(tables[lang].get(key, fields) == fields, f"{key} has different fields in {lang}")
    guides = [lang for lang in LANGUAGES if (trial.spec.folder / "guide" / f"{lang}.md").exists()]
    require(len(guides) in (0, 3), f"the guide exists only in {', '.join(guides)}")


def _messages(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, list[set[str]]]]:
    """Every message with the fields of its templates."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _messages(value, f"{prefix}{key}.")
        else:
            templates = value if isinstance(value, list) else [value]
            yield (
                prefix + key,
                [{name for _, name, _, _ in Formatter().parse(str(template)) if name} for template in templates],
            )


def the_game_has_a_title_and_a_summary(trial: Trial) -> None:
    for lang in LANGUAGES:
        text = (trial.spec.folder / "messages" / f"{lang}.toml").read_text("utf-8")
        game = tomllib.loads(text).get("game", {})
        require(game.get("title") and game.get("summary"), f"no title or no summary in {lang}")


def every_event_and_question_has_a_text(trial: Trial) -> None:
    names = NAMES[: trial.variant.players]
    translations = [Words(trial.variant.game, lang, names) for lang in LANGUAGES]
    state = trial.new(40)
    asked: set[str] = set()
    for state in trial.game(40):
        view = state.view(None)
        if view["ask"] is not None and view["ask"] not in asked:
            asked.add(view["ask"])
            for words in translations:
                require(words.ask(view).strip(), f"the question {view['ask']} is empty in {words.lang}")
    for seat in observers(state):
        for event in state.events(seat):
            for words in translations:
                require("{" not in words.event(event), f"the event {event['type']} has gaps in {words.lang}")


def every_stake_has_a_text(trial: Trial) -> None:
    translations = [Words(trial.variant.game, lang, NAMES[: trial.variant.players]) for lang in LANGUAGES]
    for _, state in trial.some(41, 60):
        for seat in state.actors:
            for move, stakes in state.stakes(seat).items():
                for stake in stakes:
                    for words in translations:
                        require(words.stake(stake).strip(), f"{stake['kind']} at {move} is empty in {words.lang}")


def every_row_of_the_score_sheet_has_a_text(trial: Trial) -> None:
    rows = trial.played(42).score_sheet()
    for lang in LANGUAGES:
        words = Words(trial.variant.game, lang, NAMES[: trial.variant.players])
        for row in rows:
            for code in {row["row"], row.get("group", row["row"])}:
                require(words.row({**row, "row": code}) != code, f"the row {code} has no label in {lang}")


def every_explanation_has_a_name(trial: Trial) -> None:
    for lang in LANGUAGES:
        messages = catalogue.messages(trial.variant.game, lang)
        names, texts = messages.get("component", {}), messages.get("explain", {})
        apart = (names.keys() - texts.keys()) | (texts.keys() - names.keys() - messages.get("word", {}).keys())
        require(not apart, f"components with only a name or only an explanation: {', '.join(sorted(apart)[:5])}")


CHECKS: tuple[Check, ...] = (
    three_languages_have_the_same_messages,
    the_game_has_a_title_and_a_summary,
    every_event_and_question_has_a_text,
    every_stake_has_a_text,
    every_row_of_the_score_sheet_has_a_text,
    every_explanation_has_a_name,
)
