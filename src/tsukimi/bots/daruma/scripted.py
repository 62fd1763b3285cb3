"""Daruma as a good player explains it, without the solved turn of `master`: the baseline `scripted`. It never changes.

- Count a turn in eyes: each further one, on the best darumas of the row, brings a certain number of points.
- Drink as long as what the next rolls may add outweighs the risk that a fourth four takes what is painted already.
- Stop where the counter pays or where the next player starts with a four, and leave no eye behind without need.
- All this as chances to win: a player who is behind near the end risks more, one who is ahead less.

A turn is thus simpler than it is: an eye to come is an eye, whatever its daruma does. Only the action of the next eye is seen.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from functools import lru_cache
from typing import cast

from tsukimi.core.rng import Rng
from tsukimi.games.daruma.codes import (
    ASK_REROLL,
    ASK_SAKE,
    ASK_SHIFT,
    ASK_SINGLES,
    DARUMA_TOKEN,
    FOUR_TOKEN,
    MOVE_STOP,
    MOVE_SWEEP,
    PLACES,
    REFILL,
    ROLL,
    START,
    SWEPT,
)
from tsukimi.games.daruma.rules import Daruma

DICE, FOURS = 8, 4  # dice of a turn, and the fours that end it
ROWS = 16  # that a sweep is averaged over
# In points:
LEFT = 0.3  # what an eye left to the next player costs
FOUND = 1.1  # what a daruma of the pile brings
BURDEN = 0.3  # what it brings that the next player starts with a four
TURN = 2.5  # what a turn brings
SPREAD, SPREAD_NOW = 2.0, 1.5  # how far luck takes two players apart in a turn, and unknown objectives in any case
LIKELIER = 1.3  # times, for each point that an objective gives a player: people collect what they need


def chances(dice: int) -> list[tuple[int, int, float]]:
    """Ones, fours and their chance, for a roll of that many dice. Good fortune is rolled again, so it is left out."""
    found = []
    for fours in range(min(dice + 1, FOURS)):
        for ones in range(dice - fours + 1):
            ways = math.comb(dice, ones) * math.comb(dice - ones, fours)
            found.append((ones, fours, ways * 4.0 ** (dice - ones - fours)))
    total = sum(ways for _, _, ways in found)
    return [(ones, fours, ways / total) for ones, fours, ways in found]


CHANCES = [chances(dice) for dice in range(DICE + 1)]


class Plan:
    """How a turn may go on. `ends[steps][ones]` is the chance to win if it is stopped with that many ones to paint and that many
    steps of the counter, `bad_luck` if it is lost."""

    def __init__(self, ends: tuple[tuple[float, ...], ...], bad_luck: float) -> None:
        self._ends, self._bad_luck = ends, bad_luck
        self._known: dict[tuple[int, int, int], float] = {}

    def stop(self, ones: int, others: int) -> float:
        return self._ends[min(2, others)][ones]

    def go_on(self, ones: int, others: int, fours: int) -> float:
        """Stop, or drink one of the other dice and roll some of the rest."""
        key = ones, others, fours
        if key not in self._known:
            sakes = [self.roll(ones, others - 1 - dice, dice, fours) for dice in range(1, others)]
            self._known[key] = max([self.stop(ones, others), *sakes])
        return self._known[key]

    def roll(self, ones: int, others: int, dice: int, fours: int) -> float:
        """Roll that many dice, and keep those ones and others."""
        total = 0.0
        for new, bad, chance in CHANCES[dice]:
            lost = fours + bad >= FOURS
            total += chance * (
                self._bad_luck if lost else self.go_on(ones + new, others + dice - new - bad, fours + bad)
            )
        return total


_plan = lru_cache(256)(Plan)


class Script:
    """What one seat thinks of its moves."""

    def __init__(self, game: Daruma, seat: int) -> None:
        self._seat, cards = seat, game.cards
        points = [cards.points[64 * goal : 64 * goal + cards.kinds] for goal in range(cards.objectives)]
        self._own = points.pop(game.objective[seat])
        self._others = points  # one of these belongs to each of the others

    def value(self, game: Daruma, move: int, rng: Rng) -> float:
        """The chance to win after a move."""
        if move == MOVE_STOP:
            return self.plan(game).stop(0, sum(faces(game.dice)))
        after = cast(Daruma, game.copy())
        after.apply(move, self._seat)
        return self._after_sweep(after, rng) if move == MOVE_SWEEP else self._after(after, rng)

    def _after_sweep(self, swept: Daruma, rng: Rng) -> float:
        total = 0.0
        for _ in range(ROWS):
            row = cast(Daruma, swept.copy())
            while row.stage == SWEPT:
                row.apply(row.sample_outcome(rng))
            total += self._after(row, rng)
        return total / ROWS

    def _after(self, game: Daruma, rng: Rng) -> float:
        if game.over or game.turn != self._seat or game.stage == REFILL:
            return self._chance(game, self.leads(game), 0, -LEFT * game.painted.bit_count())
        if game.stage in (ASK_SAKE, ASK_REROLL, ASK_SHIFT, ASK_SINGLES):
            return max(self.value(game, move, rng) for move in game.actions(self._seat))
        plan, fours = self.plan(game), game.ledger + game.fictive
        ones, *others = faces(game.dice)
        if game.stage in (START, ROLL):
            return plan.roll(ones, sum(others), DICE if game.stage == START else game.rolling, fours)
        return plan.go_on(ones, sum(others), fours)

    # ---- what a turn brings ----------------------------------------------------------------------

    def plan(self, game: Daruma) -> Plan:
        leads, gains = self.leads(game), self.gains(game)
        ends = [tuple([self._chance(game, leads, steps, gain) for gain in gains]) for steps in range(3)]
        return _plan(tuple(ends), self._chance(game, leads, 0, -LEFT * game.pupils.bit_count()))

    def gains(self, game: Daruma) -> list[float]:
        """The most points for each number of ones: every one must be painted while there is a free eye."""
        best = {0: 0.0}
        for place in range(PLACES):
            painted = (game.painted >> place & 1) + (game.complete >> place & 1)
            found: dict[int, float] = {}
            for ones, points in best.items():
                for eyes in range(painted, 3):
                    total = points + (self._own[game.face[place]] if eyes == 2 else -LEFT * eyes)
                    used = ones + eyes - painted
                    found[used] = max(total, found.get(used, total))
            best = found
        gains = [best[ones] for ones in range(len(best))]
        return gains + [gains[-1]] * (DICE - len(gains) + 1)

    def leads(self, game: Daruma) -> list[float]:
        """The points that we are ahead of each of the others, if they have the objectives that their darumas suggest;
        anyone who still plays in this round counts as a turn ahead."""
        own, leads = worth(game.collection(self._seat), self._own), []
        for step in range(1, game.players):
            other = (self._seat + step) % game.players
            found = [worth(game.collection(other), points) for points in self._others]
            likely = [LIKELIER**points for points in found]
            later = (other - game.first) % game.players > (self._seat - game.first) % game.players
            leads.append(own - sum(map(operator.mul, found, likely)) / sum(likely) - TURN * later)
        return leads

    def _chance(self, game: Daruma, leads: list[float], steps: int, points: float) -> float:
        """The chance to end up ahead of all, with that many more steps of the counter and points."""
        last = game.tokens - 1
        walked = min(2 * last, game.walked + steps)
        token = game.track[last - abs(last - walked)]
        if token == FOUR_TOKEN:
            points += BURDEN
        elif token == DARUMA_TOKEN and walked > game.walked:
            points += FOUND
        spread = SPREAD_NOW + SPREAD * math.sqrt((2 * last - walked) / game.players)
        return math.prod(1 / (1 + math.exp(-(lead + points) / spread)) for lead in leads)


def faces(dice: int) -> list[int]:
    """How many dice show 1, 2, .. 6."""
    return [dice >> 4 * face & 15 for face in range(6)]


def worth(held: Sequence[int], points: Sequence[int]) -> int:
    return sum(map(operator.mul, held, points))
