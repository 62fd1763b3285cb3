"""The exact end of a round against brute force, which knows nothing but the rules."""

from __future__ import annotations

import math

import pytest

import tsukimi
from conftest import COMPILED
from tsukimi.bots.charuma.deals import Deals
from tsukimi.bots.charuma.evaluator import CharumaEvaluator
from tsukimi.bots.charuma.solver import Solver
from tsukimi.bots.charuma.weights import PACE, SWING
from tsukimi.core.rng import Rng
from tsukimi.games.charuma.notation import phase


def end_of_round(players, seed, cards, plays=0):
    """A position of the first round with so many cards in the hand of whoever leads, and some plays after it."""
    core = tsukimi.new("charuma", players=players, seed=seed, auction="off").core.copy()
    rng = Rng(seed)
    while core.led >= 0 or held(core, core.turn) > cards:
        core.apply(core.random_action(core.turn, rng), core.turn)
    for _ in range(plays):
        core.apply(core.random_action(core.turn, rng), core.turn)
    return core


def held(core, seat):
    return core.hand[seat].bit_count() + core.twins[seat].bit_count()


def won(core):
    return [core.trick_points[seat] + core.aces[seat] for seat in range(core.players)]


def lot(hand, value):
    """The solver's hash of a hand and a result, which favours no seat."""
    packed = sum(points << 8 * seat for seat, points in enumerate(value))
    mixed = ((hand ^ packed) * 0x9E3779B97F4A7C15) & (2**64 - 1)
    return mixed ^ (mixed >> 29)


def brute(core, aim=lambda core, seat, value: 0):
    """The points to come when each seat plays for its aim; among equals for the most points, then for less to the richest
    rival, then by lot."""
    seat, best = core.turn, None
    for move in core.actions(seat):
        after = core.copy()
        after.apply(move, seat)
        if after.round == core.round and not after.over:
            gained = [now - then for now, then in zip(won(after), won(core), strict=True)]
            value = [one + more for one, more in zip(gained, brute(after, aim), strict=True)]
        else:
            value = [after.owned[s] - core.owned[s] - won(core)[s] for s in range(core.players)]
        richest = max(points for other, points in enumerate(value) if other != seat)
        key = (aim(core, seat, value), value[seat], -richest, -lot(core.hand[seat], value))
        if best is None or key > best[0]:
            best = (key, value)
    return best[1]


@pytest.mark.parametrize(("players", "cards"), [(2, 3), (2, 4), (3, 2), (3, 3), (4, 2), (5, 2)])
@pytest.mark.parametrize("plays", [0, 1])
def test_points_to_come_as_by_brute_force(players, cards, plays):
    for seed in range(12 if COMPILED else 2):
        core = end_of_round(players, seed, cards, plays)
        if core.round == 1 and not core.over:
            solver = Solver(core.table, players, 1 << 10)
            assert solver.points(core) == brute(core)
            assert solver.points(core) == brute(core)  # and the same from memory


def last_cards(players, seed, cards):
    """A position with so many cards in the hand of whoever leads, in a round that may end the game."""
    core = tsukimi.new("charuma", players=players, chance="manual").core.copy()
    rng = Rng(seed)
    core.sample_chance(rng)
    while not core.over:
        late = phase(core) == "tricks" and max(core.owned[:players]) >= core.table.goal - 5
        if late and core.led < 0 and held(core, core.turn) <= cards:
            return core
        core.apply(core.random_action(core.turn, rng), core.turn)
        core.sample_chance(rng)
    return None


def share_of_the_win(core, seat, value):
    """A seat's share of the win if everyone still gets this in this round."""
    totals = [core.owned[s] + won(core)[s] + value[s] for s in range(core.players)]
    most, players = max(totals), core.players
    if totals.count(most) == 1 and (core.last_round or most >= core.table.goal):
        return float(totals[seat] == most)
    rounds = max(0.0, (core.table.goal - most) / PACE[players])
    spread = SWING[players][0] * (rounds + SWING[players][1]) ** 0.5
    odds = [math.exp((total - most) / spread) for total in totals]
    return round(odds[seat] / sum(odds), 5)


