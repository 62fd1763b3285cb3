# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""Daruma's turns: what moves and chance bring about, as described in docs/games/daruma.md.

`position.py` holds the position, `moves.py` lists the moves. Here a move or an outcome ends by setting the `stage`.
"""

from __future__ import annotations

import cython

if not cython.compiled:
    from tsukimi.games.daruma.codes import (
        ASK_REROLL,
        ASK_SAKE,
        ASK_SHIFT,
        ASK_SINGLES,
        ASK_SWAP,
        BAD_LUCK,
        COUNTER_MOVED,
        DARUMA_TOKEN,
        EMPTY,
        FICTIVE_FOUR,
        FIRST,
        FORTUNE,
        FOUR_TOKEN,
        GOOD_FORTUNE,
        MOVE_GIVE,
        MOVE_PAINT,
        MOVE_REROLL,
        MOVE_SAKE,
        MOVE_SHIFT,
        MOVE_SINGLES,
        MOVE_STOP,
        MOVE_SWEEP,
        OBJECTIVE,
        OVER,
        PLACES,
        REFILL,
        REROLL_ALL,
        REROLL_MULTIPLES,
        REROLL_SINGLES,
        REWARD,
        ROLL,
        SETUP,
        SHIFT_SINGLES,
        START,
        SWAP,
        SWEPT,
        TRACK,
        TURN_PASSED,
        USE,
    )
    from tsukimi.games.daruma.moves import Moves
    from tsukimi.games.daruma.position import number_of, ranked, roll_dice, singles_of

FOURS = 0x00F000
TWO_OR_MORE = 0xEEEEEE


class Daruma(Moves):
    # ---- a player decides ------------------------------------------------------------------

    def make_move(self, move, seat):
        self.news = 0
        if move < MOVE_STOP:
            if move == MOVE_SWEEP:
                self.sweep()
            else:
                self.throw(8)
        elif move == MOVE_STOP:
            self.end_turn()
        elif move < MOVE_SAKE:
            self.paint(move - MOVE_PAINT)
        elif move < MOVE_REROLL:
            die = 1 << 4 * (move - MOVE_SAKE)
            self.dice -= die
            self.sake += die
            self.stage = ASK_SAKE
        elif move < MOVE_SHIFT:
            dice = ranked(move - MOVE_REROLL)
            self.dice -= dice
            self.throw(number_of(dice))
        elif move < MOVE_SINGLES:
            code = move - MOVE_SHIFT
            self.shift(code // 64 + 1, code // 8 % 8, code % 8)
        elif move < MOVE_GIVE:
            self.shift_singles(move - MOVE_SINGLES)
        elif move < self.swap_base():
            self.give((move - MOVE_GIVE) // self.players, (move - MOVE_GIVE) % self.players)
        else:
            self.swap(move - self.swap_base())

    def start_turn(self):
        self.dice = 0
        self.sake = 0
        self.ledger = 0
        self.fictive = 1 if self.track[self.counter()] == FOUR_TOKEN else 0
        self.gift_used = 0
        self.swept = 0
        if self.sweep_possible():
            self.stage = START
        else:
            self.throw(8)

    def sweep(self):
        """The five go back into the pile, and their pupil tokens are removed."""
        for place in range(PLACES):
            self.pile[self.face[place]] += 1
            self.face[place] = EMPTY
        self.pile_size += PLACES
        self.painted = self.pupils = 0
        self.swept = 1
        self.stage = SWEPT

    def throw(self, number):
        """That many dice are about to be rolled."""
        self.rolling = number
        self.stage = ROLL

    def paint(self, place):
        """A 1 becomes a pupil, and the daruma acts, as far as it can."""
        self.dice -= 1
        eye = 1 << place
        second = self.painted & eye
        if second:
            self.complete |= eye
        self.painted |= eye
        action = self.cards.action[self.face[place]]
        if action == FICTIVE_FOUR:
            self.fictive += 1
        elif action == REROLL_ALL:
            if self.dice:
                number = number_of(self.dice)
                self.dice = 0
                self.throw(number)
                return
        elif action == REROLL_SINGLES:
            singles = singles_of(self.dice)
            if singles:
                self.dice -= singles
                self.throw(number_of(singles))
                return
        elif action == SHIFT_SINGLES:
            if singles_of(self.dice):
                self.stage = ASK_SINGLES
                return
        elif action == SWAP:
            if second and self.darumas_won():
                self.stage = ASK_SWAP
                return
        elif self.dice & TWO_OR_MORE:
            self.stage = ASK_REROLL if action == REROLL_MULTIPLES else ASK_SHIFT
            return
        self.go_on()

    def shift(self, face, up, down):
        """Dice of one value go up and down by one; 6 and 1 are neighbours."""
        self.dice -= (up + down) << 4 * (face - 1)
        self.dice += up << 4 * (face % 6)
        self.dice += down << 4 * ((face + 4) % 6)
        self.go_on()

    def shift_singles(self, digits):
        dice = self.dice
        for face in range(1, 7):
            if face == 4:
                continue
            if digits % 3:
                dice -= 1 << 4 * (face - 1)
                dice += 1 << 4 * (face % 6 if digits % 3 == 1 else (face + 4) % 6)
            digits //= 3
        self.dice = dice
        self.go_on()

    def give(self, kind, to):
        """A daruma for another player; one of the fours on the ledger is rolled again."""
        self.lose(self.turn, kind)
        self.gain(to, kind)
        self.ledger -= 1
        self.gift_used = 1
        self.throw(1)

    def swap(self, move):
        """Two players exchange a daruma; one who has none only receives."""
        base = self.cards.kinds + 1
        pair = move // (base * base)
        one = 0
        while pair >= self.players - 1 - one:
            pair -= self.players - 1 - one
            one += 1
        other = one + 1 + pair
        a = move // base % base
        b = move % base
        if a:
            self.lose(one, a - 1)
            self.gain(other, a - 1)
        if b:
            self.lose(other, b - 1)
            self.gain(one, b - 1)
        self.go_on()

    def go_on(self):
        """After a roll or an action: bad luck before the end for want of dice."""
        if self.ledger + self.fictive >= 4:
            self.news |= BAD_LUCK
            self.painted = self.pupils
            self.complete = 0
            self.pass_turn()
        elif self.dice == 0:
            self.end_turn()
        else:
            self.stage = USE

    # ---- the end of a turn -----------------------------------------------------------------

    def end_turn(self):
        """Take the darumas with two eyes, leave pupil tokens on those with one."""
        if self.complete:
            for place in range(PLACES):
                if self.complete >> place & 1:
                    self.gain(self.turn, self.face[place])
                    self.face[place] = EMPTY
        self.painted &= ~self.complete
        self.pupils = self.painted
        self.complete = 0
        self.refill()

    def refill(self):
        if self.empty_place() == EMPTY:
            self.move_counter()
        elif self.pile_size:
            self.stage = REFILL
        else:
            self.stage = OVER

    def move_counter(self):
        """One step for one die left, two for more; back on the first token it stays."""
        home = 2 * (self.tokens - 1)
        left = number_of(self.dice)
        if left == 0 or self.walked == home:
            self.pass_turn()
            return
        self.news |= COUNTER_MOVED
        self.walked = min(home, self.walked + min(2, left))
        if self.track[self.counter()] == DARUMA_TOKEN and self.pile_size:
            self.stage = REWARD
        else:
            self.pass_turn()

    def pass_turn(self):
        """To the next player, until the counter is home and all have had as many turns."""
        self.news |= TURN_PASSED
        self.turn = (self.turn + 1) % self.players
        if self.turn == self.first and self.walked == 2 * (self.tokens - 1):
            self.stage = OVER
        else:
            self.start_turn()

    # ---- chance ----------------------------------------------------------------------------

    def draw_outcome(self, rng):
        if self.stage == ROLL:
            return roll_dice(self.rolling, rng)
        if self.stage == FIRST:
            return rng.below(self.players)
        if self.stage == TRACK:
            return self.draw_track(rng)
        if self.stage == OBJECTIVE:
            return self.draw_objective(rng)
        return self.draw_kind(rng)

    def draw_track(self, rng):
        """Tokens from the first to the last, as a base-3 number whose lowest digit is the first token."""
        left: cython.int[3]
        if not cython.compiled:
            left = [0] * 3
        total = 0
        for token in range(3):
            left[token] = self.cards.tokens[token]
            total += left[token]
        line = 0
        weight = 1
        for _ in range(self.tokens):
            chosen = cython.cast(cython.int, rng.below(total))
            token = 0
            while chosen >= left[token]:
                chosen -= left[token]
                token += 1
            left[token] -= 1
            total -= 1
            line += token * weight
            weight *= 3
        return line

    def draw_kind(self, rng):
        chosen = cython.cast(cython.int, rng.below(self.pile_size))
        kind = 0
        while chosen >= self.pile[kind]:
            chosen -= self.pile[kind]
            kind += 1
        return kind

    def outcome_possible(self, outcome):
        if outcome < 0:
            return False
        if self.stage == ROLL:
            dice = 0
            for face in range(6):
                dice += outcome >> 4 * face & 15
            return outcome < 1 << 24 and dice == self.rolling
        if self.stage == FIRST:
            return outcome < self.players
        if self.stage == TRACK:
            return self.track_possible(outcome)
        if self.stage == OBJECTIVE:
            for seat in range(self.players):
                if self.objective[seat] == outcome:
                    return False
            return outcome < self.cards.objectives
        return outcome < self.cards.kinds and self.pile[outcome] > 0

    def track_possible(self, line):
        left: cython.int[3]
        if not cython.compiled:
            left = [0] * 3
        for token in range(3):
            left[token] = self.cards.tokens[token]
        for _ in range(self.tokens):
            left[line % 3] -= 1
            if left[line % 3] < 0:
                return False
            line //= 3
        return line == 0

    def make_outcome(self, outcome):
        self.news = 0
        stage = self.stage
        if stage == ROLL:
            self.rolled(outcome)
        elif stage == FIRST:
            self.first = self.turn = outcome
            self.stage = TRACK
        elif stage == TRACK:
            for place in range(self.tokens):
                self.track[place] = outcome % 3
                outcome //= 3
            self.stage = OBJECTIVE
        elif stage == OBJECTIVE:
            seat = 0
            while self.objective[seat] >= 0:
                seat += 1
            self.objective[seat] = outcome
            if seat == self.players - 1:
                self.stage = SETUP
        else:
            self.pile[outcome] -= 1
            self.pile_size -= 1
            if stage == FORTUNE:
                self.gain(self.turn, outcome)
                self.stage = ROLL
            elif stage == REWARD:
                self.gain(self.turn, outcome)
                self.pass_turn()
            else:
                self.lay(outcome)

    def resolve_chance(self, rng):
        while self.stage < START:
            self.make_outcome(self.draw_outcome(rng))

    def rolled(self, dice):
        """Good fortune, or the fours go to the ledger, and what is left may be used."""
        fours = dice >> 12 & 15
        if fours >= 4:
            self.news |= GOOD_FORTUNE
            if self.pile_size:
                self.stage = FORTUNE
            return
        self.ledger += fours
        self.dice += dice & ~FOURS
        self.rolling = 0
        self.go_on()

    def lay(self, kind):
        """A daruma onto the lowest empty place; when all lie there, the game goes on."""
        self.face[self.empty_place()] = kind
        if self.stage == REFILL:
            self.refill()
        elif self.empty_place() == EMPTY:
            if self.stage == SETUP:
                self.start_turn()
            elif self.sweep_possible():
                self.stage = START
            else:
                self.throw(8)

    def empty_place(self):
        for place in range(PLACES):
            if self.face[place] == EMPTY:
                return place
        return EMPTY
