"""China Moon's bots: reproducible, honest, in time, and of some strength; their reasons are true."""

from __future__ import annotations

import time
from typing import Any, cast

import pytest

import tsukimi
from games.china_moon.china_moon_ponds import line, ready
from tsukimi import bots
from tsukimi.bots.china_moon import evaluator as evaluator_module
from tsukimi.bots.china_moon.evaluator import ChinaMoonEvaluator
from tsukimi.bots.china_moon.reasons import reason
from tsukimi.bots.tree import Candidate
from tsukimi.core import catalogue
from tsukimi.core.rng import Rng
from tsukimi.games.china_moon.rules import ChinaMoon
from tsukimi.lab.arena import Match, run, standings

PLAIN = str(evaluator_module.__file__).endswith(".py")
SMALL = bots.Budget(None, 12 if PLAIN else 200)


def positions(players: int, count: int, seed: int = 0, gap: int = 9) -> list[tsukimi.State]:
    """Decisions met in random games."""
    rng = Rng(seed)
    found: list[tsukimi.State] = []
    state = tsukimi.new("china-moon", players=players, seed=f"{seed}")
    while len(found) < count:
        if state.over:
            state = tsukimi.new("china-moon", players=players, seed=f"{seed} {len(found)}")
        seat = state.actors[0]
        if len(state.actions()) > 1 and rng.randrange(gap) == 0:
            found.append(state.copy())
        state.apply(state.core.random_action(seat, rng), seat)
    return found


@pytest.mark.parametrize("name", ["greedy", "master"])
def test_bots_use_nothing_but_what_all_know(name: str) -> None:
    for number, state in enumerate(positions(4, 3 if PLAIN else 8)):
        seat = state.actors[0]
        other = state.resample(seat, number)
        chosen = [bots.make(name, state, 5, SMALL).choose(shown, seat) for shown in (state, other)]
        assert chosen[0] == chosen[1]


def test_master_is_reproducible() -> None:
    for state in positions(3, 3 if PLAIN else 5, seed=1) + positions(5, 2, seed=2):
        seat = state.actors[0]
        first, second = (bots.engine_for(state, 7).analyse(state, seat, SMALL) for _ in range(2))
        assert first == second
        assert sorted(candidate.move for candidate in first) == sorted(state.actions(seat))
        assert all(0 <= candidate.share <= 1.00001 for candidate in first)


def test_the_shares_of_an_evaluation_add_up_to_one() -> None:
    for players in (3, 4, 5):
        for state in positions(players, 5 if PLAIN else 40, seed=players):
            before = state.core.observation(0)
            evaluator = ChinaMoonEvaluator(state.core.table)
            shares = evaluator.shares(state.core)
            evaluator.priors(state.core, state.actors[0])
            assert sum(shares) == pytest.approx(1, abs=1e-5)
            assert min(shares) >= 0
            assert state.core.observation(0) == before


def test_master_takes_a_win() -> None:
    found = 0
    for state in positions(4, 300, seed=6, gap=3):
        seat = state.actors[0]
        wins = set()
        for move in state.actions(seat):
            after = state.core.copy()
            after.apply(move, seat)
            if after.over and after.winners() == [seat]:
                wins.add(move)
        if wins:
            found += 1
            candidates = bots.engine_for(state, 1).analyse(state, seat, bots.Budget(None, 8))
            assert candidates[0].share == pytest.approx(1)
    assert found


@pytest.mark.compiled
def test_the_budget_is_respected() -> None:
    for state in positions(4, 4, seed=3, gap=25):
        engine = bots.engine_for(state, 1)
        engine.analyse(state, state.actors[0], bots.Budget(5, clock="cpu"))  # allocates the tree
        started = time.thread_time()
        engine.analyse(state, state.actors[0], bots.Budget(100, clock="cpu"))
        assert time.thread_time() - started < 0.112


def test_greedy_beats_random() -> None:
    rows = standings(run(Match("china-moon", ("greedy", "random", "random", "random")), 3 if PLAIN else 10))
    assert rows[0].name == "greedy"
    assert rows[0].share > 0.6


@pytest.mark.compiled
def test_master_beats_greedy_in_a_moment() -> None:
    rows = standings(run(Match("china-moon", ("master@300", "greedy", "greedy", "greedy")), 5))
    assert rows[0].name == "master@300"
    assert rows[0].share > 0.45


