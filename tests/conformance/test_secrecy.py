"""Nobody learns what they may not know: everything hidden is redrawn, and nothing that a seat sees changes."""

from __future__ import annotations

import random

import pytest

from conformance.variants import ALL, IDS, canonical, observers, random_game
from conftest import COMPILED
from tsukimi.core.rng import Rng
from tsukimi.core.spec import SPECTATOR
from tsukimi.core.state import walk

every_variant = pytest.mark.parametrize("variant", ALL, ids=IDS)


def _seen(state, seat):
    return canonical([state.view(seat), state.legal(seat) if seat is not None else [], state.events(seat)])


@every_variant
def test_resampling_a_position_changes_nothing_its_seat_sees(variant):
    rng = Rng(1)
    for seed in range(3 if COMPILED else 1):
        for state in random_game(variant, 100 + seed):
            for seat in observers(state):
                observer = SPECTATOR if seat is None else seat
                core = state.core.copy()
                core = core.resample(observer, rng)
                assert canonical(state.spec.view(core, observer)) == canonical(state.spec.view(state.core, observer))
                if seat is not None:
                    assert core.actions(seat) == state.core.actions(seat)
                    assert core.observation(seat) == state.core.observation(seat)
                assert core.actors == state.core.actors
                assert core.over == state.core.over


@every_variant
def test_what_is_drawn_depends_on_what_the_seat_knows_alone(variant):
    for decision, state in enumerate(random_game(variant, 150)):
        if decision % 3:
            continue
        for seat in (*range(state.players), SPECTATOR):
            other = state.core.copy()
            other = other.resample(seat, Rng(decision))
            one, two = state.core.copy(), other.copy()
            one = one.resample(seat, Rng(7))
            two = two.resample(seat, Rng(7))
            assert [one.observation(s) for s in range(state.players)] == [
                two.observation(s) for s in range(state.players)
            ]
            assert [one.actions(s) for s in range(state.players)] == [two.actions(s) for s in range(state.players)]


@every_variant
def test_resampling_a_game_changes_nothing_its_seat_sees(variant):
    total = sum(1 for _ in random_game(variant, 200))
    step = max(1, total // (40 if COMPILED else 8))
    for decision, state in enumerate(random_game(variant, 200)):
        if decision % step and not state.over:
            continue
        for seat in observers(state):
            assert _seen(state.resample(seat, seed=decision), seat) == _seen(state, seat)


@every_variant
def test_what_was_seen_in_moves_taken_back_stays_known(variant):
    luck = random.Random(3)
    for decision, state in enumerate(random_game(variant, 300)):
        if decision % 12 != 6 or state.over or decision > 160:
            continue
        trial = state.copy()
        for _ in range(3):
            for _ in range(luck.randrange(1, 9)):
                if not trial.over:
                    seat = luck.choice(trial.actors)
                    trial.apply(luck.choice(trial.actions(seat)), seat)
            trial.undo(luck.randrange(1, 6))
        for seat in observers(trial):
            assert _seen(trial.resample(seat, seed=decision), seat) == _seen(trial, seat)


@every_variant
def test_a_resampled_game_plays_on_to_its_end(variant):
    luck = random.Random(4)
    for decision, state in enumerate(random_game(variant, 400)):
        if decision not in (2, 11, 30):
            continue
        for seat in observers(state):
            other = state.resample(seat, seed=5)
            while not other.over:
                other.apply(luck.choice(other.actions()))
            assert other.winners()


@every_variant
def test_a_resampled_game_has_a_future_of_its_own(variant):
    if variant[0] == "china-moon":
        return  # no chance after the set-up
    for decision, state in enumerate(random_game(variant, 500)):
        if decision == 3:
            futures = {_future(state.resample(0, seed)) for seed in range(6)}
            assert len(futures) > 1
            assert _future(state.resample(0, 1)) == _future(state.resample(0, 1))


def _future(state):
    luck = random.Random(2)
    while not state.over:
        state.apply(luck.choice(state.actions()))
    return state.record()


@every_variant
def test_an_event_that_is_told_once_for_all_looks_the_same_to_all(variant):
    *_, state = random_game(variant, 77)
    told = 0
    for before, mover, move, after in walk(state.fresh(), state.history):
        if state.spec.open_event(before, mover, move):
            events = [state.spec.event(before, mover, move, after, seat) for seat in (*range(state.players), SPECTATOR)]
            assert all(event == events[0] for event in events)
            told += 1
    assert told > 5


@every_variant
def test_what_is_public_in_a_view_does_not_depend_on_who_looks(variant):
    for decision, state in enumerate(random_game(variant, 78)):
        if decision % 5 == 0:
            for seat in observers(state):
                assert canonical({**state.public(), **state.own(seat)}) == canonical(state.view(seat))


@every_variant
def test_parts_of_a_view_that_are_kept_are_the_same_objects_and_never_changed(variant):
    seen = {}
    for state in random_game(variant, 79):
        first, second, third = _kept(state), _kept(state), _kept(state)
        # What is kept may be forgotten when it has become too much, but not twice in a row.
        assert _same(first, second) or _same(second, third)
        for part in first:  # held on to, so that no other object gets its place in memory
            _, text = seen.setdefault(id(part), (part, canonical(part)))
            assert canonical(part) == text


def _same(first, second):
    return all(one is other for one, other in zip(first, second, strict=True))


def _kept(state):
    public = state.public()
    parts = [public[name] for name in state.spec.kept]
    return [one for part in parts for one in (part if isinstance(part, list) else [part])]
