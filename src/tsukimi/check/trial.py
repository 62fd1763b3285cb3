"""One variant of a game under test, and how it is played at random."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import tsukimi
from tsukimi.core.game import Game
from tsukimi.core.spec import Spec
from tsukimi.core.state import State
from tsukimi.games import spec

LANGUAGES = ("en", "fr", "es")
MOST_COMBINATIONS = 40


Errors = type[Exception] | tuple[type[Exception], ...]


class Failed(AssertionError):
    """A requirement that every game must satisfy does not hold."""


class Variant(NamedTuple):
    game: str
    players: int
    options: dict[str, str]

    def __str__(self) -> str:
        return "-".join([self.game, str(self.players), *self.options.values()])


@dataclass(frozen=True)
class Trial:
    """A variant, where its random numbers begin, and how many playouts a check may take."""

    variant: Variant
    seed: int = 0
    games: int = 20

    @property
    def spec(self) -> Spec:
        return spec(self.variant.game)

    def new(self, seed: int | None = None, **more: Any) -> State:
        number = None if seed is None else 1000 * self.seed + seed
        options: dict[str, Any] = {**self.variant.options, **more}
        return tsukimi.new(self.variant.game, self.variant.players, seed=number, **options)

    def start(self) -> Game:
        """The position before the first chance event."""
        return self.new(chance="manual").core.copy()

    def luck(self, number: int) -> random.Random:
        return random.Random(1000 * self.seed + number)

    def game(self, seed: int) -> Iterator[State]:
        """The same state before each decision of a random game, then at its end."""
        state, luck = self.new(seed), self.luck(seed)
        while not state.over:
            yield state
            seat = luck.choice(state.actors)
            state.apply(luck.choice(state.actions(seat)), seat)
        yield state

    def some(self, seed: int, number: int = 40) -> Iterator[tuple[int, State]]:
        """About that many decisions of a random game, spread over it, with their numbers; then its end."""
        step = max(1, sum(1 for _ in self.game(seed)) // number)
        for decision, state in enumerate(self.game(seed)):
            if decision % step == 0 or state.over:
                yield decision, state

    def played(self, seed: int) -> State:
        *_, state = self.game(seed)
        return state

    def chance_comes_later(self) -> bool:
        """Whether there is chance after the first decision."""
        movers = [mover for mover, _ in self.played(77).history]
        first = next((place for place, mover in enumerate(movers) if mover >= 0), len(movers))
        return any(mover < 0 for mover in movers[first:])


Check = Callable[[Trial], None]


def variants(game: Spec) -> list[Variant]:
    """Every number of players with every combination of options; one option after the other where these are too many."""
    names, values = list(game.options), [tuple(values) for values in game.options.values()]
    combinations = list(itertools.islice(itertools.product(*values), MOST_COMBINATIONS + 1))
    if len(combinations) > MOST_COMBINATIONS:
        default = [choice[0] for choice in values]
        combinations = [tuple(default)]
        for place, choice in enumerate(values):
            combinations += [(*default[:place], value, *default[place + 1 :]) for value in choice[1:]]
    return [
        Variant(game.name, players, dict(zip(names, chosen, strict=True)))
        for players in game.seats
        for chosen in combinations
    ]


def observers(state: State) -> list[int | None]:
    return [*range(state.players), None]


def require(holds: object, what: str) -> None:
    if not holds:
        raise Failed(what)


def refused(errors: Errors, what: str, function: Callable[..., object], *arguments: object) -> Exception:
    """The error with which a call is refused."""
    try:
        function(*arguments)
    except errors as error:
        return error
    raise Failed(f"{what} is not refused")


def canonical(data: Any) -> str:
    """Text that two equal pieces of data share; fails on what is not JSON."""
    return json.dumps(data, sort_keys=True, allow_nan=False)


def fingerprint(state: State) -> str:
    """All that can be seen of a state from outside."""
    return canonical(
        [
            state.record(),
            [state.view(seat) for seat in observers(state)],
            [state.events(seat) for seat in observers(state)],
            [state.legal(seat) for seat in range(state.players)],
            state.scores(),
            state.winners(),
            state.actors,
            state.chance,
        ]
    )
