# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""The encoding for China Moon's network: which inputs are on in a position, and which rows of the policy belong to a move.

Seats are counted from the player who decides. The inputs, one after the other:

- per seat and spot (the pads, the start, the goal): its frogs there; those that have moved in this turn; the one that
  the decision is about
- per pad and colour: the lily there
- per seat and colour: how many lilies it has (1, 2, .. 6 or more)
- per place of the goal and colour: the lily there
- the frogs that have arrived; those still to move in this turn; the type of decision; whose turn it is

A move of a frog has two rows: its owner and the spot that it leaves, its owner and the spot where it lands. A trade or a drop has one.
"""

from __future__ import annotations

from typing import Any

import cython

if not cython.compiled:
    from tsukimi.bots.china_moon.evaluator import ChinaMoonEvaluator
    from tsukimi.games.china_moon.rules import COLOURS, DROPS, DROPS_AT, START, TRADES, ChinaMoon, lowest

PADS = 46
SPOTS = 48  # the pads, the start and the goal
MOST = 6  # counts of lilies from here on are not distinguished
MOST_ACTIVE = 64
NO_ROW = -1


class NetworkInputs(ChinaMoonEvaluator):
    """Lists inputs and rows for one number of players."""

    def __init__(self, pond: Any, players: int) -> None:
        ChinaMoonEvaluator.__init__(self, pond)
        self.players = players
        self.size = players * (3 * SPOTS + 5 * MOST + 1) + 5 * PADS + 9 + 4 + 3 + 4
        self.rows = 2 * players * SPOTS + 125 + 5

    # ---- for Python callers -----------------------------------------------------------------

    def inputs(self, game: ChinaMoon, seat: cython.int) -> list[int]:
        """The inputs that are on, some of them several times: frogs on the start."""
        active: cython.int[64]
        if not cython.compiled:
            active = [0] * MOST_ACTIVE
        count = self.list_inputs(game, seat, active)
        return [active[i] for i in range(count)]

    def rows_of(self, game: ChinaMoon, seat: cython.int, move: cython.int) -> tuple[int, int]:
        """The two rows of a move; NO_ROW if it has only one."""
        return self.first_row(game, seat, move), self.second_row(seat, move)

    def rating(self, game: ChinaMoon, seat: cython.int, move: cython.int) -> float:
        """The quick rating of a move."""
        return self.rate(game, seat, move)

    # ---- without the GIL ---------------------------------------------------------

    def list_inputs(self, game, seat, active):
        """Writes the inputs that are on and returns their number."""
        count = self.add_frogs(game, seat, active, 0)
        base = 3 * self.players * SPOTS
        lilies = game.lilies
        while lilies:
            pad = lowest(lilies)
            lilies &= lilies - 1
            active[count] = base + pad * 5 + game.lily[pad] - 1
            count += 1
        base += 5 * PADS
        for i in range(self.players):
            owner = (seat + i) % self.players
            for colour in range(1, COLOURS):
                held = game.held[owner * COLOURS + colour]
                if held:
                    active[count] = base + (i * 5 + colour - 1) * MOST + (held if held < MOST else MOST) - 1
                    count += 1
        base += self.players * 5 * MOST
        for place in range(game.arrived + 1, 4):
            active[count] = base + (place - 1) * 3 + game.prize[place] - 1
            count += 1
        base += 9
        active[count] = base + game.arrived
        active[count + 1] = base + 4 + game.left - 1
        active[count + 2] = base + 7 + game.asked
        active[count + 3] = base + 11 + (game.turn - seat + self.players) % self.players
        return count + 4

    def add_frogs(self, game, seat, active, count):
        for i in range(self.players):
            owner = (seat + i) % self.players
            for frog in range(3 * owner, 3 * owner + 3):
                here = i * SPOTS + spot(game.at[frog])
                active[count] = here
                count += 1
                if game.moved >> frog & 1:
                    active[count] = self.players * SPOTS + here
                    count += 1
                if game.frog == frog:
                    active[count] = 2 * self.players * SPOTS + here
                    count += 1
        return count

    def first_row(self, game, seat, move):
        if move < TRADES:
            frog = move >> 6
            owner = (frog // 3 - seat + self.players) % self.players
            return owner * SPOTS + spot(game.at[frog])
        base = 2 * self.players * SPOTS
        if move < DROPS:
            move -= TRADES
            other = (move // 5 % 5 - seat + self.players) % self.players
            return base + move // 25 * 25 + other * 5 + move % 5
        return base + 125 + (move - DROPS if move < DROPS_AT else (move - DROPS_AT) // 64)

    def second_row(self, seat, move):
        if move >= TRADES:
            return NO_ROW
        owner = ((move >> 6) // 3 - seat + self.players) % self.players
        return (self.players + owner) * SPOTS + spot(move & 63)


def spot(place):
    """The number of a place among the spots."""
    if place < PADS:
        return place
    return PADS if place == START else PADS + 1
