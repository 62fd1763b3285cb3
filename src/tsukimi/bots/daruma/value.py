# mypy: ignore-errors
# cython: infer_types=True, cdivision=True, boundscheck=False, wraparound=False
"""The value of a position of Daruma between two turns: a seat's probability of winning, from a model of the rest.

Each player's final score is the current score plus a normal distribution for every remaining turn. The others' current
scores depend on their objectives, which are weighted by how well their darumas fit. The number of remaining turns follows
from the steps that the counter still has to go. All parameters were fitted to games of this bot against itself (see
docs/bots/daruma.md).
"""

from __future__ import annotations

import cython

if not cython.compiled:
    from math import exp, sqrt

    from tsukimi.bots.daruma.turn import DIGIT, Turn, moved_share
    from tsukimi.games.daruma.codes import DARUMA_TOKEN, FOUR_TOKEN, MOVE_GIVE, PLACES
    from tsukimi.games.daruma.rules import Daruma

    NODE = [-2.857, -1.3556, 0.0, 1.3556, 2.857]  # the nodes and weights of a normal distribution
    MASS = [0.01126, 0.22208, 0.53332, 0.22208, 0.01126]


def _fill_tables() -> None:
    for i, (node, mass) in enumerate([(-2.857, 0.01126), (-1.3556, 0.22208), (0.0, 0.53332)]):
        NODE[i], MASS[i] = node, mass
        NODE[4 - i], MASS[4 - i] = -node, mass


_fill_tables()


