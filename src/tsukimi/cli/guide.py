"""A game's rules text: found, cut into sections, matched to what is happening."""

from __future__ import annotations

from collections.abc import Iterable

from tsukimi.cli import markdown
from tsukimi.core.spec import Spec


def text(spec: Spec, lang: str) -> str:
    return (spec.folder / "guide" / f"{lang}.md").read_text("utf-8")


def section_of(spec: Spec, lang: str, wanted: Iterable[str]) -> str | None:
    """The first section whose anchor is one of these words."""
    whole = text(spec, lang)
    for anchor in wanted:
        found = markdown.section(whole, anchor)
        if found is not None:
            return found
    return None
