"""Review: shares that add up, luck and play that make the result, and blunders that are found."""

from __future__ import annotations

import json

import pytest

import tsukimi
from tsukimi import analysis, bots
from tsukimi.bots.budget import Budget
from tsukimi.core.rng import Rng

pytestmark = pytest.mark.compiled  # rollouts by the hundred
GAMES = [("charuma", 2), ("charuma", 4), ("china-moon", 3), ("daruma", 3), ("dojo", 3)]
BUDGET = Budget(playouts=60)


def played(game, players, moves, level="random", seed=3):
    state = tsukimi.new(game, players=players, seed=seed)
    players_of = [bots.make(level, state, seed=seat) for seat in range(players)]
    while not state.over and moves:
        seat = state.actors[0]
        state.apply(players_of[seat].choose(state, seat), seat)
        moves -= 1
    return state


def end_of(state, decisions, budget=BUDGET):
    """The review of a game of which only the last decisions were judged again: the others count as forced and even."""
    places = analysis.decisions(state)
    even = [1 / state.players] * state.players
    judged = [
        analysis.Judged(place, state.history[place][0], [("-", 0.0)], 0, 1, 0.0, True, even, even, even, even)
        for place in places[:-decisions]
    ]
    judged += [analysis.judge(state, place, budget) for place in places[-decisions:]]
    return analysis.assemble(state, judged)


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_shares_are_shares_and_luck_and_play_add_up_to_the_result(game, players):
    state = played(game, players, -1)
    found = end_of(state, 12)
    assert len(found.decisions) == len(analysis.decisions(state))
    for decision in found.decisions:
        for shares in (decision.before, decision.after, decision.open_before, decision.open_after):
            assert sum(shares) == pytest.approx(1, abs=1e-6)
            assert all(0 <= share <= 1 for share in shares)
        assert 0 <= decision.loss <= 1
    won = state.winners()
    for seat, player in enumerate(found.seats):
        assert player.result == pytest.approx(1 / len(won) if seat in won else 0, abs=1e-4)
        assert 1 / players + player.luck + player.own + player.others == pytest.approx(player.result, abs=1e-3)
        assert player.accuracy is None or 0 <= player.accuracy <= 100
    assert sum(player.luck for player in found.seats) == pytest.approx(0, abs=1e-3)


def test_where_nothing_is_hidden_or_drawn_nothing_after_the_start_is_luck():
    state = played("china-moon", 3, 12)
    found = analysis.review(state, BUDGET)
    assert all(decision.luck == [0, 0, 0] for decision in found.decisions)
    assert [player.luck for player in found.seats] == pytest.approx(found.deal, abs=1e-3)


@pytest.mark.parametrize(("game", "players"), [("charuma", 2), ("daruma", 2), ("dojo", 3)])
def test_a_decision_is_judged_by_what_the_seat_knew(game, players):
    state = played(game, players, 14, seed=8)
    place = analysis.decisions(state)[-1]
    before, seat, _ = analysis.at(state, place)
    other = before.resample(seat, 5)
    other.play(state.lines()[place].partition(" ")[2], seat)
    mine, theirs = (analysis.judge(one, place, BUDGET) for one in (state, other))
    assert mine.moves == theirs.moves


def decisive(budget):
    """A decision of Charuma where much can be lost: the game before it, the seat, the best move and the worst."""
    for seed in range(40):
        state = played("charuma", 2, -1, "greedy", seed=seed)
        for place in analysis.decisions(state)[-12:]:
            here, seat, move = analysis.at(state, place)
            candidates = bots.engine_for(here, 1).judge(here, seat, move, budget)
            if candidates[0].share - candidates[-1].share > 0.4:
                return place, here, seat, here.text(candidates[0].move), here.text(candidates[-1].move)
    raise AssertionError("no decision where much can be lost")


@pytest.mark.parametrize(("game", "players"), [("daruma", 3), ("dojo", 3)])
def test_luck_is_the_draws_that_it_was_not_the_decision_before(game, players):
    state = played(game, players, 14)
    turns = [turn for turn in end_of(state, 14).turning_points if turn.cause == "luck"]
    assert turns
    for turn in turns:
        assert turn.drawn
        assert all(state.history[event][0] < 0 for event in turn.drawn)


def test_a_planted_blunder_is_found():
    budget = Budget(playouts=400)
    place, here, seat, best, worst = decisive(budget)
    here.play(worst, seat)
    one = analysis.assemble(here, [analysis.judge(here, place, budget)]).decisions[0]
    assert (one.move, one.best, one.judgement) == (worst, best, "blunder")


def test_moves_taken_back_are_not_judged():
    state = played("daruma", 2, 6)
    kept = len(analysis.decisions(state))
    seat = state.actors[0]
    state.play(state.legal(seat)[0], seat)
    state.undo(1)
    assert len(analysis.decisions(state)) == kept


def test_the_winner_of_a_game_that_was_resigned_is_given_by_the_caller():
    state = played("daruma", 2, 4)
    assert [player.result for player in analysis.review(state, BUDGET, winners=[1]).seats] == [0, 1]


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_the_reason_compares_the_best_move_with_the_one_that_was_played(monkeypatch, game, players):
    state, compared = played(game, players, 6), []
    engine = type(bots.engine_for(state, 1))
    reason = engine.reason

    def spy(self, here, seat, candidates):
        compared.append([here.text(candidate.move, seat) for candidate in candidates])
        return reason(self, here, seat, candidates)

    monkeypatch.setattr(engine, "reason", spy)
    for place in analysis.decisions(state):
        compared.clear()
        one = analysis.judge(state, place, BUDGET)
        if one.played and compared:
            assert compared == [[one.moves[0][0], one.moves[one.played][0]]]


def test_a_review_is_data_with_a_sentence_in_every_language():
    state = played("charuma", 2, 6)
    data = json.loads(json.dumps(analysis.data(analysis.review(state, BUDGET))))
    sentences = {analysis.worded(data, ["Ana", "Bo"], lang)["decisions"][0]["sentence"] for lang in ("en", "fr", "es")}
    assert len(sentences) == 3
    assert "" not in sentences


def test_a_game_outside_the_package_can_be_reviewed():
    state = tsukimi.new("leduc", players=2, seed=4)
    rng = Rng(1)
    while not state.over:
        state.apply(state.core.random_action(None, rng))
    found = analysis.review(state, Budget(playouts=200))
    assert [decision.move for decision in found.decisions]
    assert sum(player.result for player in found.seats) == pytest.approx(1)
