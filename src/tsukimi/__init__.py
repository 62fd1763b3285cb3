"""Tsukimi: four board games with one implementation of the rules, to play, simulate, analyse and learn. See docs/api.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tsukimi.core import setup as _setup
from tsukimi.core.errors import (
    BadComponents,
    BadOptions,
    BadRecord,
    IllegalMove,
    MalformedMove,
    NotYourTurn,
    TsukimiError,
)
from tsukimi.core.record import read as _read
from tsukimi.core.source import Seed, Source, rng_of
from tsukimi.core.state import State
from tsukimi.games import spec as _spec

if TYPE_CHECKING:
    from tsukimi.core.batch import Batch

    def games() -> list[str]:
        """The names of the installed games."""
else:
    from tsukimi import games  # callable, and the package of our own games

__all__ = [
    "BadComponents",
    "BadOptions",
    "BadRecord",
    "IllegalMove",
    "MalformedMove",
    "NotYourTurn",
    "State",
    "TsukimiError",
    "batch",
    "games",
    "new",
    "replay",
]
__version__ = "0.2.0.dev0"


def new(
    game: str,
    players: int,
    seed: Seed = None,
    chance: str = "auto",
    components: _setup.Components = None,
    **options: str,
) -> State:
    """A new game. Chance is resolved from the seed, or left to `play` when chance="manual"."""
    source = _source(seed, chance)
    return _setup.make(_spec(game), players, options, components, source)


def replay(text: str, seed: Seed = None, chance: str = "auto") -> State:
    """The game in a record. If it is unfinished, it continues with chance from the seed (or manual)."""
    source = _source(seed, chance)
    state = _read(text, _make)
    return state if source is None else state._twin(state.history, source)


def batch(
    game: str,
    players: int,
    games: int,
    seed: Seed = None,
    threads: int = 1,
    components: _setup.Components = None,
    reward: str = "win",
    observe: str = "actor",
    terminal: bool = False,
    masks: bool = False,
    seat: int | str | None = None,
    encoding: str = "numbers",
    **options: str,
) -> Batch:
    """Many games stepped together, in NumPy arrays; see docs/batches.md."""
    from tsukimi.core.batch import Batch  # NumPy is loaded only when needed
    from tsukimi.core.encoding import Encoding

    start = _setup.make(_spec(game), players, options, components, None)
    layout = Encoding(start.spec, start.core, encoding) if encoding != "numbers" else None
    return Batch(start.core.copy(), games, rng_of(seed), threads, reward, observe, terminal, masks, seat, layout)


def _make(game: str, players: int, options: Mapping[str, str], components: Any) -> State:
    if components is not None and not isinstance(components, dict):
        raise BadComponents("components-kind", kind=type(components).__name__)
    return _setup.make(_spec(game), players, options, components, None)


def _source(seed: Seed, chance: str) -> Source | None:
    if chance not in ("auto", "manual"):
        raise BadOptions("bad-option", option="chance", value=str(chance)[:60], known="auto, manual")
    return None if chance == "manual" else Source.of(seed)
