"""How fast the search is: moves simulated per second, compared with OpenSpiel's C++ searches.

Every search runs the same number of simulations from a dealt position, each with its own tree and random rollouts
to the end of the game. As OpenSpiel's simulations all end with the game, the moves they make are their number times the
mean length of a game; ours are counted one by one.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from typing import Any

import tsukimi
from tsukimi import bots
from tsukimi.bots.budget import Budget
from tsukimi.bots.evaluator import Evaluator
from tsukimi.bots.tree import Tree

SIMULATIONS = 20_000
UCT_CONSTANT = 1.4
MEMORY = 2_000  # megabytes that OpenSpiel's tree may take
Work = Callable[[int], int]

ONE, TWO, MASTER = "charuma search", "charuma search, 2 threads", "charuma search as master runs it"
HEARTS, SPADES = "open_spiel hearts IS-MCTS", "open_spiel spades MCTS"


def works(pyspiel: Any, dealt: Callable[[Any], Any], length: Callable[[Any], float]) -> Iterator[tuple[str, Work]]:
    """What is measured, by name: each call is one search and returns the number of moves simulated in it."""
    state = tsukimi.new("charuma", players=4, seed=1)
    yield ONE, _ours(state, 1)
    yield TWO, _ours(state, 2)
    yield MASTER, _masters(state)
    if pyspiel is not None:
        yield HEARTS, _ismcts(pyspiel, pyspiel.load_game("hearts"), dealt, length)
        yield SPADES, _mcts(pyspiel, pyspiel.load_game("spades"), dealt, length)


def _ours(state: tsukimi.State, threads: int) -> Work:
    core, seat = state.core.copy(), state.actors[0]

    def work(_: int) -> int:
        tree = Tree(core, Evaluator(), 1, threads)
        tree.search(core, seat, Budget(None, SIMULATIONS * threads, threads))
        return tree.simulated()

    return work


def _masters(state: tsukimi.State) -> Work:
    """The same search with the game's own evaluator: fewer moves, but better ones, and the last cards are solved."""

    def work(_: int) -> int:
        engine = bots.engine_for(state, 1)
        engine.analyse(state, state.actors[0], Budget(None, SIMULATIONS))
        return engine.simulated()

    return work


def _ismcts(pyspiel: Any, game: Any, dealt: Callable[[Any], Any], length: Callable[[Any], float]) -> Work:
    root = dealt(game)
    moves = round(SIMULATIONS * length(root))

    def work(_: int) -> int:
        pyspiel.ISMCTSBot(7, pyspiel.RandomRolloutEvaluator(1, 7), UCT_CONSTANT, SIMULATIONS).step(root)
        return moves

    return work


def _mcts(pyspiel: Any, game: Any, dealt: Callable[[Any], Any], length: Callable[[Any], float]) -> Work:
    root = dealt(game)
    moves = round(SIMULATIONS * length(root))

    def work(_: int) -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 7)
        pyspiel.MCTSBot(game, evaluator, UCT_CONSTANT, SIMULATIONS, MEMORY, False, 7, False).mcts_search(root)
        return moves

    return work


def ratios(found: dict[str, list[float]]) -> Iterator[tuple[str, float, float | None, str]]:
    """Name, median, ratio and target of each. A ratio is the median of the ratios in each round."""
    theirs = [max(pair) for pair in zip(found.get(HEARTS, []), found.get(SPADES, []), strict=True)]
    compared = {
        ONE: (theirs, "at least 3 x the better OpenSpiel search"),
        MASTER: (theirs, ""),
        TWO: (found[ONE], "at least 1.8 x one thread"),
    }
    for name in (ONE, TWO, MASTER, HEARTS, SPADES):
        if name in found:
            base, aim = compared.get(name, (theirs, ""))
            ratio = statistics.median(a / b for a, b in zip(found[name], base, strict=True)) if base else None
            yield name, statistics.median(found[name]), ratio, aim if base else ""
