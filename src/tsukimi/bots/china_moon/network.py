# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""China Moon's evaluator for the shipped pond: a small policy-value network, run on the CPU within the search.

Two hidden layers (ReLU). The first adds up the rows of the inputs that are on and the seats' features; the second gives each
seat's logit, which corrects that of the linear evaluator, and a vector that the rows of a move are multiplied with.
"""

from __future__ import annotations

from typing import Any

import cython

if not cython.compiled:
    from tsukimi.bots.china_moon.features import FEATURES
    from tsukimi.bots.china_moon.inputs import NO_ROW, NetworkInputs
    from tsukimi.bots.evaluator import softmax
    from tsukimi.games.china_moon.rules import ChinaMoon

FIRST = 64  # the widths of the hidden layers
SECOND = 32


class NetworkEvaluator(NetworkInputs):
    """The evaluator for one number of players. `arrays` are the network's, as `networks.shapes` has them."""

    def __init__(self, pond: Any, players: int, arrays: Any) -> None:
        NetworkInputs.__init__(self, pond, players)
        self.horizon = 0
        self.arrays = arrays
        self.rating_scale, self.linear_scale = arrays["scales"].tolist()
        if cython.compiled:
            self.sparse = address_of(arrays["sparse"])
            self.dense = address_of(arrays["dense"])
            self.first_bias = address_of(arrays["first_bias"])
            self.second = address_of(arrays["second"])
            self.second_bias = address_of(arrays["second_bias"])
            self.value = address_of(arrays["value"])
            self.policy = address_of(arrays["policy"])
            self.policy_bias = address_of(arrays["policy_bias"])
            self.rating_weight = address_of(arrays["rating"])
        else:
            flat = {name: array.ravel().tolist() for name, array in arrays.items()}
            self.sparse, self.dense, self.first_bias = flat["sparse"], flat["dense"], flat["first_bias"]
            self.second, self.second_bias, self.value = flat["second"], flat["second_bias"], flat["value"]
            self.policy, self.policy_bias, self.rating_weight = flat["policy"], flat["policy_bias"], flat["rating"]

    def estimate(self, game, shares):
        found: cython.float[32]
        linear: cython.double[5]
        if not cython.compiled:
            found, linear = [0.0] * SECOND, [0.0] * 5
        seat = game.decider()
        self.hidden(game, seat, found, linear)
        for i in range(self.players):
            owner = (seat + i) % self.players
            value: cython.double = self.linear_scale * linear[owner] + dot(found, self.value, i * (SECOND + 1))
            shares[owner] = value + self.value[i * (SECOND + 1) + SECOND]
        softmax(shares, 0, self.players, 1.0)

    def hidden(self, game, seat, found, linear):
        """The second hidden layer, and the values of the linear evaluator by seat."""
        active: cython.int[64]
        features: cython.double[80]
        phase: cython.double[3]
        numbers: cython.float[84]
        sums: cython.float[64]
        if not cython.compiled:
            active, features, phase, numbers, sums = [0] * 64, [0.0] * 80, [0.0] * 3, [0.0] * 84, [0.0] * FIRST
        for j in range(FIRST):
            sums[j] = self.first_bias[j]
        add_rows(sums, self.sparse, active, self.list_inputs(game, seat, active))
        self.compute_features(game, features, phase)
        self.linear_values(game, features, phase, linear)
        count = 0
        for i in range(self.players):
            base = (seat + i) % self.players * FEATURES
            for k in range(FEATURES):
                numbers[count + k] = features[base + k]
            count += FEATURES
        numbers[count] = phase[1]
        numbers[count + 1] = phase[2]
        add_products(sums, self.dense, numbers, count + 2, FIRST)
        rectify(sums, FIRST)
        for j in range(SECOND):
            found[j] = self.second_bias[j]
        add_products(found, self.second, sums, FIRST, SECOND)
        rectify(found, SECOND)

    # ---- priors ---------------------------------------------------------------------------------

    def list_priors(self, game, seat, moves, count, priors, place):
        found: cython.float[32]
        linear: cython.double[5]
        if not cython.compiled:
            found, linear = [0.0] * SECOND, [0.0] * 5
        self.hidden(cython.cast(ChinaMoon, game), seat, found, linear)
        factor: cython.float = self.rating_scale + dot(found, self.rating_weight, 0)
        for i in range(count):
            priors[place + i] = self.move_logit(cython.cast(ChinaMoon, game), seat, moves[i], found, factor)

    def move_logit(self, game, seat, move, found, rating_factor):
        row = self.first_row(game, seat, move)
        logit: cython.double = rating_factor * self.rate(game, seat, move)
        logit += self.policy_bias[row] + dot(found, self.policy, row * SECOND)
        row = self.second_row(seat, move)
        if row != NO_ROW:
            logit += self.policy_bias[row] + dot(found, self.policy, row * SECOND)
        return logit


def address_of(array):
    """The address of an array's data; the array must stay alive."""
    return cython.address(array[0])


def add_rows(sums, table, rows, count):
    """Add some rows of the first layer, four at a time."""
    for k in range(0, count - 3, 4):
        a = rows[k] * FIRST
        b = rows[k + 1] * FIRST
        c = rows[k + 2] * FIRST
        d = rows[k + 3] * FIRST
        for j in range(FIRST):
            sums[j] += table[a + j] + table[b + j] + (table[c + j] + table[d + j])
    for k in range(count - count % 4, count):
        a = rows[k] * FIRST
        for j in range(FIRST):
            sums[j] += table[a + j]


def add_products(sums, table, factors, count, width):
    """Add an even number of rows of some width, each times its factor. Skipping zeros would be slower: they are hard to
    predict."""
    for k in range(0, count, 2):
        a = k * width
        b = a + width
        p: cython.float = factors[k]
        q: cython.float = factors[k + 1]
        for j in range(width):
            sums[j] += p * table[a + j] + q * table[b + j]


def rectify(sums, width):
    """ReLU."""
    for j in range(width):
        sums[j] = sums[j] if sums[j] > 0 else 0


def dot(left, right, place):
    """The product with a row as wide as the second layer."""
    a: cython.float = 0.0
    b: cython.float = 0.0
    c: cython.float = 0.0
    d: cython.float = 0.0
    for j in range(0, SECOND, 4):  # four sums, which the processor adds in parallel
        a += left[j] * right[place + j]
        b += left[j + 1] * right[place + j + 1]
        c += left[j + 2] * right[place + j + 2]
        d += left[j + 3] * right[place + j + 3]
    return a + b + (c + d)
