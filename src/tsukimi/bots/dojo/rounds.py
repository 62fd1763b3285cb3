# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""Dojo, move by move: every move is tried in the same determinizations, as many as there is time for.

Gifts, challenges and swaps are played on to the end of the round and evaluated there. Placing cards and trophies affects
nobody else: the seat's own dojo is simulated to its end and scored exactly, and the patterns' value of a place counts as
much as some simulations. Determinizations are weighted by the likelihood of the dealer's gifts.
"""

from __future__ import annotations

from typing import Any

import cython

if not cython.compiled:
    from math import exp, sqrt

    from tsukimi.bots.dojo.evaluator import DojoEvaluator
    from tsukimi.core.rng import Rng
    from tsukimi.games.dojo.rules import BELTS, KINDS, OVER, PLACE, PLACE_AT, ROUNDS, TROPHY, TROPHY_AT, WHITE, Dojo

DEALER_TEMPERATURE = 0.33  # of a dealer's choice, in standard deviations of the cards' values
BELT_VALUE = 2.5  # the value of one step of belt to a dealer, in points
TROPHY_RATE = 0.17  # the probability of a trophy in a round
LEAST_SLOPE = 0.0001  # the share of the win that a point is worth, however lost or won a game is
PRIOR_SAMPLES = 100.0  # the number of simulations that the patterns' value counts for

if not cython.compiled:
    BEST_OF = [0.0] * 5
# the expected best of that many draws, in standard deviations above the mean
BEST_OF[0], BEST_OF[1], BEST_OF[2], BEST_OF[3], BEST_OF[4] = -9.0, 0.0, 0.56, 0.85, 1.03


class Rounds:
    def __init__(self, start: Any, evaluator: DojoEvaluator, seed: int) -> None:
        self.evaluator = evaluator
        self.root, self.sampled, self.trial = start.copy(), start.copy(), start.copy()
        self.rng, self.trial_rng = Rng(seed), Rng(0)
        self.extra_rounds = 0
        self.dealer_temperature, self.prior_samples = DEALER_TEMPERATURE, PRIOR_SAMPLES
        if not cython.compiled:
            self.moves, self.sums, self.points, self.prior = [0] * 64, [0.0] * 64, [0.0] * 64, [0.0] * 64
            self.dealer_value, self.order = [0.0] * 30, [0] * 5

    def set_root(self, root: Dojo, seat: cython.int, order: list[int]) -> None:
        """Analyse this position for this seat; `order` lists the seats that the dealer has given cards to."""
        self.root.assign(root)
        self.seat = seat
        moves = root.actions(seat)
        self.count = len(moves)
        for i in range(self.count):
            self.moves[i] = moves[i]
            self.sums[i] = self.points[i] = 0.0
        self.weight = self.slopes = 0.0
        self.solo = root.phase in (PLACE, TROPHY)
        self.last = root.placed[seat] + (root.phase == PLACE) == ROUNDS
        if self.solo:
            self.rate_moves()
        self.gifts = len(order) if root.dealer >= 0 and root.dealer != seat else 0
        for i in range(self.gifts):
            self.order[i] = order[i]
        if self.gifts:
            self.estimate_dealer_values()

    def estimate_dealer_values(self) -> None:
        """The value of every kind of card for the dealer, with mean and standard deviation."""
        total: cython.double = 0
        mean: cython.double = 0
        square: cython.double = 0
        for kind in range(KINDS):
            value = self.evaluator.patterns.gain_of(self.root, self.root.dealer, kind) + BELT_VALUE * (kind % BELTS)
            self.dealer_value[kind] = value
            left: cython.double = 0.001 + self.root.left[kind]
            for owner in range(self.root.players):
                if self.root.held[owner] == kind:
                    left += 1.0
            total += left
            mean += left * value
            square += left * value * value
        self.mean_value = mean / total
        self.deviation = sqrt(max(0.01, square / total - self.mean_value * self.mean_value))

    def run(self, samples: cython.int) -> None:
        with cython.nogil:
            for _ in range(samples):
                self.sample()

    def result(self) -> list[tuple[int, float, float | None]]:
        """Each move with its share of the win and, for places, the expected final score."""
        weight = max(1e-9, self.weight)
        shares = [self.sums[i] / weight for i in range(self.count)]
        if not self.solo:
            return [(self.moves[i], shares[i], None) for i in range(self.count)]
        points = [self.points[i] / weight for i in range(self.count)]
        priors = [self.prior[i] for i in range(self.count)]
        mean_share, mean_points, mean_prior = (sum(found) / self.count for found in (shares, points, priors))
        share_of_point = max(LEAST_SLOPE, self.slopes / (weight * self.count))
        part = 0.0 if self.last else self.prior_samples / (weight + self.prior_samples)
        found = []
        for i in range(self.count):
            lead = priors[i] - mean_prior
            share = shares[i] + part * (mean_share + share_of_point * lead - shares[i])
            expected = points[i] + part * (mean_points + lead - points[i])
            found.append((self.moves[i], min(1.0, max(0.0, share)), expected))
        return found

    # ---- without the GIL ---------------------------------------------------------

    def sample(self):
        others: cython.double[5]
        if not cython.compiled:
            others = [0.0] * 5
        self.sampled.copy_from(self.root)
        self.sampled.resample_hidden(self.seat, self.rng)
        weight: cython.double = 1.0
        if self.solo:
            for other in range(self.root.players):
                others[other] = self.evaluator.score_with_card(self.sampled, other)
        elif self.gifts:
            weight = self.likelihood(self.sampled)
        number = self.rng.bits()
        for i in range(self.count):
            self.trial.copy_from(self.sampled)
            self.trial_rng.state = number
            if self.solo:
                points = self.try_dojo(self.trial, self.moves[i])
                self.points[i] += points
                self.sums[i] += self.evaluator.share_with(self.trial, self.seat, points, others)
                self.slopes += self.evaluator.share_with(self.trial, self.seat, points + 0.5, others)
                self.slopes -= self.evaluator.share_with(self.trial, self.seat, points - 0.5, others)
            else:
                self.sums[i] += weight * self.try_round(self.moves[i])
        self.weight += weight

    def rate_moves(self):
        """The expected final score after every place, by patterns alone."""
        gain: cython.double[1]
        if not cython.compiled:
            gain = [0.0]
        for i in range(self.count):
            self.trial.copy_from(self.root)
            self.put(self.trial, self.moves[i], gain)
            self.prior[i] = self.evaluator.patterns.value(self.trial, self.seat, 0)

    def likelihood(self, sampled):
        """The likelihood of the gifts with these cards: each one given before the kept one promised less than those to come."""
        value: cython.double = 1.0
        for i in range(self.gifts):
            receiver = self.order[i]
            to_come = sampled.players - 1 - i
            if to_come == 0:
                break
            limit = self.mean_value + self.deviation * BEST_OF[to_come]
            value_gap = limit - self.dealer_value[sampled.held[receiver]]
            keeps = 1.0 / (1.0 + exp(value_gap / (self.dealer_temperature * self.deviation)))
            if receiver == sampled.dealer:
                return value * keeps
            value *= 1.0 - 0.98 * keeps
        return value

    def try_round(self, move):
        """Play on to the end of the round; return the share of the win there."""
        shares: cython.float[5]
        if not cython.compiled:
            shares = [0.0] * 5
        last = self.trial.round + self.extra_rounds
        self.trial.make_move(move, self.seat)
        while self.trial.phase != OVER and self.trial.round <= last:
            if self.trial.at_chance():
                self.trial.resolve_chance(self.trial_rng)
            else:
                seat = self.trial.first_actor()
                self.trial.make_move(self.evaluator.quick_move(self.trial, seat, self.trial_rng), seat)
        self.evaluator.leaf_value(self.trial, shares)
        return shares[self.seat]

    def try_dojo(self, trial, move):
        """Simulate the seat's own dojo to its end; return its score."""
        gain: cython.double[1]
        if not cython.compiled:
            gain = [0.0]
        self.put(trial, move, gain)
        self.fill_dojo(trial)
        return trial.score(self.seat) + 0.1 * trial.won[self.seat]

    def put(self, trial, move, gain):
        """Place the card, and a trophy won with it by patterns; or the trophy."""
        if trial.phase == TROPHY:
            trial.put_trophy(self.seat, trial.trophy, move - TROPHY_AT)
            return
        trial.put_card(self.seat, trial.held[self.seat], move - PLACE_AT)
        if trial.winner == self.seat and trial.belt != WHITE:
            line = self.evaluator.patterns.best_line(trial, self.seat, trial.trophy, gain)
            if line >= 0:
                trial.put_trophy(self.seat, trial.trophy, line)

    def fill_dojo(self, trial):
        trophy_rate = TROPHY_RATE if trial.belt != WHITE else 0.0
        done = trial.placed[self.seat]
        for step in range(done, ROUNDS):
            turn = trial.dealer + 1 + step - done - self.seat
            deals: cython.bint = trial.dealer >= 0 and turn % trial.players == 0
            self.evaluator.patterns.next_round(trial, self.seat, deals, trophy_rate, self.trial_rng)
