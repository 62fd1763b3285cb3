"""What happened, in sentences: since a player's last decision, or from the start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from tsukimi.core.words import Words

FEW = 3  # chance events of one kind that get a sentence each; more of them in a row share one


def sentences(events: Sequence[Mapping[str, Any]], words: Words) -> list[str]:
    """A sentence per event that has one."""
    return [sentence for event in events if (sentence := words.event(event))]


def brief(events: Sequence[Mapping[str, Any]], words: Words) -> list[str]:
    """The same, with long runs of chance events (a deal) folded into their first one."""
    found: list[str] = []
    for _, run in groupby(events, key=lambda event: (event["type"], event["index"] if "seat" in event else -1)):
        lines = sentences(list(run), words)
        found += lines if len(lines) <= FEW else [f"{lines[0]} … (+{len(lines) - 1})"]
    return found
