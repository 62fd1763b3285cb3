"""The exact end of a round: every possible deal of the hidden cards, solved after each of the seat's moves.

A deal is weighted by its frequency and by the likelihood of the others' bids and plays given it. If there are too
many deals, some are sampled.
"""

from __future__ import annotations

from collections.abc import Iterator

from tsukimi.bots.budget import Budget, Stopwatch
from tsukimi.bots.charuma.deals import Deals
from tsukimi.bots.charuma.evaluator import CharumaEvaluator
from tsukimi.bots.tree import Candidate, ranked
from tsukimi.core.rng import Rng
from tsukimi.core.state import State
from tsukimi.games.charuma import notation
from tsukimi.games.charuma.notation import AMOUNTS, GROUPS, position
from tsukimi.games.charuma.rules import Charuma

MAX_DEALS = 400  # if there are more, deals are sampled
MAX_SAMPLED = 2000
PLAYOUTS_PER_DEAL = 8  # what a solved deal costs in a budget of playouts
ALL_DEALS = Budget(playouts=MAX_DEALS * PLAYOUTS_PER_DEAL)

Moves = list[tuple[int, int]]


class Endgame:
    """Analyses the ends of the rounds of one game."""

    def __init__(self, evaluator: CharumaEvaluator, deals: Deals) -> None:
        self._evaluator, self._deals = evaluator, deals
        self._since = 0

    def analyse(
        self, state: State, sampled: Charuma, seat: int, budget: Budget, rng: Rng, watch: Stopwatch
    ) -> list[Candidate]:
        """Every move, best first, with its mean share of the win over as many deals as the budget allows."""
        most = MAX_SAMPLED if budget.playouts is None else max(1, budget.playouts // PLAYOUTS_PER_DEAL)
        moves = sampled.actions(seat)
        sums, total, done = dict.fromkeys(moves, 0.0), 0.0, 0
        for weight, dealt in self.determinizations(state, sampled, seat, rng):
            if done >= most:
                break
            shares = self._solve(dealt, seat, moves, watch if done else None)
            if not shares:
                break
            for move, share in zip(moves, shares, strict=True):
                sums[move] += weight * share
            total += weight
            done += 1
        ratings = dict(zip(moves, self._evaluator.ratings(sampled, seat), strict=True))
        candidates = [Candidate(move, sums[move] / total, float(done)) for move in moves]
        return ranked(
            sorted(candidates, key=lambda found: (-round(found.share, 4), -ratings[found.move], rng.number()))
        )

    def determinizations(self, state: State, sampled: Charuma, seat: int, rng: Rng) -> Iterator[tuple[float, Charuma]]:
        """Weighted positions consistent with what the seat knows: all of them, the likeliest first, or samples."""
        bids, plays = self._bids_and_plays(state, sampled, seat)
        deals = self.all_deals(sampled, seat)
        weighted = []
        for hands, ways in deals:
            self._deals.deal_out(sampled, seat, hands)
            weighted.append((ways * self._deals.likelihood(sampled, seat, bids, plays), hands))
        for weight, hands in sorted(weighted, key=lambda deal: -deal[0]):
            self._deals.deal_out(sampled, seat, hands)
            yield weight, sampled
        while not deals:
            sampled = position(sampled.resample(seat, rng))
            yield self._deals.likelihood(sampled, seat, bids, plays), sampled

    def worlds(self, state: State, sampled: Charuma, seat: int, rng: Rng, count: int) -> list[Charuma]:
        """That many positions consistent with what the seat knows, weighted by the likelihood of the others' bids and
        plays; none if nobody else has bid or played yet."""
        bids, plays = self._bids_and_plays(state, sampled, seat)
        if all(player == seat for player, _ in bids + plays):
            return []
        drawn, weights = [], []
        for _ in range(count):
            drawn.append(position(sampled.resample(seat, rng)))
            weights.append(self._deals.likelihood(drawn[-1], seat, bids, plays))
        return [drawn[place] for place in systematic(weights, rng)]

    def all_deals(self, sampled: Charuma, seat: int) -> list[tuple[list[list[int]], float]]:
        """Every deal consistent with what the seat knows, and its frequency; [] if they are too many."""
        return self._deals.all_deals(sampled, seat, MAX_DEALS)

    def unseen(self, sampled: Charuma, seat: int) -> list[int]:
        """The kinds that a seat has not seen this round, equal ones twice."""
        return sorted(self._deals.unseen(sampled, seat).elements())

    def _solve(self, sampled: Charuma, seat: int, moves: list[int], watch: Stopwatch | None) -> list[float]:
        """The share of the win after each move and a perfect rest of the round; [] if the time runs out."""
        shares, after = [], position(sampled.copy())
        for move in moves:
            after.assign(sampled)
            after.apply(move, seat)
            shares.append(self._evaluator.solved_shares(after)[seat])
            if watch is not None and watch.left() < 0:
                return []
        return shares

    def _bids_and_plays(self, state: State, sampled: Charuma, seat: int) -> tuple[Moves, Moves]:
        """The bids and plays of this round; none if some were undone, as the round cannot be replayed from them then."""
        events = state.events(seat, self._since)
        dealt = [place for place, event in enumerate(events) if event["type"] == "deal"]
        if dealt:
            self._since = events[dealt[-1]]["index"]
            events = events[dealt[-1] :]
        bids: Moves = []
        plays: Moves = []
        for event in events:
            if event["type"] == "undo":
                return [], []
            if event["type"] == "bid":
                bids.append((event["seat"], GROUPS.index(event["group"]) * AMOUNTS + event["amount"]))
            elif event["type"] == "play":
                plays.append((event["seat"], notation.parse(sampled, event["seat"], f"play {event['text']}")))
        return bids, plays


def systematic(weights: list[float], rng: Rng) -> list[int]:
    """Systematic resampling: as many indices as there are weights, each about in proportion to its weight."""
    step, chosen, reached = sum(weights) / len(weights), list[int](), 0.0
    next_at = step * rng.number() / (1 << 64)
    for place, weight in enumerate(weights):
        reached += weight
        while next_at < reached and len(chosen) < len(weights):
            chosen.append(place)
            next_at += step
    return chosen
