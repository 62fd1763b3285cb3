# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""Daruma's position, as described in docs/games/daruma.md; `moves.py` lists what may be played, `rules.py` plays it.

Dice are packed counts: four bits per face, face 1 lowest, so that dice are added and taken away like numbers.
A daruma is known by its kind (colour and action), the pile by how many of each kind it holds: its order is
chance that has not happened yet. What is asked next is the `stage`; eyes are sets of places: `painted` those
with at least one eye done, `complete` those with both, `pupils` those with a token of an earlier turn.
"""

from __future__ import annotations

from itertools import product
from math import comb

import cython

from tsukimi.core.checks import between
from tsukimi.core.errors import BadComponents, BadOptions

if not cython.compiled:
    from tsukimi.core.game import Game, Table
    from tsukimi.games.daruma.codes import (
        EMPTY,
        FIRST,
        MAX_KINDS,
        MOVE_GIVE,
        OVER,
        PLACES,
        START,
        TRACK,
    )

    FOUR_DICE = [0] * 1296  # what four dice show, by the base-6 number of their faces
    SIX_TO = [0] * 9
    CHOOSE = [0] * 60  # C(n, k) at 12 (k - 1) + n
    MULTISET = [0] * 792  # dice by rank

ONES = 0x111111
# A daruma's shape has three bits per colour and per action, 1 in its own: five shapes are counted in one sum.
SHAPE_TWO = 0x0492492492492492
SHAPE_FOUR = 0x0924924924924924
SHAPE_ACTIONS = 39


def number_of(dice):
    """How many dice (at most eight): the six counts summed into the topmost one."""
    return (dice * ONES) >> 20 & 15


def singles_of(dice):
    """The dice whose value is there exactly once."""
    return dice & ONES & ~(dice >> 1 | dice >> 2 | dice >> 3)


def rank_of(dice):
    """The place of up to seven dice without a four in the order of all such choices (combinatorial number system)."""
    one = dice & 15
    two = one + (dice >> 4 & 15)
    three = two + (dice >> 8 & 15)
    five = three + (dice >> 16 & 15)
    six = five + (dice >> 20 & 15)
    return CHOOSE[one] + CHOOSE[13 + two] + CHOOSE[26 + three] + CHOOSE[39 + five] + CHOOSE[52 + six]


def ranked(rank):
    """The dice of a rank."""
    return MULTISET[rank]


def roll_dice(number, rng):
    """That many dice at once: one number below 6^number is as many fair faces; absent digits read as ones."""
    faces = rng.below(SIX_TO[number])
    return FOUR_DICE[faces % 1296] + FOUR_DICE[faces // 1296] - (8 - number)


def _fill_tables() -> None:
    for number in range(9):
        SIX_TO[number] = pow(6, number)
    for i, faces in enumerate(product((0, 4, 8, 12, 16, 20), repeat=4)):
        FOUR_DICE[i] = sum([1 << face for face in faces])
    for i in range(60):
        CHOOSE[i] = comb(i % 12, i // 12 + 1)
    for counts in product(range(8), repeat=5):
        if sum(counts) <= 7:
            dice = sum([count << face for count, face in zip(counts, (0, 4, 8, 16, 20), strict=True)])
            MULTISET[rank_of(dice)] = dice


_fill_tables()


def dice_at(rank: object) -> int:
    """`ranked`, for Python callers."""
    return ranked(between("rank", rank, 0, 791))


def rank_at(dice: int) -> int:
    """`rank_of`, for Python callers."""
    if sum([dice >> 4 * face & 15 for face in range(6)]) > 7:
        raise BadOptions("out-of-range", name="dice", value=dice, low=0, high=7)
    return rank_of(dice)


class DarumaTable(Table):
    """The cards, objectives and tokens; made by `components.load`."""

    def __init__(
        self,
        colours: tuple[str, ...],
        names: tuple[str, ...],
        kinds: list[tuple[int, int, int]],
        goals: tuple[tuple[tuple[int, ...], int], ...],
        tokens: tuple[int, int, int],
    ) -> None:
        self.make_once()
        if not 1 <= len(kinds) <= MAX_KINDS or len(goals) > 32 or len(tokens) != 3:
            raise BadComponents("wrong-table", game="daruma", players=len(goals))
        self.colours = colours  # gold is the last
        self.names = names
        self.goals = goals
        self.kinds = len(kinds)
        self.objectives = len(goals)
        if not cython.compiled:
            self.colour, self.action, self.count, self.shape = [0] * 64, [0] * 64, [0] * 64, [0] * 64
            self.tokens, self.points = [0] * 3, [0] * 2048
        for kind, (colour, action, count) in enumerate(kinds):
            self.colour[kind], self.action[kind], self.count[kind] = colour, action, count
            self.shape[kind] = 1 << 3 * colour | 1 << SHAPE_ACTIONS + 3 * action
        for token in range(3):
            self.tokens[token] = tokens[token]
        for number, (good, bad) in enumerate(goals):
            for kind, (colour, _, _) in enumerate(kinds):
                rich = colour in good or colour == len(colours) - 1
                self.points[number * 64 + kind] = 2 if rich else -3 if colour == bad else 1


class Position(Game):
    def __init__(self, cards: DarumaTable, players: object, repeat_sweep: bool, first: object) -> None:
        Game.__init__(self, cards, players)
        players = self.players
        between("first", first, -1, players - 1)
        if type(cards) is not DarumaTable or cards.objectives < players or sum(cards.tokens) < players + 4:
            raise BadComponents("wrong-table", game="daruma", players=players)
        self.cards = cards
        if not cython.compiled:
            self.dice = self.sake = self.turn = self.rolling = self.ledger = self.fictive = 0
            self.painted = self.complete = self.pupils = self.walked = self.gift_used = self.swept = self.news = 0
            self.face, self.objective, self.track = [0] * 5, [0] * 5, [0] * 9
            self.size, self.variety, self.pile, self.owned = [0] * 5, [0] * 5, [0] * 64, [0] * 320
        self.repeat_sweep = repeat_sweep
        self.tokens = players + 4
        self.pile_size = 0
        for kind in range(cards.kinds):
            self.pile[kind] = cards.count[kind]
            self.pile_size += cards.count[kind]
        for i in range(5):
            self.face[i] = self.objective[i] = -1
        self.stage = FIRST if first < 0 else TRACK
        self.first = self.turn = max(first, 0)
        # An exchange has the most moves: two of the players, a kind of each; five cards stay around the tanuki.
        exchanges = min(
            self.pile_size * self.pile_size * (players - 1) // (2 * players),
            players * (players - 1) // 2 * cards.kinds * cards.kinds,
        )
        self.max_moves = max(exchanges, 80 + cards.kinds * players)
        self.move_ids = MOVE_GIVE + cards.kinds * players + players * (players - 1) // 2 * (cards.kinds + 1) ** 2
        self.observation_size = 88 + players + (players + 6) * cards.kinds + cards.objectives

    def collection(self, seat: cython.int) -> list[int]:
        """How many darumas of each kind a seat has."""
        self.check_seat(seat)
        return [self.owned[seat * 64 + kind] for kind in range(self.cards.kinds)]

    def pile_counts(self) -> list[int]:
        """How many darumas of each kind are in the pile."""
        self.ready()
        return [self.pile[kind] for kind in range(self.cards.kinds)]

    def place_of_counter(self) -> int:
        self.ready()
        return self.counter()

    def may_sweep(self) -> bool:
        self.ready()
        return self.sweep_possible()

    # ---- where we are ----------------------------------------------------------------------

    def is_over(self):
        return self.stage == OVER

    def at_chance(self):
        return self.stage < START

    def actor_mask(self):
        return 1 << self.turn if START <= self.stage < OVER else 0

    def counter(self):
        """The token under the counter, from 0: it walks to the last one and back."""
        last = self.tokens - 1
        return self.walked if self.walked <= last else 2 * last - self.walked

    def sweep_possible(self):
        """Three of one colour or of one action around the tanuki, and a pile to shuffle them into."""
        if self.pile_size == 0 or (self.swept and not self.repeat_sweep):
            return False
        shapes = self.cards.shape[self.face[0]]
        for place in range(1, PLACES):
            shapes += self.cards.shape[self.face[place]]
        return (shapes & SHAPE_FOUR | (shapes & SHAPE_TWO) << 1 & shapes << 2) & SHAPE_FOUR != 0

    # ---- darumas of the players ---------------------------------------------------------------

    def gain(self, seat, kind):
        if self.owned[seat * 64 + kind] == 0:
            self.variety[seat] += 1
        self.owned[seat * 64 + kind] += 1
        self.size[seat] += 1

    def lose(self, seat, kind):
        self.owned[seat * 64 + kind] -= 1
        if self.owned[seat * 64 + kind] == 0:
            self.variety[seat] -= 1
        self.size[seat] -= 1

    def darumas_won(self):
        """Whether anyone has a daruma."""
        for seat in range(self.players):
            if self.size[seat]:
                return True
        return False

    # ---- the count, and what a seat knows --------------------------------------------------

    def score(self, seat):
        points = 0
        if self.objective[seat] >= 0:
            for kind in range(self.cards.kinds):
                points += self.owned[seat * 64 + kind] * self.cards.points[self.objective[seat] * 64 + kind]
        return points

    def winner_mask(self):
        """Most points, then fewest darumas, then together."""
        best = 0
        winners = 0
        for seat in range(self.players):
            worth = self.score(seat) * 1000 - self.size[seat]
            if winners == 0 or worth > best:
                best = worth
                winners = 0
            if worth == best:
                winners |= 1 << seat
        return winners

    def resample_hidden(self, seat, rng):
        """The others' objectives are all that is hidden, and only until the end."""
        if self.stage == OVER:
            return
        dealt = 0
        for other in range(self.players):
            if self.objective[other] >= 0:
                dealt += 1
                if other != seat:
                    self.objective[other] = -1
        for other in range(dealt):
            if other != seat:
                self.objective[other] = self.draw_objective(rng)

    def draw_objective(self, rng):
        """One of the objectives that nobody has."""
        held = cython.cast(cython.uint, 0)
        free = self.cards.objectives
        for seat in range(self.players):
            if self.objective[seat] >= 0:
                held |= cython.cast(cython.uint, 1) << self.objective[seat]
                free -= 1
        chosen = cython.cast(cython.int, rng.below(free))
        number = 0
        while chosen > 0 or held >> number & 1:
            if not held >> number & 1:
                chosen -= 1
            number += 1
        return number

    def observe(self, seat, numbers):
        """Stage, seats, dice, eyes, track, darumas and the own objective; docs/games/daruma.md lists the places."""
        kinds = self.cards.kinds
        me = max(seat, 0)
        numbers[self.stage] = 1
        numbers[17 + (self.turn - me + self.players) % self.players] = 1
        at = 17 + self.players
        numbers[at] = (self.first - me + self.players) % self.players
        numbers[at + 1] = self.rolling
        numbers[at + 2] = self.ledger
        numbers[at + 3] = self.fictive
        numbers[at + 4] = self.gift_used
        numbers[at + 5] = self.swept
        numbers[at + 6] = self.walked
        numbers[at + 7] = self.pile_size
        at += 8
        for face in range(6):
            numbers[at + face] = self.dice >> 4 * face & 15
            numbers[at + 6 + face] = self.sake >> 4 * face & 15
        at += 12
        for place in range(PLACES):
            numbers[at + place] = self.painted >> place & 1
            numbers[at + 5 + place] = self.complete >> place & 1
            numbers[at + 10 + place] = self.pupils >> place & 1
        at += 15
        if self.stage > TRACK:
            numbers[at + self.counter()] = 1
            for place in range(self.tokens):
                numbers[at + 9 + 3 * place + self.track[place]] = 1
        at += 36
        for place in range(PLACES):
            if self.face[place] != EMPTY:
                numbers[at + place * kinds + self.face[place]] = 1
        at += PLACES * kinds
        for kind in range(kinds):
            numbers[at + kind] = self.pile[kind]
        at += kinds
        for away in range(self.players):
            for kind in range(kinds):
                numbers[at + kind] = self.owned[(me + away) % self.players * 64 + kind]
            at += kinds
        if seat >= 0 and self.objective[seat] >= 0:
            numbers[at + self.objective[seat]] = 1
