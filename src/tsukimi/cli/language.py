"""The language of the command: chosen by --lang or by the environment, and the command's own texts in it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from tsukimi.core import catalogue
from tsukimi.core.catalogue import LANGUAGES

catalogue.register("cli", Path(__file__).parent / "messages")


def say(section: str, code: str, lang: str, **fields: object) -> str:
    """A text of the command itself."""
    return catalogue.say(section, f"cli.{code}", fields, lang)


def table(section: str, lang: str) -> Mapping[str, Any]:
    """A whole section of the command's texts."""
    found: Mapping[str, Any] = catalogue.messages("cli", lang)[section]
    return found


_now = ["en"]


def current() -> str:
    """The language of the command that is running."""
    return _now[0]


def choose(words: Sequence[str]) -> str:
    """Take the language that the command line asks for, before it is parsed; else the environment's."""
    _now[0] = wanted(words)
    return _now[0]


def wanted(words: Sequence[str]) -> str:
    for here, after in pairwise([*words, ""]):
        if here == "--lang" and after in LANGUAGES:
            return after
        if here.startswith("--lang=") and here[7:] in LANGUAGES:
            return here[7:]
    return from_environment()


def from_environment() -> str:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return value[:2].lower() if value[:2].lower() in LANGUAGES else "en"
    return "en"
