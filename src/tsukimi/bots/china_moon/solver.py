# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""The end of the race under perfect play: each seat maximises its own share of the win (max^n).

Among moves with the same share a player chooses uniformly at random. A position is solved at a depth (in
decisions) if every line that matters ends within it. One move that wins outright is enough, so many positions are solved
long before all lines are.
"""

from __future__ import annotations

import cython

if not cython.compiled:
    from tsukimi.games.china_moon.rules import COLOURS, GOAL, TRADES, ChinaMoon

SEATS = 5
SLOTS = 1 << 16
FACTOR = 0x9E3779B97F4A7C15
SOLVED = 1000  # the depth of a solved entry
WIDTH = 960  # the maximum number of moves in a position


def mix(value, number):
    """Mix one more number into a hash."""
    value = (value ^ number) * FACTOR
    if not cython.compiled:
        value &= 0xFFFFFFFFFFFFFFFF
    return value ^ (value >> 29)


class Solver:
    """Solves positions of one game, with a transposition table."""

    def __init__(self) -> None:
        self.nodes = 0
        self.limit = 0
        if cython.compiled:
            from array import array

            self.buffers = [
                array("Q", bytes(8 * SLOTS)),
                array("i", bytes(4 * SLOTS)),
                array("f", bytes(4 * SLOTS * SEATS)),
            ]
            self.keys, self.depths, self.values = self.buffers
        else:
            self.keys, self.depths, self.values = [0] * SLOTS, [0] * SLOTS, [0.0] * (SLOTS * SEATS)

    def shares(self, game: ChinaMoon, depth: cython.int, limit: cython.longlong) -> list[float] | None:
        """Each seat's share of the win under perfect play; None if the position is not solved at this depth within
        `limit` nodes."""
        shares: cython.float[5]
        if not cython.compiled:
            shares = [0.0] * 5
        self.limit = self.nodes + limit
        if not self.solve(game, depth, shares):
            return None
        return [shares[seat] for seat in range(game.players)]

    def solve(self, game, depth, shares):
        """Whether the position is solved; if so, sets the shares. The position is left as it was."""
        if game.is_over():
            self.final_shares(game, shares)
            return True
        if game.arrived + depth < 4 or self.nodes >= self.limit:
            return False
        self.nodes += 1
        key = self.key(game)
        slot = key % SLOTS
        if self.keys[slot] == key and self.depths[slot] >= depth:
            if self.depths[slot] < SOLVED:
                return False
            for seat in range(game.players):
                shares[seat] = self.values[slot * SEATS + seat]
            return True
        known = self.try_moves(game, depth, shares)
        if not known and self.nodes >= self.limit:
            return False  # out of nodes: the depth was not searched
        self.keys[slot] = key
        self.depths[slot] = SOLVED if known else depth
        if known:
            for seat in range(game.players):
                self.values[slot * SEATS + seat] = shares[seat]
        return known

    def try_moves(self, game, depth, shares):
        moves: cython.int[960]
        saved: cython.char[1024]
        found: cython.float[5]
        if not cython.compiled:
            moves, saved, found = [0] * WIDTH, [game.copy()], [0.0] * 5
        mover = game.decider()
        count = self.ordered_moves(game, mover, moves)
        known = True
        best: cython.float = -1.0
        ties = 0
        game.store(saved, 0)
        for i in range(count):
            game.make_move(moves[i], mover)
            here = self.solve(game, depth - 1, found)
            game.load(saved, 0)
            if not here:
                known = False
                continue
            if found[mover] > best + 1e-6:
                best = found[mover]
                ties = 1
                for seat in range(game.players):
                    shares[seat] = found[seat]
                if best > 1.0 - 1e-6:
                    return True
            elif found[mover] > best - 1e-6:
                ties += 1
                for seat in range(game.players):
                    shares[seat] += found[seat]
        for seat in range(game.players):
            shares[seat] /= ties if ties else 1
        return known

    def ordered_moves(self, game, seat, moves):
        """The legal moves, arrivals first: they end the game."""
        count = game.list_moves(seat, moves)
        front = 0
        for i in range(count):
            if moves[i] < TRADES and moves[i] & 63 == GOAL:
                move = moves[front]
                moves[front] = moves[i]
                moves[i] = move
                front += 1
        return count

    def final_shares(self, game, shares):
        """The shares of the win of a finished game."""
        winners = game.winner_mask()
        count = 0
        for seat in range(game.players):
            if winners >> seat & 1:
                count += 1
        for seat in range(game.players):
            shares[seat] = 1.0 / count if winners >> seat & 1 else 0.0

    def key(self, game):
        """A hash of the position. A seat's frogs are alike: only their places count, and which have moved."""
        value: cython.ulonglong = mix(FACTOR, game.lilies)
        lilies = game.lilies
        pad = 0
        while lilies:
            if lilies & 1:
                value = mix(value, game.lily[pad] * 64 + pad)
            lilies >>= 1
            pad += 1
        frogs: cython.ulonglong = 0
        for frog in range(3 * game.players):
            state: cython.ulonglong = (game.at[frog] * 2 + (game.moved >> frog & 1)) * 2
            if game.frog == frog:
                state += 1
            frogs += mix(frog // 3 + 1, state)
            if not cython.compiled:
                frogs &= 0xFFFFFFFFFFFFFFFF
        value = mix(value, frogs)
        for seat in range(game.players):
            for colour in range(1, COLOURS):
                value = mix(value, game.held[seat * COLOURS + colour])
        for place in range(1, 5):
            value = mix(value, game.prize[place])
        return mix(value, ((game.turn * 4 + game.left) * 5 + game.arrived) * 4 + game.asked)
