"""Daruma: only the objectives are hidden, and they are resampled with the right probabilities."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest

import tsukimi
from games.daruma.daruma_table import BAD_LUCK, say, table
from tsukimi.core.rng import Rng
from tsukimi.core.spec import SPECTATOR
from tsukimi.games.daruma import SPEC

ONE = ["roll 2 2 2 2 2 2 4 4", *["sake 2", "reroll 2", "roll 2"] * 5, "stop"]
TWO = ["roll 2 2 2 3 3 3 5 5", "stop"]
END = [*TWO * 4, *ONE, *TWO]


def seen(state, seat):
    return json.dumps([state.view(seat), state.events(seat), [] if seat is None else state.legal(seat)])


@pytest.mark.parametrize("players", [2, 3, 5])
def test_what_is_hidden_changes_nothing_that_a_seat_sees(players):
    luck = random.Random(players)
    state = tsukimi.new("daruma", players=players, seed=players)
    rng = Rng(1)
    decision = 0
    while not state.over:
        decision += 1
        for seat in (None, *range(players)):
            observer = SPECTATOR if seat is None else seat
            core = state.core.copy()
            core = core.resample(observer, rng)
            assert SPEC.view(core, observer) == SPEC.view(state.core, observer)
            if seat is not None:
                assert core.actions(seat) == state.core.actions(seat)
                assert core.observation(seat) == state.core.observation(seat)
            if decision % 10 == 0:
                assert seen(state.resample(seat, seed=decision), seat) == seen(state, seat)
        state.apply(luck.choice(state.actions()))
    for seat in (None, *range(players)):
        assert seen(state.resample(seat, seed=1), seat) == seen(state, seat)


def held(core, players):
    return tuple(number + 1 for number in list(core.objective)[:players])


def close(counts, cells, draws):
    expected = draws / cells
    assert len(counts) == cells
    return sum((count - expected) ** 2 / expected for count in counts.values()) < cells + 5 * (2 * cells) ** 0.5


def test_a_seat_knows_its_own_objective_and_the_others_are_equally_likely():
    state, rng, draws = table(3), Rng(1), 2000
    start, positions, histories = _start(state), Counter(), Counter()
    for _ in range(draws):
        core = state.core.copy()
        core = core.resample(1, rng)
        positions[held(core, 3)] += 1
        histories[tuple(outcome + 1 for _, outcome in SPEC.resample(start, state.history, 1, rng)[1:4])] += 1
    for counts in (positions, histories):
        assert all(numbers[1] == 2 and len(set(numbers)) == 3 for numbers in counts)
        assert close(counts, 5 * 4, draws)


def test_a_spectator_knows_none():
    state, rng, draws = table(2), Rng(2), 2000
    start, positions, histories = _start(state), Counter(), Counter()
    for _ in range(draws):
        core = state.core.copy()
        core = core.resample(SPECTATOR, rng)
        positions[held(core, 2)] += 1
        histories[tuple(outcome + 1 for _, outcome in SPEC.resample(start, state.history, -1, rng)[1:3])] += 1
    assert close(positions, 30, draws)
    assert close(histories, 30, draws)


def _start(state):
    return tsukimi.new("daruma", players=state.players, chance="manual", first="p1", components=state.components).core


def test_during_the_deal_only_what_was_dealt_is_drawn_anew():
    state = tsukimi.new("daruma", players=3, chance="manual", first="p1")
    say(state, "track blank four blank daruma blank blank blank", "objective p1 4")
    drawn = {held(state.resample(2, seed).core, 3) for seed in range(60)}
    assert drawn == {(number, 0, 0) for number in range(1, 7)}
    assert held(state.resample(0, 1).core, 3) == (4, 0, 0)


def test_the_first_event_of_the_record_is_left_alone():
    state = tsukimi.new("daruma", players=4, seed=1)
    twin = state.resample(None, seed=3)
    changed = [i for i, (old, new) in enumerate(zip(state.lines(), twin.lines(), strict=False)) if old != new]
    assert changed
    assert all(state.lines()[i].startswith("objective") for i in changed)


def test_at_the_end_nothing_is_hidden_any_more():
    state = say(table(), *END)
    assert state.over
    for seed in range(5):
        assert held(state.resample(0, seed).core, 2) == (1, 2)


def test_what_the_end_has_shown_stays_known_after_it_was_taken_back():
    state = say(table(), *END)
    state.undo(1)
    assert not state.over
    for seed in range(10):
        twin = state.resample(0, seed)
        assert held(twin.core, 2) == (1, 2)
        assert twin.events(0) == state.events(0)


def test_an_undo_before_the_end_hides_as_before():
    state = say(table(), *BAD_LUCK)
    state.undo(1)
    assert {held(state.resample(0, seed).core, 2) for seed in range(60)} == {(1, n) for n in range(2, 7)}


def test_scores_are_known_to_the_own_seat_only():
    state = tsukimi.new("daruma", players=3, seed=5)
    assert state.view(1)["known_scores"] == [None, 0, None]
    assert state.view(None)["known_scores"] == [None, None, None]
