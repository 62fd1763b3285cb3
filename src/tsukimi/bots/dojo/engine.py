"""The engine of Dojo: patterns for dojos, determinizations for the round, and mixed choices between close moves."""

from __future__ import annotations

import math
from typing import cast

from tsukimi.bots.budget import Budget, run_within
from tsukimi.bots.dojo import reasons
from tsukimi.bots.dojo.evaluator import DojoEvaluator
from tsukimi.bots.dojo.greedy import Beginner
from tsukimi.bots.dojo.rounds import Rounds
from tsukimi.bots.engine import Engine, Reason, best_first, share_for
from tsukimi.bots.tree import Candidate, ranked
from tsukimi.core.game import Game
from tsukimi.core.state import State
from tsukimi.games.dojo.rules import Dojo

MIX_TEMPERATURE = 0.002  # of the softmax over close moves, in shares of the win
ROUNDS = 12
MIXED_PHASES = ("give", "challenge")
WEAK_TRIALS = 8  # of every move that a weaker level plays out
LEAST_SAMPLES = 40  # determinizations of a round, however few playouts are allowed: fewer are no better than guessing


class DojoEngine(Engine):
    evaluator: DojoEvaluator
    themes = {
        "row": "row",
        "gain": "score",
        "column": "column",
        "wait": "patience",
        "later": "patience",
        "later-share": "patience",
        "challenge": "challenge",
        "pass": "challenge",
        "swap": "swap",
        "keep": "swap",
        "swap-spite": "swap",
        "keep-spite": "swap",
        "swap-even": "swap",
        "keep-even": "swap",
        "give": "gift",
        "give-keep": "gift",
        "give-keep-share": "gift",
        "give-least": "gift",
        "trophy": "trophy",
        "trophy-later": "trophy",
        "trophy-share": "trophy",
    }
    rollouts = 64

    def __init__(self, start: Game, seed: int) -> None:
        super().__init__(start, seed)
        self.beginner = Beginner(start)
        self.rounds = Rounds(start, self.evaluator, self.rng.number())

    def make_evaluator(self, start: Game) -> DojoEvaluator:
        return DojoEvaluator()

    # ---- greedy: frozen --------------------------------------------------------------------------

    def greedy(self, state: State, seat: int) -> list[Candidate]:
        values = self.beginner.move_values(self.determinize(state, seat), seat, self.rng)
        return best_first([Candidate(move, share_for(value), 1.0) for move, value in values.items()], self.rng)

    # ---- master ----------------------------------------------------------------------------------

    def analyse(self, state: State, seat: int, budget: Budget) -> list[Candidate]:
        """Every move, tried in as many determinizations as the budget allows (each trial is one playout). Gifts and
        challenges of about the same value are mixed."""
        return self._analyse(state, seat, budget, _gifts(state, seat))

    def seen(self, state: State, seat: int, level: str, budget: Budget) -> list[Candidate]:
        """The weaker levels place a card where it looks best, without simulation, try other moves in few deals, and infer
        nothing from the dealer's gifts. A novice also gives and swaps by the immediate gain."""
        phase = state.view(seat)["phase"]
        if phase in ("place", "trophy"):
            return self.rated(state, seat)
        if phase in ("give", "swap") and level == "novice":
            return self.greedy(state, seat)
        return self._analyse(state, seat, budget, [], WEAK_TRIALS)

    def _analyse(
        self, state: State, seat: int, budget: Budget, gifts: list[int], trials: int | None = None
    ) -> list[Candidate]:
        """`trials`: how often each move is tried at most; without it, as often as the budget allows."""
        watch = budget.start()
        sampled = cast(Dojo, self.determinize(state, seat))
        moves = sampled.actions(seat)
        phase = state.view(seat)["phase"]
        if phase == "throw":
            return self._shuffled(moves)
        self.rounds.set_root(sampled, seat, gifts)
        least = 1 if phase in ("place", "trophy") else LEAST_SAMPLES
        if trials is None and budget.playouts is not None:
            trials = max(least, budget.playouts // len(moves))
        samples = run_within(watch, trials, self.rounds.run, chunk_ms=3.0)
        candidates = best_first(
            [Candidate(move, share, samples, points) for move, share, points in self.rounds.result()], self.rng
        )
        return self._mixed(candidates) if phase in MIXED_PHASES else candidates

    def _shuffled(self, moves: list[int]) -> list[Candidate]:
        """Rock, paper, scissors: a random move is optimal."""
        share = 1 / len(moves)
        order = sorted(moves, key=lambda move: self.rng.number())
        return [Candidate(move, share, 1.0) for move in order]

    def _mixed(self, candidates: list[Candidate]) -> list[Candidate]:
        """First the best move or, at random, one of about the same value, so that a gift or a pass gives nothing away."""
        best = candidates[0].share
        weights = [math.exp((candidate.share - best) / MIX_TEMPERATURE) for candidate in candidates]
        point = self.rng.randrange(2**30) / 2**30 * sum(weights)
        for i, weight in enumerate(weights):
            point -= weight
            if point < 0:
                return ranked([candidates[i], *candidates[:i], *candidates[i + 1 :]])
        return candidates

    def progress(self, game: Game) -> float:
        return cast(Dojo, game).round / ROUNDS

    def reason(self, state: State, seat: int, candidates: list[Candidate]) -> Reason:
        sampled = cast(Dojo, self.determinize(state, seat))
        return reasons.reason(self.evaluator.patterns, sampled, state.view(seat), seat, candidates)


def _gifts(state: State, seat: int) -> list[int]:
    """Whom the dealer of this round has given cards to, in order."""
    view = state.view(seat)
    if view["phase"] not in ("challenge", "swap"):
        return []
    order: list[int] = []
    for event in reversed(state.events(seat)):
        if event["type"] == "give":
            order.append(event["to"])
        elif order and event["type"] in ("place", "trophy"):
            break
        if len(order) == state.players:
            break
    return order[::-1]
