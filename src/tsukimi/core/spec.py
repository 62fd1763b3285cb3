"""What a game provides to the rest of the system: one `Spec`, made of its rules, its notation and its views."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tsukimi.core.game import Table
from tsukimi.core.rng import Rng

CHANCE = -1  # in place of a seat: chance acts
SPECTATOR = -1  # in place of a seat: someone who only watches
UNDO = -2  # in a history: the next number is how many moves are taken back

History = list[tuple[int, int]]  # (seat, move), (CHANCE, outcome), (UNDO, how many moves)
Json = dict[str, Any]
Position = Any  # the game's own subclass of Game


@dataclass(frozen=True)
class Field:
    """Some numbers of an observation: their position, range and meaning."""

    name: str
    offset: int
    length: int
    low: int
    high: int
    meaning: str = ""
    """A sentence. Fields that belong to a player are named `seat0.points`, `seat1.points`, .., counted from the observer."""


def lay_out(*parts: tuple[str, int, int, int, str]) -> tuple[Field, ...]:
    """Consecutive fields: (name, length, low, high, meaning) each."""
    fields: list[Field] = []
    for name, length, low, high, meaning in parts:
        start = fields[-1].offset + fields[-1].length if fields else 0
        fields.append(Field(name, start, length, low, high, meaning))
    return tuple(fields)


def _table(data: Mapping[str, Any], players: int) -> Table:
    return Table(data)


def no_rounds(_: Position) -> int:
    return 0


@dataclass(frozen=True, eq=False)
class Spec:
    """Everything the rest of the system needs from a game. Everything below `event` has a default."""

    name: str
    seats: tuple[int, ...]
    """The supported numbers of players."""
    folder: Path
    """The folder with `components.toml`, `lesson.toml` and `puzzles.jsonl` (if any), `messages/` and `guide/`."""
    start: Callable[[Table, int, Mapping[str, str]], Position]
    """The position before the first event."""
    text: Callable[[Position, int, int], str]
    """A move's text (seat CHANCE: an outcome's), in a position where it is possible."""
    parse: Callable[[Position, int, str], int]
    """The move for a text: `MalformedMove` if it fits no move of the game, `IllegalMove` if it is not possible here."""
    outcomes: Callable[[Position], list[tuple[int, float]]]
    """Every outcome of the pending chance event with its probability."""
    public: Callable[[Position], Json]
    """What everyone may know."""
    event: Callable[[Position, int, int, Position, int], Json]
    """What an observer saw: (before, seat or CHANCE, move, after, observer)."""

    own: Callable[[Position, int], Json] = lambda game, seat: {}
    """What a seat (or SPECTATOR) sees differently from the others, built only from what it may know."""
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Each option's values; the first is the default. `first` is added for every game."""
    load: Callable[[Mapping[str, Any], int], Table] = _table
    """Component data, checked for that number of players (`BadComponents`); called with {} if there are none."""
    component_choices: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The known values of fields in component data (`pad.kind`), offered when a set is edited; `@colours` stands for the
    values of the set's own list `colours`."""
    reason: Callable[[Position, int, int], tuple[str, dict[str, object]]] = lambda game, seat, move: ("illegal-now", {})
    """Why an existing move may not be made now: a code and parameters."""
    resample: Callable[[Position, History, int, Rng], History] | None = None
    """A history that looks the same to a seat (or SPECTATOR), with everything it cannot know resampled. None: all
    histories that look the same are enumerated and one is drawn, which is exact but only feasible with few secrets."""
    fields: Callable[[Position], Sequence[Field]] = lambda game: ()
    """The numbers of an observation, from first to last."""
    open_event: Callable[[Position, int, int], bool] = lambda before, seat, move: False
    """Whether everyone sees this event alike: if so, it is built once for all observers."""
    reveals: Callable[[Position, int, int], bool] = lambda before, seat, move: False
    """Whether a move shows anyone something they did not know: if so, it cannot be taken back without asking."""
    open_choice: Callable[[Position, int], bool] = lambda game, seat: True
    """Whether everyone can see which moves a seat has: if so, a forced one may be made automatically without giving anything away."""
    advance: Callable[[Position, int], list[str]] = lambda game, seat: []
    """Moves that a seat may decide before its turn."""
    rounds: Callable[[Position], int] = no_rounds
    """The round number, if people want to look at the table after each round; else 0."""
    stakes: Callable[[Position, int, int], list[Json]] = lambda game, seat, move: []
    """What a legal move gains, risks or costs, as far as its seat may know: each `{"kind": .., ..}`, with a text in `[stake]`
    of the messages. `{"kind": "points", "points": 3}` is a certain change in the seat's own score."""
    score_sheet: Callable[[Position, Sequence[Json]], list[Json]] = lambda game, events: []
    """The breakdown of a finished game's scores, in rows (`core.sheet`): (the last position, the remaining events as
    a spectator saw them). They add up to the scores."""

    chance: bool = True
    """Whether chance decides anything besides who starts."""
    engine: str = ""
    """How bots think about the game, as "package.module:Class", imported when a bot is made; empty: the generic engine."""
    terminal_board: str = ""
    """The class that draws the game in a terminal: a subclass of `tsukimi.terminal.Board`, as "package.module:Class"; empty: that class."""
    web_board: str = ""
    """The board in the browser: the name of one included in the client; empty: the generic board."""
    beginner: Mapping[str, str] = field(default_factory=dict)
    """The options to offer a first-time player, where they differ from the defaults."""
    length: int = 100
    """Roughly how many decisions a random game takes, over all variants (within a factor of eight)."""
    version: int = 1
    """The version of the rules: increase it whenever an existing game would continue differently (other moves, chance, scores)."""

    def view(self, game: Position, observer: int) -> Json:
        """What a seat (or SPECTATOR) may know."""
        return {**self.public(game), **self.own(game, observer)}

    @property
    def has_rounds(self) -> bool:
        """Whether people may want to look at the table after each round."""
        return self.rounds is not no_rounds

    @property
    def has_lesson(self) -> bool:
        """Whether there is a guided first game (`core.lesson`)."""
        return (self.folder / "lesson.toml").exists()

    @property
    def has_components(self) -> bool:
        return (self.folder / "components.toml").exists()
