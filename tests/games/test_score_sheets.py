"""The score sheet of every game: its rows are the scores."""

from __future__ import annotations

import random
from itertools import groupby
from typing import Any

import pytest

import tsukimi
from tsukimi.core import catalogue, sheet
from tsukimi.core.state import State
from tsukimi.core.words import Words

VARIANTS: list[tuple[str, int, dict[str, str]]] = [
    *[("charuma", players, {}) for players in (2, 3, 4, 5)],
    ("charuma", 3, {"auction": "off"}),
    ("charuma", 2, {"auction": "from-second"}),
    *[("china-moon", players, {}) for players in (3, 4, 5)],
    *[("daruma", players, {}) for players in (2, 3, 4, 5)],
    ("dojo", 3, {}),
    ("dojo", 4, {"belt": "white"}),
    ("dojo", 5, {"belt": "black"}),
]


def played(game: str, players: int, seed: int, options: dict[str, str], undo: bool = False) -> State:
    state, luck = tsukimi.new(game, players, seed=seed, **options), random.Random(seed)
    moves = 0
    while not state.over:
        seat = luck.choice(state.actors)
        state.apply(luck.choice(state.actions(seat)), seat)
        moves += 1
        if undo and moves % 40 == 0:
            state.undo(luck.randint(1, 15))
    return state


@pytest.mark.parametrize(("game", "players", "options"), VARIANTS)
def test_the_rows_add_up_to_the_scores(game: str, players: int, options: dict[str, str]) -> None:
    for seed in range(8):
        state = played(game, players, seed, options)
        rows = state.score_sheet()
        assert sheet.totals(rows, players) == state.scores()
        assert all(len(row["values"]) == players for row in rows)


@pytest.mark.parametrize("game", ["charuma", "china-moon", "daruma", "dojo"])
def test_what_was_taken_back_is_not_on_the_sheet(game: str) -> None:
    for seed in range(4):
        state = played(game, 3, seed, {}, undo=True)
        assert sheet.totals(state.score_sheet(), 3) == state.scores()


@pytest.mark.parametrize(("game", "players", "options"), VARIANTS)
def test_points_and_the_row_that_breaks_ties_name_the_winners(game: str, players: int, options: dict[str, str]) -> None:
    for seed in range(12):
        state = played(game, players, seed, options)
        found = sheet.places(state.scores(), (), state.score_sheet())
        assert [seat for seat, place in enumerate(found) if place == 1] == state.winners()


@pytest.mark.parametrize(("game", "players", "options"), VARIANTS)
def test_every_row_has_a_label_in_three_languages(game: str, players: int, options: dict[str, str]) -> None:
    state = played(game, players, 1, options)
    for lang in catalogue.LANGUAGES:
        words = Words(game, lang, [f"p{seat}" for seat in range(players)])
        for row in state.score_sheet():
            for code in {row["row"], row.get("group", row["row"])}:
                assert words.row({**row, "row": code}) != code


def test_there_is_no_sheet_before_the_end_and_none_stays_when_the_last_move_is_taken_back() -> None:
    state = played("daruma", 2, 3, {})
    assert state.score_sheet()
    assert state.copy().score_sheet() == state.score_sheet()
    state.undo()
    assert state.score_sheet() == []


def test_every_round_of_charuma_is_logged() -> None:
    state = played("charuma", 3, 2, {})
    first, *rows = state.score_sheet()
    assert first == {"row": "start", "values": [5, 5, 5]}
    ends = [event for event in state.events(None) if "gains" in event]
    running = [5, 5, 5]
    for event, (part, group) in zip(ends, groupby(rows, lambda row: row["part"]), strict=True):
        round_rows = {row["row"]: row for row in group}
        assert part == event["round"]
        assert list(round_rows) == ["bid", "tricks", "aces", "last-trick"]
        assert sum(round_rows["tricks"]["pieces"]) == sum(
            event["type"] == "play" and "winner" in event for event in _of_round(state, part)
        )
        running = [had + sum(row["values"][seat] for row in round_rows.values()) for seat, had in enumerate(running)]
        assert running == event["totals"]


def test_china_moon_compares_the_colours_only_by_their_sum() -> None:
    rows = [row for row in played("china-moon", 3, 2, {}).score_sheet() if row.get("counts", True)]
    assert {row["row"] for row in rows if row.get("group") == "lilies"} == {"pink", "white", "yellow"}
    assert {row["row"] for row in rows if "group" not in row} <= {"blue", "black"}


def _of_round(state: State, number: int) -> list[dict[str, Any]]:
    events, found = state.events(None), list[dict[str, Any]]()
    for event in events:
        found.append(event)
        if "gains" in event:
            if event["round"] == number:
                return found
            found = []
    raise AssertionError


def test_places_are_shared_and_who_resigned_comes_last() -> None:
    assert sheet.places([7, 9, 7, 3], [1], []) == [2, 1, 2, 4]
    assert sheet.places([9, 9, 7], [1], []) == [2, 1, 3]
    assert sheet.places([30, 9, 7], [1], [], resigned=[0]) == [3, 1, 2]
    tie = [sheet.note("darumas", [4, 6, 5], breaks_ties="fewest")]
    assert sheet.places([8, 8, 8], [0], tie) == [1, 3, 2]
