"""What happened, told in sentences: since your last decision, or from the beginning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from tsukimi.cli.words import Words

FEW = 3  # chance events of one kind that are told one by one; more of them in a row are told as one


def sentences(events: Sequence[Mapping[str, Any]], words: Words) -> list[str]:
    """A sentence per event that has one."""
    told = [words.event(event) for event in events]
    return [sentence for sentence in told if sentence]


def brief(events: Sequence[Mapping[str, Any]], words: Words) -> list[str]:
    """The same, with long runs of chance events (a deal) folded into their first one."""
    told: list[str] = []
    for _, run in groupby(events, key=lambda event: (event["type"], event["index"] if "seat" in event else -1)):
        lines = sentences(list(run), words)
        told += lines if len(lines) <= FEW else [f"{lines[0]} … (+{len(lines) - 1})"]
    return told
