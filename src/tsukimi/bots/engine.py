"""How bots analyse a game. `Engine` works for any game; a game's own engine (`Spec.engine`) overrides what it does better."""

from __future__ import annotations

import math
import operator
import pkgutil
from collections.abc import Mapping
from dataclasses import replace

from tsukimi.bots import calibration
from tsukimi.bots.budget import Budget
from tsukimi.bots.evaluator import Evaluator, ScoreEvaluator
from tsukimi.bots.search import Search
from tsukimi.bots.tree import Candidate, Tree
from tsukimi.core.errors import BadOptions, NotYourTurn
from tsukimi.core.game import Game
from tsukimi.core.rng import Rng
from tsukimi.core.spec import SPECTATOR
from tsukimi.core.state import State

SHORT_EDGES = 200  # a playout of a short search: room for the moves of the node it adds
Reason = tuple[str, Mapping[str, object]]  # a code of the catalogue's [why] table, and its parameters


class Engine:
    """The analysis of one seat in one game. It lives as long as the game, so that the search tree can be reused."""

    time_share = 1.0
    """The fraction of its time that the analysis may need."""
    exploration = 1.0
    """The exploration constant of the search."""
    samples = 12
    """How many determinizations `greedy` averages over."""
    rollouts = 256
    """The number of rollouts for an estimate of all seats' shares."""
    deals = 8
    """The number of determinizations (or chance outcomes) that those shares are averaged over."""
    game = ""
    """The game's name."""
    themes: Mapping[str, str] = {}
    """The theme of a puzzle, by the reason for its answer: maps a code (without the game's name) to a key of `[theme]`."""

    def __init__(self, start: Game, seed: int) -> None:
        self.rng = Rng(seed)
        self.evaluator = self.make_evaluator(start)
        self.tried: int | None = None
        self._start = start
        self._tree: Tree | None = None

    def make_evaluator(self, start: Game) -> Evaluator:
        return Evaluator()

    def determinize(self, state: State, seat: int) -> Game:
        """The position with everything that this seat cannot know resampled. Nothing else of the state's position
        may be used."""
        return state.core.resample(seat, self.rng)

    def greedy(self, state: State, seat: int) -> list[Candidate]:
        """One ply: the value of the position after each move, averaged over hidden information and chance."""
        moves = state.core.actions(seat)
        sums = dict.fromkeys(moves, 0.0)
        samples = max(1, min(self.samples, 400 // len(moves)))
        for _ in range(samples):
            sampled, chance_seed = self.determinize(state, seat), self.rng.number()
            for move in moves:
                after = sampled.copy()
                after.apply(move, seat)
                after.sample_chance(Rng(chance_seed))
                sums[move] += self.evaluator.shares(after)[seat]
        return best_first([Candidate(move, total / samples, samples) for move, total in sums.items()], self.rng)

    def scripted(self, state: State, seat: int) -> list[Candidate]:
        """Every move, best first, by hand-written rules of thumb instead of search. A game's own engine may have them."""
        raise BadOptions("no-scripted-bot", game=self.game)

    def analyse(self, state: State, seat: int, budget: Budget) -> list[Candidate]:
        """Every move of the seat, best first, within the budget."""
        tree = self.tree(budget.threads)
        return tree.search(self.determinize(state, seat), seat, budget, self.tried)

    def seen(self, state: State, seat: int, level: str, budget: Budget) -> list[Candidate]:
        """Every move as a weaker level sees it, best first. A game's own engine says what its levels overlook; in any
        other game they look less far ahead, as their budgets are smaller."""
        return self.analyse(state, seat, budget)

    def rated(self, state: State, seat: int) -> list[Candidate]:
        """By the evaluator's priors alone, in points: what a move looks like before any look-ahead."""
        here = self.determinize(state, seat)
        rated = zip(here.actions(seat), self.evaluator.priors(here, seat), strict=True)
        return best_first([Candidate(move, share_for(prior), 1.0) for move, prior in rated], self.rng)

    def short_search(self, sampled: Game, seat: int, budget: Budget, playouts: int) -> list[Candidate]:
        """A search with so few playouts that it sees only a few moves ahead, in a separate tree."""
        room = {"nodes": 2 * playouts, "edges": SHORT_EDGES * playouts}
        tree = Tree(self._start, self.evaluator, self.rng.number(), 1, self.exploration, **room)
        most = playouts if budget.playouts is None else min(playouts, budget.playouts)
        return tree.search(sampled, seat, replace(budget, playouts=most, threads=1))

    def judge(self, state: State, seat: int, move: int, budget: Budget) -> list[Candidate]:
        """`analyse`, reserving enough of the budget for this move that its share can be compared with the best one's."""
        self.tried = move
        try:
            return self.analyse(state, seat, budget)
        finally:
            self.tried = None

    def exact(self, state: State, seat: int) -> list[Candidate] | None:
        """Every move of the seat, best first, with everything that can happen calculated; None if that is too
        much, or if only a search can tell."""
        return None

    def themes_of(self, state: State, seat: int, move: int, reason: Reason) -> list[str]:
        """The themes of a puzzle with this answer: keys of `[theme]` in the game's messages."""
        theme = self.themes.get(reason[0].rpartition(".")[2])
        return [] if theme is None else [theme]

    def shares(self, game: Game, seat: int | None = None) -> list[float]:
        """Each seat's share of the win, adding up to 1: given what this seat may know, or with all hidden information revealed.
        Chance may be pending. The same position always has the same shares, and the engine's own source of chance is not used."""
        if seat is None and not game.chance:
            return self._corrected(game, self.rollouts)
        sums, total, rng = [0.0] * game.players, 0.0, Rng(0)
        for _ in range(self.deals):
            sampled = game.copy() if seat is None else game.resample(seat, rng)
            weight = 1.0 if seat is None else self.likelihood(sampled, seat)
            total += weight
            sampled.sample_chance(rng)
            for other, share in enumerate(self._corrected(sampled, self.rollouts // 4)):
                sums[other] += weight * share
        return [share / total for share in sums]

    def likelihood(self, sampled: Game, seat: int) -> float:
        """How likely a determinization is, given what the others have done; only ratios matter."""
        return 1.0

    def _corrected(self, game: Game, rollouts: int) -> list[float]:
        if game.over:
            return self.evaluator.shares(game)
        phase = calibration.phase_of(self.progress(game))
        by = calibration.correction(self.game, game.players, phase)
        return calibration.corrected(self.estimate(game, rollouts), game.actors, by)

    def believable(self, game: Game, candidates: list[Candidate]) -> list[Candidate]:
        """The same moves in the same order, with calibrated shares."""
        phase = calibration.phase_of(self.progress(game))
        return [
            replace(candidate, share=calibration.corrected_move(candidate.share, self.game, phase))
            for candidate in candidates
        ]

    def estimate(self, game: Game, rollouts: int) -> list[float]:
        """Each seat's share of the win with all hidden information revealed, before correction: the mean of some rollouts."""
        return Search(game, self.evaluator, nodes=1, edges=1).mean_shares(game, rollouts)

    def progress(self, game: Game) -> float:
        """The fraction of the game that has been played, as everyone can see it: from 0 to 1."""
        return 0.0

    def tree(self, threads: int) -> Tree:
        """The search tree, created when first needed: that takes a moment."""
        if self._tree is None:
            self._tree = Tree(self._start, self.evaluator, self.rng.number(), threads, self.exploration)
        return self._tree

    def simulated(self) -> int:
        """How many moves the search has simulated so far."""
        return 0 if self._tree is None else self._tree.simulated()

    def stand_in(self, state: State, seat: int, move: int) -> int:
        """The legal move that stands for all that come to the same as this one: usually the move itself."""
        return move

    def absurd(self, state: State, seat: int) -> set[int]:
        """The moves that anybody at the table would laugh at, by the rules alone; never all of them. A weaker level plays
        one only where the analysis says that nothing else could still win."""
        return set()

    def reason(self, state: State, seat: int, candidates: list[Candidate]) -> Reason:
        """Why the first of these candidates is best."""
        best, *others = candidates
        if not others:
            return "only-move", {}
        return "search", {"share": percent(best.share), "other_share": percent(others[0].share)}


class ScoreEngine(Engine):
    """For games in which the size of the score matters, as in poker: it maximises the expected lead in points instead
    of the share of the win. A candidate's share is 0.5 for an even score, and its score is the expected lead."""

    evaluator: ScoreEvaluator
    trials = 200

    def make_evaluator(self, start: Game) -> ScoreEvaluator:
        """The widest lead is that of some random games. They start from what everyone knows: an engine is created
        before it is known whose seat it plays."""
        rng, widest = Rng(0), 1.0
        for _ in range(self.trials):
            game = start.resample(SPECTATOR, rng)
            game.playout(rng)
            scores = game.scores()
            widest = max(widest, *(score - (sum(scores) - score) / (len(scores) - 1) for score in scores))
        return ScoreEvaluator(widest)

    def greedy(self, state: State, seat: int) -> list[Candidate]:
        return [self._scored(candidate) for candidate in super().greedy(state, seat)]

    def analyse(self, state: State, seat: int, budget: Budget) -> list[Candidate]:
        return [self._scored(candidate) for candidate in super().analyse(state, seat, budget)]

    def shares(self, game: Game, seat: int | None = None) -> list[float]:
        """The chance of being ahead in the end, by any margin."""
        return Engine(self._start, 0).shares(game, seat)

    def _scored(self, candidate: Candidate) -> Candidate:
        return replace(candidate, score=(2 * candidate.share - 1) * self.evaluator.widest_lead)

    def reason(self, state: State, seat: int, candidates: list[Candidate]) -> Reason:
        best, *others = [round(candidate.score or 0.0, 1) for candidate in candidates]
        return ("search-score", {"score": best, "other_score": others[0]}) if others else ("only-move", {})


def engine_for(state: State, seed: int) -> Engine:
    """A new engine for this game: the one named by its `Spec`, else the generic one."""
    made: Engine = _engine_class(state.spec.name, state.spec.engine)(state.core.copy(), seed)
    made.game = state.game
    return made


def _engine_class(game: str, reference: str) -> type[Engine]:
    if not reference:
        return Engine
    try:
        found: type[Engine] = pkgutil.resolve_name(reference)
    except (ImportError, AttributeError, ValueError) as problem:
        raise BadOptions("engine-missing", game=game, engine=reference, problem=str(problem)) from problem
    return found


def acting_seat(state: State, seat: int) -> int:
    """The seat as a plain integer; an error if it may not act now."""
    try:
        number = operator.index(seat)
    except TypeError:
        raise BadOptions("no-such-seat", seat=repr(seat)[:60], players=state.players) from None
    if number not in state.actors:
        if state.over:
            raise NotYourTurn("game-over")
        if state.chance:
            raise NotYourTurn("chance-waits")
        if not 0 <= number < state.players:
            raise BadOptions("no-such-seat", seat=number, players=state.players)
        raise NotYourTurn("not-your-turn", who=", ".join(f"p{actor + 1}" for actor in state.actors))
    return number


def percent(share: float) -> int:
    return round(100 * share)


def share_for(points: float) -> float:
    """A lead in points as a rough share of the win, for values in points."""
    return 1 / (1 + math.exp(-points / 6))


def best_first(candidates: list[Candidate], rng: Rng) -> list[Candidate]:
    """By share; ties in random order: the order of the moves would favour some seats, as moves name seats."""
    return sorted(candidates, key=lambda candidate: (-round(candidate.share, 6), rng.number()))
