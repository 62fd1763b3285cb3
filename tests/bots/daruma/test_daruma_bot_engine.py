"""Daruma's bots: honest, reproducible, in time, and of some strength; their reasons are true."""

from __future__ import annotations

import time
from itertools import product
from typing import cast

import pytest

import tsukimi
from tsukimi import bots
from tsukimi.bots.daruma.reasons import reason
from tsukimi.bots.daruma.turn import is_compiled
from tsukimi.core import catalogue
from tsukimi.core.rng import Rng
from tsukimi.games.daruma.rules import Daruma
from tsukimi.games.daruma.stakes import bad_luck, chance_of_a_one
from tsukimi.lab.arena import Match, run, standings

PLAIN = not is_compiled()
SMALL = bots.Budget(None, 16)


def positions(players: int, count: int, seed: int = 0) -> list[tsukimi.State]:
    """Decisions met in random games, of every stage there is."""
    rng = Rng(seed)
    found: list[tsukimi.State] = []
    stages: dict[int, int] = {}
    for deal in range(200):
        state = tsukimi.new("daruma", players=players, seed=f"{seed} {deal}")
        while not state.over:
            game = cast(Daruma, state.core)
            if len(state.actions()) > 1 and rng.randrange(25) == 0 and stages.get(game.stage, 0) <= count // 4:
                stages[game.stage] = stages.get(game.stage, 0) + 1
                found.append(state.copy())
                if len(found) == count:
                    return found
            state.apply(game.random_action(game.turn, rng), game.turn)
    return found


@pytest.mark.parametrize("name", ["greedy", "scripted", "master"])
def test_bots_use_nothing_hidden(name: str) -> None:
    for number, state in enumerate(positions(4, 8 if PLAIN else 30)):
        seat = state.actors[0]
        other = state.resample(seat, number)
        chosen = [bots.make(name, state, 5, SMALL).choose(shown, seat) for shown in (state, other)]
        assert chosen[0] == chosen[1]


def test_master_is_reproducible() -> None:
    for state in positions(3, 6 if PLAIN else 20, seed=1):
        seat = state.actors[0]
        first, second = (bots.engine_for(state, 7).analyse(state, seat, SMALL) for _ in range(2))
        assert first == second
        assert sorted(candidate.move for candidate in first) == sorted(state.actions(seat))
        assert all(0 <= candidate.share <= 1 for candidate in first)


def test_a_turn_is_solved_once() -> None:
    """What was solved at the first decision of a turn holds for the later ones."""
    for state in positions(4, 6 if PLAIN else 20, seed=2):
        seat = state.actors[0]
        engine, fresh = bots.engine_for(state, 1), bots.engine_for(state, 1)
        first = engine.analyse(state, seat, SMALL)
        state.apply(first[0].move, seat)
        if state.over or seat not in state.actors:
            continue
        again = engine.analyse(state, seat, SMALL)
        from_scratch = fresh.analyse(state, seat, SMALL)
        if not PLAIN:
            assert {candidate.move: candidate.share for candidate in again} == pytest.approx(
                {one.move: one.share for one in from_scratch}
            )


@pytest.mark.compiled
def test_master_keeps_its_time() -> None:
    late = 0
    for state in positions(5, 30, seed=3):
        seat = state.actors[0]
        bot = bots.make("master", state, 1, bots.Budget(50, clock="cpu"))
        started = time.thread_time()
        bot.choose(state, seat)
        late += (time.thread_time() - started) > 0.055
    assert late <= 1


def test_greedy_beats_random() -> None:
    deals = 1 if PLAIN else 5
    results = run(Match("daruma", ("greedy", "random", "random")), deals)
    table = {row.name: row for row in standings(results)}
    assert table["greedy"].score > table["random"].score + 2
    if not PLAIN:
        assert table["greedy"].share > 0.6


@pytest.mark.compiled
def test_master_beats_greedy() -> None:
    results = run(Match("daruma", ("master@30", "greedy", "greedy"), seed=1), 5)
    table = {row.name: row for row in standings(results)}
    assert table["master@30"].share > 0.5
    assert table["master@30"].score > table["greedy"].score


def test_every_reason_has_a_text_in_three_languages() -> None:
    seen = set()
    for number, state in enumerate(positions(4, 12 if PLAIN else 40, seed=4)):
        seat = state.actors[0]
        advice = bots.explain(state, seat, ("en", "fr", "es")[number % 3], SMALL)
        assert advice.sentence
        assert advice.moves[0][0] in state.legal(seat)
        candidates = bots.engine_for(state, 1).analyse(state, seat, SMALL)
        for first in candidates[:40]:  # every move's reason, not the best one's alone
            rest = [candidate for candidate in candidates if candidate != first]
            code, fields = reason(cast(Daruma, state.core), seat, [first, *rest])
            seen.add(code)
            assert all(catalogue.say("why", code, fields, lang) for lang in ("en", "fr", "es"))
    assert len(seen) >= (5 if PLAIN else 10)


def test_the_odds_are_right() -> None:
    for dice, fours in product(range(1, 5), range(4)):
        rolls = list(product(range(1, 7), repeat=dice))
        counted = [roll for roll in rolls if roll.count(4) < 4]
        bad = sum(roll.count(4) + fours >= 4 for roll in counted) / len(counted)
        assert bad_luck(dice, fours) == pytest.approx(bad)
        assert chance_of_a_one(dice) == pytest.approx(sum(1 in roll for roll in counted) / len(counted))