@pytest.mark.parametrize(("players", "cards"), [(3, 2), (3, 3), (4, 2), (5, 2)])
def test_where_the_game_may_end_everyone_plays_for_the_win(players, cards):
    different = 0
    for seed in range(60 if COMPILED else 6):
        core = last_cards(players, seed, cards)
        if core is not None:
            solver = Solver(core.table, players, 1 << 10)
            assert solver.points(core) == brute(core, share_of_the_win)
            different += solver.points(core) != brute(core)
    assert different or not COMPILED


def test_a_whole_hand_of_two_is_consistent_with_itself():
    """The value of a position is the best among the values of the positions after it."""
    for seed in range(20 if COMPILED else 1):
        core = end_of_round(2, seed, 8 if COMPILED else 5)
        solver = Solver(core.table, 2, 1 << 14)
        seat, total = core.turn, sum(solver.points(core))
        after = []
        for move in core.actions(seat):
            child = core.copy()
            child.apply(move, seat)
            after.append(solver.points(child)[seat])
            assert sum(solver.points(child)) == total
        assert solver.points(core)[seat] == max(after)


def test_a_tiny_memory_changes_nothing():
    for seed in range(10 if COMPILED else 1):
        core = end_of_round(2, seed, 6 if COMPILED else 4)
        assert Solver(core.table, 2, 2).points(core) == Solver(core.table, 2, 1 << 12).points(core)


if not COMPILED:  # compiled code takes only positions of real games

    def test_what_the_table_remembers_belongs_to_one_leader_and_one_score():
        """The same hands with another leader or other points are another position, whichever was solved first."""
        core = end_of_round(3, 1, 1)
        cards = [*core.hand[:3], 0, 0, *core.twins[:3], 0, 0]
        shared, found = Solver(core.table, 3, 1 << 10), set()
        for turn in range(3):
            for points in range(20, 28):
                value = Solver(core.table, 3, 1 << 10).max_n(cards, turn, points | 20 << 8 | 20 << 16)
                assert shared.max_n(cards, turn, points | 20 << 8 | 20 << 16) == value
                found.add(value)
        assert len(found) > 1


def test_every_deal_is_as_frequent_as_its_probability():
    """The listed deals and their weights against draws by the rules."""
    core = end_of_round(2, 3, 6)
    evaluator = CharumaEvaluator(core.table, 2, 1 << 10)
    deals, seat, rng = Deals(evaluator, core), core.turn, Rng(1)
    listed = {tuple(hands[1 - seat]): ways for hands, ways in deals.all_deals(core, seat, 500)}
    total = sum(listed.values())
    draws = 20000 if COMPILED else 1500
    counts = dict.fromkeys(listed, 0)
    for _ in range(draws):
        core = core.resample(seat, rng)
        counts[tuple(deals.hidden(core, 1 - seat))] += 1
    for hidden, ways in listed.items():
        expected = draws * ways / total
        assert abs(counts[hidden] - expected) < 5 * expected**0.5 + 1


def test_dealing_out_keeps_what_the_seat_sees():
    core = end_of_round(3, 5, 6)
    deals, seat = Deals(CharumaEvaluator(core.table, 3, 1 << 10), core), core.turn
    before = core.observation(seat)
    for hands, _ in deals.all_deals(core, seat, 5000)[:50]:
        deals.deal_out(core, seat, hands)
        assert core.observation(seat) == before
        assert [deals.hidden(core, other) for other in range(3) if other != seat] == [
            hands[other] for other in range(3) if other != seat
        ]


def test_replaying_a_round_leads_back_to_where_it_stands():
    """The likelihood walks the round once more: afterwards it stands where the game does."""
    state = tsukimi.new("charuma", players=3, seed=4)
    evaluator = CharumaEvaluator(state.core.table, 3, 1 << 10)
    deals, rng = Deals(evaluator, state.core), Rng(2)
    bids, plays = [], []
    while state.core.round == 1 and not state.over:
        seat = state.actors[0]
        move = state.core.random_action(seat, rng)
        (bids if move < 30 else plays).append((seat, move))
        state.apply(move, seat)
        if plays and state.core.round == 1:
            core = state.core.copy()
            chance = deals.likelihood(core, seat, bids, plays)
            assert 0.0 < chance <= 1.0
            assert deals.replay_end().observation(seat) == core.observation(seat)
