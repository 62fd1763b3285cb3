"""The texts for players, in every catalogue of the project: what a native reader would stumble over is an error."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = sorted(
    {file.parent for file in ROOT.glob("src/tsukimi/**/messages/fr.toml")}
    | {file.parent for file in ROOT.glob("examples/*/*/messages/fr.toml")}
    | {ROOT / "client" / "messages"}
)
FOR_PLAYERS = [folder for folder in FOLDERS if "games" in folder.parts or "client" in folder.parts]
FIELD = re.compile(r"\{[^}]*\}")
# One term for one thing: words that were used beside the chosen one.
UNWANTED = {
    "en": ["fictive(?!-four)", "of all cases"],
    "fr": ["raton-laveur", "fictif", "habitué", "classement"],
    "es": ["muelle", "track", "charla", "diario", "consejo", "clasificación", "ficticio", "habitual"],
}


def load(folder: Path, lang: str) -> dict[str, Any]:
    file = folder / f"{lang}.toml"
    if file.exists():
        return tomllib.loads(file.read_text("utf-8"))
    found: dict[str, Any] = json.loads((folder / f"{lang}.json").read_text("utf-8"))
    return found


def texts(part: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text with its key."""
    if isinstance(part, str):
        yield key, part
    elif isinstance(part, list):
        for one in part:
            yield from texts(one, key)
    elif isinstance(part, dict):
        for name, one in part.items():
            yield from texts(one, f"{key}.{name}")


def named(folder: Path) -> str:
    return str(folder.relative_to(ROOT))


def check(folder: Path, lang: str, wrong: re.Pattern[str], without_fields: bool = False) -> None:
    found = [
        f"{key}: {text!r}"
        for key, text in texts(load(folder, lang))
        if " " in text and wrong.search(FIELD.sub("x", text) if without_fields else text)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("folder", FOLDERS, ids=named)
def test_french_has_no_break_spaces_before_double_punctuation(folder: Path) -> None:
    check(folder, "fr", re.compile(r"[^\u00a0\u202f]([!?»]|(?<!&amp);)(?:\s|$)|\S :(?:\s|$)|«[^\u00a0\u202f]"), True)


@pytest.mark.parametrize("folder", FOLDERS, ids=named)
def test_french_has_one_kind_of_apostrophe(folder: Path) -> None:
    check(folder, "fr", re.compile(r"\w'\w"))


@pytest.mark.parametrize("folder", FOLDERS, ids=named)
def test_spanish_questions_and_exclamations_are_opened(folder: Path) -> None:
    found = [
        f"{key}: {text!r}"
        for key, text in texts(load(folder, "es"))
        if len(text) > 1 and " " in text and not text.startswith("? ")
        for close, opening in (("?", "¿"), ("!", "¡"))
        if (bare := FIELD.sub("x", text)).count(close) != bare.count(opening)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("lang", ["en", "fr", "es"])
@pytest.mark.parametrize("folder", FOR_PLAYERS, ids=named)
def test_one_term_is_used_for_one_thing(folder: Path, lang: str) -> None:
    check(folder, lang, re.compile(rf"\b(?:{'|'.join(UNWANTED[lang])})", re.IGNORECASE))


@pytest.mark.parametrize("folder", FOLDERS, ids=named)
def test_english_percentages_are_closed_up(folder: Path) -> None:
    check(folder, "en", re.compile(r"\d\s%|\} %"))


@pytest.mark.parametrize("lang", ["en", "fr", "es"])
@pytest.mark.parametrize("folder", FOLDERS, ids=named)
def test_a_number_is_never_followed_by_a_fixed_plural(folder: Path, lang: str) -> None:
    """`{points} points` reads "1 points"; `{points:point|points}` does not. (`count` chooses among the forms of a text.)"""
    plurals = {"en": "points|cards|dice|darumas", "fr": "points|coups|cartes|dés|darumas"}
    plurals |= {"es": "puntos|jugadas|cartas|dados|darumas"}
    check(folder, lang, re.compile(rf"\{{(?!count|range|most|least|total)\w+\}} (?:{plurals[lang]})\b"))
