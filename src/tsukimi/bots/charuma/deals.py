# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
# mypy: ignore-errors
"""What the others may hold: every hidden deal, and how well each explains what they have bid and played."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import cython

if not cython.compiled:
    from math import exp

    from tsukimi.bots.charuma.judge import CharumaJudge
    from tsukimi.core.game import Game
    from tsukimi.games.charuma.deck import FACE_UP, HIDDEN, NONE, TWO
    from tsukimi.games.charuma.position import AUCTION
    from tsukimi.games.charuma.rules import Charuma


class Deals:
    """Hidden deals of one table. `trust` says how closely the others are thought to play as the judge rates,
    `doubt` which part of their choices is thought to be blind."""

    def __init__(self, judge: CharumaJudge, start: Game) -> None:
        self.judge = judge
        self.past = start.copy()
        self.trust, self.bid_trust, self.doubt = 1.5, 1.0, 0.15

    def every(self, game: Charuma, seat: cython.int, most: cython.int) -> list[tuple[list[list[int]], float]]:
        """Each way to deal what a seat has not seen, as the kinds hidden in each hand and how often it comes;
        [] if there are more than `most`."""
        pool = self.unseen(game, seat)
        sizes = [0 if other == seat else len(self.hidden(game, other)) for other in range(game.players)]
        found = [([], 1.0, pool)]
        for other in range(game.players):
            grown = []
            for hands, ways, rest in found:
                for kinds, more in Counter(combinations(sorted(rest.elements()), sizes[other])).items():
                    # Two equal hidden cards are dealt half as often as one that was shown and another one.
                    twin = 0.5 if game.shown[other] in kinds else 1.0
                    grown.append(([*hands, list(kinds)], ways * more * twin, rest - Counter(kinds)))
            found = grown
            if len(found) > most:
                return []
        return [(hands, ways) for hands, ways, _ in found]

    def unseen(self, game: Charuma, seat: cython.int) -> Counter[int]:
        """The kinds that a seat has not seen this round."""
        pool = Counter()
        for kind in range(HIDDEN):
            pool[kind] += (game.rest >> kind & 1) + (game.rest_twins >> kind & 1)
        for other in range(game.players):
            if other != seat:
                pool.update(self.hidden(game, other))
        return +pool

    def hidden(self, game: Charuma, seat: cython.int) -> list[int]:
        """The kinds of a seat's hidden cards."""
        cards = range(HIDDEN, 2 * HIDDEN)
        hand: object = game.hand[seat]
        twins: object = game.twins[seat]
        return [card - HIDDEN for card in cards for _ in range((hand >> card & 1) + (twins >> card & 1))]

    def deal_out(self, game: Charuma, seat: cython.int, hands: list[list[int]]) -> None:
        """Put these kinds into the others' hands, and what is left aside."""
        pool = self.unseen(game, seat)
        for other in range(game.players):
            if other != seat:
                pool -= Counter(hands[other])
                game.hand[other] &= FACE_UP
                game.twins[other] &= FACE_UP
                for kind in hands[other]:
                    game.receive(other, HIDDEN + cython.cast(cython.int, kind))
        game.rest = game.rest_twins = 0
        for kind in pool.elements():
            game.put_aside(kind)

    def likelihood(
        self, game: Charuma, seat: cython.int, bids: list[tuple[int, int]], plays: list[tuple[int, int]]
    ) -> float:
        """How well the hidden cards of this position explain what the others have done since they were dealt."""
        self.past.assign(game)
        for who, move in plays:
            self.unplay(who, move)
        for other in range(game.players):
            self.past.tricks[other] = self.past.trick_points[other] = self.past.aces[other] = 0
            self.past.trick[other] = NONE
        self.past.led = self.past.winner = NONE
        self.past.turn = self.past.token
        if bids:
            self.unbid()
        value: cython.double = 1.0
        for who, move in [*bids, *plays]:
            if who != seat:
                value *= self.chosen(who, move)
            self.past.make_move(move, who)
        return value

    def replayed(self) -> Charuma:
        """Where the last walk through a round ended."""
        return self.past

    def unplay(self, seat, move):
        """Give a play's cards back to the hand."""
        self.past.receive(seat, self.judge.deck.first_card[move])
        if move >= TWO:
            self.past.receive(seat, self.judge.deck.second_card[move])

    def unbid(self):
        """From the beginning of the tricks back to that of the auction."""
        for group in range(self.past.players):
            self.past.owned[self.past.bidder[group]] += self.past.bid[group]
        for seat in range(self.past.players):
            self.past.hand[seat] = self.past.hand[seat] >> HIDDEN << HIDDEN
            self.past.twins[seat] = self.past.twins[seat] >> HIDDEN << HIDDEN
            self.past.bid[seat] = self.past.bidder[seat] = self.past.group_of[seat] = NONE
        self.past.standing = 0
        self.past.phase = AUCTION

    def chosen(self, seat, move):
        """The chance that a seat makes this move, by how the judge rates all of its moves."""
        moves: cython.int[64]
        if not cython.compiled:
            moves = [0] * 64
        trust = self.bid_trust if self.past.phase == AUCTION else self.trust
        count = self.past.list_moves(seat, moves)
        own = self.judge.rate(self.past, seat, move, False)
        total: cython.double = 0.0
        for place in range(count):
            total += exp(trust * (self.judge.rate(self.past, seat, moves[place], False) - own))
        return self.doubt / count + (1.0 - self.doubt) / total
