# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""The rest of a round of Charuma under perfect play, when all hands are known.

With two players the round is zero-sum: alpha-beta on the difference in points, seen from the leader of the trick.
With more players each maximises points (max^n; ties are broken against the leading opponent), or its share of the win if
the game may end with the round. Both use a transposition table at the start of a trick. As each entry is checked against
its key, threads may share the table without a lock.
"""

from __future__ import annotations

import cython

from tsukimi.bots.charuma.weights import PACE, SWING

if not cython.compiled:
    from tsukimi.bots.charuma.plays import Plays, beats, without
    from tsukimi.games.charuma.deck import NONE, RED, TEN, TWO, bit, ones
    from tsukimi.games.charuma.position import TRICKS
    from tsukimi.games.charuma.rules import Charuma

COMPILED = cython.compiled  # plain Python is some hundred times slower and solves less

ACES = 0x40100401
FACTOR = 0x9E3779B97F4A7C15
BIAS = 64  # added to bounds in the table, so that they are never negative
UNBOUNDED = 40  # more than any difference
TOTALS = 64  # more than anyone has, except in unusually long games
LAST_ROUND = 1 << 40  # beside totals
EQUAL = 1e-6  # shares that differ less are equal


def mix(value, number):
    """Mix one more number into a hash."""
    value = (value ^ number) * FACTOR
    if not cython.compiled:
        value &= 0xFFFFFFFFFFFFFFFF
    return value ^ (value >> 29)


class Solver(Plays):
    """Solves the rest of a round. `slots` is the size of its transposition table, a power of two."""

    def __init__(self, deck, players: int, slots: int = 1 << 17) -> None:
        super().__init__(deck)
        self.players = players
        self.slots = slots
        self.nodes = 0
        if cython.compiled:
            from array import array

            self.buffers = [array("Q", bytes(8 * slots)), array("Q", bytes(8 * slots))]
            self.checks, self.entries = self.buffers
        else:
            self.checks, self.entries = [0] * slots, [0] * slots
            self.odds = [0.0] * (TOTALS * TOTALS)
        self.goal = deck.goal
        self.plays_to_win = True
        self.set_odds(PACE[players], *SWING[players])

    def set_odds(self, pace: float, swing: float, calm: float) -> None:
        """Tabulates the odds of a player by points behind the leader and the leader's total: a softmax of points whose
        temperature grows with the square root of the remaining rounds."""
        for most in range(TOTALS):
            rounds = max(0.0, (self.goal - most) / pace)
            spread = swing * (rounds + calm) ** 0.5
            for behind in range(TOTALS):
                self.odds[TOTALS * most + behind] = 2.718281828459045 ** (-behind / spread)

    # ---- for Python callers -----------------------------------------------------------------

    def points(self, game: Charuma) -> list[int]:
        """The points of each seat in the rest of this round, including the current trick."""
        value = self.points_to_come(game)
        return [value >> 8 * seat & 255 for seat in range(game.players)]

    # ---- the transposition table ------------------------------------------------------------

    def probe(self, key):
        """The entry of this key; 0 if there is none."""
        slot = key & (self.slots - 1)
        value = self.entries[slot]
        return value if self.checks[slot] == key ^ value else 0

    def store(self, key, value):
        slot = key & (self.slots - 1)
        self.entries[slot] = value
        self.checks[slot] = key ^ value

    # ---- two players ------------------------------------------------------------------------

    def alpha_beta(self, hand, twins, other, other_twins, alpha, beta):
        """Between tricks: the difference for the leader (fail-soft: outside the window it is a bound)."""
        if hand == 0:
            return 0
        moves: cython.int[64]
        if not cython.compiled:
            moves = [0] * 64
        key = mix(mix(mix(mix(FACTOR, hand), twins), other), other_twins)
        known = self.probe(key)
        floor = -UNBOUNDED
        ceiling = UNBOUNDED
        if known:
            floor = cython.cast(cython.int, known & 255) - BIAS
            ceiling = cython.cast(cython.int, known >> 8 & 255) - BIAS
            if floor >= beta or floor == ceiling:
                return floor
            if ceiling <= alpha:
                return ceiling
        self.nodes += 1
        count = self.leads(hand, twins, moves)
        self.sort_leads(moves, count)
        best = -UNBOUNDED
        bound = alpha
        for place in range(count):
            lead = moves[place]
            left = without(hand, twins, self.deck.first_card[lead])
            left_twins = twins & ~bit(self.deck.first_card[lead])
            if lead >= TWO:
                left = without(left, left_twins, self.deck.second_card[lead])
                left_twins &= ~bit(self.deck.second_card[lead])
            value = self.answer(left, left_twins, lead, other, other_twins, bound, beta)
            if value > best:
                best = value
                if best > bound:
                    bound = best
                if best >= beta:
                    break
        if best > alpha and best > floor:
            floor = best
        if best < beta and best < ceiling:
            ceiling = best
        self.store(key, cython.cast(cython.ulonglong, (floor + BIAS) | (ceiling + BIAS) << 8 | 1 << 16))
        return best

    def answer(self, hand, twins, lead, other, other_twins, alpha, beta):
        """After a lead: the difference for the leader, minimised by the other player."""
        moves: cython.int[64]
        if not cython.compiled:
            moves = [0] * 64
        count = self.follows(self.deck.suit[lead], other, other_twins, moves)
        self.sort_answers(lead, moves, count)
        worst = UNBOUNDED
        bound = beta
        for place in range(count):
            value = self.trick(hand, twins, lead, other, other_twins, moves[place], alpha, bound)
            if value < worst:
                worst = value
                if worst < bound:
                    bound = worst
                if worst <= alpha:
                    break
        return worst

    def trick(self, hand, twins, lead, other, other_twins, reply, alpha, beta):
        """A whole trick and the rest of the round."""
        first = self.deck.first_card[reply]
        other = without(other, other_twins, first)
        other_twins &= ~bit(first)
        points = 1 + self.deck.aces[lead] + self.deck.aces[reply]
        if reply >= TWO:
            second = self.deck.second_card[reply]
            other = without(other, other_twins, second)
            other_twins &= ~bit(second)
            points += 1
        if hand == 0:
            points += 2
        rank = self.deck.rank[lead]
        if self.deck.suit[reply] == self.deck.suit[lead] and beats(self.deck.rank[reply], rank, rank == 0):
            return -points - self.alpha_beta(other, other_twins, hand, twins, -beta - points, -alpha - points)
        return points + self.alpha_beta(hand, twins, other, other_twins, alpha - points, beta - points)

    def mtdf(self, hand, twins, other, other_twins, guess):
        """The exact difference for the leader, by MTD(f): null windows around a guess."""
        floor = -UNBOUNDED
        ceiling = UNBOUNDED
        while floor < ceiling:
            beta = guess + 1 if guess == floor else guess
            guess = self.alpha_beta(hand, twins, other, other_twins, beta - 1, beta)
            if guess < beta:
                ceiling = guess
            else:
                floor = guess
        return guess

    def difference(self, game):
        """Two players: the remaining points of the first seat less those of the second."""
        turn = game.turn
        other = 1 - turn
        if game.led == NONE:
            value = self.mtdf(game.hand[turn], game.twins[turn], game.hand[other], game.twins[other], 0)
            return value if turn == 0 else -value
        lead = game.trick[other]
        value = self.answer(
            game.hand[other], game.twins[other], lead, game.hand[turn], game.twins[turn], -UNBOUNDED, UNBOUNDED
        )
        return value if turn == 1 else -value

    # ---- any number of players --------------------------------------------------------------

    def points_to_come(self, game):
        """The remaining points of every seat, a byte for each."""
        cards: cython.ulonglong[10]
        if not cython.compiled:
            cards = [0] * 10
        if game.phase != TRICKS:
            return 0
        if self.players == 2:
            value = self.difference(game)
            left = self.points_left(game)
            return cython.cast(cython.ulonglong, (left + value) // 2 | (left - value) // 2 << 8)
        totals: cython.ulonglong = 0
        most = 0
        for seat in range(self.players):
            cards[seat] = game.hand[seat]
            cards[5 + seat] = game.twins[seat]
            total = game.owned[seat] + game.trick_points[seat] + game.aces[seat]
            totals |= cython.cast(cython.ulonglong, total) << 8 * seat
            if total > most:
                most = total
        if not self.plays_to_win or (not game.last_round and most + self.points_left(game) < self.goal):
            totals = 0
        elif game.last_round:
            totals |= LAST_ROUND
        if game.led == NONE:
            return self.max_n(cards, game.turn, totals)
        return self.decide(
            cards, game.turn, game.leader, game.led, game.best, game.best_seat, game.ace_seat, game.trick_aces, totals
        )

    def points_left(self, game):
        """The points still to be won in this round: one for each card of a hand, the aces, the last trick."""
        total = 2
        if game.led != NONE:
            total += game.trick_aces
        for seat in range(self.players):
            total += ones(game.hand[seat] & ACES) + ones(game.twins[seat] & ACES)
        holder = game.turn
        return total + ones(game.hand[holder]) + ones(game.twins[holder])

    def max_n(self, cards, turn, totals):
        """Between tricks. If the game may end with the round, `totals` has every seat's points so far, a byte for each;
        otherwise it is 0."""
        key: cython.ulonglong = mix(FACTOR, turn + 1)
        if totals:
            key = mix(key, totals)
        for seat in range(self.players):
            key = mix(mix(key, cards[seat]), cards[5 + seat])
        known = self.probe(key)
        if known:
            return known
        self.nodes += 1
        value = self.decide(cards, turn, turn, NONE, 0, NONE, NONE, 0, totals)
        self.store(key, value)
        return value

    def decide(self, cards, turn, leader, led, best, best_seat, ace_seat, aces, totals):
        """A seat's best move within a trick: the remaining points of every seat after it. Everyone plays for points, or
        for the win if the game may end with the round."""
        moves: cython.int[64]
        if not cython.compiled:
            moves = [0] * 64
        hand = cards[turn]
        twins = cards[5 + turn]
        if led == NONE:
            count = self.leads(hand, twins, moves)
            self.sort_leads(moves, count)
        else:
            count = self.follows(led, hand, twins, moves)
        after = turn + 1 if turn + 1 < self.players else 0
        found: cython.ulonglong = 0
        best_points = -1
        best_share: cython.double = -1.0
        share: cython.double = 0.0
        for place in range(count):
            move = moves[place]
            first = self.deck.first_card[move]
            cards[turn] = without(hand, twins, first)
            cards[5 + turn] = twins & ~bit(first)
            if move >= TWO:
                second = self.deck.second_card[move]
                cards[turn] = without(cards[turn], cards[5 + turn], second)
                cards[5 + turn] &= ~bit(second)
            suit = led if led != NONE else self.deck.suit[move]
            rank, ahead, ace = best, best_seat, ace_seat
            if self.deck.suit[move] == suit:
                if self.deck.rank[move] == 0:
                    ace = turn
                if self.deck.rank[move] >= rank:
                    rank = self.deck.rank[move]
                    ahead = turn
            total = aces + self.deck.aces[move]
            if after == leader:
                value = self.end_trick(cards, suit, ace if rank == TEN and ace != NONE else ahead, total, totals)
            else:
                value = self.decide(cards, after, leader, suit, rank, ahead, ace, total, totals)
            points = cython.cast(cython.int, value >> 8 * turn & 255)
            if totals:
                share = self.share_of(totals + value, turn)
                if share < best_share - EQUAL:
                    continue
                if share > best_share + EQUAL:
                    best_points = -1
            if points > best_points or (points == best_points and self.preferred(value, found, turn, hand)):
                best_points = points
                best_share = share
                found = value
        cards[turn] = hand
        cards[5 + turn] = twins
        return found

    def preferred(self, value, found, turn, hand):
        """Whether, of two results with the same points for a seat, the first leaves less to its leading opponent. If neither
        does, a hash decides: it favours no seat and is reproducible."""
        richest: cython.int = 0
        richest_found: cython.int = 0
        for seat in range(self.players):
            if seat != turn:
                if cython.cast(cython.int, value >> 8 * seat & 255) > richest:
                    richest = value >> 8 * seat & 255
                if cython.cast(cython.int, found >> 8 * seat & 255) > richest_found:
                    richest_found = found >> 8 * seat & 255
        if richest == richest_found:
            return mix(hand, value) < mix(hand, found)
        return richest < richest_found

    def share_of(self, totals, seat):
        """A seat's share of the win if the round ends with these totals."""
        most = 0
        leaders = 0
        for other in range(self.players):
            total = cython.cast(cython.int, totals >> 8 * other & 255)
            if total > most:
                most = total
                leaders = 0
            if total == most:
                leaders += 1
        points = cython.cast(cython.int, totals >> 8 * seat & 255)
        if leaders == 1 and (totals & LAST_ROUND or most >= self.goal):
            return 1.0 if points == most else 0.0
        row = TOTALS * (most if most < TOTALS else TOTALS - 1)
        total_odds: cython.double = 0.0
        for other in range(self.players):
            behind = most - cython.cast(cython.int, totals >> 8 * other & 255)
            total_odds += self.odds[row + (behind if behind < TOTALS else TOTALS - 1)]
        behind = most - points
        return self.odds[row + (behind if behind < TOTALS else TOTALS - 1)] / total_odds

    def end_trick(self, cards, suit, winner, aces, totals):
        """The end of a trick, and the rest of the round."""
        points: cython.ulonglong = aces + (2 if suit > RED else 1)
        if cards[winner] == 0:
            return points + 2 << 8 * winner
        return (points << 8 * winner) + self.max_n(cards, winner, totals + (points << 8 * winner) if totals else 0)
