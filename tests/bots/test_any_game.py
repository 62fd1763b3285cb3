"""A game that brings nothing for bots has all levels and hints; an engine of its own is a class that its Spec names."""

from __future__ import annotations

from dataclasses import replace

import pytest

import tsukimi
from conftest import COMPILED
from core.kuhn import BET, PASS, SPEC
from tsukimi import bots
from tsukimi.bots import Budget
from tsukimi.bots.engine import ScoreEngine
from tsukimi.bots.python_evaluator import PythonEvaluator
from tsukimi.bots.tree import Tree
from tsukimi.core import catalogue, setup
from tsukimi.core.source import Source

SEARCH = Budget(None, 400 if COMPILED else 100)


@pytest.fixture(autouse=True)
def known_to_the_catalogue(tmp_path):
    for lang in catalogue.LANGUAGES:
        (tmp_path / f"{lang}.toml").write_text("")
    catalogue.register("kuhn", tmp_path)


def kuhn(*events, engine=""):
    """Kuhn poker in which these things have happened; p1 begins."""
    state = setup.make(replace(SPEC, engine=engine), 2, {"first": "p1"}, None, None)
    for event in events:
        state.play(event)
    return state


def shares(state, seed=1, budget=SEARCH):
    found = bots.engine_for(state, seed).analyse(state, state.actors[0], budget)
    return {candidate.move: candidate.share for candidate in found}


@pytest.mark.parametrize("level", [*bots.NAMES, "flat"])
def test_every_level_plays_it(level):
    for seed in range(3):
        state = setup.make(SPEC, 2, {}, None, Source.of(seed))
        table = [bots.make(level, state, seat, Budget(None, 20)) for seat in range(2)]
        while not state.over:
            seat = state.actors[0]
            state.apply(table[seat].choose(state, seat), seat)
        assert len(state.winners()) == 1


def test_rules_of_thumb_are_a_game_s_own():
    with pytest.raises(tsukimi.BadOptions, match="The game kuhn has no scripted bot"):
        bots.make("scripted", kuhn("deal p1 queen", "deal p2 king"))


def test_a_certain_win_is_taken_and_a_certain_loss_is_seen():
    state = kuhn("deal p1 queen", "deal p2 king", "bet")
    assert shares(state) == {BET: 1.0, PASS: 0.0}
    assert bots.make("master", state, 1, SEARCH).choose(state, 1) == BET
    lost = shares(kuhn("deal p1 queen", "deal p2 jack", "bet"))
    assert max(lost.values()) == 0.0


@pytest.mark.parametrize("level", [*bots.NAMES, "flat"])
def test_the_hidden_card_is_not_seen(level):
    """The queen against a bet: the same choice whether the other has the jack or the king."""
    choices = set()
    for hidden in ("jack", "king"):
        state = kuhn(f"deal p1 {hidden}", "deal p2 queen", "bet")
        choices.add(bots.make(level, state, 3, Budget(None, 100)).choose(state, 1))
    assert len(choices) == 1


def test_nodes_are_information_sets():
    """Determinizations that the player to move cannot tell apart share a node."""
    state = kuhn("deal p1 queen", "deal p2 king")
    engine = bots.engine_for(state, 1)
    engine.analyse(state, 0, SEARCH)
    (search,) = engine.tree(1)._searches
    # The root, p2 with the jack or the king after a pass and after a bet, and p1 after a pass and a bet.
    assert search.size() == 1 + 2 * 2 + 1


@pytest.mark.parametrize("lang", catalogue.LANGUAGES)
def test_hints_need_no_words_of_the_game(lang):
    advice = bots.explain(kuhn("deal p1 queen", "deal p2 king", "bet"), 1, lang, SEARCH)
    assert [text for text, _, _ in advice.moves] == ["bet", "pass"]
    percent = "%" if lang == "en" else "\N{NO-BREAK SPACE}%"
    assert f"100{percent}" in advice.sentence
    assert f" 0{percent}" in advice.sentence


# ---- when the score counts -----------------------------------------------------------------------

SCORES = "tsukimi.bots.engine:ScoreEngine"


def test_folding_pays_where_the_score_counts():
    """The jack cannot win against a bet: one chip is lost by folding, two by calling."""
    state = kuhn("deal p1 king", "deal p2 jack", "bet", engine=SCORES)
    engine = bots.engine_for(state, 1)
    assert isinstance(engine, ScoreEngine)
    best, other = engine.analyse(state, 1, SEARCH)
    assert (best.move, round(best.score, 3)) == (PASS, -2.0)
    assert (other.move, round(other.score, 3)) == (BET, -4.0)
    assert bots.make("greedy", state, 1, SEARCH).choose(state, 1) == PASS


@pytest.mark.parametrize("lang", catalogue.LANGUAGES)
def test_hints_give_the_lead_where_the_score_counts(lang):
    advice = bots.explain(kuhn("deal p1 king", "deal p2 jack", "bet", engine=SCORES), 1, lang, SEARCH)
    assert "−2" in advice.sentence
    assert "−4" in advice.sentence


# ---- a custom engine -------------------------------------------------------------------------


class HighCard(PythonEvaluator):
    """Whoever has the higher card wins; looks no further than one decision."""

    def __init__(self):
        super().__init__()
        self.horizon = 0
        self.seen = []

    def value(self, game):
        winner = max(range(2), key=lambda seat: game.card[seat])
        return [float(seat == winner) for seat in range(2)]

    def move_prior(self, game, seat, move):
        self.seen.append((seat, move))
        return 1.0 if move == BET else 0.0


class KuhnEngine(bots.Engine):
    def make_evaluator(self, start):
        return HighCard()


def test_an_engine_of_the_game_is_imported_when_a_bot_is_made():
    state = kuhn("deal p1 jack", "deal p2 king", engine=f"{__name__}:KuhnEngine")
    engine = bots.engine_for(state, 1)
    assert type(engine).__name__ == "KuhnEngine"
    found = {candidate.move: candidate.share for candidate in engine.analyse(state, 0, SEARCH)}
    assert found[BET] < 0.05
    assert {seat for seat, _ in engine.evaluator.seen} == {0, 1}


@pytest.mark.parametrize("reference", ["no.such.package:Engine", "tsukimi.bots.engine:NoEngine", "nonsense here"])
def test_an_engine_that_is_not_there_is_named(reference):
    state = kuhn("deal p1 jack", "deal p2 king", engine=reference)
    with pytest.raises(tsukimi.BadOptions, match="of kuhn cannot be loaded"):
        bots.make("master", state)
    assert bots.make("random", state).choose(state, 0) in (PASS, BET)


class Broken(HighCard):
    def __init__(self, wrong):
        super().__init__()
        self.wrong, self.horizon = wrong, 0 if wrong == "value" else 3

    def value(self, game):
        return [1.0] if self.wrong == "value" else super().value(game)

    def move_prior(self, game, seat, move):
        return 1 / 0 if self.wrong == "move_prior" else 0.0

    def policy(self, game, seat, rng):
        return 77 if self.wrong == "policy" else super().policy(game, seat, rng)

    def known(self, game):
        if self.wrong == "known":
            raise KeyError("known")
        return False


@pytest.mark.parametrize(
    ("wrong", "error"),
    [("value", ValueError), ("move_prior", ZeroDivisionError), ("policy", ValueError), ("known", KeyError)],
)
def test_an_exception_of_an_evaluator_ends_the_search(wrong, error):
    state = kuhn("deal p1 jack", "deal p2 king")
    tree = Tree(state.core, Broken(wrong), 1)
    with pytest.raises(error):
        tree.search(state.core, 0, SEARCH)