class WinModel:
    """The model of one seat: `set_position`, then `share`, or `fill` for all endings of the turn."""

    def __init__(self) -> None:
        self.pace = 3.0  # points per turn
        self.spread = 2.7  # their standard deviation
        self.stride = 0.8  # steps of the counter per turn
        self.half = 0.6  # the gain of the next player from a daruma with one eye, as part of its points
        self.burden = 0.25  # the loss of the next player from a four token, in points
        self.reading = 0.25  # of the softmax over objectives, per point of the collected darumas
        self.tie_bonus = 0.02  # the value of one daruma fewer, which breaks ties, in points
        self.seat = 0
        if not cython.compiled:
            self.points, self.weight, self.turns = [0.0] * 160, [0.0] * 160, [0.0] * 5

    def set_position(self, game: Daruma, seat: cython.int) -> None:
        """The scores of this position as that seat may know them."""
        self.game = game
        self.seat = seat
        self.compute_scores()

    def compute_scores(self):
        """Every player's score for each possible objective, and the probability of that objective."""
        game = self.game
        objective = game.objective[self.seat]
        for other in range(game.players):
            total: cython.double = 0.0
            for goal in range(game.cards.objectives):
                score = 0
                for kind in range(game.cards.kinds):
                    if game.owned[other * 64 + kind]:
                        score += game.owned[other * 64 + kind] * game.cards.points[goal * 64 + kind]
                likely: cython.double = 0.0
                if other == self.seat:
                    likely = 1.0 if goal == objective else 0.0
                elif goal != objective:
                    likely = exp(self.reading * score)
                self.points[other * 32 + goal] = score
                self.weight[other * 32 + goal] = likely
                total += likely
            for goal in range(game.cards.objectives):
                self.weight[other * 32 + goal] /= total

    def count_turns(self, walked, ended):
        """How many turns each player will still have after this one."""
        game = self.game
        next_place = (game.turn + 1 - game.first + game.players) % game.players
        left = 2 * (game.tokens - 1) - walked
        rounds: cython.double = 0.0
        if left > 0:
            rounds = (left / self.stride - (game.players - next_place)) / game.players + 0.5
            if rounds < 0.0:
                rounds = 0.0
        for seat in range(game.players):
            self.turns[seat] = rounds
            if (seat - game.first + game.players) % game.players >= next_place:
                self.turns[seat] += 1.0
            if ended or (left == 0 and next_place == 0):
                self.turns[seat] = 0.0

    def share(self, points, size, walked, ended, next_player_boost):
        """The probability of winning with these points and that many darumas, the counter there, and this boost to the next
        player."""
        self.count_turns(walked, ended)
        turns = self.turns[self.seat]
        mine: cython.double = points + turns * self.pace
        width: cython.double = self.spread * sqrt(turns)
        if turns == 0.0:
            return self.beats_all(mine, size, next_player_boost, True)
        total: cython.double = 0.0
        for i in range(5):
            total += MASS[i] * self.beats_all(mine + NODE[i] * width, size, next_player_boost, False)
        return total

    def beats_all(self, mine, size, next_player_boost, final):
        """The probability that all others end below that score."""
        game = self.game
        after = (game.turn + 1) % game.players
        result: cython.double = 1.0
        for other in range(game.players):
            if other == self.seat:
                continue
            turns = self.turns[other]
            more: cython.double = turns * self.pace
            if other == after and turns > 0.0:
                more += next_player_boost
            scale: cython.double = 0.55 * self.spread * sqrt(turns)
            ahead: cython.double = 0.0
            for goal in range(game.cards.objectives):
                if self.weight[other * 32 + goal] > 0.0:
                    gap: cython.double = mine - self.points[other * 32 + goal] - more
                    ahead += self.weight[other * 32 + goal] * self.wins(gap, game.size[other] - size, scale, final)
            result *= ahead
        return result

    def wins(self, gap, fewer, scale, final):
        """The probability that a lead lasts. At the end of the game it decides, and on a tie fewer darumas do."""
        if final and scale == 0.0:
            if gap > 0.25 or (gap > -0.25 and fewer > 0.25):
                return 1.0
            return 0.5 if gap > -0.25 and fewer > -0.25 else 0.0
        if scale < 0.4:
            scale = 0.4
        return 1.0 / (1.0 + exp(-(gap + self.tie_bonus * fewer) / scale))

    # ---- the endings of a turn -------------------------------------------------------------------

    def bust_value(self) -> float:
        """The value of a turn that ends by bad luck: nothing gained, the counter where it was."""
        return self.value_with(0.0, 0.0)

    def value_with(self, points, size):
        """The same with more points and darumas."""
        game = self.game
        own = self.points[self.seat * 32 + game.objective[self.seat]]
        next_player_boost = self.next_player_boost(game.pupils, game.walked)
        return self.share(own + points, game.size[self.seat] + size, game.walked, False, next_player_boost)

    def next_player_boost(self, pupils, walked):
        """The next player's gain from painted eyes and loss from a four token, in points."""
        game = self.game
        after = (game.turn + 1) % game.players
        total: cython.double = 0.0
        for place in range(PLACES):
            if pupils >> place & 1:
                for goal in range(game.cards.objectives):
                    value = game.cards.points[goal * 64 + game.face[place]]
                    if value > 0:
                        total += self.half * value * self.weight[after * 32 + goal]
        if game.track[token_at(game, walked)] == FOUR_TOKEN:
            total -= self.burden
        return total

    def fill(self, turn: Turn) -> None:
        """Set all endings of a turn that has begun."""
        game = self.game
        for eyes in range(243):
            if turn.used[eyes] < 99:
                for steps in range(3):
                    turn.ends[3 * eyes + steps] = self.ending(eyes, steps)
        turn.bust = self.bust_value()
        turn.fortune = effect_of(turn.bust, self.value_with(self.mean_pile_value(), 1.0)) if game.pile_size else 0.0
        turn.exchange = self.best_exchange()
        turn.gift = self.best_gift()
        self.compute_scores()

    def ending(self, eyes, steps):
        """The value of an ending: the darumas taken, eyes left to others, the counter's steps and their reward."""
        game = self.game
        objective = game.objective[self.seat]
        points: cython.double = self.points[self.seat * 32 + objective]
        size: cython.double = game.size[self.seat]
        taken = 0
        pupils = 0
        for place in range(PLACES):
            painted = DIGIT[5 * eyes + place]
            if painted == 2:
                points += game.cards.points[objective * 64 + game.face[place]]
                size += 1.0
                taken += 1
            elif painted:
                pupils |= 1 << place
        ended = taken > game.pile_size
        home = 2 * (game.tokens - 1)
        walked = min(home, game.walked + steps)
        if walked > game.walked and not ended and taken < game.pile_size:
            if game.track[token_at(game, walked)] == DARUMA_TOKEN:
                points += self.mean_pile_value()
                size += 1.0
        return self.share(points, size, walked, ended, self.next_player_boost(pupils, walked))

    def mean_pile_value(self):
        """The expected points of the top daruma of the pile."""
        game = self.game
        objective = game.objective[self.seat]
        total: cython.double = 0.0
        for kind in range(game.cards.kinds):
            total += game.pile[kind] * game.cards.points[objective * 64 + kind]
        return total / game.pile_size if game.pile_size else 0.0

    # ---- darumas that change hands ----------------------------------------------------------------

    def value_after_transfer(self, one, a, other, b):
        """The value after one seat gives a kind to another and gets a kind back (-1: nothing)."""
        self.transfer(one, other, a)
        self.transfer(other, one, b)
        self.compute_scores()
        value: cython.double = self.value_with(0.0, 0.0)
        self.transfer(other, one, a)
        self.transfer(one, other, b)
        return value

    def transfer(self, giver, taker, kind):
        if kind >= 0:
            self.game.lose(giver, kind)
            self.game.gain(taker, kind)

    def best_exchange(self):
        """The effect of the best exchange (it may be a loss: exchanges are compulsory)."""
        game = self.game
        self.compute_scores()
        before: cython.double = self.value_with(0.0, 0.0)
        best: cython.double = -1.0
        for seat in range(game.players):
            for other in range(seat + 1, game.players):
                if game.size[seat] == 0 and game.size[other] == 0:
                    continue
                for a in range(-1, game.cards.kinds):
                    if not has(game, seat, a):
                        continue
                    for b in range(-1, game.cards.kinds):
                        if has(game, other, b):
                            value: cython.double = self.value_after_transfer(seat, a, other, b)
                            if value > best:
                                best = value
        return effect_of(before, best) if best >= 0.0 else 0.0

    def best_gift(self):
        """The effect of the best gift."""
        game = self.game
        self.compute_scores()
        before: cython.double = self.value_with(0.0, 0.0)
        best: cython.double = 0.0
        for kind in range(game.cards.kinds):
            if game.owned[self.seat * 64 + kind]:
                for other in range(game.players):
                    if other != self.seat:
                        value: cython.double = self.value_after_transfer(self.seat, kind, other, -1)
                        if value > best:
                            best = value
        return effect_of(before, best)

    def after_transfer(self, share: cython.double, move: cython.int) -> float:
        """The share of the win after a gift or an exchange, by the darumas that it moves."""
        game = self.game
        self.compute_scores()
        before: cython.double = self.value_with(0.0, 0.0)
        gifts = MOVE_GIVE + game.cards.kinds * game.players
        after: cython.double = 0.0
        if move < gifts:
            code = move - MOVE_GIVE
            after = self.value_after_transfer(self.seat, code // game.players, code % game.players, -1)
        else:
            base = game.cards.kinds + 1
            code = move - gifts
            pair = code // (base * base)
            one = 0
            while pair >= game.players - 1 - one:
                pair -= game.players - 1 - one
                one += 1
            after = self.value_after_transfer(one, code // base % base - 1, one + 1 + pair, code % base - 1)
        self.compute_scores()
        return moved_share(share, effect_of(before, after))


def effect_of(before, after):
    """The fraction of the missing share that this change gains, or (below 0) of the previous share that it costs."""
    if after < before:
        return after / before - 1.0
    return (after - before) / (1.0 - before) if before < 1.0 else 0.0


def has(game, seat, kind):
    """Whether a seat can hand over that kind, or nothing (-1) because it has none."""
    if kind < 0:
        return game.size[seat] == 0
    return game.owned[seat * 64 + kind] > 0


def token_at(game, walked):
    """The token under a counter that has moved this far."""
    last = game.tokens - 1
    return walked if walked <= last else 2 * last - walked
