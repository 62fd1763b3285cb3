"""Bots: players that use only what their seat knows. See docs/bots.md.

`make(name, state)` creates a bot for one game, `register` adds one of your own by name, and `explain(state, seat)` says
what a strong bot would play, and why. `shares(state)` estimates everyone's share of the win.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Protocol, TypeGuard

from tsukimi.bots import adaptive
from tsukimi.bots.adaptive import AdaptiveBot, Fit
from tsukimi.bots.budget import DEFAULT_BUDGET, Budget
from tsukimi.bots.engine import Engine, acting_seat, engine_for
from tsukimi.bots.levels import BASELINES, LEVELS, NAMES, FlatBot, GreedyBot, RandomBot, ScriptedBot, SearchBot
from tsukimi.bots.tree import Candidate
from tsukimi.core.errors import BadOptions
from tsukimi.core.source import Seed, rng_of
from tsukimi.core.state import State
from tsukimi.core.words import Words

__all__ = [
    "BASELINES",
    "LEVELS",
    "NAMES",
    "AdaptiveBot",
    "Advice",
    "Bot",
    "Budget",
    "Candidate",
    "Engine",
    "Factory",
    "Fit",
    "SearchBot",
    "engine_for",
    "explain",
    "make",
    "register",
    "shares",
]

GROUP = "tsukimi.bots"
NAME = re.compile(r"\w[\w.-]{0,59}")


class Bot(Protocol):
    """Anything that can play a seat. It must use only what that seat may know of a state."""

    def choose(self, state: State, seat: int) -> int:
        """One of `state.actions(seat)`."""


Factory = Callable[[State, int, Budget], Bot]
"""Creates a bot for a game from the state, a seed and a budget. A class with such an `__init__` is a factory."""

_registered: dict[str, Factory] = {}


def register(name: str, factory: Factory) -> None:
    """Make a bot available by name in this process, like an installed plug-in. A second factory with the same name
    replaces the first."""
    if not isinstance(name, str) or not NAME.fullmatch(name) or name in (*NAMES, *BASELINES):
        raise BadOptions("bad-bot-name", bot=str(name)[:60], taken=", ".join([*NAMES, *BASELINES]))
    if not callable(factory):
        raise BadOptions("not-a-bot", bot=repr(factory)[:60])
    _registered[name] = factory


def registered(name: str) -> Factory | None:
    """The factory registered under this name, if there is one."""
    return _registered.get(name)


def make(name: str, state: State, seed: Seed = None, budget: Budget | None = None) -> Bot:
    """A bot for this game: `random`, `greedy`, `novice`, `regular`, `master`, `adaptive` (`adaptive-60`: with a strength
    from 0 to 100), a registered or plug-in bot, the baselines `flat` and (in some games) `scripted`, or `net:PATH` for a
    trained network. Without a budget it thinks for one second per decision.

    A bot keeps what it has found from move to move: make one per seat and game.
    """
    rng = rng_of(seed)
    budget = budget or DEFAULT_BUDGET
    if name == "random":
        return RandomBot(rng.number())
    if name == "greedy":
        return GreedyBot(engine_for(state, rng.number()))
    if name == "scripted":
        return ScriptedBot(engine_for(state, rng.number()))
    if name == "flat":
        return FlatBot(budget, rng.number())
    if name.startswith("net:"):
        from tsukimi.bots.net import NetBot  # NumPy is loaded only when needed

        return NetBot(state, rng.number(), name[4:])
    if name in LEVELS:
        return SearchBot(engine_for(state, rng.number()), name, budget, rng.number())
    if (strength := adaptive.strength_of(name)) is not None:
        weak, strong, part = adaptive.mixture(strength)
        seats = make(weak, state, rng.number(), budget), make(strong, state, rng.number(), budget)
        return AdaptiveBot(*seats, part, rng.number())
    return made_by(_factory(name), state, rng.number(), budget)


def is_bot(thing: object) -> TypeGuard[Bot]:
    """Whether this can play a seat itself (a class cannot: it makes bots)."""
    return callable(getattr(thing, "choose", None)) and not isinstance(thing, type)


def made_by(factory: Factory, state: State, seed: int, budget: Budget) -> Bot:
    """What a factory returns, checked to be a bot."""
    made = factory(state, seed, budget)
    if not is_bot(made):
        raise BadOptions("not-a-bot", bot=repr(made)[:60])
    return made


def _factory(name: str) -> Factory:
    if name in _registered:
        return _registered[name]
    plugins = entry_points(group=GROUP)
    if name in plugins.names:
        loaded: Factory = plugins[name].load()
        return loaded
    known = [*NAMES, *BASELINES, *sorted({*_registered, *plugins.names})]
    raise BadOptions("unknown-bot", bot=str(name)[:60], known=", ".join(known))


@dataclass(frozen=True)
class Advice:
    """The moves, best first, as (text, share of the win, expected score or None), and why the first is best."""

    moves: list[tuple[str, float, float | None]]
    sentence: str


def explain(state: State, seat: int, lang: str = "en", budget: Budget | None = None, seed: Seed = 0) -> Advice:
    """What `master` would play here, and why. Without a budget it thinks for one second."""
    seat = acting_seat(state, seat)
    engine = engine_for(state, rng_of(seed).number())
    candidates = engine.believable(state.core, engine.analyse(state, seat, budget or DEFAULT_BUDGET))
    code, fields = engine.reason(state, seat, candidates)
    names = [state.names.get(other, f"p{other + 1}") for other in range(state.players)]
    sentence = Words(state.game, lang, names).why(code, fields)
    # Advice names really different moves: of those that come to the same, the first.
    different: dict[int, Candidate] = {}
    for candidate in candidates:
        different.setdefault(engine.stand_in(state, seat, candidate.move), candidate)
    moves = [(state.text(candidate.move, seat), candidate.share, candidate.score) for candidate in different.values()]
    return Advice(moves, sentence)


def shares(state: State, seat: int | None = None) -> list[float]:
    """Each seat's share of the win, between 0 and 1 and adding up to 1: given what this seat may know or, without a seat,
    with all hidden information revealed. Takes a few milliseconds; for many positions of a game, use `Engine.shares`.
    """
    return engine_for(state, 0).shares(state.core, seat)