def test_explanations_have_texts_in_every_language() -> None:
    for state in positions(4, 2 if PLAIN else 3, seed=8):
        advice = [bots.explain(state, state.actors[0], lang, SMALL) for lang in catalogue.LANGUAGES]
        assert len({one.sentence for one in advice}) == len(catalogue.LANGUAGES)
        assert len({tuple(one.moves) for one in advice}) == 1


def _after(game: ChinaMoon, seat: int, move: int) -> ChinaMoon:
    after = cast(ChinaMoon, game.copy())
    after.apply(move, seat)
    return after


def test_reasons_are_true() -> None:
    codes = set()
    for state in positions(4, 40 if PLAIN else 150, seed=4, gap=2):
        seat = state.actors[0]
        for move in state.actions(seat):
            after = cast(ChinaMoon, state.core.copy())
            after.apply(move, seat)
            code, fields = reason(cast(ChinaMoon, state.core), seat, [Candidate(move, 0.5, 1.0)])
            codes.add(code)
            for lang in catalogue.LANGUAGES:
                assert catalogue.say("why", code, fields, lang)
            if "after" in fields:
                assert fields["after"] == after.scores()[seat]
            assert code.startswith("china-moon.ends") == after.over
            if code == "china-moon.ends-ahead":
                assert after.winners() == [seat]
            if code == "china-moon.to-black":
                owner = cast(int, fields["owner"])
                assert after.held[owner * 6 + 5] == cast(ChinaMoon, state.core).held[owner * 6 + 5] + 1 == 1
            if code in ("china-moon.to-butterfly", "china-moon.to-prankster"):
                owner = cast(int, fields["owner"])
                change = [_after(after, owner, answer).scores()[owner] for answer in after.actions(owner)]
                best = max(change) - cast(ChinaMoon, state.core).scores()[owner]
                assert fields.get("gain", 0) - fields.get("loss", 0) == best
                assert ("gain" in fields) == (best > 0), (
                    "a move that helps its frog's owner is not praised for hurting them"
                )
    assert len(codes) >= (8 if PLAIN else 12)


def _said(state: tsukimi.State, *moves: str) -> dict[str, dict[str, Any]]:
    """What is said about the first move besides what it does, the others being worth less in this order."""
    numbers = [state.parse(move, 0) for move in moves]
    candidates = [Candidate(number, 0.5 - 0.1 * place, 1.0) for place, number in enumerate(numbers)]
    _, fields = reason(cast(ChinaMoon, state.core), 0, candidates)
    return {code.removeprefix("china-moon."): facts for code, facts in cast(list[Any], fields["also"])}


def test_a_reason_says_what_a_move_denies_and_whom() -> None:
    state = ready(line(".L......"), lilies={"2": "pink"})
    said = _said(state, "move p1a 2")
    assert said["denies"] == {"owner": 2, "colour": "pink", "points": 1}
    assert said["chance"] == {"share": 50}


def test_a_reason_says_what_a_move_prepares() -> None:
    state = ready(line("..L....."), lilies={"3": "pink"})
    assert _said(state, "move p2a 2")["prepares"] == {"frog": "p1c", "colour": "pink", "points": 1}


def test_a_reason_compares_with_the_move_that_brings_points_at_once() -> None:
    state = ready(line(".L......"), lilies={"2": "pink"})
    said = _said(state, "move p2a 2", "move p1a 2")
    assert said["instead"] == {"other_frog": "p1a", "gain": 1, "share": 50, "other_share": 40}
    assert "instead" not in _said(state, "move p1a 2", "move p1b 2")


def test_the_words_agree_between_languages() -> None:
    tables = [catalogue.messages("china-moon", lang)["why"] for lang in catalogue.LANGUAGES]
    assert all(table.keys() == tables[0].keys() for table in tables)


def test_a_hint_names_really_different_moves():
    state = tsukimi.new("china-moon", players=3, seed=4)
    seat = state.actors[0]
    moves = [move for move, _, _ in bots.explain(state, seat, "en", SMALL).moves]
    # All frogs wait on the start: it makes no difference which of a player's three goes.
    assert len(moves) == len({(frog[:2], pad) for _, frog, pad in map(str.split, moves)})
    assert {move.split()[1][:2] for move in moves} == {"p1", "p2", "p3"}
