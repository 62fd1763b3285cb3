"""How Daruma is thought about: every turn is solved to its end, and its end is judged by a model of the rest of the game."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp
from typing import cast

from tsukimi.bots.budget import Budget, Stopwatch
from tsukimi.bots.daruma.facts import Facts, why
from tsukimi.bots.daruma.greedy import after_moves
from tsukimi.bots.daruma.turn import Turn, is_compiled
from tsukimi.bots.daruma.worth import Worth
from tsukimi.bots.mind import Mind, best_first
from tsukimi.bots.tree import Thought
from tsukimi.core.game import Game
from tsukimi.core.state import State
from tsukimi.games.daruma.codes import MOVE_GIVE, MOVE_ROLL, MOVE_SWEEP, START, SWEPT
from tsukimi.games.daruma.rules import Daruma

GREEDY_SAMPLES = 30
GREEDY_WORK = 600
FRESH_ROWS = 24  # how many rows a sweep is judged by, at most
LEAST_ROWS = 2
PLAIN_DICE = 4  # without compiled modules only so few dice are solved; before that, greedy's view must do


class DarumaMind(Mind):
    noise: Mapping[str, float] = {"novice": 0.065, "regular": 0.04}

    def __init__(self, start: Game, seed: int) -> None:
        super().__init__(start, seed)
        self.worth = Worth()
        self.turn = Turn()
        self._solved: object = None

    # ---- greedy: frozen -------------------------------------------------------------------------

    def greedy(self, state: State, seat: int) -> list[Thought]:
        """One ply: how the position looks right after each move, on average over the dice rolled then."""
        moves = state.actions(seat)
        samples = max(2, min(GREEDY_SAMPLES, GREEDY_WORK // len(moves)))
        world = cast(Daruma, self.world(state, seat))
        values = after_moves(world, seat, moves, samples, self.rng)
        return best_first([Thought(move, value, samples) for move, value in zip(moves, values, strict=True)])

    def facts(self, state: State, seat: int, thoughts: list[Thought]) -> Facts:
        return why(cast(Daruma, self.world(state, seat)), seat, thoughts)

    # ---- master ----------------------------------------------------------------------------------

    def think(self, state: State, seat: int, budget: Budget) -> list[Thought]:
        """Every move with the share of the win that the best play of the rest of the turn makes of it."""
        watch = budget.start()
        world = cast(Daruma, self.world(state, seat))
        if not is_compiled() and (world.stage == START or _dice(world) > PLAIN_DICE):
            return [Thought(seen.move, _as_share(seen.share), seen.weight) for seen in self.greedy(state, seat)]
        if world.stage == START:
            return best_first(self._sweep_or_not(world, seat, budget, watch))
        self.solve(world, seat)
        return best_first([Thought(move, self._share(world, move), 1.0) for move in state.actions(seat)])

    def solve(self, world: Daruma, seat: int) -> None:
        """The rest of the turn, unless it was solved before."""
        key = _turn_key(world)
        if key == self._solved and self.turn.covers(world):
            self.worth.look(world, seat)
            return
        self._solved = None
        self._solve(self.turn, world, seat)
        self._solved = key

    def _solve(self, turn: Turn, world: Daruma, seat: int, may_give: bool = True) -> float:
        self.worth.look(world, seat)
        turn.begin(world, may_give and world.size[seat] > 0)
        self.worth.fill(turn)
        turn.solve()
        return turn.whole()

    def _share(self, world: Daruma, move: int) -> float:
        share = self.turn.worth(world, move)
        return share + self.worth.handed(move) if move >= MOVE_GIVE else share

    def _sweep_or_not(self, world: Daruma, seat: int, budget: Budget, watch: Stopwatch) -> list[Thought]:
        """This row against rows drawn anew, as many as there is time for; both without the gift, to see more rows."""
        turn, fresh, rows = Turn(), 0.0, 0
        stay = self._solve(turn, world, seat, False)
        most = FRESH_ROWS if budget.playouts is None else min(FRESH_ROWS, max(LEAST_ROWS, budget.playouts // 8))
        while rows < most:
            row = cast(Daruma, world.copy())
            row.apply(MOVE_SWEEP, seat)
            while row.stage == SWEPT:
                row.apply(row.sample_outcome(self.rng))
            fresh, rows = fresh + self._solve(turn, row, seat, False), rows + 1
            if watch.left() < watch.spent() / (rows + 1):
                break
        return [Thought(MOVE_SWEEP, fresh / rows, rows), Thought(MOVE_ROLL, stay, 1.0)]


def _turn_key(world: Daruma) -> object:
    """What stays the same as long as a solution holds."""
    collections = [tuple(world.collection(seat)) for seat in range(world.players)]
    return world.turn, world.walked, list(world.face), world.pupils, world.pile_size, collections


def _dice(world: Daruma) -> int:
    """The dice still in play: those available and those on the ledger."""
    return sum(world.dice >> 4 * face & 15 for face in range(6)) + world.ledger


def _as_share(points: float) -> float:
    """Points ahead as something between 0 and 1."""
    return 1 / (1 + exp(-points / 6))
