"""The language of the command, from --lang or from the environment, and the command's own texts in it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from tsukimi.core import catalogue
from tsukimi.core.catalogue import LANGUAGES

catalogue.register("cli", Path(__file__).parent / "messages")
_current = ["en"]


def say(section: str, code: str, lang: str, **fields: object) -> str:
    """A text of the command itself."""
    return catalogue.say(section, f"cli.{code}", fields, lang)


def table(section: str, lang: str) -> Mapping[str, Any]:
    """A whole section of the command's texts."""
    found: Mapping[str, Any] = catalogue.messages("cli", lang)[section]
    return found


def current() -> str:
    """The language of the command that is running."""
    return _current[0]


def set_language(argv: Sequence[str]) -> str:
    """Use the language requested on the command line, before it is parsed; else the environment's."""
    _current[0] = _from_arguments(argv) or _from_environment()
    return _current[0]


def _from_arguments(argv: Sequence[str]) -> str:
    for here, after in pairwise([*argv, ""]):
        if here == "--lang" and after in LANGUAGES:
            return after
        if here.startswith("--lang=") and here[7:] in LANGUAGES:
            return here[7:]
    return ""


def _from_environment() -> str:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return value[:2].lower() if value[:2].lower() in LANGUAGES else "en"
    return "en"
