"""Fits the numbers of `bots/charuma/weights.py`: `python bench/fit/charuma.py PLAYERS [seconds]`; prints them.

`SINGLE` and `PAIR`: random deals are solved (two players) or played four times by rating with a solved end; a linear
regression says what each card and each pair adds to the points of a round. `PACE`, `SWING` and `TOKEN`: games in which
all seats play by rating; the numbers under which the winners are likeliest, seen from the beginning of each round.
"""

from __future__ import annotations

import sys
import time
from typing import Any, cast

import numpy as np

import tsukimi
from tsukimi.bots.charuma.judge import CharumaJudge
from tsukimi.core.rng import Rng
from tsukimi.games.charuma.notation import deck, position
from tsukimi.games.charuma.rules import Charuma

VALUES = 10
OF_VALUE = 0x40100401  # the four cards of the lowest value, as bits of a hand
SOLVED = 3  # cards in a hand from which on a round is solved, with three players and more
TIMES = 4  # how often such a deal is played
RIDGE = 20.0

Array = Any


def new_judge(players: int) -> CharumaJudge:
    start = position(tsukimi.new("charuma", players=players, seed=1).core)
    judge = CharumaJudge(deck(start), players)
    judge.look(start, 8 if players == 2 else SOLVED)
    return judge


# ---- what cards are worth ------------------------------------------------------------------------


def cards_worth(players: int, seconds: float) -> None:
    judge, rng, end = new_judge(players), Rng(5), time.monotonic() + seconds
    rows: list[Array] = []
    points: list[float] = []
    deals = 0
    while time.monotonic() < end:
        dealt = position(tsukimi.new("charuma", players=players, seed=f"fit {deals}", auction="off").core)
        deals += 1
        hands = [counts(dealt, seat) for seat in range(players)]
        gains = round_points(dealt, judge, rng)
        for seat in range(players):
            others = (sum(hands) - hands[seat]) / (players - 1)
            leads = [float(seat == dealt.token) - 1 / players]
            rows.append(np.concatenate([hands[seat] - others, leads]))
            points.append(gains[seat] - gains.mean())
    table, target = np.array(rows), np.array(points)
    used = table.std(0) > 0
    part = table[:, used]
    worth = np.zeros(table.shape[1])
    worth[used] = np.linalg.solve(part.T @ part + RIDGE * np.eye(part.shape[1]), part.T @ target)
    print(f"{deals} deals, deviation {target.std():.2f}, unexplained {(target - table @ worth).std():.2f}")
    print("SINGLE", tuple(round(float(one), 2) for one in worth[:VALUES]))
    print("PAIR", tuple(round(float(one), 2) for one in worth[VALUES : 2 * VALUES]))


def counts(game: Charuma, seat: int) -> Array:
    """How many cards of each value a hand has, and how many pairs."""
    cards = [
        (game.hand[seat] & OF_VALUE << value).bit_count() + (game.twins[seat] & OF_VALUE << value).bit_count()
        for value in range(VALUES)
    ]
    return np.array([*cards, *(number // 2 for number in cards)], float)


def round_points(dealt: Charuma, judge: CharumaJudge, rng: Rng) -> Array:
    if dealt.players == 2:
        return np.array(judge.solver.points(dealt), float)
    total = np.zeros(dealt.players)
    for _ in range(TIMES):
        game = position(dealt.copy())
        while cards_left(game) > SOLVED:
            seat = game.actors[0]
            game.apply(judge.advice(game, seat, rng), seat)
        total += np.array(judge.solver.points(game))
        total += [game.trick_points[seat] + game.aces[seat] for seat in range(game.players)]
    return total / TIMES


def cards_left(game: Charuma) -> int:
    seat = game.actors[0]
    return int(game.hand[seat].bit_count() + game.twins[seat].bit_count())


# ---- how a lead becomes a share of the win -------------------------------------------------------


def win_share(players: int, seconds: float) -> None:
    judge, rng, end = new_judge(players), Rng(7), time.monotonic() + seconds
    start = tsukimi.new("charuma", players=players, chance="manual").core
    noted: list[tuple[list[int], int, bool, int]] = []
    games = 0
    while time.monotonic() < end:
        game, rounds, here = position(start.copy()), 0, list[tuple[list[int], int, bool]]()
        game.sample_chance(rng)
        while not game.over:
            if game.round != rounds:
                rounds = game.round
                here.append((game.scores(), game.token, bool(game.last_round)))
            seat = game.actors[0]
            game.apply(judge.advice(game, seat, rng), seat)
            game.sample_chance(rng)
        noted += [(*one, game.winners()[0]) for one in here]
        games += 1
    found, unlikely = likeliest(noted, int(cast(Any, start).table.goal))
    print(f"{games} games, {len(noted)} rounds, mean surprise {unlikely:.4f}")
    print("PACE {:.1f}, SWING ({:.1f}, {:.2f}), TOKEN {:.2f}".format(*np.exp(found[:3]), found[3]))


def likeliest(noted: list[tuple[list[int], int, bool, int]], goal: int) -> tuple[Array, float]:
    """Pace, swing and calm (as logarithms) and the token, by a search along each of them with ever smaller steps."""
    points = np.array([one[0] for one in noted], float)
    token, last, winner = (np.array([one[i] for one in noted]) for i in (1, 2, 3))
    everywhere = np.arange(len(points))
    most = points.max(1)

    def surprise(numbers: Array) -> float:
        pace, swing, calm = np.exp(numbers[:3])
        to_go = np.where(last, 0.0, np.maximum(0, (goal - most) / pace))
        ahead = points - most[:, None]
        ahead[everywhere, token] += numbers[3]
        ahead /= (swing * np.sqrt(to_go + calm))[:, None]
        ahead -= ahead.max(1)[:, None]
        return float((np.log(np.exp(ahead).sum(1)) - ahead[everywhere, winner]).mean())

    best = np.array([1.7, 1.0, 0.0, 0.0])
    least, step = surprise(best), 0.5
    while step > 0.005:
        tried = [best + sign * step * axis for axis in np.eye(4) for sign in (1, -1)]
        found = min(tried, key=surprise)
        if surprise(found) < least:
            best, least = found, surprise(found)
        else:
            step /= 2
    return best, least


def main() -> None:
    players = int(sys.argv[1])
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 60.0
    cards_worth(players, seconds)
    win_share(players, seconds)


if __name__ == "__main__":
    main()
