"""The engine of China Moon: a solver for the end of the race, and a search before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import cast

from tsukimi.bots.budget import Budget
from tsukimi.bots.china_moon import networks, reasons
from tsukimi.bots.china_moon.evaluator import ChinaMoonEvaluator
from tsukimi.bots.china_moon.greedy import Beginner
from tsukimi.bots.china_moon.solver import Solver
from tsukimi.bots.china_moon.weights import NOVICE_WEIGHTS
from tsukimi.bots.engine import SHORT_EDGES, Engine, Reason, best_first
from tsukimi.bots.evaluator import Evaluator
from tsukimi.bots.search import Search
from tsukimi.bots.tree import Candidate, ranked
from tsukimi.core.game import Game
from tsukimi.core.state import State
from tsukimi.games.china_moon.rules import BLACK, COLOURS, START, TRADES, ChinaMoon

MAX_DEPTH = 12  # of the solver, in decisions
SOLVER_PART = 0.25  # of the time at most
NODES_PER_MS = 1000  # of the solver; with a budget of playouts, per playout:
NODES_PER_PLAYOUT = 4
CERTAIN = 1e6  # the weight of a solved move
REGULAR_PLAYOUTS = 60  # enough to see what the next player may answer
EXACT_NODES = 1_000_000  # for an exact solution


class ChinaMoonEngine(Engine):
    exploration = 0.6
    themes = {
        "ends-ahead": "finish",
        "ends-level": "finish",
        "arrives": "arrive",
        "takes": "lilies",
        "takes-some": "lilies",
        "goes-on": "race",
        "may-trade": "trade",
        "trades": "trade",
        "trades-anyway": "trade",
        "to-black": "black-lily",
        "to-butterfly": "butterfly",
        "to-prankster": "trade",
        "must-drop": "butterfly",
        "drops": "butterfly",
        "past": "astray",
        "quiet": "astray",
        "duty": "astray",
        "helps": "astray",
    }

    def __init__(self, start: Game, seed: int) -> None:
        super().__init__(start, seed)
        self.beginner = Beginner(start.table)
        self.solver = Solver()
        self._novice: ChinaMoonEvaluator | None = None

    def make_evaluator(self, start: Game) -> ChinaMoonEvaluator:
        return networks.evaluator(start.table, start.players)

    def greedy(self, state: State, seat: int) -> list[Candidate]:
        """One ply by the beginner's evaluator."""
        return self.one_ply(state, seat, self.beginner)

    def one_ply(self, state: State, seat: int, evaluator: Evaluator) -> list[Candidate]:
        """By an evaluator, right after each move. There is no chance and nothing hidden, so one sample is enough."""
        sampled, candidates = self.determinize(state, seat), []
        for move in state.actions(seat):
            after = sampled.copy()
            after.apply(move, seat)
            candidates.append(Candidate(move, evaluator.shares(after)[seat], 1.0))
        return best_first(candidates, self.rng)

    def analyse(self, state: State, seat: int, budget: Budget) -> list[Candidate]:
        """Every move of the seat, best first: solved, or else searched in the time that is left."""
        watch = budget.start()
        tree, here = self.tree(budget.threads), cast(ChinaMoon, self.determinize(state, seat))
        alike = {move: _stand_in(here, move) for move in state.actions(seat)}
        moves = [move for move, other in alike.items() if move == other]
        known = self.solve(here, seat, moves, budget)
        best = max(known.values(), default=0.0)
        if best > 1 - 1e-6:  # a certain win; the other moves are only estimated
            for move in moves:
                known.setdefault(move, self._estimate(state, seat, move))
        if len(known) == len(moves):
            return best_first([Candidate(move, known[other], CERTAIN) for move, other in alike.items()], self.rng)
        tried = None if self.tried is None else alike[self.tried]
        found = {candidate.move: candidate for candidate in tree.search(here, seat, watch.remaining(), tried)}
        everything = [*found.values(), *(replace(found[alike[move]], move=move) for move in alike if move not in found)]
        return _corrected(everything, {move: known[other] for move, other in alike.items() if other in known})

    def seen(self, state: State, seat: int, level: str, budget: Budget) -> list[Candidate]:
        """A novice sees what a move leads to at once, without the network and by few features: points, what each can take
        next, and the race. A regular sees the next few moves. Neither counts the race to its end."""
        if level == "novice":
            if self._novice is None:
                self._novice = ChinaMoonEvaluator(self._start.table)
                self._novice.set_weights(NOVICE_WEIGHTS)
            return self.one_ply(state, seat, self._novice)
        return self.short_search(self.determinize(state, seat), seat, budget, REGULAR_PLAYOUTS)

    def _estimate(self, state: State, seat: int, move: int) -> float:
        after = self.determinize(state, seat)
        after.apply(move, seat)
        return min(0.99, self.evaluator.shares(after)[seat])

    def solve(self, sampled: ChinaMoon, seat: int, moves: list[int], budget: Budget) -> dict[int, float]:
        """The shares of the win under perfect play, for the moves that could be solved."""
        watch = budget.scaled(SOLVER_PART).start()
        if budget.ms is None:
            nodes = NODES_PER_PLAYOUT * (budget.playouts or 0)
        else:
            nodes = int(SOLVER_PART * NODES_PER_MS * budget.ms)
        known: dict[int, float] = {}
        for known in self._deepened(sampled, seat, moves, nodes):
            if max(known.values(), default=0.0) > 1 - 1e-6 or watch.left() < 0:
                break
        return known

    def _deepened(self, sampled: ChinaMoon, seat: int, moves: list[int], nodes: int) -> Iterator[dict[int, float]]:
        """Iterative deepening, only near the end of a race: yields the shares of the win solved so far, until all moves
        are solved or that many nodes are used up."""
        known: dict[int, float] = {}
        end = self.solver.nodes + nodes
        for depth in range(4 - sampled.arrived, MAX_DEPTH) if sampled.arrived >= 2 else ():
            for move in moves:
                if move in known:
                    continue
                after = cast(ChinaMoon, sampled.copy())
                after.apply(move, seat)
                shares = self.solver.shares(after, depth - 1, end - self.solver.nodes)
                if shares is not None:
                    known[move] = shares[seat]
                yield known
                if self.solver.nodes >= end:
                    return
            if len(known) == len(moves):
                return

    def exact(self, state: State, seat: int) -> list[Candidate] | None:
        """The rest of the race under perfect play, if it is short enough."""
        sampled, moves = cast(ChinaMoon, self.determinize(state, seat)), state.actions(seat)
        end = self.solver.nodes + EXACT_NODES
        *_, known = [{}, *self._deepened(sampled, seat, moves, EXACT_NODES)]
        if len(known) < len(moves) or self.solver.nodes >= end:
            return None
        return best_first([Candidate(move, known[move], CERTAIN) for move in moves], self.rng)

    def estimate(self, game: Game, rollouts: int) -> list[float]:
        """The mean over the simulations of a short search, always the same one: it sees more than rollouts do."""
        search = Search(game, self.evaluator, 0, 2 * rollouts, SHORT_EDGES * rollouts)
        search.set_root(game, game.actors[0])
        search.run(rollouts)
        return search.root_shares()

    def progress(self, game: Game) -> float:
        """The first third lasts until a frog arrives; with the third arrival the last one begins."""
        return (0.0, 0.4, 0.5, 0.7)[min(3, cast(ChinaMoon, game).arrived)]

    def absurd(self, state: State, seat: int) -> set[int]:
        """Not winning at once; ending the game and losing it; taking the black lily, by a trade or with one's own frog."""
        here = cast(ChinaMoon, self.determinize(state, seat))
        outcomes = {move: _outcome(here, seat, move) for move in here.actions(seat)}
        moves = set(outcomes)
        waits = {move for move, (wins, _, _) in outcomes.items() if not wins}
        loses = {move for move, (_, loses, _) in outcomes.items() if loses}
        takes = {move for move, (_, _, takes) in outcomes.items() if takes}
        return next((some for some in (waits, loses | takes, loses) if some != moves), set())

    def stand_in(self, state: State, seat: int, move: int) -> int:
        return _stand_in(cast(ChinaMoon, self.determinize(state, seat)), move)

    def reason(self, state: State, seat: int, candidates: list[Candidate]) -> Reason:
        return reasons.reason(cast(ChinaMoon, self.determinize(state, seat)), seat, candidates)


