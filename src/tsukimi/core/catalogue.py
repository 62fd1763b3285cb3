"""Message catalogues: one per language, as TOML files, for errors, log sentences and questions.

`core/messages/LANG.toml` holds the common messages, `games/GAME/messages/LANG.toml` those of one game
(its codes are written `GAME.code`). A message is a template with `{fields}`, or a list of templates, of
which the first one whose fields are all known is used: if a secret field is absent, a template
without it is chosen. `{points:point|points}` writes the number with the matching singular or plural,
`{points:+}` and `{points:+point|points}` give it its sign; `{chance:%}` writes a probability as a percentage,
`{cards:and}` a list with "and" before its last item, `{cards:each the}` also with "the" before each. In English "a"
becomes "an" before 8%, 11%, 18% and 80% to 89%.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

LANGUAGES = ("en", "fr", "es")
AND = {"en": "and", "fr": "et", "es": "y"}
OR = {"en": "or", "fr": "ou", "es": "o"}
MINUS = "\u2212"
_A_BEFORE_VOWEL = re.compile(r"\b([Aa])(?= (?:8\d?|11|18)%)")
_folders: dict[str, Path] = {"": Path(__file__).parent / "messages"}


def register(game: str, folder: Path) -> None:
    """Register a game's messages."""
    _folders[game] = folder


@cache
def messages(game: str, lang: str) -> Mapping[str, Any]:
    """All messages of a game ("" for the common ones) in a language, as nested tables; English where one is missing."""
    if lang not in LANGUAGES:
        raise LookupError(f"no messages in {lang!r}: choose one of {', '.join(LANGUAGES)}")
    path = _folders[game] / f"{lang}.toml"
    texts = tomllib.loads(path.read_text("utf-8")) if path.exists() else {}
    if lang == "en":
        return texts
    english = messages(game, "en")
    return {section: {**english.get(section, {}), **texts.get(section, {})} for section in {**english, **texts}}


class _Filler(Formatter):
    """Fills templates of a language, with its plural: in French it starts at two."""

    def __init__(self, lang: str) -> None:
        self._lang = lang

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec == "%":
            return percentage(_number(value), self._lang)
        if format_spec == "and":
            head, comma, last = str(value).rpartition(", ")
            return f"{head} {AND[self._lang]} {last}" if comma else last
        if format_spec.startswith("each "):
            article = format_spec.removeprefix("each ")
            return self.format_field(", ".join(f"{article} {one}" for one in str(value).split(", ")), "and")
        if format_spec.startswith("+"):
            value, format_spec = signed(_number(value), self._lang), format_spec[1:]
        one, bar, many = format_spec.partition("|")
        if not bar:
            return str(format(value, format_spec))
        number = abs(_number(value))
        return f"{value} {one if (number < 2 if self._lang == 'fr' else number == 1) else many}"


def _number(value: object) -> float:
    return float(str(value).replace(",", ".").replace(MINUS, "-"))


def signed(number: float, lang: str) -> str:
    """A number with its sign: +3, -2 (with a true minus), 0."""
    sign = "+" if number > 0 else MINUS if number < 0 else ""
    text = f"{abs(number):g}"
    return sign + (text if lang == "en" else text.replace(".", ","))


def percentage(chance: float, lang: str) -> str:
    """A probability; something possible is never shown as 0 %, something uncertain never as 100 %."""
    number = round(100 * chance)
    if 0 < chance < 1:
        number = min(99, max(1, number))
    return f"{number}%" if lang == "en" else f"{number}\u00a0%"


def fill(template: str | list[str], fields: Mapping[str, object], lang: str = "en") -> str:
    """Fill a template, or the first of several whose fields are all present."""
    choices = [template] if isinstance(template, str) else template
    for choice in choices:
        names = {name for _, name, _, _ in Formatter().parse(choice) if name}
        if names <= fields.keys():
            text = _Filler(lang).vformat(choice, (), fields)
            return _A_BEFORE_VOWEL.sub(r"\1n", text) if lang == "en" else text
    raise LookupError(f"no text for {choices[-1]!r} with {sorted(fields)}")


def say(section: str, code: str, fields: Mapping[str, object], lang: str = "en") -> str:
    """The message `section.code` in a language; `GAME.code` looks in that game's catalogue."""
    game, dot, name = code.rpartition(".")
    if dot and game not in _folders:
        raise LookupError(f"no messages for {game!r}")
    return fill(messages(game, lang)[section][name], fields, lang)
