"""No view reveals what its seat may not know, and resampling follows the right probabilities."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

import tsukimi
from games.dojo.dojo_builders import CARDS, play, quiet_round, recruit, table, turn_if_asked
from tsukimi.core.rng import Rng
from tsukimi.games.dojo import SPEC

SETTINGS = [(3, "classic"), (4, "black"), (5, "classic"), (4, "white"), (5, "black")]


def random_game(players, belt, seed, undos=True):
    """A game after each decision; now and then some moves are taken back."""
    state = tsukimi.new("dojo", players=players, seed=seed, belt=belt)
    rng = Rng(seed)
    made = 0
    while not state.over:
        yield state
        seat = state.actors[rng.randrange(len(state.actors))]
        state.apply(state.core.random_action(seat, rng), seat)
        made += 1
        if undos and made > 3 and rng.randrange(12) == 0:
            back = 1 + rng.randrange(min(made, 6))
            state.undo(back)
            made -= back
    yield state


def knowledge(core, seat):
    return (
        SPEC.view(core, seat),
        [core.actions(seat)] if seat >= 0 else [],
        core.observation(max(seat, 0)) if seat >= 0 else [],
    )


@pytest.mark.parametrize(("players", "belt"), SETTINGS)
def test_after_resample_a_bare_position_looks_the_same_to_that_seat(players, belt):
    changed = 0
    for number, state in enumerate(random_game(players, belt, players)):
        if number % 4:
            continue
        for seat in range(-1, players):
            twin = state.core.copy()
            twin = twin.resample(seat, Rng(len(state.history)))
            assert knowledge(twin, seat) == knowledge(state.core, seat)
            assert twin.pile == sum(twin.left) == sum(state.core.left)
            changed += SPEC.view(twin, state.core.dealer) != SPEC.view(state.core, state.core.dealer)
    assert changed > 10


@pytest.mark.parametrize(("players", "belt"), SETTINGS)
def test_after_resample_views_events_and_legal_moves_are_the_same_to_that_seat(players, belt):
    changed = 0
    for number, state in enumerate(random_game(players, belt, 10 + players)):
        if number % 17:
            continue
        for seat in (None, number % players, (number + 1) % players):
            twin = state.resample(seat, seed=number)
            assert twin.events(seat) == state.events(seat)
            assert twin.view(seat) == state.view(seat)
            assert twin.legal(seat) == state.legal(seat)
            assert twin.actors == state.actors
            changed += twin.history != state.history
    assert changed > 3


def test_views_and_events_have_no_face_down_card_of_others():
    for state in random_game(4, "classic", 3, undos=False):
        core = state.core
        for seat in range(4):
            held = state.view(seat)["held"]
            for owner in range(4):
                seen = seat in (owner, core.dealer) or core.shown >> owner & 1
                if core.held[owner] >= 0:
                    assert held[owner] == (CARDS[core.held[owner]] if seen else "?")


def test_an_unrevealed_throw_is_any_of_the_three_alike():
    state = recruit(table(belt="black"), "fox1", "fox2", "fox3", "fox4")
    play(state, "p2 challenge", "p1 throw rock")
    for seats, variety in (((1, 2, None), 3), ((0,), 1)):
        for seat in seats:
            seen = Counter(state.resample(seat, seed=n).view(0)["challenge"]["own_throw"] for n in range(300))
            assert len(seen) == variety
            assert min(seen.values()) > 60
            bare = Counter()
            for n in range(300):
                twin = state.core.copy()
                twin = twin.resample(-1 if seat is None else seat, Rng(n))
                bare[twin.throws[1]] += 1
            assert len(bare) == variety
            assert min(bare.values()) > 60


def test_a_throw_that_was_revealed_and_taken_back_stays():
    state = recruit(table(belt="black"), "fox1", "fox2", "fox3", "fox4")
    play(state, "p2 challenge", "p1 throw rock", "p2 throw paper")
    state.undo(1)
    assert {state.resample(2, seed=n).view(0)["challenge"]["own_throw"] for n in range(30)} == {"rock"}


# ---- chance ----------------------------------------------------------------------------------

SMALL = {
    "tatami": [
        {"disciple": "monkey", "belt": 1, "count": 32},
        {"disciple": "fox", "belt": 1, "count": 2},
        {"disciple": "bear", "belt": 1, "count": 2},
    ]
}


def late_table():
    """Three players in round 11: p2 deals, and the pile holds two monkeys, two foxes and two bears."""
    state = table(3, components=SMALL, first="p1")
    for _ in range(10):
        quiet_round(state, "monkey1", "monkey1", "monkey1")
    turn_if_asked(state)
    assert state.core.dealer == 1
    assert state.outcomes() == [("draw monkey1", 1 / 3), ("draw fox1", 1 / 3), ("draw bear1", 1 / 3)]
    return state


def close_to(seen, expected):
    """Chi-square against exact weights, at far beyond one in a thousand."""
    total, weights = sum(seen.values()), sum(expected.values())
    assert set(seen) <= {key for key, weight in expected.items() if weight}
    square = sum(
        (seen[key] - total * weight / weights) ** 2 / (total * weight / weights)
        for key, weight in expected.items()
        if weight
    )
    freedom = sum(1 for weight in expected.values() if weight) - 1
    assert square < freedom + 4.5 * (2 * freedom) ** 0.5 + 4


def test_draws_follow_the_stated_probabilities():
    for state in (
        table(4),
        table(4, first="random"),
        late_table(),
        play(table(5), "deal p1 fox1"),
        play(table(), "trophy broom"),
    ):
        rng = Rng(7)
        seen = Counter(state.core.sample_outcome(rng) for _ in range(6000))
        probabilities = dict(SPEC.outcomes(state.core))
        assert abs(sum(probabilities.values()) - 1) < 1e-9
        close_to(seen, {what: 1000 * p for what, p in probabilities.items()})


def test_settling_has_the_same_distribution_as_single_draws():
    state = table(5)
    rng, seen = Rng(5), Counter()
    for _ in range(3000):
        twin = state.core.copy()
        twin.sample_chance(rng)
        assert twin.pile == 55
        seen[twin.held[0] // 5, twin.held[4] // 5] += 1
    pairs = {(a, b): 10 * (9 if a == b else 10) for a in range(6) for b in range(6)}
    close_to(seen, pairs)


def test_resample_draws_unknown_cards_from_the_unseen_rest():
    state = play(late_table(), "draw fox1", "p2 give p1", "draw bear1", "p2 give p3", "draw monkey1")
    # p1 sees its fox; p3's card and the one that p2 looks at are unknown: two of 2 monkeys, 1 fox, 2 bears.
    left = Counter({"monkey1": 2, "fox1": 1, "bear1": 2})
    expected = {(a, b): left[a] * (left[b] - (a == b)) for a in left for b in left}
    bare, dealt = Counter(), Counter()
    for n in range(3000):
        core = state.core.copy()
        core = core.resample(0, Rng(n))
        bare[CARDS[core.held[2]], CARDS[core.looking]] += 1
        assert core.held[0] == state.core.held[0]
    for n in range(600):
        view = state.resample(0, seed=n).view(1)
        dealt[view["held"][2], view["looking"]] += 1
    close_to(bare, expected)
    close_to(dealt, expected)


def resamplet(state, seat, lines, times=500):
    """How often the outcomes at these lines of the history come out, over many resamples."""
    start = state._start
    return Counter(
        tuple(CARDS[SPEC.resample(start, state.history, seat, Rng(n))[line][1]] for line in lines) for n in range(times)
    )


def weight_of(draws, kinds):
    """The weight of a history: at each draw the cards of that kind left, given the draws before it on its line.

    A draw is (the draw before it, its kind or None when unknown).
    """
    kinds = iter(kinds)
    total, line = 1, []
    for before, known in draws:
        kind = known or next(kinds)
        past = [] if before is None else line[before]
        total *= max(0, 2 - past.count(kind))
        line.append([*past, kind])
    return total


def expected_for(draws):
    unknown = sum(1 for _, known in draws if known is None)
    return {kinds: weight_of(draws, kinds) for kinds in product(("monkey1", "fox1", "bear1"), repeat=unknown)}


def test_resample_weighs_what_was_seen_in_branches_that_were_taken_back():
    state = late_table()
    first = len(state.history)
    play(state, "draw monkey1", "p2 give p3", "draw fox1", "p2 give p1")
    state.undo(1)  # p1 has seen the fox that was drawn second
    state.undo(1)
    play(state, "p2 give p3", "draw bear1", "p2 give p1")
    state.undo(2)
    play(state, "p2 give p3", "draw bear1", "p2 give p1", "draw fox1")
    last = len(state.history) - 1
    draws = [(None, None), (0, "fox1"), (0, "bear1"), (0, "bear1"), (3, None)]
    close_to(resamplet(state, 0, (first, last)), expected_for(draws))


def test_resample_weighs_branches_within_branches():
    state = late_table()
    lines = [len(state.history)]
    play(state, "draw monkey1", "p2 give p3")
    lines.append(len(state.history))
    play(state, "draw bear1", "p2 give p2", "draw fox1", "p2 give p1")
    state.undo(2)
    play(state, "p2 give p2", "draw fox1", "p2 give p1")
    state.undo(3)
    play(state, "p2 give p3", "draw bear1", "p2 give p1")
    draws = [(None, None), (0, None), (1, "fox1"), (1, "fox1"), (0, "bear1")]
    close_to(resamplet(state, 0, lines), expected_for(draws))


def test_resample_keeps_a_card_that_was_seen_in_a_branch_taken_back():
    state = late_table()
    first = len(state.history)
    play(state, "draw fox1", "p2 give p1")
    state.undo(1)
    state.play("give p3")
    assert resamplet(state, 0, (first,), 50) == {("fox1",): 50}
    assert len(resamplet(state, 2, (first,), 50)) == 1
    assert len(resamplet(state, -1, (first,), 50)) == 3


def test_resample_of_a_random_round_keeps_the_own_card():
    state = recruit(table(5), "fox1", "fox2", "fox3", "fox4", "fox5")
    for n in range(20):
        held = state.resample(2, seed=n).core.held
        assert CARDS[held[2]] == "fox3"
    assert len({tuple(state.resample(2, seed=n).core.held) for n in range(20)}) > 15