def _stand_in(here: ChinaMoon, move: int) -> int:
    """The equivalent move that the search uses: a seat's frogs on the start are interchangeable, and it moves the first."""
    frog = move >> 6
    if move >= TRADES or here.at[frog] != START:
        return move
    return 64 * next(other for other in range(frog - frog % 3, frog + 1) if here.at[other] == START) + move % 64


def _outcome(here: ChinaMoon, seat: int, move: int) -> tuple[bool, bool, bool]:
    """Whether a move wins the game alone, ends it lost, takes the black lily."""
    after = cast(ChinaMoon, here.copy())
    after.apply(move, seat)
    winners, black = after.winners() if after.over else [], seat * COLOURS + BLACK
    return winners == [seat], after.over and seat not in winners, after.held[black] > here.held[black]


def _corrected(candidates: list[Candidate], known: Mapping[int, float]) -> list[Candidate]:
    """The candidates of the search with solved values instead of estimates. A solved move that no estimate exceeds is
    the best; one that is worse than the best estimate is not played."""
    corrected = [
        Candidate(candidate.move, known.get(candidate.move, candidate.share), candidate.weight, candidate.score)
        for candidate in candidates
    ]
    hope = max((candidate.share for candidate in corrected if candidate.move not in known), default=0.0)
    solved = [candidate for candidate in corrected if known.get(candidate.move, -1.0) > hope]
    best = max(solved, key=lambda candidate: candidate.share, default=None)
    if best is None:
        best = next(candidate for candidate in corrected if candidate.move not in known)
    return ranked([best, *(candidate for candidate in corrected if candidate is not best)])
