# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""Greedy for Dojo: the evaluation of a thoughtful beginner, one ply deep. It never changes, as a baseline must not."""

from __future__ import annotations

from typing import Any

import cython

if not cython.compiled:
    from tsukimi.games.dojo.dojos import WIDTH
    from tsukimi.games.dojo.rules import BELTS, PLACES, ROUNDS, Dojo

JOKER = 5
HOPE = 0.35  # the fraction counted of what one more fitting card would add
ONE_BELT = 0.25  # a column with one card, as part of one with two equal belts
BRAVE = 4  # the lowest belt that challenges
FIRST_CHALLENGE, FIRST_THROW, FIRST_SWAP, FIRST_PLACE = 5, 7, 10, 12  # the first moves of each kind
BETTER_THAN = (0.0, 0.0, 0.5, 0.67, 0.75, 0.8)  # the part of the pile that a card must beat to be kept, by free seats


class Beginner:
    """The score of a dojo, and a little for every line that can still grow."""

    def __init__(self, start: Any) -> None:
        self.scratch = start.copy()

    def dojo_value(self, game, seat):
        return game.score(seat) + HOPE * self.promise(game, seat)

    def promise(self, game, seat):
        """What the next fitting card would add to every line."""
        numbers: cython.int[30]  # by row: the number of each disciple
        belts: cython.int[7]  # by column: its belt; 9 when there are several
        inside: cython.int[7]
        if not cython.compiled:
            numbers, belts, inside = [0] * 30, [0] * 7, [0] * 7
        for i in range(30):
            numbers[i] = 0
        for i in range(7):
            belts[i] = inside[i] = 0
        for i in range(seat * ROUNDS, seat * ROUNDS + game.placed[seat]):
            row, column = game.cells[i] // WIDTH, game.cells[i] % WIDTH
            numbers[6 * row + game.kinds[i] // BELTS] += 1
            belt = game.kinds[i] % BELTS + 1
            belts[column] = belt if inside[column] == 0 or belts[column] == belt else 9
            inside[column] += 1
        value: cython.double = 0
        for row in range(5):
            most, cards = 0, 0
            for disciple in range(6):
                cards += numbers[6 * row + disciple]
                if disciple != JOKER and numbers[6 * row + disciple] > most:
                    most = numbers[6 * row + disciple]
            if 0 < cards < 4:
                value += most + numbers[6 * row + JOKER] + 1
        for column in range(7):
            if 0 < inside[column] < 3 and belts[column] < 9:
                value += belts[column] * (ONE_BELT if inside[column] == 1 else 1.0)
        return value

    def best_gain(self, game, seat, kind):
        before = self.dojo_value(game, seat)
        best: cython.double = -100.0
        free = game.free_places(seat)
        for place in range(PLACES):
            if free >> place & 1:
                self.scratch.copy_from(game)
                self.scratch.put_card(seat, kind, place)
                value = self.dojo_value(self.scratch, seat)
                if value - before > best:
                    best = value - before
        return best

    # ---- for Python callers ----------------------------------------------------------------------

    def value(self, game: Dojo, seat: cython.int) -> float:
        return self.dojo_value(game, seat)

    def gain(self, game: Dojo, seat: cython.int, kind: cython.int) -> float:
        """What a card would add to a seat's dojo in its best place."""
        return self.best_gain(game, seat, kind)

    def move_values(self, sampled: Any, seat: int, rng: Any) -> dict[int, float]:
        """The value of every move of a seat, using only what the seat knows."""
        moves: list[int] = sampled.actions(seat)
        if moves[0] >= FIRST_PLACE:
            return {move: self._after(sampled, seat, move) for move in moves}
        if moves[0] >= FIRST_SWAP:
            loser = sampled.dealer if seat == sampled.attacker else sampled.attacker
            own, other = sampled.held[seat], sampled.held[loser]
            return {moves[0]: self.gain(sampled, seat, other), moves[1]: self.gain(sampled, seat, own) + 0.01}
        if moves[0] >= FIRST_THROW:
            return {move: rng.randrange(1000) / 1000 for move in moves}
        if moves[0] >= FIRST_CHALLENGE:
            brave = 1.0 if sampled.held[seat] % 5 + 1 >= BRAVE else 0.0
            return {moves[0]: brave, moves[1]: 1.0 - brave}
        return self._gifts(sampled, seat, moves)

    def _after(self, sampled: Any, seat: int, move: int) -> float:
        after = sampled.copy()
        after.apply(move, seat)
        return self.value(after, seat)

    def _gifts(self, sampled: Any, seat: int, moves: list[int]) -> dict[int, float]:
        """Keep a card that is better than most; else give it where it helps least."""
        kind = sampled.looking
        values = {move: -self.gain(sampled, move, kind) for move in moves if move != seat}
        if seat in moves:
            gain = self.gain(sampled, seat, kind)
            worse = sum([sampled.left[k] for k in range(30) if sampled.left[k] and self.gain(sampled, seat, k) < gain])
            keep = worse >= BETTER_THAN[len(moves)] * max(1, sampled.pile)
            values[seat] = gain + 100.0 if keep else -100.0
        return values
