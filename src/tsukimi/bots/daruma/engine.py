"""The engine of Daruma: every turn is solved to its end, whose value comes from a model of the rest of the game."""

from __future__ import annotations

import math
from typing import cast

from tsukimi.bots.budget import Budget, Stopwatch
from tsukimi.bots.daruma import reasons
from tsukimi.bots.daruma.greedy import after_moves
from tsukimi.bots.daruma.scripted import Script
from tsukimi.bots.daruma.turn import Turn, is_compiled
from tsukimi.bots.daruma.value import WinModel
from tsukimi.bots.engine import Engine, Reason, best_first, share_for
from tsukimi.bots.tree import Candidate
from tsukimi.core.game import Game
from tsukimi.core.state import State
from tsukimi.games.daruma.codes import MOVE_GIVE, MOVE_REROLL, MOVE_ROLL, MOVE_SAKE, MOVE_STOP, MOVE_SWEEP, START, SWEPT
from tsukimi.games.daruma.rules import Daruma

GREEDY_SAMPLES = 30
GREEDY_POSITIONS = 600  # the maximum number of samples over all moves
MAX_ROWS = 24  # the maximum number of rows that the value of a sweep is averaged over
MIN_ROWS = 2
SEEN_DICE = {
    "novice": 4,
    "regular": 6,
}  # of a turn; with more dice in play the weaker levels look only at the next move
THREE_FOURS = 3
MANY_FOURS = 2
EXACT = Budget(playouts=1)  # a turn is solved whatever the budget is
PLAIN_DICE = 4  # without compiled modules only this few dice are solved; with more, greedy's values are used


