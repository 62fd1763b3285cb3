# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""Dojo, move by move: every move is tried in the same drawn worlds, as many as there is time for.

Cards to give, challenges and swaps are played on to the end of the round and judged there. Places for cards and
trophies touch nobody else: the own dojo is filled to its end and counted exactly. Worlds in which the dealer would hardly
have given the cards as was seen count little.
"""

from __future__ import annotations

from typing import Any

import cython

if not cython.compiled:
    from math import exp, sqrt

    from tsukimi.bots.dojo.judge import DojoJudge
    from tsukimi.core.rng import Rng
    from tsukimi.games.dojo.rules import KINDS, OVER, PLACE, ROUNDS, TROPHY, WHITE, Dojo

SURE = 0.5  # how far a dealer's choice is from chance, in deviations of what cards bring
LUCK = 0.17  # how often a round brings a trophy

if not cython.compiled:
    BEST_OF = [0.0] * 5
# the best of so many draws, in deviations above the mean
BEST_OF[0], BEST_OF[1], BEST_OF[2], BEST_OF[3], BEST_OF[4] = -9.0, 0.0, 0.56, 0.85, 1.03


class Rounds:
    def __init__(self, start: Any, judge: DojoJudge, seed: int) -> None:
        self.judge = judge
        self.root, self.world, self.trial = start.copy(), start.copy(), start.copy()
        self.rng, self.luck = Rng(seed), Rng(0)
        self.further = 0
        self.sure, self.fortune = SURE, LUCK
        if not cython.compiled:
            self.moves, self.sums, self.points = [0] * 64, [0.0] * 64, [0.0] * 64
            self.wanted, self.order = [0.0] * 30, [0] * 5

    def look_at(self, root: Dojo, seat: cython.int, order: list[int]) -> None:
        """Think about this position of this seat; `order` is whom the dealer has given cards to, in turn."""
        self.root.assign(root)
        self.seat = seat
        moves = root.actions(seat)
        self.count = len(moves)
        for i in range(self.count):
            self.moves[i] = moves[i]
            self.sums[i] = self.points[i] = 0.0
        self.weight = 0.0
        self.gifts = len(order) if root.dealer >= 0 and root.dealer != seat else 0
        for i in range(self.gifts):
            self.order[i] = order[i]
        if self.gifts:
            self.guess_wishes()

    def guess_wishes(self) -> None:
        """What every kind of card would bring to the dealer."""
        total: cython.double = 0
        mean: cython.double = 0
        square: cython.double = 0
        for kind in range(KINDS):
            value = self.judge.patterns.gain_of(self.root, self.root.dealer, kind)
            self.wanted[kind] = value
            left: cython.double = 0.001 + self.root.left[kind]
            for owner in range(self.root.players):
                if self.root.held[owner] == kind:
                    left += 1.0
            total += left
            mean += left * value
            square += left * value * value
        self.usual = mean / total
        self.varied = sqrt(max(0.01, square / total - self.usual * self.usual))

    def run(self, samples: cython.int) -> None:
        with cython.nogil:
            for _ in range(samples):
                self.sample()

    def result(self) -> list[tuple[int, float, float | None]]:
        """Each move with its share of the win, and its points where these are known."""
        weight = max(1e-9, self.weight)
        solo = self.root.phase in (PLACE, TROPHY)
        return [
            (self.moves[i], self.sums[i] / weight, self.points[i] / weight if solo else None) for i in range(self.count)
        ]

    # ---- without the interpreter lock ---------------------------------------------------------

    def sample(self):
        others: cython.double[5]
        if not cython.compiled:
            others = [0.0] * 5
        self.world.copy_from(self.root)
        self.world.resample_hidden(self.seat, self.rng)
        weight: cython.double = 1.0
        solo: cython.bint = self.root.phase == PLACE or self.root.phase == TROPHY
        if solo:
            for other in range(self.root.players):
                others[other] = self.judge.with_card(self.world, other)
        elif self.gifts:
            weight = self.likelihood(self.world)
        number = self.rng.bits()
        for i in range(self.count):
            self.trial.copy_from(self.world)
            self.luck.state = number
            if solo:
                points = self.try_dojo(self.trial, self.moves[i])
                self.points[i] += points
                self.sums[i] += self.judge.share_with(self.trial, self.seat, points, others)
            else:
                self.sums[i] += weight * self.try_round(self.moves[i])
        self.weight += weight

    def likelihood(self, world):
        """How well the order of gifts goes with these cards: up to the kept one each was worth less than to come."""
        value: cython.double = 1.0
        for i in range(self.gifts):
            receiver = self.order[i]
            to_come = world.players - 1 - i
            if to_come == 0:
                break
            limit = self.usual + self.varied * BEST_OF[to_come]
            keeps = 1.0 / (1.0 + exp((limit - self.wanted[world.held[receiver]]) / (self.sure * self.varied)))
            if receiver == world.dealer:
                return value * keeps
            value *= 1.0 - 0.98 * keeps
        return value

    def try_round(self, move):
        """Play on to the end of the round; the share of the win there."""
        shares: cython.float[5]
        if not cython.compiled:
            shares = [0.0] * 5
        last = self.trial.round + self.further
        self.trial.make_move(move, self.seat)
        while self.trial.phase != OVER and self.trial.round <= last:
            if self.trial.at_chance():
                self.trial.resolve_chance(self.luck)
            else:
                seat = self.trial.first_actor()
                self.trial.make_move(self.judge.advise_here(self.trial, seat, self.luck), seat)
        self.judge.settle(self.trial, shares)
        return shares[self.seat]

    def try_dojo(self, trial, move):
        """Fill the own dojo to its end; what it counts."""
        gain: cython.double[1]
        if not cython.compiled:
            gain = [0.0]
        won: cython.bint = trial.winner == self.seat and trial.belt != WHITE
        if trial.phase == PLACE:
            trial.put_card(self.seat, trial.held[self.seat], move - 12)
            if won:
                line = self.judge.patterns.best_line(trial, self.seat, trial.trophy, gain)
                if line >= 0:
                    trial.put_trophy(self.seat, trial.trophy, line)
        else:
            trial.put_trophy(self.seat, trial.trophy, move - 47)
        self.fill_dojo(trial)
        return trial.score(self.seat) + 0.1 * trial.won[self.seat]

    def fill_dojo(self, trial):
        luck = self.fortune if trial.belt != WHITE else 0.0
        done = trial.placed[self.seat]
        for step in range(done, ROUNDS):
            turn = trial.dealer + 1 + step - done - self.seat
            deals: cython.bint = trial.dealer >= 0 and turn % trial.players == 0
            self.judge.patterns.next_round(trial, self.seat, deals, luck, self.luck)
