"""Fits the parameters of `bots/charuma/weights.py`: `python bench/fit/charuma.py PLAYERS [seconds]` prints them.

`SINGLE` and `PAIR`: random deals are solved (two players) or played four times by the rollout policy with a solved end;
a linear regression gives what each card and each pair adds to the points of a round. `PACE`, `SWING` and `TOKEN`:
maximum likelihood of the winners, seen from the beginning of each round, in games played by the rollout policy.
"""

from __future__ import annotations

import sys
import time
from typing import Any, cast

import numpy as np

import tsukimi
from tsukimi.bots.charuma.evaluator import CharumaEvaluator
from tsukimi.core.rng import Rng
from tsukimi.games.charuma.notation import deck, position
from tsukimi.games.charuma.rules import Charuma

VALUES = 10
OF_VALUE = 0x40100401  # the four cards of the lowest value, as bits of a hand
SOLVED = 3  # with three players or more, a round is solved from this many cards in hand
TIMES = 4  # how often such a deal is played
RIDGE = 20.0

Array = Any


def new_evaluator(players: int) -> CharumaEvaluator:
    start = position(tsukimi.new("charuma", players=players, seed=1).core)
    evaluator = CharumaEvaluator(deck(start), players)
    evaluator.set_round(start, 8 if players == 2 else SOLVED, True)
    return evaluator


# ---- the value of cards --------------------------------------------------------------------------


def fit_cards(players: int, seconds: float) -> None:
    evaluator, rng, end = new_evaluator(players), Rng(5), time.monotonic() + seconds
    rows: list[Array] = []
    points: list[float] = []
    deals = 0
    while time.monotonic() < end:
        dealt = position(tsukimi.new("charuma", players=players, seed=f"fit {deals}", auction="off").core)
        deals += 1
        hands = [counts(dealt, seat) for seat in range(players)]
        gains = round_points(dealt, evaluator, rng)
        for seat in range(players):
            others = (sum(hands) - hands[seat]) / (players - 1)
            leads = [float(seat == dealt.token) - 1 / players]
            rows.append(np.concatenate([hands[seat] - others, leads]))
            points.append(gains[seat] - gains.mean())
    table, target = np.array(rows), np.array(points)
    used = table.std(0) > 0
    part = table[:, used]
    values = np.zeros(table.shape[1])
    values[used] = np.linalg.solve(part.T @ part + RIDGE * np.eye(part.shape[1]), part.T @ target)
    print(f"{deals} deals, deviation {target.std():.2f}, unexplained {(target - table @ values).std():.2f}")
    print("SINGLE", tuple(round(float(value), 2) for value in values[:VALUES]))
    print("PAIR", tuple(round(float(value), 2) for value in values[VALUES : 2 * VALUES]))


def counts(game: Charuma, seat: int) -> Array:
    """How many cards of each value a hand has, and how many pairs."""
    cards = [
        (game.hand[seat] & OF_VALUE << value).bit_count() + (game.twins[seat] & OF_VALUE << value).bit_count()
        for value in range(VALUES)
    ]
    return np.array([*cards, *(number // 2 for number in cards)], float)


def round_points(dealt: Charuma, evaluator: CharumaEvaluator, rng: Rng) -> Array:
    if dealt.players == 2:
        return np.array(evaluator.solver.points(dealt), float)
    total = np.zeros(dealt.players)
    for _ in range(TIMES):
        game = position(dealt.copy())
        while cards_left(game) > SOLVED:
            seat = game.actors[0]
            game.apply(evaluator.policy_move(game, seat, rng), seat)
        total += np.array(evaluator.solver.points(game))
        total += [game.trick_points[seat] + game.aces[seat] for seat in range(game.players)]
    return total / TIMES


def cards_left(game: Charuma) -> int:
    seat = game.actors[0]
    return int(game.hand[seat].bit_count() + game.twins[seat].bit_count())


# ---- how a lead becomes a share of the win -------------------------------------------------------


def fit_win_share(players: int, seconds: float) -> None:
    evaluator, rng, end = new_evaluator(players), Rng(7), time.monotonic() + seconds
    start = tsukimi.new("charuma", players=players, chance="manual").core
    recorded: list[tuple[list[int], int, bool, int]] = []
    games = 0
    while time.monotonic() < end:
        game, rounds, here = position(start.copy()), 0, list[tuple[list[int], int, bool]]()
        game.sample_chance(rng)
        while not game.over:
            if game.round != rounds:
                rounds = game.round
                here.append((game.scores(), game.token, bool(game.last_round)))
            seat = game.actors[0]
            game.apply(evaluator.policy_move(game, seat, rng), seat)
            game.sample_chance(rng)
        recorded += [(*one, game.winners()[0]) for one in here]
        games += 1
    found, loss = most_likely(recorded, int(cast(Any, start).table.goal))
    print(f"{games} games, {len(recorded)} rounds, mean loss {loss:.4f}")
    print("PACE {:.1f}, SWING ({:.1f}, {:.2f}), TOKEN {:.2f}".format(*np.exp(found[:3]), found[3]))


def most_likely(recorded: list[tuple[list[int], int, bool, int]], goal: int) -> tuple[Array, float]:
    """Pace, swing and calm (as logarithms) and the token, by coordinate descent with decreasing steps."""
    points = np.array([one[0] for one in recorded], float)
    token, last, winner = (np.array([one[i] for one in recorded]) for i in (1, 2, 3))
    everywhere = np.arange(len(points))
    most = points.max(1)

    def loss(numbers: Array) -> float:
        pace, swing, calm = np.exp(numbers[:3])
        to_go = np.where(last, 0.0, np.maximum(0, (goal - most) / pace))
        ahead = points - most[:, None]
        ahead[everywhere, token] += numbers[3]
        ahead /= (swing * np.sqrt(to_go + calm))[:, None]
        ahead -= ahead.max(1)[:, None]
        return float((np.log(np.exp(ahead).sum(1)) - ahead[everywhere, winner]).mean())

    best = np.array([1.7, 1.0, 0.0, 0.0])
    least, step = loss(best), 0.5
    while step > 0.005:
        tried = [best + sign * step * axis for axis in np.eye(4) for sign in (1, -1)]
        found = min(tried, key=loss)
        if loss(found) < least:
            best, least = found, loss(found)
        else:
            step /= 2
    return best, least


def main() -> None:
    players = int(sys.argv[1])
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 60.0
    fit_cards(players, seconds)
    fit_win_share(players, seconds)


if __name__ == "__main__":
    main()