class DarumaEngine(Engine):
    themes = {
        "sweep": "sweep",
        "roll": "sweep",
        "stop": "stop",
        "stop-last": "stop",
        "paint-first": "eyes",
        "paint-second": "eyes",
        "sake": "go-on",
        "sake-first": "go-on",
        "reroll": "reroll",
        "reroll-value": "reroll",
        "shift": "shift",
        "give": "gift",
        "swap": "exchange",
    }
    time_share = 0.1  # a turn is solved in some hundredths of a second

    def __init__(self, start: Game, seed: int) -> None:
        super().__init__(start, seed)
        self.model = WinModel()
        self.turn = Turn()
        self._quick = Turn()  # for estimates, so that they do not overwrite the solved turn
        self._solved: object = None
        self._blind: DarumaEngine | None = None

    # ---- greedy and scripted: frozen -----------------------------------------------------------------

    def greedy(self, state: State, seat: int) -> list[Candidate]:
        """One ply: the value of the position after each move, averaged over the dice rolled then."""
        moves = state.actions(seat)
        samples = max(2, min(GREEDY_SAMPLES, GREEDY_POSITIONS // len(moves)))
        sampled = cast(Daruma, self.determinize(state, seat))
        values = after_moves(sampled, seat, moves, samples, self.rng)
        candidates = [Candidate(move, share_for(value), samples) for move, value in zip(moves, values, strict=True)]
        return best_first(candidates, self.rng)

    def scripted(self, state: State, seat: int) -> list[Candidate]:
        sampled = cast(Daruma, self.determinize(state, seat))
        script = Script(sampled, seat)
        candidates = [Candidate(move, script.value(sampled, move, self.rng), 1) for move in sampled.actions(seat)]
        return best_first(candidates, self.rng)

    def reason(self, state: State, seat: int, candidates: list[Candidate]) -> Reason:
        return reasons.reason(cast(Daruma, self.determinize(state, seat)), seat, candidates)

    # ---- master ----------------------------------------------------------------------------------

    def analyse(self, state: State, seat: int, budget: Budget) -> list[Candidate]:
        """Every move with its share of the win if the rest of the turn is played optimally."""
        watch = budget.start()
        sampled = cast(Daruma, self.determinize(state, seat))
        if not is_compiled() and (sampled.stage == START or _dice(sampled) > PLAIN_DICE):
            return self.greedy(state, seat)
        if sampled.stage == START:
            return best_first(self._sweep_candidates(sampled, seat, budget, watch), self.rng)
        self.solve(sampled, seat)
        candidates = [Candidate(move, self._share(sampled, move), 1.0) for move in state.actions(seat)]
        return best_first(candidates, self.rng)

    def seen(self, state: State, seat: int, level: str, budget: Budget) -> list[Candidate]:
        """The weaker levels plan a turn only when few dice are left in it, and never consider the others' interests:
        neither their objectives nor the value of an eye or a token to the next player."""
        sampled = cast(Daruma, self.determinize(state, seat))
        if sampled.stage == START or _dice(sampled) > SEEN_DICE[level]:
            return self.greedy(state, seat)
        if self._blind is None:
            self._blind = DarumaEngine(self._start, self.rng.number())
            self._blind.model.half = self._blind.model.burden = self._blind.model.reading = 0.0
        return self._blind.analyse(state, seat, budget)

    def absurd(self, state: State, seat: int) -> set[int]:
        """Continuing to drink with three fours on the ledger instead of stopping."""
        sampled, moves = cast(Daruma, self.determinize(state, seat)), state.actions(seat)
        if MOVE_STOP not in moves or sampled.ledger + sampled.fictive < THREE_FOURS:
            return set()
        return {move for move in moves if MOVE_SAKE <= move < MOVE_REROLL}

    def exact(self, state: State, seat: int) -> list[Candidate] | None:
        """The expectation of the rest of the turn over all rolls."""
        sampled = cast(Daruma, self.determinize(state, seat))
        if sampled.stage == START or not is_compiled():
            return None
        return self.analyse(state, seat, EXACT)

    def themes_of(self, state: State, seat: int, move: int, reason: Reason) -> list[str]:
        """Also "fours": two or three of them are already on the ledger, so one roll may end the turn."""
        sampled = cast(Daruma, self.determinize(state, seat))
        fours = sampled.stage != START and sampled.ledger + sampled.fictive >= MANY_FOURS
        return [*super().themes_of(state, seat, move, reason), *(["fours"] if fours else [])]

    def estimate(self, game: Game, rollouts: int) -> list[float]:
        """By the model, in which everyone knows their own objective and guesses the others'; for the seat whose turn it
        is, also by the rest of the turn."""
        here, shares = cast(Daruma, game.copy()), []
        for seat in range(game.players):
            if seat == here.turn and is_compiled():
                shares.append(self._turn_share(here, seat))
            else:
                self.model.set_position(here, seat)
                shares.append(self.model.bust_value())
        total = sum(shares)
        return [share / total for share in shares] if total else [1 / game.players] * game.players

    def likelihood(self, sampled: Game, seat: int) -> float:
        """Objectives that match the collected darumas are likelier."""
        scores = sampled.scores()
        return math.exp(self.model.reading * (sum(scores) - scores[seat]))

    def _turn_share(self, here: Daruma, seat: int) -> float:
        """The seat's share after the best rest of its turn, ignoring gifts."""
        whole = self._solve(self._quick, here, seat, False)
        if here.stage == START:
            return whole
        gifts = range(MOVE_GIVE, MOVE_GIVE + here.cards.kinds * here.players)
        return max(self._quick.move_value(here, move) for move in here.actions(seat) if move not in gifts)

    def progress(self, game: Game) -> float:
        """How far the counter has come."""
        here = cast(Daruma, game)
        return here.walked / (2 * (here.tokens - 1))

    def solve(self, sampled: Daruma, seat: int) -> None:
        """The rest of the turn, unless it was solved before."""
        key = _turn_key(sampled)
        if key == self._solved and self.turn.covers(sampled):
            self.model.set_position(sampled, seat)
            return
        self._solved = None
        self._solve(self.turn, sampled, seat)
        self._solved = key

    def _solve(self, turn: Turn, sampled: Daruma, seat: int, may_give: bool = True) -> float:
        self.model.set_position(sampled, seat)
        turn.begin(sampled, may_give and sampled.size[seat] > 0)
        self.model.fill(turn)
        turn.solve()
        return turn.whole()

    def _share(self, sampled: Daruma, move: int) -> float:
        share = self.turn.move_value(sampled, move)
        return self.model.after_transfer(share, move) if move >= MOVE_GIVE else share

    def _sweep_candidates(self, sampled: Daruma, seat: int, budget: Budget, watch: Stopwatch) -> list[Candidate]:
        """This row against as many sampled rows as there is time for; both without the gift, to solve more rows."""
        turn, fresh, rows = Turn(), 0.0, 0
        stay = self._solve(turn, sampled, seat, False)
        most = MAX_ROWS if budget.playouts is None else min(MAX_ROWS, max(MIN_ROWS, budget.playouts // 8))
        while rows < most:
            row = cast(Daruma, sampled.copy())
            row.apply(MOVE_SWEEP, seat)
            while row.stage == SWEPT:
                row.apply(row.sample_outcome(self.rng))
            fresh, rows = fresh + self._solve(turn, row, seat, False), rows + 1
            if watch.left() < watch.spent() / (rows + 1):
                break
        return [Candidate(MOVE_SWEEP, fresh / rows, rows), Candidate(MOVE_ROLL, stay, 1.0)]


def _turn_key(sampled: Daruma) -> object:
    """Equal as long as a solution is valid."""
    collections = [tuple(sampled.collection(seat)) for seat in range(sampled.players)]
    return sampled.turn, sampled.walked, list(sampled.face), sampled.pupils, sampled.pile_size, collections


def _dice(sampled: Daruma) -> int:
    """The dice still in play: those available and those on the ledger."""
    return sum(sampled.dice >> 4 * face & 15 for face in range(6)) + sampled.ledger
