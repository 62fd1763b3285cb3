"""Recorded games still replay to their scores, and the counts of positions have not moved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tsukimi
from conformance.variants import OURS, canonical, name, observers
from golden.counts import checksum, counts

HERE = Path(__file__).parent
COUNTS = json.loads((HERE / "counts.json").read_text("utf-8"))
RECORDS = sorted(HERE.glob("*.txt"))
every_variant = pytest.mark.parametrize("variant", OURS, ids=str)


def test_there_is_a_recorded_game_of_every_variant():
    assert {path.stem for path in RECORDS} >= set(map(str, OURS))


@pytest.mark.parametrize("path", RECORDS, ids=[path.stem for path in RECORDS])
def test_a_recorded_game_replays(path):
    text = path.read_text("utf-8")
    state = tsukimi.replay(text)
    assert state.over
    assert state.record() == text
    for seat in observers(state):
        canonical(state.events(seat))


@every_variant
def test_the_number_of_lines_of_play_is_known(variant):
    assert counts(variant) == COUNTS[name(variant)]["perft"]


@every_variant
def test_random_games_are_the_same_in_every_build(variant):
    assert checksum(variant) == COUNTS[name(variant)]["checksum"]
