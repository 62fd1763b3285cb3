"""The weaker levels err, but not in what anybody sees."""

from __future__ import annotations

from itertools import islice

import pytest

import tsukimi
from conftest import COMPILED
from tsukimi import bots
from tsukimi.bots.budget import Budget
from tsukimi.bots.charuma.reasons import is_sure
from tsukimi.bots.levels import SearchBot
from tsukimi.core.rng import Rng
from tsukimi.games.charuma.notation import position
from tsukimi.games.china_moon.rules import BLACK, COLOURS

GAMES = 4 if COMPILED else 1
TEMPTATIONS = 15 if COMPILED else 3


def decisions(game, players, games=GAMES):
    for deal in range(games):
        state, rng = tsukimi.new(game, players=players, seed=f"levels {deal}"), Rng(deal)
        while not state.over:
            seat = state.actors[0]
            if len(state.actions(seat)) > 1:
                yield state, seat
            state.apply(state.core.random_action(seat, rng), seat)


class Given(bots.Engine):
    """Gives its first moves the given values, finds some of them absurd, and a weaker level sees them in the opposite order."""

    known, laughed_at = (0.5, 0.4, 0.3), ()

    def analyse(self, state, seat, budget):
        tried = zip(state.actions(seat), self.known, strict=False)
        return sorted([bots.Candidate(move, share, 1.0) for move, share in tried], key=lambda one: -one.share)

    def seen(self, state, seat, level, budget):
        return [bots.Candidate(move, 0.0, 1.0) for move in state.actions(seat)[: len(self.known)][::-1]]

    def absurd(self, state, seat):
        return {state.actions(seat)[place] for place in self.laughed_at}


@pytest.mark.parametrize("level", ["novice", "regular"])
@pytest.mark.parametrize(
    ("known", "laughed_at", "place"),
    [
        ((0.9, 0.5, 0.2), (), 2),  # what it sees, however bad
        ((0.98, 0.975, 0.2), (), 0),  # a game that is as good as won
        ((0.98, 0.975, 0.2), (0,), 1),
        ((0.98, 0.5, 0.2), (0,), 0),  # nothing else wins
        ((0.5, 0.4, 0.3), (2,), 1),  # the next that it sees
        ((0.5, 0.4, 0.3), (1, 2), 0),
        ((0.3, 0.4, 0.9), (2,), 1),  # absurd by its looks
        ((0.01, 0.02, 0.4), (2,), 2),  # the only hope
        ((0.01, 0.04, 0.4), (2,), 1),
        ((0.01, 0.02, 0.02), (2,), 1),  # there is no hope
    ],
)
def test_a_weaker_level_plays_what_it_sees_unless_the_game_is_won_or_the_move_is_absurd(
    level, known, laughed_at, place
):
    state = tsukimi.new("china-moon", players=3, seed=1)
    seat = state.actors[0]
    engine = Given(state.core.copy(), 1)
    engine.known, engine.laughed_at = known, laughed_at
    assert SearchBot(engine, level, Budget(None, 80), 1).choose(state, seat) == state.actions(seat)[place]


@pytest.mark.parametrize("game", ["charuma", "china-moon", "dojo"])
def test_a_novice_throws_no_dice_over_its_moves(game):
    """Where it looks at the next move only, another seed changes its choice among equal moves alone."""
    found = 0
    for state, seat in islice(decisions(game, 3, 1), 25):
        if game == "dojo" and state.view(seat)["phase"] != "place":
            continue
        seen = [bots.engine_for(state, seed).seen(state, seat, "novice", Budget(None, 8)) for seed in range(3)]
        if game == "charuma" and seen[0][0].weight > 1:
            continue  # the last two cards are solved, over sampled deals
        found += 1
        assert len({round(candidates[0].share, 6) for candidates in seen}) == 1
    assert found > 3


def tempted(state, level, seed):
    """A bot of this level that sees only absurd moves, if there are any."""
    engine = bots.engine_for(state, seed)
    laughed_at = engine.absurd

    def seen(state, seat, level, budget):
        first = laughed_at(state, seat)
        return [
            bots.Candidate(move, 0.0, 1.0) for move in sorted(state.actions(seat), key=lambda one: one not in first)
        ]

    engine.seen = seen
    return SearchBot(engine, level, Budget(None, 10_000 if COMPILED else 100), seed)


