# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""What the others may hold: all possible deals, and the likelihood of the observed bids and plays given each."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import cython

if not cython.compiled:
    from math import exp

    from tsukimi.bots.charuma.evaluator import CharumaEvaluator
    from tsukimi.core.game import Game
    from tsukimi.games.charuma.deck import FACE_UP, HIDDEN, NONE, TWO
    from tsukimi.games.charuma.position import AUCTION
    from tsukimi.games.charuma.rules import Charuma


class Deals:
    """The hidden cards of one table. The others are modelled to choose by a softmax of the evaluator's ratings with
    these sharpnesses (inverse temperatures), and at random in `random_part` of all cases."""

    def __init__(self, evaluator: CharumaEvaluator, start: Game) -> None:
        self.evaluator = evaluator
        self.replay = start.copy()
        self.sharpness, self.bid_sharpness, self.random_part = 1.5, 1.0, 0.15

    def all_deals(self, game: Charuma, seat: cython.int, most: cython.int) -> list[tuple[list[list[int]], float]]:
        """Every way to deal the cards that a seat has not seen: the kinds hidden in each hand, and a weight by frequency.
        [] if there are more than `most`."""
        pool = self.unseen(game, seat)
        sizes = [0 if other == seat else len(self.hidden(game, other)) for other in range(game.players)]
        found = [([], 1.0, pool)]
        for other in range(game.players):
            grown = []
            for hands, ways, rest in found:
                for kinds, more in Counter(combinations(sorted(rest.elements()), sizes[other])).items():
                    # Two equal hidden cards are half as frequent as one that was shown and another one.
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
        """Deal these kinds to the others, and set the rest aside."""
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
        """The probability of what the others have done this round, given the hidden cards of this position."""
        self.replay.assign(game)
        for player, move in plays:
            self.undo_play(player, move)
        for other in range(game.players):
            self.replay.tricks[other] = self.replay.trick_points[other] = self.replay.aces[other] = 0
            self.replay.trick[other] = NONE
        self.replay.led = self.replay.winner = NONE
        self.replay.turn = self.replay.token
        if bids:
            self.undo_auction()
        value: cython.double = 1.0
        for player, move in [*bids, *plays]:
            if player != seat:
                value *= self.choice_probability(player, move)
            self.replay.make_move(move, player)
        return value

    def replay_end(self) -> Charuma:
        """The position at the end of the last replay."""
        return self.replay

    def undo_play(self, seat, move):
        """Return a play's cards to the hand."""
        self.replay.receive(seat, self.evaluator.deck.first_card[move])
        if move >= TWO:
            self.replay.receive(seat, self.evaluator.deck.second_card[move])

    def undo_auction(self):
        """Back to the start of the auction, from within it or from the start of the tricks."""
        if self.replay.phase != AUCTION:
            for group in range(self.replay.players):
                self.replay.owned[self.replay.bidder[group]] += self.replay.bid[group]
        for seat in range(self.replay.players):
            self.replay.hand[seat] = self.replay.hand[seat] >> HIDDEN << HIDDEN
            self.replay.twins[seat] = self.replay.twins[seat] >> HIDDEN << HIDDEN
            self.replay.bid[seat] = self.replay.bidder[seat] = self.replay.group_of[seat] = NONE
        self.replay.standing = 0
        self.replay.phase = AUCTION

    def choice_probability(self, seat, move):
        """The probability that a seat makes this move."""
        moves: cython.int[64]
        if not cython.compiled:
            moves = [0] * 64
        sharpness = self.bid_sharpness if self.replay.phase == AUCTION else self.sharpness
        count = self.replay.list_moves(seat, moves)
        own = self.evaluator.rate(self.replay, seat, move, False)
        total: cython.double = 0.0
        for place in range(count):
            total += exp(sharpness * (self.evaluator.rate(self.replay, seat, moves[place], False) - own))
        return self.random_part / count + (1.0 - self.random_part) / total
