"""The exact end of a round: every hidden deal that a seat thinks possible, played perfectly after each of its moves.

A deal counts by how often it comes and by how well it explains what the others have bid and played. When there are
too many deals, some are drawn instead.
"""

from __future__ import annotations

from collections.abc import Iterator

from tsukimi.bots.budget import Budget, Stopwatch
from tsukimi.bots.charuma.deals import Deals
from tsukimi.bots.charuma.judge import CharumaJudge
from tsukimi.bots.tree import Thought
from tsukimi.core.rng import Rng
from tsukimi.core.state import State
from tsukimi.games.charuma import notation
from tsukimi.games.charuma.notation import AMOUNTS, GROUPS, position
from tsukimi.games.charuma.rules import Charuma

MOST_DEALS = 400  # more are not listed one by one
MOST_DRAWN = 2000
PLAYOUTS_A_DEAL = 8  # what a solved deal counts in a budget of playouts

Moves = list[tuple[int, int]]


class Endgame:
    """Thinks about the end of the rounds of one game."""

    def __init__(self, judge: CharumaJudge, deals: Deals) -> None:
        self._judge, self._deals = judge, deals
        self._since = 0

    def think(
        self, state: State, world: Charuma, seat: int, budget: Budget, rng: Rng, watch: Stopwatch
    ) -> list[Thought]:
        """Every move, the best first: its mean share of the win over the deals that the budget allows."""
        most = MOST_DRAWN if budget.playouts is None else max(1, budget.playouts // PLAYOUTS_A_DEAL)
        moves = world.actions(seat)
        sums, total, done = dict.fromkeys(moves, 0.0), 0.0, 0
        for weight, dealt in self.worlds(state, world, seat, rng):
            if done >= most:
                break
            shares = self._solve(dealt, seat, moves, watch if done else None)
            if not shares:
                break
            for move, share in zip(moves, shares, strict=True):
                sums[move] += weight * share
            total += weight
            done += 1
        ratings = dict(zip(moves, self._judge.ratings(world, seat), strict=True))
        thoughts = [Thought(move, sums[move] / total, float(done)) for move in moves]
        return sorted(thoughts, key=lambda found: (-round(found.share, 4), -ratings[found.move], found.move))

    def worlds(self, state: State, world: Charuma, seat: int, rng: Rng) -> Iterator[tuple[float, Charuma]]:
        """Weighted positions that agree with what the seat knows: all of them, the likeliest first, or draws."""
        bids, plays = self._told(state, world, seat)
        deals = self._deals.every(world, seat, MOST_DEALS)
        weighed = []
        for hands, ways in deals:
            self._deals.deal_out(world, seat, hands)
            weighed.append((ways * self._deals.likelihood(world, seat, bids, plays), hands))
        for weight, hands in sorted(weighed, key=lambda deal: -deal[0]):
            self._deals.deal_out(world, seat, hands)
            yield weight, world
        while not deals:
            world = position(world.resample(seat, rng))
            yield self._deals.likelihood(world, seat, bids, plays), world

    def unseen(self, world: Charuma, seat: int) -> list[int]:
        """The kinds that a seat has not seen this round, equal ones twice."""
        return sorted(self._deals.unseen(world, seat).elements())

    def _solve(self, world: Charuma, seat: int, moves: list[int], watch: Stopwatch | None) -> list[float]:
        """The share of the win after each move and a perfect rest; [] if the time runs out."""
        shares, after = [], position(world.copy())
        for move in moves:
            after.assign(world)
            after.apply(move, seat)
            shares.append(self._judge.exact(after)[seat])
            if watch is not None and watch.left() < 0:
                return []
        return shares

    def _told(self, state: State, world: Charuma, seat: int) -> tuple[Moves, Moves]:
        """The bids and plays of this round; none if some were taken back (then what was seen cannot be replayed)."""
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
                plays.append((event["seat"], notation.parse(world, event["seat"], f"play {event['text']}")))
        return bids, plays
