# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""Dojo: the position and the rules, as described in docs/games/dojo.md.

The pile and the dojos are in `dojos.py`, what a dojo counts is in `scoring.py`.
A tatami's kind is `disciple * 5 + belt - 1`; sets of seats are masks of bits.
"""

from __future__ import annotations

import cython

from tsukimi.core.checks import between

if not cython.compiled:
    from tsukimi.games.dojo.bits import lowest, popcount
    from tsukimi.games.dojo.dojos import BELTS, KINDS, PLACES, ROUNDS, Tabletop, Tatamis

TROPHY_KINDS = 6
WHITE_TROPHY = 3  # points of a trophy in the white belt variant

CLASSIC = 0
WHITE = 1
BLACK = 2

FIRST = 0
TURN = 1
DRAW = 2
DEAL = 3
GIVE = 4
CHALLENGE = 5
THROW = 6
SWAP = 7
PLACE = 8
TROPHY = 9
OVER = 10

GIVE_TO = 0  # + the receiver
DO_CHALLENGE = 5
DO_PASS = 6
THROW_AS = 7  # + 0 rock, 1 paper, 2 scissors
DO_SWAP = 10
DO_KEEP = 11
PLACE_AT = 12  # + the place
TROPHY_AT = 47  # + the line
MOVE_IDS = 59


def nth_bit(bits, n):
    """The place of the n-th lowest bit that is set, from 0."""
    while n > 0:
        bits &= bits - 1
        n -= 1
    return lowest(bits)


class Dojo(Tabletop):
    def __init__(self, table: Tatamis, players: object, belt: object, first: object) -> None:
        Tabletop.__init__(self, table, players)
        between("belt", belt, CLASSIC, BLACK)
        between("first", first, -1, self.players - 1)
        self.max_moves = PLACES
        self.move_ids = MOVE_IDS
        self.observation_size = 88 + 95 * self.players
        if not cython.compiled:
            self.duel, self.throws, self.bonus = [0] * 2, [0] * 6, [0] * 2
            self.held, self.won = [0] * 5, [0] * 5
            self.trophies_left = [0] * 6
        self.belt = belt
        self.asked_first = first
        self.first = first
        self.round = 0
        self.trophy = -1
        self.looking = -1
        self.dealer = -1
        for kind in range(TROPHY_KINDS):
            self.trophies_left[kind] = 2
        for seat in range(5):
            self.held[seat] = -1
            self.won[seat] = 0
        self.start_round()
        if first < 0:
            self.phase = FIRST

    # ---- where we are ----------------------------------------------------------------------

    def is_over(self):
        return self.phase == OVER

    def at_chance(self):
        return self.phase <= DEAL

    def actor_mask(self):
        return self.acting_seats

    def choices(self, seat):
        """The legal moves of a seat that may act, as bits above the first move of their kind."""
        if self.phase == PLACE:
            return self.free_places(seat)
        if self.phase == GIVE:
            return self.without_card
        if self.phase == THROW:
            return 7
        if self.phase == TROPHY:
            return self.free_lines(seat, self.trophy)
        return 3

    def first_move(self):
        """The lowest number of the moves of this phase."""
        if self.phase == PLACE:
            return PLACE_AT
        if self.phase == GIVE:
            return GIVE_TO
        if self.phase == CHALLENGE:
            return DO_CHALLENGE
        if self.phase == THROW:
            return THROW_AS
        if self.phase == SWAP:
            return DO_SWAP
        return TROPHY_AT

    def list_moves(self, seat, moves):
        if not self.acting_seats >> seat & 1:
            return 0
        bits = self.choices(seat)
        base = self.first_move()
        count = 0
        while bits:
            moves[count] = base + lowest(bits)
            bits &= bits - 1
            count += 1
        return count

    def random_move(self, seat, rng):
        bits = self.choices(seat)
        return self.first_move() + nth_bit(bits, rng.below(popcount(bits)))

    # ---- rounds ----------------------------------------------------------------------------

    def random_round(self):
        """With five players the first and the last cards are dealt at random, so that each seat deals twice."""
        return self.players == 5 and (self.round == 0 or self.round == ROUNDS - 1)

    def start_round(self):
        self.acting_seats = 0
        self.without_card = (1 << self.players) - 1
        self.attacker = -1
        self.winner = -1
        self.shown = 0
        self.swapped = False
        self.bouts = 0
        self.duel[0] = self.duel[1] = -1
        self.bonus[0] = self.bonus[1] = 0
        for i in range(6):
            self.throws[i] = -1
        if self.random_round():
            self.dealer = -1
            self.phase = DEAL
            return
        dealt = self.round
        if self.players == 5:
            dealt -= 1
        self.dealer = (self.first + dealt) % self.players
        self.phase = DRAW
        if self.belt != WHITE and self.trophy < 0:
            self.phase = TURN

    def end_round(self):
        if self.winner >= 0:
            self.trophy = -1
        self.round += 1
        if self.round == ROUNDS:
            self.phase = OVER
            self.acting_seats = 0
        else:
            self.start_round()

    # ---- chance ----------------------------------------------------------------------------

    def draw_outcome(self, rng):
        if self.phase == FIRST:
            return rng.below(self.players)
        if self.phase == TURN:
            left = 0
            for kind in range(TROPHY_KINDS):
                left += self.trophies_left[kind]
            n: cython.int = rng.below(left)
            kind = 0
            while n >= self.trophies_left[kind]:
                n -= self.trophies_left[kind]
                kind += 1
            return kind
        return self.draw_card(rng)

    def outcome_possible(self, outcome):
        if outcome < 0:
            return False
        if self.phase == FIRST:
            return outcome < self.players
        if self.phase == TURN:
            return outcome < TROPHY_KINDS and self.trophies_left[outcome] > 0
        return outcome < KINDS and self.left[outcome] > 0

    def make_outcome(self, outcome):
        if self.phase == DRAW:
            self.take_card(outcome)
            self.looking = outcome
            self.phase = GIVE
            self.acting_seats = 1 << self.dealer
        elif self.phase == DEAL:
            self.take_card(outcome)
            self.held[lowest(self.without_card)] = outcome
            self.without_card &= self.without_card - 1
            if self.without_card == 0:
                self.start_training()
        elif self.phase == TURN:
            self.trophy = outcome
            self.trophies_left[outcome] -= 1
            self.phase = DRAW
        else:
            self.first = outcome
            self.start_round()

    # ---- moves -----------------------------------------------------------------------------

    def make_move(self, move, seat):
        if self.phase == PLACE:
            self.place_card(seat, move - PLACE_AT)
        elif self.phase == GIVE:
            self.give_card(move - GIVE_TO)
        elif self.phase == CHALLENGE:
            if move == DO_CHALLENGE:
                self.reveal(seat)
            else:
                self.acting_seats = 1 << (seat + 1) % self.players
                if self.acting_seats == 1 << self.dealer:
                    self.start_training()
        elif self.phase == THROW:
            self.throw_hand(seat, move - THROW_AS)
        elif self.phase == SWAP:
            if move == DO_SWAP:
                self.exchange()
            self.start_training()
        else:
            self.put_trophy(seat, self.trophy, move - TROPHY_AT)
            self.end_round()

    def give_card(self, receiver):
        self.held[receiver] = self.looking
        self.looking = -1
        self.without_card &= ~(1 << receiver)
        if self.without_card:
            self.acting_seats = 0
            self.phase = DRAW
        else:
            self.acting_seats = 1 << (self.dealer + 1) % self.players
            self.phase = CHALLENGE

    def reveal(self, attacker):
        self.attacker = attacker
        self.shown = 1 << attacker | 1 << self.dealer
        self.duel[0] = self.held[attacker]
        self.duel[1] = self.held[self.dealer]
        if self.belt == BLACK:
            self.phase = THROW
            self.acting_seats = self.shown
        else:
            self.decide_challenge()

    def throw_hand(self, seat, hand):
        side = 0 if seat == self.attacker else 1
        self.throws[2 * self.bouts + side] = hand
        self.acting_seats &= ~(1 << seat)
        if self.acting_seats:
            return
        # rock 0, paper 1, scissors 2: each beats the one before it
        lead = (self.throws[2 * self.bouts] - self.throws[2 * self.bouts + 1] + 3) % 3
        if lead == 1:
            self.bonus[0] += 1
        elif lead == 2:
            self.bonus[1] += 1
        self.bouts += 1
        if self.bouts == 3:
            self.decide_challenge()
        else:
            self.acting_seats = self.shown

    def decide_challenge(self):
        attack = self.duel[0] % BELTS + self.bonus[0]
        defence = self.duel[1] % BELTS + self.bonus[1]
        self.winner = self.attacker if attack >= defence else self.dealer
        self.won[self.winner] += 1
        self.phase = SWAP
        self.acting_seats = 1 << self.winner

    def exchange(self):
        self.swapped = True
        card = self.held[self.attacker]
        self.held[self.attacker] = self.held[self.dealer]
        self.held[self.dealer] = card

    def start_training(self):
        self.phase = PLACE
        self.acting_seats = (1 << self.players) - 1

    def place_card(self, seat, place):
        self.put_card(seat, self.held[seat], place)
        self.held[seat] = -1
        self.acting_seats &= ~(1 << seat)
        if self.acting_seats:
            return
        if self.winner >= 0 and self.belt != WHITE and self.free_lines(self.winner, self.trophy):
            self.phase = TROPHY
            self.acting_seats = 1 << self.winner
        else:
            self.end_round()

    # ---- counting --------------------------------------------------------------------------

    def score(self, seat):
        best: cython.short[14]
        if not cython.compiled:
            best = [0] * 14
        points = self.best(seat, False, best)
        if self.belt == WHITE:
            points += WHITE_TROPHY * self.won[seat]
        return points

    def winner_mask(self):
        """Most points, then most challenges won, then shared."""
        most = -1
        mask: cython.uint = 0
        for seat in range(self.players):
            rank = self.score(seat) * (ROUNDS + 1) + self.won[seat]
            if rank > most:
                most = rank
                mask = 0
            if rank == most:
                mask |= 1 << seat
        return mask

    # ---- what a seat knows -----------------------------------------------------------------

    def knows_card_of(self, seat, owner):
        """Whether a seat has seen the card that lies before the owner: its own, all for the dealer, duellists'."""
        return seat == owner or (seat >= 0 and seat == self.dealer) or self.shown >> owner & 1

    def resample_hidden(self, seat, rng):
        """Unknown cards go back and are drawn again; a throw that is not revealed becomes any of the three."""
        unknown: cython.uint = 0
        for owner in range(self.players):
            if self.held[owner] >= 0 and not self.knows_card_of(seat, owner):
                unknown |= 1 << owner
                self.return_card(self.held[owner])
        hidden_look: cython.bint = self.looking >= 0 and seat != self.dealer
        if hidden_look:
            self.return_card(self.looking)
        for owner in range(self.players):
            if unknown >> owner & 1:
                self.held[owner] = self.draw_card(rng)
                self.take_card(self.held[owner])
        if hidden_look:
            self.looking = self.draw_card(rng)
            self.take_card(self.looking)
        if self.phase == THROW:
            if seat != self.attacker and self.throws[2 * self.bouts] >= 0:
                self.throws[2 * self.bouts] = rng.below(3)
            if seat != self.dealer and self.throws[2 * self.bouts + 1] >= 0:
                self.throws[2 * self.bouts + 1] = rng.below(3)

    def observe(self, seat, numbers):
        """See docs/games/dojo.md for what each number is; seats are counted from the observer's own."""
        own = seat if seat >= 0 else 0
        numbers[0] = self.round
        numbers[1 + self.phase] = 1
        numbers[12 + self.belt] = 1
        if self.trophy >= 0:
            numbers[15 + self.trophy] = 1
        for kind in range(TROPHY_KINDS):
            numbers[21 + kind] = self.trophies_left[kind]
        if self.looking >= 0:
            numbers[27] = 1
            if seat == self.dealer:
                numbers[28 + self.looking // BELTS] = 1
                numbers[34] = self.looking % BELTS + 1
        for side in range(2):
            numbers[35 + side] = self.bonus[side]
            if self.duel[side] >= 0:
                numbers[37 + 7 * side + self.duel[side] // BELTS] = 1
                numbers[43 + 7 * side] = self.duel[side] % BELTS + 1
            mine: cython.bint = seat >= 0 and seat == (self.dealer if side else self.attacker)
            for bout in range(3):
                thrown = self.throws[2 * bout + side]
                if thrown >= 0:
                    numbers[51 + 3 * side + bout] = thrown + 1
                    if bout == self.bouts and not mine:
                        numbers[51 + 3 * side + bout] = 4
        if self.swapped:
            numbers[57] = 1
        for kind in range(KINDS):
            numbers[58 + kind] = self.left[kind]
        for i in range(self.players):
            owner = (own + i) % self.players
            at = 88 + 95 * i
            if owner == self.dealer:
                numbers[at] = 1
            if owner == self.attacker:
                numbers[at + 1] = 1
            if owner == self.winner:
                numbers[at + 2] = 1
            if self.acting_seats >> owner & 1:
                numbers[at + 3] = 1
            numbers[at + 4] = self.won[owner]
            card = self.held[owner]
            if card >= 0:
                numbers[at + 5] = 1
                if self.knows_card_of(seat, owner):
                    numbers[at + 6 + card // BELTS] = 1
                    numbers[at + 12] = card % BELTS + 1
                else:
                    numbers[58 + card] += 1
            self.observe_dojo(owner, numbers, at + 13)
        if self.looking >= 0 and seat != self.dealer:
            numbers[58 + self.looking] += 1

    # ---- for Python callers ----------------------------------------------------------------

    def knows(self, seat: cython.int, owner: cython.int) -> bool:
        """Whether a seat (-1: a spectator) knows the card that lies before the owner."""
        self.check_seat(owner)
        return self.knows_card_of(seat, owner)
