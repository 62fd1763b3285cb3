# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""The rest of a turn of Daruma, solved exactly by dynamic programming: the value of every decision in it, given the
values of its endings.

A turn is a finite problem. Every use of a die reduces the number of dice available or on the ledger (the "total"), a
gift can be made once, and a roll with four fours leads back to the same roll, which has a closed form. So states are
solved in layers by total, the smallest first. A state is the eyes of the five darumas (0 to 2 each, a base-3 number),
whether the gift was made, the total, the fours on the ledger, and the dice available (a rank, see dice.py). The
fictive fours follow from the eyes.

`value` holds, for each rank, the expected value of having these dice and rolling all others of the layer; if there are
no others, the value of the decision. `drink` holds the value of these dice right after sake was used.

Three effects are fixed for the whole turn: a daruma by good fortune, the best exchange and the best gift. Each is given
as the fraction of the missing share of the win that it gains (or, below 0, of the current share that it costs), so that a
share stays between 0 and 1 whatever is added to it.
"""

from __future__ import annotations

import cython

if not cython.compiled:
    from tsukimi.bots.daruma.dice import (
        FIRST_RANK,
        FOUR_FOURS,
        LESS,
        MORE,
        MULTIPLES,
        MULTIPLES_AT,
        PARTS,
        PARTS_AT,
        SINGLES,
        SINGLES_AT,
        SINGLES_OFF,
        VALUE_OFF,
        rank_of_dice,
    )
    from tsukimi.games.daruma.codes import (
        FICTIVE_FOUR,
        MOVE_GIVE,
        MOVE_PAINT,
        MOVE_REROLL,
        MOVE_SAKE,
        MOVE_SHIFT,
        PLACES,
        REROLL_ALL,
        REROLL_MULTIPLES,
        REROLL_SINGLES,
        ROLL,
        SHIFT_MULTIPLES,
        SHIFT_SINGLES,
        START,
        SWAP,
    )
    from tsukimi.games.daruma.position import number_of, ranked
    from tsukimi.games.daruma.rules import Daruma

    OFFSET = [0] * 40  # where a layer (total, ledger) begins in its block, at 4 x total + ledger
    PLACE = [0] * 6  # 3 to the power of a place
    DIGIT = [0] * 1215  # how many eyes a daruma has, at 5 x eyes + place

LAYERS = 10
NEVER = -1e9
ALL_EYES = 242


def _fill_tables() -> None:
    offset = 0
    for layer in range(4 * LAYERS):
        OFFSET[layer] = offset
        dice = layer // 4 - layer % 4
        if 0 <= dice <= 8:
            offset += FIRST_RANK[dice + 1]
    for place in range(6):
        PLACE[place] = pow(3, place)
    for eyes in range(243):
        for place in range(5):
            DIGIT[5 * eyes + place] = eyes // pow(3, place) % 3


_fill_tables()


class Turn:
    """A turn from some point on: `begin`, set the values of the endings (`ends`, `bust`, ..), `solve`."""

    def __init__(self) -> None:
        if cython.compiled:
            from array import array

            self.capacity = 0
            self.value = array("d", bytes(8))
            self.drink = array("d", bytes(8))
        else:
            self.capacity = 0
            self.value, self.drink = [0.0], [0.0]
            self.ends, self.block, self.used, self.fours = [0.0] * 729, [0] * 486, [0] * 243, [0] * 243
            self.action, self.low, self.rolls = [0] * 5, [0] * 2, [0.0] * 5148
        self.total = -1
        self.bust = self.fortune = self.exchange = self.gift = 0.0

    # ---- the position --------------------------------------------------------------------------

    def begin(self, game: Daruma, may_give: bool) -> None:
        """From this decision (or from before the first roll) on; with or without the gift still to be made."""
        eyes = eyes_of(game)
        for place in range(PLACES):
            self.action[place] = game.cards.action[game.face[place]]
        before = game.stage == START or game.stage == ROLL
        self.total = 8 if before else number_of(game.dice) + game.ledger
        self.given = game.gift_used
        self.may_give = may_give and not game.gift_used
        self.low[0] = game.ledger
        self.low[1] = max(0, game.ledger - 1) if self.may_give else game.ledger
        self.find_reachable(eyes, game.fictive)

    def find_reachable(self, start, fictive):
        """Which eyes are reachable, with how many dice, and the number of fictive fours there."""
        capacity = 0
        for eyes in range(243):
            used = 0
            fours = fictive
            for place in range(PLACES):
                added = DIGIT[5 * eyes + place] - DIGIT[5 * start + place]
                if added < 0:
                    used = 99
                used += added
                if self.action[place] == FICTIVE_FOUR:
                    fours += added
            self.used[eyes] = used
            self.fours[eyes] = fours
            if used > self.total or fours > 3:
                self.used[eyes] = 99
                continue
            for given in range(2):
                self.block[2 * eyes + given] = capacity
                if self.reachable(given):
                    capacity += OFFSET[4 * (self.total - used + 1)]
        self.allocate(capacity)

    def allocate(self, capacity):
        if capacity > self.capacity:
            self.capacity = capacity
            if cython.compiled:
                from array import array

                self.value = array("d", bytes(8 * capacity))
                self.drink = array("d", bytes(8 * capacity))
            else:
                self.value, self.drink = [0.0] * capacity, [0.0] * capacity

    def reachable(self, given):
        """Whether states with the gift made, or not made, are reachable."""
        if given:
            return self.given or self.may_give
        return not self.given

    def reached(self) -> list[int]:
        """The reachable eyes, whose endings must be set."""
        return [eyes for eyes in range(243) if self.used[eyes] < 99]

    def set_end(self, eyes: cython.int, steps: cython.int, value: cython.double) -> None:
        """The value of ending with these eyes and that many steps of the counter (0 to 2)."""
        self.ends[3 * eyes + steps] = value

    # ---- the solution --------------------------------------------------------------------------

    def solve(self) -> None:
        with cython.nogil:
            self.solve_all()

    def solve_all(self):
        for total in range(self.total + 1):
            for given in range(1, -1, -1):
                if not self.reachable(given):
                    continue
                for eyes in range(243):
                    if self.used[eyes] + total <= self.total:
                        self.solve_layer(eyes, given, total)

    def solve_layer(self, eyes, given, total):
        most = min(3 - self.fours[eyes], total)
        for ledger in range(self.low[given], most + 1):
            at = self.layer(eyes, given, total, ledger)
            dice = total - ledger
            for rank in range(FIRST_RANK[dice], FIRST_RANK[dice + 1]):
                self.value[at + rank] = self.decide(eyes, given, total, ledger, rank)
        for ledger in range(self.low[given], most + 1):
            self.roll(eyes, given, total, ledger)
            at = self.layer(eyes, given, total, ledger)
            dice = total - ledger
            for rank in range(FIRST_RANK[dice], FIRST_RANK[dice + 1]):
                best: cython.double = NEVER
                if dice < 8:
                    for i in range(PARTS_AT[rank], PARTS_AT[rank + 1]):
                        if self.value[at + PARTS[i]] > best:
                            best = self.value[at + PARTS[i]]
                self.drink[at + rank] = best

    def layer(self, eyes, given, total, ledger):
        return self.block[2 * eyes + given] + OFFSET[4 * total + ledger]

    def decide(self, eyes, given, total, ledger, rank):
        """The best use of these dice."""
        dice = total - ledger
        if dice == 0:
            return self.ends[3 * eyes]
        best: cython.double = NEVER
        value: cython.double = NEVER
        if LESS[5 * rank] >= 0 and eyes != ALL_EYES:
            for place in range(PLACES):
                if DIGIT[5 * eyes + place] < 2:
                    value = self.paint(eyes, given, total, ledger, rank, place)
                    if value > best:
                        best = value
        else:
            best = self.ends[3 * eyes + (2 if dice > 2 else dice)]
        if dice > 1:
            at = self.layer(eyes, given, total - 1, ledger)
            for face in range(1, 5):
                if LESS[5 * rank + face] >= 0:
                    value = self.drink[at + LESS[5 * rank + face]]
                    if value > best:
                        best = value
        if ledger > 0 and not given and self.may_give:
            value = moved_share(self.value[self.layer(eyes, 1, total, ledger - 1) + rank], self.gift)
            if value > best:
                best = value
        return best

    def paint(self, eyes, given, total, ledger, rank, place):
        """Place a 1 on that daruma, and apply its action to the other dice."""
        second = DIGIT[5 * eyes + place]
        eyes += PLACE[place]
        action = self.action[place]
        if self.fours[eyes] + ledger > 3:
            return self.bust
        rest = LESS[5 * rank]
        at = self.layer(eyes, given, total - 1, ledger)
        if action == REROLL_ALL:
            return self.value[at]
        if action == REROLL_SINGLES:
            return self.value[at + SINGLES_OFF[rest]]
        best: cython.double = NEVER
        value: cython.double = NEVER
        if action == SHIFT_SINGLES:
            for i in range(SINGLES_AT[rest], SINGLES_AT[rest + 1]):
                value = self.value[at + SINGLES[i]]
                if value > best:
                    best = value
        elif action == SHIFT_MULTIPLES:
            for i in range(MULTIPLES_AT[rest], MULTIPLES_AT[rest + 1]):
                value = self.value[at + MULTIPLES[i]]
                if value > best:
                    best = value
        elif action == REROLL_MULTIPLES:
            for face in range(5):
                if VALUE_OFF[5 * rest + face] >= 0:
                    value = self.value[at + VALUE_OFF[5 * rest + face]]
                    if value > best:
                        best = value
        if best == NEVER:
            best = self.value[at + rest]
        if action == SWAP and second:
            best = moved_share(best, self.exchange)
        return best

    def roll(self, eyes, given, total, ledger):
        """From the values of decisions to those of rolling some dice: one die after the other, counting fours.

        `rolls` holds, for 0 to 3 fours in this roll so far, the expected value without good fortune.
        """
        dice = total - ledger
        sixth: cython.double = 1.0 / 6.0
        for fours in range(min(3, dice), -1, -1):
            mine = 1287 * fours
            lost = 1 if self.fours[eyes] + ledger + fours > 3 else 0
            at = 0 if lost else self.layer(eyes, given, total, ledger + fours)
            for rank in range(FIRST_RANK[dice - fours], FIRST_RANK[dice - fours + 1]):
                self.rolls[mine + rank] = self.bust if lost else self.value[at + rank]
            for rank in range(FIRST_RANK[dice - fours] - 1, -1, -1):
                next_die = 5 * rank
                expected: cython.double = self.rolls[mine + MORE[next_die]]
                expected += self.rolls[mine + MORE[next_die + 1]]
                expected += self.rolls[mine + MORE[next_die + 2]]
                expected += self.rolls[mine + MORE[next_die + 3]]
                expected += self.rolls[mine + MORE[next_die + 4]]
                if fours < 3:
                    expected += self.rolls[mine + 1287 + rank]
                self.rolls[mine + rank] = expected * sixth
        at = self.layer(eyes, given, total, ledger)
        gain: cython.double = max(0.0, self.fortune)
        rest: cython.double = 1.0 - abs(self.fortune)
        for left in range(dice):
            again: cython.double = FOUR_FOURS[dice - left]
            for rank in range(FIRST_RANK[left], FIRST_RANK[left + 1]):
                self.value[at + rank] = (self.rolls[rank] + again * gain) / (1.0 - again * rest)

    # ---- queries --------------------------------------------------------------------------------

    def covers(self, game: Daruma) -> bool:
        """Whether that decision was solved (in the same turn, with the same darumas)."""
        eyes = eyes_of(game)
        total = number_of(game.dice) + game.ledger
        solved = self.used[eyes] + total <= self.total and game.ledger >= self.low[game.gift_used]
        return solved and self.reachable(game.gift_used)

    def whole(self) -> float:
        """The value of the turn before its first roll (later on: before rolling all its dice again)."""
        return self.value[self.layer(self.start_eyes(), self.given, self.total, self.low[self.given])]

    def start_eyes(self):
        for eyes in range(243):
            if self.used[eyes] == 0:
                return eyes
        return 0

    def here(self, game: Daruma) -> float:
        """The value of this position's dice when they are to be used."""
        at = self.layer(eyes_of(game), game.gift_used, number_of(game.dice) + game.ledger, game.ledger)
        return self.value[at + rank_of_dice(game.dice)]

    def move_value(self, game: Daruma, move: cython.int) -> float:
        """The value of a move; for gifts and exchanges without the effect of the daruma itself."""
        eyes = eyes_of(game)
        given = game.gift_used
        ledger = game.ledger
        total = number_of(game.dice) + ledger
        rank = rank_of_dice(game.dice)
        at = self.layer(eyes, given, total, ledger)
        if move < MOVE_PAINT:
            return self.ends[3 * eyes + min(2, total - ledger)]
        if move < MOVE_SAKE:
            return self.paint(eyes, given, total, ledger, rank, move - MOVE_PAINT)
        if move < MOVE_REROLL:
            face = move - MOVE_SAKE
            at = self.layer(eyes, given, total - 1, ledger)
            return self.drink[at + LESS[5 * rank + (face if face < 3 else face - 1)]]
        if move < MOVE_SHIFT:
            return self.value[at + rank_of_dice(game.dice - ranked(move - MOVE_REROLL))]
        if move < MOVE_GIVE:
            after = game.copy()
            after.apply(move, game.turn)
            return self.value[at + rank_of_dice(dice_after(after))]
        if move < MOVE_GIVE + game.cards.kinds * game.players:
            return self.value[self.layer(eyes, 1, total, ledger - 1) + rank]
        return self.value[at + rank]


def is_compiled() -> bool:
    """Whether this module is compiled; plain Python is some hundred times slower."""
    return cython.compiled


def moved_share(share, effect):
    """A share of the win after an effect: a fraction of what is missing is added, or (below 0) a fraction of it is lost."""
    return share + (1.0 - share) * effect if effect > 0.0 else share + share * effect


def dice_after(game):
    return game.dice


def eyes_of(game):
    """The eyes of the five darumas as a base-3 number."""
    eyes = 0
    for place in range(PLACES):
        if game.complete >> place & 1:
            eyes += 2 * PLACE[place]
        elif game.painted >> place & 1:
            eyes += PLACE[place]
    return eyes
