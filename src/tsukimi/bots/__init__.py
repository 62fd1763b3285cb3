"""Bots: opponents that know what their seat knows, and nothing more. See docs/bots.md.

`make(name, state)` gives a bot for one game; `explain(state, seat)` says what a strong bot would do, and why.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Protocol

from tsukimi.bots.budget import Budget, spend
from tsukimi.bots.flat import Flat
from tsukimi.bots.mind import Mind
from tsukimi.bots.tree import Thought
from tsukimi.core.errors import BadOptions, NotYourTurn
from tsukimi.core.rng import Rng
from tsukimi.core.source import Seed, rng_of
from tsukimi.core.state import State
from tsukimi.core.words import Words

__all__ = ["LEVELS", "Bot", "Budget", "Thought", "explain", "make"]


class Bot(Protocol):
    """Anything that can sit at a table. It must look at a state through what its seat may know alone."""

    def choose(self, state: State, seat: int) -> int:
        """One of `state.actions(seat)`."""


LEVELS = {"novice": 0.02, "regular": 0.15, "master": 1.0}  # the part of the time that each uses
NAMES = ("random", "greedy", *LEVELS)  # what menus offer
YARDSTICKS = ("flat",)  # known by name, for matches


class RandomBot:
    """Any legal move, each as likely as the others."""

    def __init__(self, seed: int) -> None:
        self._rng = Rng(seed)

    def choose(self, state: State, seat: int) -> int:
        return state.core.random_action(seat, self._rng)


class GreedyBot:
    """The move after which the position looks best, one ply deep."""

    def __init__(self, mind: Mind) -> None:
        self._mind = mind

    def choose(self, state: State, seat: int) -> int:
        return self._mind.greedy(state, seat)[0].move


class FlatBot:
    """Flat Monte-Carlo: the move that wins most often when the rest is played at random, in redrawn worlds."""

    def __init__(self, budget: Budget, seed: int) -> None:
        self._budget, self._rng = budget, Rng(seed)

    def choose(self, state: State, seat: int) -> int:
        watch = self._budget.start()
        root = state.core.copy()
        root = root.resample(seat, self._rng)
        trials, moves = Flat(root, seat, self._rng), root.actions(seat)
        if len(moves) == 1:
            return moves[0]
        playouts = self._budget.playouts
        spend(watch, None if playouts is None else max(1, playouts // len(moves)), trials.run)
        return max(trials.result(), key=lambda tried: tried[1])[0]


class ThinkingBot:
    """Novice, regular or master: one mind, less time and a blurred judgement for the weaker ones."""

    def __init__(self, mind: Mind, level: str, budget: Budget, seed: int) -> None:
        self._mind, self._noise, self._rng = mind, mind.noise.get(level, 0.0), Rng(seed)
        self._budget = budget.part(LEVELS[level], least=8)

    def choose(self, state: State, seat: int) -> int:
        moves = state.core.actions(seat)
        if len(moves) == 1:
            return moves[0]
        thoughts = self._mind.think(state, seat, self._budget)
        if not self._noise:
            return thoughts[0].move
        return max(thoughts, key=self._blurred).move

    def _blurred(self, thought: Thought) -> float:
        """A judgement that errs as people do: a little off everywhere, not now and then by a lot."""
        error = sum(self._rng.randrange(2**20) for _ in range(4)) / 2**20 - 2.0
        return thought.share + self._noise * error


def make(name: str, state: State, seed: Seed = None, budget: Budget | None = None) -> Bot:
    """A bot for this game: `random`, `greedy`, `novice`, `regular`, `master`, a plug-in's name, or `flat` (a yardstick
    for matches: random playouts without a tree).

    A bot keeps what it has thought from move to move: make one per seat and game.
    """
    rng = rng_of(seed)
    if name == "random":
        return RandomBot(rng.number())
    if name == "greedy":
        return GreedyBot(mind(state, rng.number()))
    if name == "flat":
        return FlatBot(budget or Budget(), rng.number())
    if name in LEVELS:
        return ThinkingBot(mind(state, rng.number()), name, budget or Budget(), rng.number())
    for plugin in entry_points(group="tsukimi.bots", name=name):
        made: Bot = plugin.load()(state, rng.number(), budget or Budget())
        return made
    plugins = [plugin.name for plugin in entry_points(group="tsukimi.bots")]
    raise BadOptions("unknown-bot", bot=name[:60], known=", ".join([*NAMES, *YARDSTICKS, *plugins]))


def mind(state: State, seed: int) -> Mind:
    """The way of thinking about this game."""
    found: Any = import_module(f"tsukimi.bots.{state.game.replace('-', '_')}").MIND
    made: Mind = found(state.core.copy(), seed)
    return made


@dataclass(frozen=True)
class Advice:
    """The moves, best first, and a sentence on why the first is the best."""

    moves: list[tuple[str, float, float | None]]
    sentence: str


def explain(state: State, seat: int, lang: str = "en", budget: Budget | None = None, seed: Seed = 0) -> Advice:
    """What `master` would do here: each move's text, estimated share of the win and expected score; and why."""
    if seat not in state.actors:
        raise NotYourTurn("not-your-turn", who=", ".join(f"p{actor + 1}" for actor in state.actors))
    thinker = mind(state, rng_of(seed).number())
    thoughts = thinker.think(state, seat, budget or Budget())
    code, fields = thinker.facts(state, seat, thoughts)
    names = [state.names.get(other, f"p{other + 1}") for other in range(state.players)]
    sentence = Words(state.game, lang, names).why(code, fields)
    texts = [(state.text(thought.move, seat), thought.share, thought.score) for thought in thoughts]
    return Advice(texts, sentence)
