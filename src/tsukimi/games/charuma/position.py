# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""Charuma's table: cards, points and bids, the deal and the auction, and what each seat can know of it all.

The tricks are in `rules`; the numbers of cards and moves, and how sets of cards are represented, in `deck`.
"""

from __future__ import annotations

import cython

from tsukimi.core.checks import between
from tsukimi.core.errors import BadComponents

if not cython.compiled:
    from tsukimi.core.game import Game
    from tsukimi.games.charuma.deck import (
        AMOUNTS,
        FACE_UP,
        HIDDEN,
        KINDS,
        MOVES,
        NONE,
        Deck,
        after,
        bit,
        lowest,
        nth,
        ones,
    )

    # Phases. In the first three a chance event waits.
    FIRST = 0
    DEAL = 1
    GROUPS = 2
    AUCTION = 3
    TRICKS = 4
    OVER = 5

    # The option `auction`.
    ON = 0
    OFF = 1
    FROM_SECOND = 2


def shuffled(cards, place, size, rng):
    """The card for the next place of a shuffle; those before it have been given out."""
    drawn = place + rng.below(size - place)
    card = cards[drawn]
    cards[drawn] = cards[place]
    return card


class Position(Game):
    """The current position. -1 (NONE) stands for nobody or nothing."""

    def __init__(self, deck: Deck, players: object, auction: object = 0, first: object = -1) -> None:
        super().__init__(deck, players)
        between("auction", auction, ON, FROM_SECOND)
        between("first", first, NONE, self.players - 1)
        if type(deck) is not Deck or (2 + deck.group_size) * self.players > deck.size:
            raise BadComponents("wrong-table", game="charuma", players=self.players)
        self.deck = deck
        self.max_moves = 30
        self.move_ids = MOVES
        self.observation_size = 48 + 50 * self.players
        if not cython.compiled:
            self.owned, self.bid, self.bidder, self.group_of = [0] * 5, [0] * 5, [0] * 5, [0] * 5
            self.tricks, self.trick_points, self.aces, self.trick = [0] * 5, [0] * 5, [0] * 5, [0] * 5
            self.shown = [0] * 5
            self.hand, self.twins, self.group, self.group_twins = [0] * 5, [0] * 5, [0] * 5, [0] * 5
        self.auction, self.first = auction, first
        self.phase, self.round, self.last_round = FIRST, 0, False
        self.token = self.turn = NONE
        self.dealt = self.standing = 0
        self.leader = self.led = self.winner = NONE
        self.played, self.best, self.best_seat, self.ace_seat, self.trick_aces = 0, 0, NONE, NONE, 0
        self.rest = self.rest_twins = 0
        for seat in range(5):
            self.owned[seat] = 5 if seat < self.players else 0
            self.hand[seat] = self.twins[seat] = self.group[seat] = self.group_twins[seat] = 0
            self.tricks[seat] = self.trick_points[seat] = self.aces[seat] = 0
            self.bid[seat] = self.bidder[seat] = self.group_of[seat] = self.trick[seat] = self.shown[seat] = NONE
        if first >= 0:
            self.token = first
            self.start_round()

    def is_over(self):
        return self.phase == OVER

    def at_chance(self):
        return self.phase <= GROUPS

    def actor_mask(self):
        if self.phase == AUCTION or self.phase == TRICKS:
            return 1 << self.turn
        return 0

    # ---- the deal --------------------------------------------------------------------------

    def start_round(self):
        self.round += 1
        self.phase = DEAL
        self.dealt = 0
        self.standing = 0
        self.turn = NONE
        self.rest = self.rest_twins = self.deck.every
        for seat in range(self.players):
            self.hand[seat] = self.twins[seat] = 0
            self.group[seat] = self.group_twins[seat] = 0
            self.bid[seat] = self.bidder[seat] = self.group_of[seat] = self.shown[seat] = NONE

    def receive(self, seat, card):
        self.twins[seat] |= self.hand[seat] & bit(card)
        self.hand[seat] |= bit(card)

    def lay_out(self, group, kind):
        self.group_twins[group] |= self.group[group] & bit(kind)
        self.group[group] |= bit(kind)

    def put_aside(self, kind):
        self.rest_twins |= self.rest & bit(kind)
        self.rest |= bit(kind)

    def place_dealt(self, kind):
        """Where the next card of the deal goes: two hidden cards each, then group after group."""
        place = self.dealt - 2 * self.players
        if place < 0:
            self.receive(self.dealt // 2, HIDDEN + kind)
        else:
            self.lay_out(place // self.deck.group_size, kind)
        self.dealt += 1

    def finish_deal(self):
        if self.auction == ON or (self.auction == FROM_SECOND and self.round > 1):
            self.phase = AUCTION
            self.turn = self.token
        else:
            self.phase = GROUPS

    def draw_outcome(self, rng):
        if self.phase == FIRST:
            return rng.below(self.players)
        if self.phase == DEAL:
            cards = self.rest | (self.rest_twins << KINDS)
            return nth(cards, rng.below(ones(cards))) % KINDS
        free = 0
        for group in range(self.players):
            if self.bidder[group] == NONE:
                free |= bit(group)
        return nth(free, rng.below(ones(free)))

    def outcome_possible(self, outcome):
        if self.phase == DEAL:
            return 0 <= outcome < KINDS and self.rest & bit(outcome) != 0
        if not 0 <= outcome < self.players:
            return False
        return self.phase == FIRST or self.bidder[outcome] == NONE

    def make_outcome(self, outcome):
        if self.phase == FIRST:
            self.token = outcome
            self.start_round()
        elif self.phase == DEAL:
            self.rest &= ~bit(outcome) | self.rest_twins
            self.rest_twins &= ~bit(outcome)
            self.place_dealt(outcome)
            if self.dealt == (2 + self.deck.group_size) * self.players:
                self.finish_deal()
        else:
            self.bidder[outcome] = self.standing
            self.group_of[self.standing] = outcome
            self.standing += 1
            if self.standing == self.players:
                self.start_tricks()

    def resolve_chance(self, rng):
        while self.at_chance():
            if self.phase == DEAL and self.dealt == 0:
                self.deal_round(rng)
            else:
                self.make_outcome(self.draw_outcome(rng))

    def deal_round(self, rng):
        """All the cards of a round at once, by the first part of a shuffle."""
        cards: cython.short[40]
        if not cython.compiled:
            cards = [0] * 40
        size = self.deck.size
        for place in range(size):
            cards[place] = self.deck.kind[place]
        place = 0
        for seat in range(self.players):
            for _ in range(2):
                self.receive(seat, HIDDEN + shuffled(cards, place, size, rng))
                place += 1
        for group in range(self.players):
            laid_out = twins = cython.cast(cython.ulonglong, 0)
            for _ in range(self.deck.group_size):
                card = bit(shuffled(cards, place, size, rng))
                twins |= laid_out & card
                laid_out |= card
                place += 1
            self.group[group], self.group_twins[group] = laid_out, twins
        self.dealt = place
        self.rest = self.rest_twins = 0
        while place < size:
            self.put_aside(cards[place])
            place += 1
        self.finish_deal()

    # ---- the auction -----------------------------------------------------------------------

    def list_bids(self, seat, moves):
        count = 0
        cap = min(self.owned[seat], AMOUNTS - 1)
        for group in range(self.players):
            for amount in range(self.bid[group] + 1, cap + 1):
                moves[count] = group * AMOUNTS + amount
                count += 1
        return count

    def random_bid(self, seat, rng):
        cap = min(self.owned[seat], AMOUNTS - 1)
        count = 0
        for group in range(self.players):
            count += max(cap - self.bid[group], 0)
        place = rng.below(count)
        group = 0
        room = max(cap - self.bid[0], 0)
        while place >= room:
            place -= room
            group += 1
            room = max(cap - self.bid[group], 0)
        return group * AMOUNTS + self.bid[group] + 1 + place

    def place_bid(self, seat, group, amount):
        outbid = self.bidder[group]
        if outbid == NONE:
            self.standing += 1
        else:
            self.group_of[outbid] = NONE
        self.bid[group], self.bidder[group], self.group_of[seat] = amount, seat, group
        if self.standing == self.players:
            self.finish_auction()
        else:
            seat = after(seat, self.players)
            while self.group_of[seat] != NONE:
                seat = after(seat, self.players)
            self.turn = seat

    def finish_auction(self):
        for group in range(self.players):
            self.owned[self.bidder[group]] -= self.bid[group]
        self.start_tricks()

    def start_tricks(self):
        for seat in range(self.players):
            group = self.group_of[seat]
            self.hand[seat] |= self.group[group]
            self.twins[seat] |= self.group_twins[group]
            self.tricks[seat] = self.trick_points[seat] = self.aces[seat] = 0
        self.phase = TRICKS
        self.turn = self.token
        self.led = NONE

    # ---- counting and knowing --------------------------------------------------------------

    def score(self, seat):
        return self.owned[seat]

    def winner_mask(self):
        most = 0
        leaders = 0
        for seat in range(self.players):
            if self.owned[seat] > most:
                most = self.owned[seat]
                leaders = 0
            if self.owned[seat] == most:
                leaders |= 1 << seat
        return leaders

    def resample_hidden(self, seat, rng):
        """Exchange the others' hidden cards with the unseen rest."""
        pool: cython.short[40]
        if not cython.compiled:
            pool = [0] * 40
        unseen, unseen_twins = self.rest, self.rest_twins
        for other in range(self.players):
            if other != seat:
                hidden = self.hand[other] >> HIDDEN
                unseen_twins |= (unseen & hidden) | (self.twins[other] >> HIDDEN)
                unseen |= hidden
        size = 0
        # The pool is in the order of kinds, so that the draw does not depend on who held what.
        while unseen:
            for _ in range(1 + (unseen_twins >> lowest(unseen) & 1)):
                pool[size] = lowest(unseen)
                size += 1
            unseen &= unseen - 1
        place = self.hand_out(seat, pool, size, rng)
        while place < 0:
            place = self.hand_out(seat, pool, size, rng)
        self.rest = self.rest_twins = 0
        while place < size:
            self.put_aside(pool[place])
            place += 1

    def hand_out(self, seat, pool, size, rng):
        """New hidden cards for the others; how many there were, or -1 if this draw does not count.

        A hand of two equal cards was dealt half as often as one of a shown card and another one, so every other
        draw of the twin of a card that was shown is drawn again.
        """
        place = 0
        counts = True
        for other in range(self.players):
            if other != seat:
                number = ones(self.hand[other] >> HIDDEN) + ones(self.twins[other] >> HIDDEN)
                self.hand[other] &= FACE_UP
                self.twins[other] &= FACE_UP
                for _ in range(number):
                    kind = shuffled(pool, place, size, rng)
                    pool[place] = kind
                    self.receive(other, HIDDEN + kind)
                    place += 1
                    if kind == self.shown[other] and rng.below(2):
                        counts = False
        return place if counts else -1

    def observe(self, seat, numbers):
        """48 numbers for all, then 50 for each player from the observer on; docs/games/charuma.md lists them."""
        base = max(seat, 0)
        numbers[0], numbers[1], numbers[2], numbers[3] = self.phase, self.round, self.last_round, self.deck.goal
        numbers[4], numbers[5] = self.seen_from(base, self.token), self.seen_from(base, self.turn)
        numbers[6], numbers[7] = self.led + 1, self.seen_from(base, self.leader)
        self.count_cards(numbers, 28, self.rest, self.rest_twins)
        for other in range(self.players):
            behind = 8 if other == seat else 28
            self.count_cards(numbers, behind, self.hand[other] >> HIDDEN, self.twins[other] >> HIDDEN)
        other = base
        for place in range(self.players):
            start = 48 + 50 * place
            self.count_cards(numbers, start, self.hand[other] & FACE_UP, self.twins[other] & FACE_UP)
            self.count_cards(numbers, start + KINDS, self.group[place], self.group_twins[place])
            numbers[start + 40] = self.bid[place] + 1
            numbers[start + 41] = self.seen_from(base, self.bidder[place])
            numbers[start + 42], numbers[start + 43] = self.owned[other], self.tricks[other]
            numbers[start + 44], numbers[start + 45] = self.trick_points[other], self.aces[other]
            numbers[start + 46] = ones(self.hand[other] >> HIDDEN) + ones(self.twins[other] >> HIDDEN)
            if self.trick[other] != NONE:
                numbers[start + 47] = self.deck.first_card[self.trick[other]] + 1
                numbers[start + 48] = self.deck.second_card[self.trick[other]] + 1
            if other == self.winner:
                numbers[start + 49] = 1
            other = after(other, self.players)

    def seen_from(self, seat, other):
        """How many seats clockwise another one sits, plus 1; 0 for nobody."""
        if other == NONE:
            return 0
        return (other - seat + self.players) % self.players + 1

    def count_cards(self, numbers, start, cards, twins):
        """Add, kind by kind, how many of each are in a set and its twins."""
        while cards:
            numbers[start + lowest(cards)] += 1
            cards &= cards - 1
        while twins:
            numbers[start + lowest(twins)] += 1
            twins &= twins - 1