def is_desperate(state, seat, absurd):
    """Whether a long analysis gives up all moves that nobody laughs at."""
    known = bots.engine_for(state, 99).analyse(state, seat, Budget(None, 4000 if COMPILED else 200))
    return max(candidate.share for candidate in known if candidate.move not in absurd) < 0.1


def check_temptations(game, players, level, is_absurd):
    """In random games: the moves laughed at are those of the rule, and no level plays one unless nothing else could still win."""
    seen = 0
    for number, (state, seat) in enumerate(decisions(game, players)):
        absurd = bots.engine_for(state, number).absurd(state, seat)
        assert absurd == is_absurd(state, seat)
        if absurd and seen < TEMPTATIONS:
            seen += 1
            assert absurd < set(state.actions(seat))
            move = tempted(state, level, number).choose(state, seat)
            assert move not in absurd or is_desperate(state, seat, absurd)
    assert seen or not COMPILED


def after(state, seat, move):
    core = state.core.copy()
    core.apply(move, seat)
    return core


def absurd_on_the_pond(state, seat):
    """Not winning at once; if nobody can, to end the game and lose it, or to take the black lily."""
    ends = {move: after(state, seat, move) for move in state.actions(seat)}
    wins = {move for move, core in ends.items() if core.over and core.winners() == [seat]}
    if wins:
        return set(ends) - wins
    lost = {move for move, core in ends.items() if core.over and seat not in core.winners()}
    black = seat * COLOURS + BLACK
    takes = {move for move, core in ends.items() if core.held[black] > state.core.held[black]}
    return next((found for found in (lost | takes, lost) if found != set(ends)), set())


@pytest.mark.parametrize("level", ["novice", "regular"])
def test_nobody_takes_the_black_lily_for_nothing_or_ends_the_game_lost(level):
    check_temptations("china-moon", 3, level, absurd_on_the_pond)


def leaves_a_sure_trick(state, seat):
    """Plays that do not lead the trick, when another play takes it in every deal that the seat can imagine."""
    if state.view(seat)["phase"] != "tricks" or state.core.led < 0:
        return set()
    leading = {move for move in state.actions(seat) if after(state, seat, move).ahead() == seat}
    sure = bots.engine_for(state, 1)
    taken = [move for move in leading if always_leads(sure, state, seat, move)]
    return set(state.actions(seat)) - leading if taken else set()


def always_leads(engine, state, seat, move):
    sampled = position(engine.determinize(state, seat))
    return is_sure(sampled, engine._endgame.unseen(sampled, seat), seat, move)


@pytest.mark.parametrize("level", ["novice", "regular"])
def test_nobody_leaves_a_trick_that_is_sure_and_worth_taking(level):
    check_temptations("charuma", 3, level, leaves_a_sure_trick)


def drinks_with_three_fours(state, seat):
    view = state.view(seat)
    if "stop" not in state.legal(seat) or state.core.ledger + state.core.fictive < 3 or view["phase"] == "start":
        return set()
    return {move for move in state.actions(seat) if state.text(move, seat).startswith("sake")}


@pytest.mark.parametrize("level", ["novice", "regular"])
def test_nobody_drinks_on_with_three_fours_for_nothing(level):
    check_temptations("daruma", 3, level, drinks_with_three_fours)


def wins_at_once(state, seat):
    """The moves that end the game and win it alone."""
    winning = set()
    for move in state.actions(seat):
        after = state.core.copy()
        after.apply(move, seat)
        if after.over and after.winners() == [seat]:
            winning.add(move)
    return winning


@pytest.mark.compiled
@pytest.mark.parametrize("level", ["novice", "regular"])
def test_whoever_can_win_at_once_does(level):
    """Even when it sees everything else first, and has hardly any time."""
    seen = 0
    for number, (state, seat) in enumerate(decisions("china-moon", 3, 12)):
        winning = wins_at_once(state, seat) if state.core.arrived == 3 else set()
        if winning and winning != set(state.actions(seat)):
            seen += 1
            bot = tempted(state, level, number)
            bot.set_budget(Budget(None, 1))
            assert bot.choose(state, seat) in winning
    assert seen
