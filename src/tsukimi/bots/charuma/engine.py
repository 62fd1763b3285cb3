"""The engine of Charuma: a search for the auction and most of a round, and an exact solution of its end."""

from __future__ import annotations

from tsukimi.bots.budget import Budget
from tsukimi.bots.charuma import greedy, reasons, scripted
from tsukimi.bots.charuma.deals import Deals
from tsukimi.bots.charuma.endgame import ALL_DEALS, Endgame
from tsukimi.bots.charuma.evaluator import CharumaEvaluator
from tsukimi.bots.charuma.greedy import listed
from tsukimi.bots.charuma.reasons import leads_trick
from tsukimi.bots.charuma.solver import COMPILED
from tsukimi.bots.engine import Engine, Reason, best_first, share_for
from tsukimi.bots.tree import Candidate
from tsukimi.core.game import Game
from tsukimi.core.state import State
from tsukimi.games.charuma.notation import deck, phase, position
from tsukimi.games.charuma.rules import Charuma

# By number of players: with this many cards in hand, or fewer, the end is solved over the hidden deals (EXACT), or a
# simulation of the search solves the rest of the round instead of playing it (SOLVED).
EXACT = {2: 8, 3: 4, 4: 3, 5: 3} if COMPILED else {2: 4, 3: 3, 4: 2, 5: 2}
SOLVED = {2: 5, 3: 3, 4: 2, 5: 2} if COMPILED else {2: 2, 3: 1, 4: 1, 5: 1}
WORLDS = 64 if COMPILED else 16  # deals that a search starts from, drawn by the likelihood of bids and plays
# The weaker levels solve only this many last cards, and a regular's search sees few of the possible deals.
NOVICE_SOLVES = 2
REGULAR_SOLVES = {2: 4, 3: 3, 4: 2, 5: 2}
REGULAR_PLAYOUTS = 60
BIDS = ("bid", "bid-pairs", "bid-high", "bid-cheap", "bid-firm", "bid-share", "bid-low", "bid-raise")


class CharumaEngine(Engine):
    evaluator: CharumaEvaluator
    themes = {
        **dict.fromkeys(BIDS, "auction"),
        "take": "take",
        "sure": "take",
        "only-threat": "count",
        "hidden-threat": "count",
        "hidden-anyway": "count",
        "solved": "open-hands",
        "solved-share": "open-hands",
        "let-go": "let-go",
        "cannot-win": "discard",
        "lead-under": "under",
        "play-under": "under",
    }

    def __init__(self, start: Game, seed: int) -> None:
        super().__init__(start, seed)
        self.worlds = WORLDS
        self.solved, self.exact_cards = SOLVED[start.players], EXACT[start.players]
        self._endgame = Endgame(self.evaluator, Deals(self.evaluator, start))

    def make_evaluator(self, start: Game) -> CharumaEvaluator:
        return CharumaEvaluator(deck(start), start.players)

    def greedy(self, state: State, seat: int) -> list[Candidate]:
        sampled = self.determinize(state, seat)
        values = [(move, greedy.value_of(sampled, seat, move)) for move in sampled.actions(seat)]
        return best_first([Candidate(move, share_for(value), 1) for move, value in values], self.rng)

    def scripted(self, state: State, seat: int) -> list[Candidate]:
        moves, deals = state.actions(seat), [self.determinize(state, seat) for _ in range(scripted.DEALS)]
        values = scripted.values(deals, seat, moves)
        tried = [Candidate(move, share_for(value), len(deals)) for move, value in zip(moves, values, strict=True)]
        return best_first(tried, self.rng)

    def analyse(self, state: State, seat: int, budget: Budget) -> list[Candidate]:
        watch = budget.start()
        sampled = position(self.determinize(state, seat))
        if phase(sampled) == "tricks" and cards_left(sampled, seat) <= self.exact_cards:
            return self._endgame.analyse(state, sampled, seat, budget, self.rng, watch)
        tree = self.tree(budget.threads)
        self.evaluator.set_round(sampled, self.solved)
        worlds = self._endgame.worlds(state, sampled, seat, self.rng, self.worlds)
        return tree.search(sampled, seat, watch.remaining(), self.tried, worlds)

    def seen(self, state: State, seat: int, level: str, budget: Budget) -> list[Candidate]:
        """A novice looks at the current trick, or at one bid, and counts no cards before the last two. A regular looks to
        the end of the round, but over few deals and without inference from earlier bids."""
        sampled = position(self.determinize(state, seat))
        solved = NOVICE_SOLVES if level == "novice" else REGULAR_SOLVES[state.players]
        if phase(sampled) == "tricks" and cards_left(sampled, seat) <= solved:
            return self.analyse(state, seat, budget)
        if level == "novice":
            return self.rated(state, seat)
        self.evaluator.set_round(sampled, 1)
        return self.short_search(sampled, seat, budget, REGULAR_PLAYOUTS)

    def exact(self, state: State, seat: int) -> list[Candidate] | None:
        """The rest of a round over all consistent deals, if there are few."""
        sampled = position(self.determinize(state, seat))
        if phase(sampled) != "tricks" or cards_left(sampled, seat) > EXACT[state.players]:
            return None
        if not self._endgame.all_deals(sampled, seat):
            return None
        return self._endgame.analyse(state, sampled, seat, ALL_DEALS, self.rng, ALL_DEALS.start())

    def themes_of(self, state: State, seat: int, move: int, reason: Reason) -> list[str]:
        """Also "void": the play gives away the last card of a colour."""
        sampled = position(self.determinize(state, seat))
        after = position(sampled.copy())
        after.apply(move, seat)
        same_round = phase(sampled) == "tricks" and after.round == sampled.round and not after.over
        colours = [{card // 10 % 2 for card in listed(game.hand[seat], game.twins[seat])} for game in (sampled, after)]
        void = same_round and len(colours[0]) == 2 and len(colours[1]) == 1
        return [*super().themes_of(state, seat, move, reason), *(["void"] if void else [])]

    def estimate(self, game: Game, rollouts: int) -> list[float]:
        self.evaluator.set_round(position(game), SOLVED[game.players], True)
        return super().estimate(game, rollouts)

    def progress(self, game: Game) -> float:
        """How close the leader is to the goal."""
        here = position(game)
        return 1.0 if here.last_round else max(here.owned[: here.players]) / deck(game).goal

    def absurd(self, state: State, seat: int) -> set[int]:
        """Leaving a trick that nobody could take away."""
        sampled = position(self.determinize(state, seat))
        if phase(sampled) != "tricks" or sampled.led < 0:
            return set()
        moves = sampled.actions(seat)
        taking = [move for move in moves if leads_trick(sampled, seat, move)]
        unseen = self._endgame.unseen(sampled, seat)
        if not any(reasons.is_sure(sampled, unseen, seat, move) for move in taking):
            return set()
        return set(moves).difference(taking)

    def reason(self, state: State, seat: int, candidates: list[Candidate]) -> Reason:
        sampled = position(self.determinize(state, seat))
        return reasons.reason(self.evaluator, self._endgame, state, sampled, seat, candidates)


def cards_left(sampled: Charuma, seat: int) -> int:
    return sampled.hand[seat].bit_count() + sampled.twins[seat].bit_count()
