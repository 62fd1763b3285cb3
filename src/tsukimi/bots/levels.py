"""The bots that every game has: `random`, `greedy`, `novice`, `regular`, `master`, and the baseline `flat`; `scripted` where a
game has one."""

from __future__ import annotations

from tsukimi.bots.budget import Budget, run_within
from tsukimi.bots.engine import Engine, acting_seat
from tsukimi.bots.flat import Flat
from tsukimi.core.errors import BadOptions
from tsukimi.core.rng import Rng
from tsukimi.core.state import State

LEVELS = {"novice": 0.1, "regular": 0.15, "master": 1.0}  # the fraction of the budget that each uses
NAMES = ("random", "greedy", *LEVELS, "adaptive")  # what menus offer
BASELINES = ("scripted", "flat")  # for matches
WON = 0.97  # a share: with a win this likely, a level no longer experiments


class RandomBot:
    """Any legal move, uniformly at random."""

    def __init__(self, seed: int) -> None:
        self._rng = Rng(seed)

    def choose(self, state: State, seat: int) -> int:
        return state.core.random_action(acting_seat(state, seat), self._rng)


class GreedyBot:
    """The move with the best resulting position, one ply deep."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def choose(self, state: State, seat: int) -> int:
        return self._engine.greedy(state, acting_seat(state, seat))[0].move


class ScriptedBot:
    """The game's hand-written rules of thumb. Only some games have them."""

    def __init__(self, engine: Engine) -> None:
        if type(engine).scripted is Engine.scripted:
            raise BadOptions("no-scripted-bot", game=engine.game)
        self._engine = engine

    def choose(self, state: State, seat: int) -> int:
        return self._engine.scripted(state, acting_seat(state, seat))[0].move


class FlatBot:
    """Flat Monte Carlo: the move that wins most often when the rest of the game is played randomly."""

    def __init__(self, budget: Budget, seed: int) -> None:
        self._budget, self._rng = budget, Rng(seed)

    def choose(self, state: State, seat: int) -> int:
        watch = self._budget.start()
        seat = acting_seat(state, seat)
        root = state.core.resample(seat, self._rng)
        trials, moves = Flat(root, seat, self._rng), root.actions(seat)
        if len(moves) == 1:
            return moves[0]
        playouts = self._budget.playouts
        run_within(watch, None if playouts is None else max(1, playouts // len(moves)), trials.run)
        return max(trials.result(), key=lambda tried: (tried[1], self._rng.number()))[0]


class SearchBot:
    """Novice, regular or master: the game's engine. The weaker levels play what a player of that strength sees, but
    nothing that looks absurd, and they win a game that is as good as won by master's analysis in the rest of their time."""

    def __init__(self, engine: Engine, level: str, budget: Budget, seed: int) -> None:
        self._engine, self._level = engine, level
        self.set_budget(budget)

    def set_budget(self, budget: Budget) -> None:
        """How long `master` may think from now on; weaker levels take less."""
        self._budget = budget.scaled(LEVELS[self._level], least=8)

    @property
    def share(self) -> float:
        """The fraction of such a budget that this bot may need; it does not depend on the position."""
        return LEVELS[self._level] * self._engine.time_share

    def choose(self, state: State, seat: int) -> int:
        seat = acting_seat(state, seat)
        moves = state.core.actions(seat)
        if len(moves) == 1:
            return moves[0]
        if self._level == "master":
            return self._engine.analyse(state, seat, self._budget)[0].move
        watch = self._budget.start()
        seen = self._engine.seen(state, seat, self._level, self._budget.scaled(0.5, least=8))
        known = self._engine.analyse(state, seat, watch.remaining())
        good = [candidate for candidate in known if candidate.share > WON] or seen
        absurd = self._engine.absurd(state, seat)
        hopes = {candidate.move for candidate in known if candidate.share > 1 - WON}
        if hopes <= absurd:  # nothing else could still win
            absurd = absurd - hopes
        return next((candidate.move for candidate in good if candidate.move not in absurd), good[0].move)
