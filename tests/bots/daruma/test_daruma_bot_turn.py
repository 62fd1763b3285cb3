"""The turn solver against brute force over the real rules, from positions with few dice."""

from __future__ import annotations

from typing import cast

import pytest

import tsukimi
from tsukimi.bots.daruma.turn import Turn
from tsukimi.core.rng import Rng
from tsukimi.core.spec import CHANCE
from tsukimi.games.daruma.codes import (
    BAD_LUCK,
    MOVE_GIVE,
    MOVE_ROLL,
    MOVE_STOP,
    OVER,
    PLACES,
    ROLL,
    START,
    TURN_PASSED,
    USE,
)
from tsukimi.games.daruma.decode import swap_base
from tsukimi.games.daruma.notation import outcomes
from tsukimi.games.daruma.rules import Daruma

BUST, FORTUNE, EXCHANGE, GIFT = 0.04, 0.31, 0.43, -0.29


def end_value(eyes: int, steps: int) -> float:
    """Any shares will do, if they differ."""
    digits = [eyes // 3**place % 3 for place in range(PLACES)]
    taken = sum((1.0, 1.3, 0.4, 2.0, -0.6)[place] for place in range(PLACES) if digits[place] == 2)
    return (taken + 0.11 * digits.count(1) + 0.17 * steps + 1) / 7


def moved(share: float, effect: float) -> float:
    return share + (1 - share) * effect if effect > 0 else share + share * effect


def eyes_of(game: Daruma) -> int:
    return sum(((game.painted >> place & 1) + (game.complete >> place & 1)) * 3**place for place in range(PLACES))


class Brute:
    """Expectimax over the rules themselves; equal situations are looked at once."""

    def __init__(self, may_give: bool) -> None:
        self.known: dict[tuple[int, ...], float] = {}
        self.may_give = may_give

    def value(self, game: Daruma) -> float:
        key = (
            *(game.stage, game.dice, game.rolling, game.ledger, game.fictive),
            *(game.painted, game.complete, game.gift_used),
        )
        if key not in self.known:
            self.known[key] = self.rolled(game) if game.stage == ROLL else max(self.moves(game).values())
        return self.known[key]

    def rolled(self, game: Daruma) -> float:
        total, again = 0.0, 0.0
        for outcome, chance in outcomes(game):
            if (outcome >> 12 & 15) >= 4:
                again += chance
                continue
            after = cast(Daruma, game.copy())
            after.apply(outcome)
            total += chance * self.after(game, after)
        return (total + again * FORTUNE) / (1 - again + again * FORTUNE)

    def moves(self, game: Daruma) -> dict[int, float]:
        found = {}
        for move in game.actions(game.turn):
            if MOVE_GIVE <= move < swap_base(game) and not self.may_give:
                continue
            after = cast(Daruma, game.copy())
            after.apply(move, game.turn)
            effect = 0.0 if move < MOVE_GIVE else GIFT if move < swap_base(game) else EXCHANGE
            found[move] = moved(self.after(game, after, move), effect)
        return found

    def after(self, game: Daruma, after: Daruma, move: int = CHANCE) -> float:
        if after.news & BAD_LUCK:
            return BUST
        ended = after.stage == OVER or after.news & TURN_PASSED or not (after.stage == ROLL or after.stage >= USE)
        if not ended and after.stage != START:
            return self.value(after)
        if move == MOVE_STOP:
            return end_value(eyes_of(game), min(2, bin_count(game.dice)))
        eyes = eyes_of(game)
        if 3 <= move < 8:
            eyes += 3 ** (move - 3)
        return end_value(eyes, 0)


def bin_count(dice: int) -> int:
    return sum(dice >> 4 * face & 15 for face in range(6))


def small_positions(players: int, dice: int, count: int) -> list[Daruma]:
    """Decisions with at most so many dice, met in random games."""
    found: list[Daruma] = []
    rng = Rng(players * 100 + dice)
    for seed in range(60):
        state = tsukimi.new("daruma", players=players, seed=seed)
        while not state.over:
            game = cast(Daruma, state.core)
            if game.stage != START and 1 < bin_count(game.dice) + game.ledger <= dice and rng.randrange(12) == 0:
                found.append(cast(Daruma, game.copy()))
                if len(found) == count:
                    return found
            state.apply(game.random_action(game.turn, rng), game.turn)
    return found


def solved(game: Daruma) -> Turn:
    turn = Turn()
    turn.begin(game, game.size[game.turn] > 0)
    turn.bust, turn.fortune, turn.gift = BUST, FORTUNE, GIFT
    turn.exchange = EXCHANGE if any(game.size) else 0.0
    for eyes in turn.reached():
        for steps in range(3):
            turn.set_end(eyes, steps, end_value(eyes, steps))
    turn.solve()
    return turn


@pytest.mark.parametrize(("players", "dice", "count"), [(2, 3, 25), (3, 3, 25), (4, 4, 12), (4, 6, 3)])
def test_the_solver_agrees_with_brute_force(players: int, dice: int, count: int) -> None:
    positions = small_positions(players, dice, count)
    assert len(positions) == count
    for game in positions:
        turn = solved(game)
        brute = Brute(game.size[game.turn] > 0).moves(game)
        for move, value in brute.items():
            effect = 0.0 if move < MOVE_GIVE else GIFT if move < swap_base(game) else EXCHANGE
            assert moved(turn.move_value(game, move), effect) == pytest.approx(value, abs=1e-9), (move, game.stage)


def test_the_solver_covers_the_rest_of_its_turn() -> None:
    for game in small_positions(4, 4, 10):
        turn = solved(game)
        assert turn.covers(game)
        if game.stage == USE:
            best = max(turn.move_value(game, move) for move in game.actions(game.turn) if move < MOVE_GIVE)
            assert turn.here(game) >= best - 1e-9


@pytest.mark.compiled
def test_a_whole_turn_is_the_mean_of_its_first_rolls() -> None:
    start = next(
        cast(Daruma, state.core)
        for state in (tsukimi.new("daruma", players=3, seed=seed) for seed in range(100))
        if cast(Daruma, state.core).stage == START
    )
    turn = solved(start)
    game = cast(Daruma, start.copy())
    game.apply(MOVE_ROLL, game.turn)
    total, again = 0.0, 0.0
    for outcome, chance in outcomes(game):
        if (outcome >> 12 & 15) >= 4:
            again += chance
            continue
        after = cast(Daruma, game.copy())
        after.apply(outcome)
        total += chance * (BUST if after.news & BAD_LUCK else turn.here(after))
    assert turn.whole() == pytest.approx((total + again * FORTUNE) / (1 - again + again * FORTUNE), abs=1e-9)
