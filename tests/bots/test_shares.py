"""A bot's estimate of a position is a share of the win: between 0 and 1, and the shares of all seats add up to 1."""

from __future__ import annotations

import pytest

from conformance.variants import random_game
from conftest import COMPILED
from tsukimi import bots
from tsukimi.bots import calibration
from tsukimi.bots.budget import Budget

VARIANTS = [
    *[("charuma", players, {}) for players in (2, 3, 5)],
    *[("china-moon", players, {}) for players in (3, 5)],
    *[("daruma", players, {}) for players in (2, 3, 5)],
    *[("dojo", players, {}) for players in (3, 5)],
]
every_variant = pytest.mark.parametrize("variant", VARIANTS, ids=[f"{game}-{players}" for game, players, _ in VARIANTS])
GAMES, STEP = (6, 3) if COMPILED else (1, 25)


def decisions(variant):
    for seed in range(GAMES):
        for number, state in enumerate(random_game(variant, seed)):
            if number % STEP == 0 and not state.over and state.actors:
                yield state


@every_variant
def test_every_candidate_has_a_share_between_0_and_1(variant):
    engine = None
    for number, state in enumerate(decisions(variant)):
        if number % 20 == 0 or engine is None:
            engine = bots.engine_for(state, number)
        for seat in state.actors:
            for candidates in (engine.greedy(state, seat), engine.analyse(state, seat, Budget(None, 8))):
                assert all(0 <= candidate.share <= 1 for candidate in candidates)
                assert {candidate.move for candidate in candidates} == set(state.actions(seat))


@every_variant
def test_the_shares_of_all_seats_add_up_to_1(variant):
    for state in decisions(variant):
        shares = bots.engine_for(state, 1).evaluator.shares(state.core)
        assert sum(shares) == pytest.approx(1, abs=1e-5)
        assert all(0 <= share <= 1 for share in shares)


@pytest.mark.compiled
@every_variant
def test_a_position_has_shares_for_every_seat_by_what_each_may_know(variant):
    _, players, _ = variant
    for number, state in enumerate(decisions(variant)):
        if number % 15 == 0:
            engine = bots.engine_for(state, number)
            for seat in (None, *range(players)):
                shares = engine.shares(state.core, seat)
                assert len(shares) == players
                assert sum(shares) == pytest.approx(1)
                assert all(0 <= share <= 1 for share in shares)


@pytest.mark.compiled
@every_variant
def test_the_shares_for_a_seat_are_the_same_whatever_it_cannot_know(variant):
    for number, state in enumerate(decisions(variant)):
        if number % 50 == 0:
            seat = number % state.players
            assert bots.shares(state, seat) == bots.shares(state.resample(seat, 1), seat)


@every_variant
def test_a_finished_game_has_the_shares_of_its_result(variant):
    state = list(random_game(variant, 1))[-1]
    assert state.over
    for seat in (None, 0):
        shares = bots.shares(state, seat)
        assert [seat for seat, share in enumerate(shares) if share] == state.winners()
        assert sum(shares) == pytest.approx(1)


def test_corrections_keep_the_order_of_moves_and_what_is_certain():
    for game in ("charuma", "china-moon", "daruma", "dojo"):
        for phase in range(3):
            shares = [calibration.corrected_move(share / 50, game, phase) for share in range(51)]
            assert shares == sorted(shares)
            assert (shares[0], shares[-1]) == (0, 1)
            assert 0 < shares[1] < shares[-2] < 1


def test_a_correction_moves_shares_but_not_their_order():
    by = (0.5, 0.3)
    shares = calibration.corrected([0.7, 0.2, 0.1], [], by)
    assert shares == sorted(shares, reverse=True)
    assert shares[0] < 0.7
    assert calibration.corrected([0.7, 0.2, 0.1], [2], by)[2] > shares[2]
    assert calibration.corrected([0.5, 0.5], [0], calibration.NONE) == [0.5, 0.5]
